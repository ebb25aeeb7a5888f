"""Noticing what nobody else can: executions that fell silent, and messages that never arrived."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import Max, QuerySet
from django.utils import timezone

from webapp.live.wake import wake
from webapp.runs.models import Episode, Status
from webapp.runs.queue import send

SILENCE = timedelta(seconds=30)
"""An execution that has shown no sign of life for so long is lost; a message that old may be."""
LONGEST_DELAY = timedelta(hours=1)
HEAD = 8
"""How many of the oldest waiting episodes are sent again when no worker has taken any for a while."""
BATCH = 100
"""Most messages sent again in one sweep."""

LOST = "Nothing was heard of the worker for {seconds:.0f} s: it was stopped or its machine failed. Start it again."
STOPPED = "The dashboard was stopped while this episode ran. Start it again."


def mark_silent(now: datetime) -> int:
    """Mark running episodes without a recent sign of life as lost; their number."""
    silent = Episode.objects.filter(status=Status.RUNNING, heartbeat_at__lt=now - SILENCE)
    return _mark_lost(silent, LOST.format(seconds=SILENCE.total_seconds()))


def mark_all_running() -> int:
    """Mark all running episodes as lost, where it is known that no worker is alive; their number.

    Those that no worker was told of are left alone: a `run_suite` beside the dashboard runs them.
    """
    told = Episode.objects.filter(status=Status.RUNNING, enqueued_at__isnull=False)
    return _mark_lost(told, STOPPED)


def _mark_lost(episodes: QuerySet[Episode], why: str) -> int:
    ids = list(episodes.values_list("pk", flat=True))
    count = episodes.filter(pk__in=ids).update(status=Status.LOST, error=why, ended_at=timezone.now())
    for episode_id in ids:
        wake(episode_id)
    return count


class Resender:
    """Sends the messages of waiting episodes again that seem to have got lost.

    A message is overdue when an episode queued later was claimed long ago, since messages arrive in order, or when
    no worker has claimed anything for a while and it is at the head of the queue. While all workers are busy with
    long episodes the second sign is a false one, so each episode's message is repeated less and less often.
    """

    def __init__(self) -> None:
        self._next: dict[int, tuple[datetime, timedelta]] = {}

    def sweep(self, now: datetime) -> list[int]:
        """Send again what is overdue; the episodes' keys."""
        waiting = Episode.objects.filter(status=Status.QUEUED).order_by("enqueued_at", "pk")
        stale = waiting.filter(enqueued_at__lt=now - SILENCE)
        if not stale.exists():
            self._next.clear()
            return []
        claimed = Episode.objects.exclude(status=Status.QUEUED).exclude(started_at=None)
        overtaken = claimed.filter(started_at__lt=now - SILENCE).aggregate(last=Max("enqueued_at"))["last"]
        overdue = (
            list(stale.filter(enqueued_at__lt=overtaken).values_list("pk", flat=True)) if overtaken else []
        )
        if not claimed.filter(started_at__gte=now - SILENCE).exists():
            overdue += stale.values_list("pk", flat=True)[:HEAD]
        due = [pk for pk in dict.fromkeys(overdue) if pk not in self._next or self._next[pk][0] <= now][
            :BATCH
        ]
        for pk in due:
            delay = self._next[pk][1] * 2 if pk in self._next else SILENCE
            self._next[pk] = (now + min(delay, LONGEST_DELAY), min(delay, LONGEST_DELAY))
        send(due)
        return due
