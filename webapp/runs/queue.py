"""Telling the workers about queued episodes.

The database is the queue of record. A message only wakes a worker for one episode; a lost one is sent again by the
reaper, and a surplus one finds nothing to claim.
"""

from __future__ import annotations

from collections.abc import Iterable

from django.db import transaction
from django.utils import timezone

from webapp.runs.models import Episode


def enqueue(episodes: Iterable[int]) -> None:
    """Send one message for each of these episodes once the current transaction is committed.

    Args:
        episodes: primary keys, in the order in which they should start.
    """
    ids = list(episodes)
    Episode.objects.filter(pk__in=ids).update(enqueued_at=timezone.now())
    transaction.on_commit(lambda: send(ids), robust=True)


def send(ids: Iterable[int]) -> None:
    """Send one message for each of these episodes now."""
    from webapp.runs.jobs import execute_episode

    with execute_episode.app.producer_pool.acquire(block=True) as producer:
        for episode_id in ids:
            execute_episode.apply_async((episode_id,), producer=producer)
