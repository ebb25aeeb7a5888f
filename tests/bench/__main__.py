"""`make bench`: how fast the embedded world is, beside others. Nothing here is a test.

Prints a report in Markdown; with `--write` it also becomes the guide's page on speed.
"""

from __future__ import annotations

import json
import os
import platform
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from engine.episode.result import EpisodeResult
from engine.episode.run import run_episode
from engine.episode.settings import EpisodeSettings
from engine.events.log import Event
from engine.spec.model import TaskSpec
from engine.world import paths
from tests.bench import bare, tasks
from tests.bench.page import publish

ROOT = Path(__file__).resolve().parents[2]
PEERS = ROOT / ".data" / "bench-peers"
PEER_PACKAGES = (
    "numpy==1.26.4",
    "scipy==1.15.3",
    "overcooked-ai==1.1.0",
    "pettingzoo[butterfly]==1.27.0",
    "crafter==1.8.3",
)
PAGE = ROOT / "templates" / "docs" / "speed.md"
REPEATS = 7
NOBODY_SEES = "Overcooked-AI, bare step"
"""The one other environment that can be stepped without observations."""
PEER_TEXT = """\
Agent-steps a second of CPU time, in one run: one agent for one step. Here a step is one second of world time, 20 ticks.
An *episode* is all of it: world, events, the oracle's decisions, scores, the log. The *bare world* is the mine's field
without any of these; its agents dig and scout at places drawn at random.

There a step is one call of `step` with random actions, and agents see what comes of it. Overcooked-AI's own step
returns the state as it is, and nobody sees anything; it is shown too, but the last column compares with the fastest
that observes, by the encoding that its own learning agents are given, since an episode tells everyone what happened.
The other two compute observations in `step`, and cannot do without. Steps differ in what can happen in them, so the
figures tell the order of magnitude, not more.
"""


class Measured:
    """One episode, several times: medians over the repeats, each with its own seed.

    Time is the process's CPU time, since an episode waits for nothing, and others may use the machine.
    """

    def __init__(self, spec: TaskSpec, repeats: int = REPEATS) -> None:
        self.agents = len(spec.agents.spawn)
        run_episode(spec, EpisodeSettings(policy="oracle-greedy", seed=99), _nothing)
        self.runs = [self._run(spec, seed) for seed in range(repeats)]

    def _run(self, spec: TaskSpec, seed: int) -> tuple[EpisodeResult, float]:
        """The result, and the seconds that it took."""
        paths.forget()
        began = time.process_time()
        result = run_episode(spec, EpisodeSettings(policy="oracle-greedy", seed=seed), _nothing)
        spent = time.process_time() - began
        if result.status != "finished":
            raise SystemExit(f"an episode ended with {result.status}: {result.error}")
        return result, spent

    def median(self, figure: Callable[[EpisodeResult, float], float]) -> float:
        """The median over the repeats of a figure of result and seconds."""
        return statistics.median(figure(result, spent) for result, spent in self.runs)

    @property
    def cpu_ms(self) -> float:
        """CPU time of an episode in milliseconds."""
        return self.median(lambda _, spent: spent) * 1000

    @property
    def speed(self) -> float:
        """How many times faster than real time."""
        return self.median(lambda result, spent: result.steps / spent)

    @property
    def acting(self) -> float:
        """Share of agents' ticks in which they were acting."""
        return self.median(
            lambda result, _: (
                sum(lane.action for lane in result.breakdown.values())
                / (result.steps * len(result.breakdown))
            )
        )

    @property
    def events_a_second(self) -> float:
        """Events logged in a second of CPU time."""
        return self.median(lambda result, spent: result.events / spent)


def _nothing(_event: Event, _line: bytes) -> None:
    """A sink: the log is encoded and let go."""


def _counts(spec: TaskSpec) -> tuple[int, int]:
    """Actions that ended, and blocks that agents mined, in the episode with seed 0."""
    actions = mined = 0

    def count(event: Event, _line: bytes) -> None:
        nonlocal actions, mined
        actions += event.type == "action_ended"
        mined += event.type == "item_picked_up"

    run_episode(spec, EpisodeSettings(policy="oracle-greedy"), count)
    return actions, mined


