"""What the measurements share: figures, tasks and runs, and when an event happened."""

from __future__ import annotations

import json
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Page

from engine.spec.model import TaskSpec
from tests.support.stack import LiveStack

TICKS_PER_STEP = 20
ADD = """
from engine.spec.loader import load_task_text
from webapp.tasks.store import add_task
text = {text!r}
add_task("bench", {slug!r}, "", text, load_task_text(text, {slug!r}).spec)
"""
LAUNCH = """
from webapp.launch.actions import Grid, launch
from webapp.tasks.models import Task
print(launch(Grid(tasks=[Task.objects.get(slug={slug!r})], policies=["oracle-greedy"], modes=["sync"],
    worlds=["simulator"], seeds={seeds!r}), name={slug!r}, pace={pace}).pk)
"""


@dataclass(frozen=True, slots=True)
class Figure:
    """One row of the report: what was measured, what came of it, and what was asked for."""

    what: str
    measured: str
    asked: str = ""


def add_task(stack: LiveStack, slug: str, spec: TaskSpec) -> None:
    """File a task in the dashboard's library."""
    text = json.dumps(spec.model_dump(mode="json", exclude_unset=True, by_alias=True))
    stack.manage("shell", "--no-imports", "-c", ADD.format(text=text, slug=slug))


def launch(stack: LiveStack, slug: str, *, pace: float, seeds: Sequence[int] = (0,)) -> int:
    """Start a run of a task; its number."""
    code = LAUNCH.format(slug=slug, pace=pace, seeds=list(seeds))
    return int(stack.manage("shell", "--no-imports", "-c", code))


class Happened:
    """When each event of a paced episode happened on the wall: as its world time came, which the pace says.

    The moment at which world time began is not stored, but no event is stored before it happens: the segment that was
    stored soonest after its last event tells the beginning, to within a few milliseconds of the truth.
    """

    def __init__(self, stack: LiveStack, run: int, pace: float) -> None:
        self._tick_ms = 1000 / TICKS_PER_STEP / pace
        rows = stack.query(
            "SELECT last_tick, body, (julianday(wall_time) - 2440587.5) * 86400000.0 FROM live_eventsegment "
            "WHERE episode_id = (SELECT id FROM runs_episode WHERE run_id = ?) ORDER BY first_seq",
            run,
        )
        self._began = min(float(stored) - tick * self._tick_ms for tick, _, stored in rows)
        lines = "\n".join(body for _, body, _ in rows).splitlines()
        self.ticks = {event["seq"]: event["world_time"] for event in map(json.loads, lines)}

    def at(self, seq: int) -> float:
        """Milliseconds since 1970."""
        return self._began + self.ticks[seq] * self._tick_ms


def p95(values: Sequence[float]) -> float:
    """The value that 95 % do not exceed."""
    return statistics.quantiles(values, n=20, method="inclusive")[-1]


def seq_of(page: Page) -> int:
    """The last event that an episode's page has taken in."""
    return int(page.evaluate("document.querySelector('#live')?.dataset.lastSeq ?? 0"))


def episode_page(stack: LiveStack, run: int) -> str:
    """Address of a run's first episode."""
    return f"{stack.url}runs/{run}/episodes/1/"


def millisecond_text(values: Sequence[float]) -> str:
    """Median and 95th percentile."""
    return f"p95 {p95(values):.0f} ms, median {statistics.median(values):.0f} ms"


def ended_status(stack: LiveStack, run: int) -> Any:
    """How the run's episode stands; empty while it goes on."""
    (status,) = stack.query("SELECT status FROM runs_episode WHERE run_id = ?", run)[0]
    return status if status not in ("queued", "running") else ""
