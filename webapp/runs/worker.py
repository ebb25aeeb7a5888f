"""One worker process of a command. It is imported before Django is set up, so it imports nothing of Django's."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading


def work(run_id: int) -> None:
    """A worker's life: play the run's waiting episodes, one after another."""
    import django

    django.setup()
    threading.Thread(target=_end_with_parent, daemon=True).start()
    from webapp.runs.execution import execute
    from webapp.runs.models import Episode, Status

    waiting = Episode.objects.filter(run=run_id, status=Status.QUEUED).order_by("index")
    while (episode_id := waiting.values_list("pk", flat=True).first()) is not None:
        execute(episode_id)


def _end_with_parent() -> None:
    """A worker must not outlive a command that was killed."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os.kill(os.getpid(), signal.SIGKILL)
