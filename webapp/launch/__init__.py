"""Turning a choice of tasks and settings into a run."""
