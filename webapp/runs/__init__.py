"""Runs and their episodes: execution, pages, exports."""
