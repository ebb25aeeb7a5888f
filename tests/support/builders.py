"""Rows and engines for tests."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from engine.episode.result import Costs, EpisodeResult
from engine.episode.settings import Control, EpisodeSettings
from engine.events.log import Event, EventLog, Sink
from engine.events.payloads import PlanEnded
from engine.llm.provider import Provider
from engine.minecraft.servers import Server
from engine.spec.loader import digest, load_task_text
from engine.spec.model import TaskSpec
from webapp.live.models import EventSegment
from webapp.runs.models import Episode, Run, Status
from webapp.tasks.models import Suite, Task

GOLD_RUSH = (Path(__file__).parents[2] / "tasks" / "samples" / "gold_rush.yaml").read_text(encoding="utf-8")
NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


def at(seconds: float) -> datetime:
    """Seconds after noon."""
    return NOON + timedelta(seconds=seconds)


def make_task(slug: str = "gold-rush", yaml: str = GOLD_RUSH) -> Task:
    """A task in the suite `samples`; from the sample unless another text is given, which need not be valid."""
    suite, _ = Suite.objects.get_or_create(slug="samples", defaults={"title": "Samples"})
    spec = load_task_text(GOLD_RUSH, f"{slug}.yaml").spec
    return Task.objects.create(
        suite=suite,
        slug=slug,
        title=slug.capitalize(),
        type=spec.task.type,
        goal=spec.task.goal,
        yaml=yaml,
        digest=digest(spec),
        agents=len(spec.agents.spawn),
        max_steps=spec.environment.max_steps,
        source=Task.Source.SAMPLE,
    )


def make_run(count: int = 1, task: Task | None = None, **fields: Any) -> list[Episode]:
    """A run's episodes, with seeds 0, 1, …; `fields` go to each."""
    task = task or Task.objects.first() or make_task()
    run = Run.objects.create(name="A run", settings={"tasks": [task.pk]})
    values: dict[str, Any] = {
        "policy": "oracle",
        "mode": "sync",
        "world": "simulator",
        "task_type": task.type,
        "agents": task.agents,
        **fields,
    }
    return [
        Episode.objects.create(run=run, index=index + 1, task=task, seed=index, **values)
        for index in range(count)
    ]


def make_running(**fields: Any) -> Episode:
    """An episode that its first attempt runs."""
    values: dict[str, Any] = {"status": Status.RUNNING, "attempt": 1, "heartbeat_at": NOON, **fields}
    return make_run(1, **values)[0]


def line(seq: int, tick: int = 0, agent: str = "Ada") -> str:
    """The line of a `plan_ended` event, as the engine writes it."""
    return (
        f'{{"seq":{seq},"world_time":{tick},"type":"plan_ended","version":1,"payload":{{"agent":"{agent}"}}}}'
    )


def event(seq: int, tick: int = 0, size: int = 0) -> tuple[Event, bytes]:
    """An event and its line, or a line of some size."""
    return Event(seq, tick, "plan_ended", 1, PlanEnded(agent="Ada")), b"x" * size if size else line(
        seq, tick
    ).encode()


def store(episode: Episode, *bounds: tuple[int, int]) -> None:
    """Stored segments with events first to last, at ticks equal to their numbers."""
    for first, last in bounds:
        EventSegment.objects.create(
            episode=episode,
            attempt=episode.attempt,
            first_seq=first,
            last_seq=last,
            first_tick=first,
            last_tick=last,
            body="\n".join(line(seq, seq) for seq in range(first, last + 1)),
            wall_time=NOON,
        )
        episode.last_seq = episode.world_tick = last
    episode.save(update_fields=["last_seq", "world_tick"])


class ScriptedEngine:
    """Stands for the engine: emits events at these ticks, then succeeds."""

    def __init__(self, ticks: Iterable[int] = (0, 20, 40)) -> None:
        self.ticks = list(ticks)
        self.calls: list[EpisodeSettings] = []
        self.servers: list[Server | None] = []

    def __call__(
        self,
        _spec: TaskSpec,
        settings: EpisodeSettings,
        sink: Sink,
        control: Control | None = None,
        _provider: Provider | None = None,
        server: Server | None = None,
    ) -> EpisodeResult:
        assert control is not None
        self.calls.append(settings)
        self.servers.append(server)
        log = EventLog(sink)
        for tick in self.ticks:
            control.before(tick)
            log.append(tick, PlanEnded(agent="Ada"))
        return EpisodeResult(
            success=True,
            partial_score=1.0,
            checkpoints=[],
            steps=self.ticks[-1] / 20,
            status="finished",
            breakdown={},
            costs=Costs(),
            events=log.count,
            wall_seconds=0.5,
        )
