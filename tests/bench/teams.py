"""`python -m tests.bench.teams`: what latency does to teams, with the scripted planner on the sample tasks.

Prints the tables in Markdown; with `--write` they become the guide's page "What latency costs". The figures are world
outcomes and not timings: the same on every machine.
"""

from __future__ import annotations

import argparse
import math
import statistics
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from engine.episode.run import run_episode
from engine.episode.settings import EpisodeSettings, Mode
from engine.events.log import Event
from engine.llm.models import open_provider
from engine.spec.loader import load_task
from engine.spec.model import TaskSpec

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "templates" / "docs" / "latency.md"
SEEDS = range(10)
LATENCIES = (20.0, 10.0, 5.0, 2.0, 1.0, 0.0)
POLICIES = ("centralized", "distributed")
PAPER_LATENCY = 20.0
TEXT = """\
# What latency costs

The paper's headline, without a key: teams that do well while the world waits for them fail when it does not.

**All figures on this page are of the scripted planner, which is no language model.** It answers the same prompts
in the same form and has a declared latency; what it shows is what time does to a team of a given wit, not how good any
model is. `python -m tests.bench.teams --write` made the page: every sample task, seeds 0 to 9, {episodes:,} episodes.

Centralized teams send no messages. In sync mode a distributed team now and then runs into the budget of 40 minutes of
inference; without latency there is no such limit, so async at 0 s can even do a little better.
"""


@dataclass(frozen=True, slots=True)
class Condition:
    """How episodes are played."""

    policy: str
    mode: Mode
    latency_s: float

    @property
    def words(self) -> str:
        """`async, 5 s`."""
        return f"{self.mode}, {self.latency_s:g} s"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one episode came to. Planning is a share of the agents' steps."""

    task: str
    task_type: str
    seed: int
    success: bool
    score: float
    planning: float
    inferences: int
    messages: int


def conditions(policy: str) -> list[Condition]:
    """Sync at the paper's latency, then async from the paper's latency to none."""
    return [Condition(policy, "sync", PAPER_LATENCY)] + [
        Condition(policy, "async", latency) for latency in LATENCIES
    ]


def play(condition: Condition) -> list[Outcome]:
    """Every sample task with every seed."""
    return [_play(condition, name, seed) for name in _samples() for seed in SEEDS]


def _samples() -> list[str]:
    return sorted(path.stem for path in (ROOT / "tasks" / "samples").glob("*.yaml"))


@cache
def _task(name: str) -> TaskSpec:
    return load_task(ROOT / "tasks" / "samples" / f"{name}.yaml").spec


def _play(condition: Condition, name: str, seed: int) -> Outcome:
    spec = _task(name)
    model = f"scripted:latency={condition.latency_s:g}"
    settings = EpisodeSettings(condition.policy, condition.mode, seed=seed, model=model)
    result = run_episode(spec, settings, _nothing, None, open_provider(model, seed))
    if result.status not in ("finished", "budget"):
        raise SystemExit(f"{name}, seed {seed}: {result.status}: {result.error}")
    spent = result.breakdown.values()
    return Outcome(
        task=name,
        task_type=spec.task.type,
        seed=seed,
        success=bool(result.success),
        score=result.partial_score,
        planning=sum(lane.planning for lane in spent) / max(1e-9, result.steps * len(spent)),
        inferences=result.costs.inferences,
        messages=result.costs.messages,
    )


def _nothing(event: Event, line: bytes) -> None:
    """Keep no log."""


def interval(differences: list[float]) -> tuple[float, float, float]:
    """Mean of paired differences and its 95 % interval (normal approximation, n in the hundreds)."""
    mean = statistics.fmean(differences)
    half = 1.96 * statistics.stdev(differences) / math.sqrt(len(differences))
    return mean, mean - half, mean + half


def report(outcomes: dict[Condition, list[Outcome]]) -> Iterator[str]:
    """The page, line by line."""
    yield TEXT.format(episodes=sum(map(len, outcomes.values())))
    for policy in POLICIES:
        yield from _policy(policy, {c: o for c, o in outcomes.items() if c.policy == policy})
    yield from _paired(outcomes)


def _policy(policy: str, outcomes: dict[Condition, list[Outcome]]) -> Iterator[str]:
    types = sorted({one.task_type for found in outcomes.values() for one in found})
    yield f"## {policy.capitalize()} (scripted)\n"
    yield "Success rate by task type; then means over all episodes.\n"
    names = [
        *(name.replace("_", " ") for name in types),
        "all",
        "score",
        "planning",
        "inferences",
        "messages",
    ]
    yield "| mode, latency | " + " | ".join(names) + " |"
    yield "| --- |" + " ---: |" * len(names)
    for condition, found in outcomes.items():
        rates = [_rate(one for one in found if one.task_type == kind) for kind in types]
        cells = [
            *rates,
            _rate(found),
            f"{statistics.fmean(one.score for one in found):.2f}",
            f"{statistics.fmean(one.planning for one in found):.0%}",
            f"{statistics.fmean(one.inferences for one in found):.1f}",
            f"{statistics.fmean(one.messages for one in found):.1f}",
        ]
        yield f"| {condition.words} | " + " | ".join(cells) + " |"
    yield ""


def _rate(found: Iterable[Outcome]) -> str:
    wins = [one.success for one in found]
    return f"{sum(wins) / len(wins):.2f}"


def _paired(outcomes: dict[Condition, list[Outcome]]) -> Iterator[str]:
    yield "## Sync less async, paired by task and seed (scripted)\n"
    yield "| policy | async latency | difference in success | 95 % interval | difference in score | 95 % interval |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: |"
    for policy in POLICIES:
        sync, *later = conditions(policy)
        for condition in later:
            pairs = list(zip(outcomes[sync], outcomes[condition], strict=True))
            cells = [
                f"{mean:+.2f} | {low:+.2f} to {high:+.2f}"
                for mean, low, high in (
                    interval([float(a.success) - float(b.success) for a, b in pairs]),
                    interval([a.score - b.score for a, b in pairs]),
                )
            ]
            yield f"| {policy} | {condition.latency_s:g} s | {' | '.join(cells)} |"
    yield ""


def main() -> None:
    """Play everything on all cores, and print or write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help=f"write {PAGE.relative_to(ROOT)}")
    write: bool = parser.parse_args().write
    chosen = [condition for policy in POLICIES for condition in conditions(policy)]
    with ProcessPoolExecutor() as pool:
        page = "\n".join(report(dict(zip(chosen, pool.map(play, chosen), strict=True))))
    if write:
        PAGE.write_text(page.rstrip() + "\n", encoding="utf-8")
    print(page)  # noqa: T201 - its purpose


if __name__ == "__main__":
    main()
