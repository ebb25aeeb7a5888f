"""The benchmark engine: tasks, worlds, episodes, event logs. It knows nothing of Django or Celery."""

VERSION = "0.1.0"
"""Recorded in every event log; a change of rules or scores raises it."""
