"""What people do to runs and episodes: cancel, start again, change the pace."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.db import models, transaction
from django.utils import timezone

from webapp.live.wake import wake
from webapp.runs.aggregates import cleared
from webapp.runs.models import ACTIVE, PACES, RETRYABLE, Episode, Run, Status
from webapp.runs.queue import enqueue


def cancel_run(run: Run) -> int:
    """Stop all of the run's episodes; the number of those that were still active."""
    with transaction.atomic():
        Run.objects.filter(pk=run.pk).update(cancel_requested=True)
        active = list(run.episodes.filter(status__in=ACTIVE).values_list("pk", flat=True))
        queued = _cancel_queued(run.episodes.all())
        running = run.episodes.filter(status=Status.RUNNING).update(cancel_requested=True)
    for episode_id in active:
        wake(episode_id)
    return queued + running


def cancel_episode(episode: Episode) -> bool:
    """Stop one episode: at once while it waits, within about half a second while it runs.

    Returns:
        Whether there was anything to stop.
    """
    row = Episode.objects.filter(pk=episode.pk)
    with transaction.atomic():
        changed = _cancel_queued(row) + row.filter(status=Status.RUNNING).update(cancel_requested=True)
    wake(episode.pk)
    return bool(changed)


def _cancel_queued(episodes: models.QuerySet[Episode]) -> int:
    return episodes.filter(status=Status.QUEUED).update(
        status=Status.CANCELLED, cancel_requested=True, ended_at=timezone.now()
    )


def retry_episode(episode: Episode) -> bool:
    """Queue an episode again that was lost, failed by a fault, or cancelled.

    Its old log stays readable until a worker claims it.

    Returns:
        Whether it could be queued.
    """
    with transaction.atomic():
        changed = start_over(Episode.objects.filter(pk=episode.pk))
        if changed:
            enqueue([episode.pk])
    return bool(changed)


def start_over(episodes: models.QuerySet[Episode]) -> int:
    """Let those of the episodes wait again that were lost, failed by a fault, or cancelled; their number.

    No worker is told of them.
    """
    return episodes.filter(status__in=RETRYABLE).update(
        status=Status.QUEUED,
        cancel_requested=False,
        enqueued_at=None,
        started_at=None,
        heartbeat_at=None,
        ended_at=None,
        success=None,
        partial_score=None,
        steps=None,
        result=None,
        error="",
        **cleared(),
    )


def set_pace(episode: Episode, pace: float) -> bool:
    """Change how fast an episode runs.

    Args:
        episode: the episode.
        pace: world seconds per wall second; 0 is as fast as possible.

    Returns:
        Whether the episode still waits or runs, so that a pace means something.

    Raises:
        ValidationError: not one of `PACES`.
    """
    if pace not in PACES:
        raise ValidationError(f"The pace must be one of {', '.join(f'{value:g}' for value in PACES)}.")
    changed = Episode.objects.filter(pk=episode.pk, status__in=ACTIVE).update(pace=pace)
    wake(episode.pk)
    return bool(changed)
