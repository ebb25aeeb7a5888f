"""Running one episode in a worker: claim it, run the engine, keep what came out."""

from __future__ import annotations

import logging
from contextlib import ExitStack
from typing import Protocol, cast

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from engine.episode.result import EpisodeResult
from engine.episode.run import run_episode
from engine.episode.settings import Control, EpisodeSettings, Mode, WorldName
from engine.errors import EngineError, SettingsError
from engine.events.log import Sink
from engine.llm.provider import Provider
from engine.minecraft.servers import Server
from engine.spec.loader import load_task_text
from engine.spec.model import TaskSpec
from webapp.live.models import EventSegment
from webapp.live.recorder import Fenced, Recorder
from webapp.live.wake import wake
from webapp.runs import aggregates, outlook, providers, spending
from webapp.runs.models import Episode, Status
from webapp.servers.registry import server_for

logger = logging.getLogger(__name__)


class Engine(Protocol):
    """What runs an episode: `run_episode`, or a test's stand-in."""

    def __call__(
        self,
        spec: TaskSpec,
        settings: EpisodeSettings,
        sink: Sink,
        control: Control | None = None,
        provider: Provider | None = None,
        server: Server | None = None,
        /,
    ) -> EpisodeResult:
        """Run it to its end."""


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
        plain = result.to_dict()
        meter = recorder.meter
        _finish(
            recorder,
            status=Status(result.status),
            error=result.error,
            success=result.success,
            # What broke off says nothing about the agents, however far they were.
            partial_score=None if result.success is None else result.partial_score,
            steps=result.steps,
            result=plain,
            **aggregates.columns(plain, latencies=meter.latencies, by_master=meter.by_master),
        )
        outlook.keep(episode)


def claim(episode_id: int) -> Episode | None:
    """Take a queued episode for this execution, under a new attempt number; None if it is not queued (any more).

    If its run's budget is used up, all that still waits in the run is cancelled instead.
    """
    if _comes_too_late(episode_id):
        return None
    now = timezone.now()
    with transaction.atomic():
        claimed = Episode.objects.filter(pk=episode_id, status=Status.QUEUED).update(
            status=Status.RUNNING,
            attempt=F("attempt") + 1,
            started_at=now,
            heartbeat_at=now,
            address="",
            last_seq=0,
            world_tick=0,
        )
        if not claimed:
            return None
        episode = Episode.objects.select_related("task", "run", "replay_of").get(pk=episode_id)
        EventSegment.objects.filter(episode=episode).exclude(attempt=episode.attempt).delete()
    wake(episode.pk)
    return episode


def _comes_too_late(episode_id: int) -> bool:
    waiting = Episode.objects.filter(pk=episode_id, status=Status.QUEUED).select_related("run").first()
    if waiting is None or not spending.exceeded(waiting.run_id, spending.run_budget(waiting.run)):
        return False
    spending.stop_waiting(waiting.run_id)
    return True


def _run(episode: Episode, recorder: Recorder, engine: Engine) -> EpisodeResult:
    spec = load_task_text(episode.task.yaml, f"{episode.task.slug}.yaml").spec
    settings = EpisodeSettings(
        policy=episode.policy,
        mode=cast("Mode", episode.mode),
        world=cast("WorldName", episode.world),
        seed=episode.seed,
        model=episode.model,
        budget=spending.budget(episode.run.settings.get("budget")),
        clock=episode.run.settings.get("clock", "virtual"),
        server=episode.server,
    )
    server = server_for(episode.server)
    with ExitStack() as closing:
        provider = None
        if episode.model:
            provider = _provider(episode)
            closing.callback(provider.close)
        return engine(spec, settings, recorder.record, recorder, provider, server)


def _provider(episode: Episode) -> Provider:
    if "what_if" not in episode.run.settings:
        return providers.open_model(episode.model, episode.seed)
    if episode.replay_of is None:
        raise SettingsError("The episode whose replies were to be replayed is gone.")
    latency = episode.run.settings["what_if"]["latency"]
    return providers.open_replay(episode.replay_of, latency, episode.model, episode.seed)


def _finish(recorder: Recorder, **outcome: object) -> None:
    try:
        recorder.finish(**outcome)
    except Fenced:
        logger.info("Episode %s went on without this execution", recorder.episode_id)
