"""Celery tasks. They are thin: what they do is in `execution.py`."""

from __future__ import annotations

from celery import shared_task

from webapp.runs import execution


@shared_task(name="execute_episode")
def execute_episode(episode_id: int) -> None:
    """Run one queued episode. A second message for the same episode does nothing."""
    execution.execute(episode_id)