def _types() -> Iterator[str]:
    yield "## One episode: 8 agents, 100 steps\n"
    yield "| task | world seconds | CPU ms | times real time | acting | actions | blocks mined | events a second |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    for name, spec in (
        ("mine", tasks.mine()),
        ("mine, hard blocks", tasks.mine(work=tasks.HARD)),
        ("mine, soft blocks", tasks.mine(work=tasks.SOFT)),
        ("raid", tasks.raid()),
        ("prepare", tasks.prepare()),
    ):
        found = Measured(spec)
        actions, mined = _counts(spec)
        steps = found.median(lambda result, _: result.steps)
        yield (
            f"| {name} | {steps:.0f} | {found.cpu_ms:.1f} | {found.speed:,.0f} | {found.acting:.0%} "
            f"| {actions} | {mined} | {found.events_a_second:,.0f} |"
        )


def _curves() -> Iterator[str]:
    yield "\n## How the cost grows\n"
    yield "CPU time of an episode; the last column is the growth of time over the growth of size, from row to row.\n"
    yield "| what grows | size | CPU ms | ratio |"
    yield "| --- | ---: | ---: | ---: |"
    for what, sizes, make in (
        ("agents, blocks (mine)", (4, 8, 16, 32, 64), lambda n: tasks.mine(agents=n)),
        ("agents, mobs (raid)", (4, 8, 16, 32, 64), lambda n: tasks.raid(agents=n)),
        ("steps (mine)", (125, 250, 500, 1000, 2000), lambda n: tasks.mine(steps=n)),
        ("blocks placed (mine)", (6_250, 12_500, 25_000, 50_000, 100_000), lambda n: tasks.mine(materials=n)),
    ):
        before: tuple[int, float] | None = None
        for size in sizes:
            spent = Measured(make(size), repeats=3).cpu_ms
            ratio = "" if before is None else f"{spent / before[1] / (size / before[0]):.2f}"
            yield f"| {what} | {size:,} | {spent:.1f} | {ratio} |"
            before = (size, spent)


def _memory() -> Iterator[str]:
    """Peak memory of one episode, in a process of its own."""
    code = (
        "import resource\nfrom tests.bench import tasks\nfrom engine.episode.run import run_episode\n"
        "from engine.episode.settings import EpisodeSettings\n"
        "run_episode(tasks.mine(), EpisodeSettings(policy='oracle-greedy'), lambda *_: None)\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    yield f"\nPeak memory of a process that runs one such mine episode: {int(done.stdout) / 1024:.0f} MB."


def _peers() -> Iterator[str]:
    yield "\n## Beside other environments\n"
    yield PEER_TEXT
    python = PEERS / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(PEERS)], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "--quiet", *PEER_PACKAGES], check=True)
    done = subprocess.run(
        [str(python), str(ROOT / "tests" / "bench" / "peers.py")], capture_output=True, text=True, check=True
    )
    figures: dict[str, float | str] = json.loads(done.stdout.splitlines()[-1])
    ours = {
        f"TickingCollab, episode of {name}": found.speed * found.agents
        for name, found in (
            ("mine", Measured(tasks.mine())),
            ("mine, hard blocks", Measured(tasks.mine(work=tasks.HARD))),
            ("raid", Measured(tasks.raid())),
            ("prepare", Measured(tasks.prepare())),
        )
    }
    ours["TickingCollab, bare world"] = statistics.median(
        bare.agent_steps_a_second(tasks.mine(), seed) for seed in range(REPEATS)
    )
    fastest = max(
        value for name, value in figures.items() if isinstance(value, float) and name != NOBODY_SEES
    )
    yield "| environment | agent-steps a second | times the fastest other that observes |"
    yield "| --- | ---: | ---: |"
    for name, value in {**ours, **figures}.items():
        if isinstance(value, str):
            yield f"| {name} | {value} | |"
        else:
            yield f"| {name} | {value:,.0f} | {value / fastest:.2f} |"


def _report() -> Iterator[str]:
    yield "# Speed\n"
    yield "What `make bench` printed. Medians of several runs with different seeds, under the greedy oracle, the event"
    yield "log encoded but not stored. Times are CPU time of one process, which uses one core.\n"
    yield f"Machine: {platform.machine()}, Linux, {_cores()} cores, Python {platform.python_version()}.\n"
    for part in (_types, _memory, _curves, _peers):
        yield from part()


def _cores() -> int:
    return len(os.sched_getaffinity(0))


def main() -> None:
    """Print the report, and write the page if asked to."""
    publish(_report(), PAGE, __doc__)
    sys.stdout.write(
        f"\nThis process used {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB.\n"
    )


if __name__ == "__main__":
    main()
