"""Running one episode in a worker: claim it, run the engine, keep what came out."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import cast

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from engine.episode.result import EpisodeResult
from engine.episode.run import run_episode
from engine.episode.settings import Control, EpisodeSettings, Mode, WorldName
from engine.errors import EngineError
from engine.events.log import Sink
from engine.spec.loader import load_task_text
from engine.spec.model import TaskSpec
from webapp.live.models import EventSegment
from webapp.live.recorder import Fenced, Recorder
from webapp.live.wake import wake
from webapp.runs.models import Episode, Status

logger = logging.getLogger(__name__)

Engine = Callable[[TaskSpec, EpisodeSettings, Sink, Control], EpisodeResult]

UNEXPECTED = (
    "An unexpected fault stopped the episode. The worker's output says more; it can be started again."
)


def execute(episode_id: int, engine: Engine = run_episode) -> None:
    """Run the episode if it is still queued; otherwise do nothing.

    Whatever goes wrong ends in the episode's status `error` with a message in plain words. An execution that another
    one has replaced stops silently.
    """
    episode = claim(episode_id)
    if episode is None:
        return
    recorder = Recorder(episode)
    try:
        result = _run(episode, recorder, engine)
    except Fenced:
        logger.info("%s went on without this execution", episode)
    except EngineError as error:
        _finish(recorder, status=Status.ERROR, error=str(error))
    except Exception:
        logger.exception("%s failed", episode)
        _finish(recorder, status=Status.ERROR, error=UNEXPECTED)
    else:
        _finish(
            recorder,
            status=Status(result.status),
            error=result.error,
            success=result.success,
            partial_score=result.partial_score,
            steps=result.steps,
            result=result.to_dict(),
        )


def claim(episode_id: int) -> Episode | None:
    """Take a queued episode for this execution, under a new attempt number; None if it is not queued (any more)."""
    now = timezone.now()
    with transaction.atomic():
        claimed = Episode.objects.filter(pk=episode_id, status=Status.QUEUED).update(
            status=Status.RUNNING,
            attempt=F("attempt") + 1,
            started_at=now,
            heartbeat_at=now,
            last_seq=0,
            world_tick=0,
        )
        if not claimed:
            return None
        episode = Episode.objects.select_related("task", "run").get(pk=episode_id)
        EventSegment.objects.filter(episode=episode).exclude(attempt=episode.attempt).delete()
    wake(episode.pk)
    return episode


def _run(episode: Episode, recorder: Recorder, engine: Engine) -> EpisodeResult:
    spec = load_task_text(episode.task.yaml, f"{episode.task.slug}.yaml").spec
    settings = EpisodeSettings(
        policy=episode.policy,
        mode=cast("Mode", episode.mode),
        world=cast("WorldName", episode.world),
        seed=episode.seed,
    )
    return engine(spec, settings, recorder.record, recorder)


def _finish(recorder: Recorder, **outcome: object) -> None:
    try:
        recorder.finish(**outcome)
    except Fenced:
        logger.info("Episode %s went on without this execution", recorder.episode_id)
