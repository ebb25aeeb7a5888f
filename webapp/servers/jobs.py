"""Celery tasks. They are thin: what they do is in `checks.py`."""

from __future__ import annotations

from celery import shared_task

from webapp.servers import checks


@shared_task(name="check_server")
def check_server(check_id: int) -> None:
    """Carry out one queued check of a server. A second message for the same check does nothing."""
    checks.carry_out(check_id)
