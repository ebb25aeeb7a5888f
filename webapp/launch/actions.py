"""Starting runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from django.core.exceptions import ValidationError
from django.db import transaction

from engine.agents.policies import POLICIES
from engine.episode.settings import CLOCKS, MAX_SEED, MODES, WORLDS, Budget
from engine.errors import SettingsError
from webapp.launch.estimates import Kind, estimate
from webapp.runs import spending
from webapp.runs.models import PACES, Episode, Run
from webapp.runs.providers import asks_model, check_model
from webapp.runs.queue import enqueue
from webapp.servers.registry import check_server
from webapp.tasks.models import Task

REAL_TIME = 1.0
MAX_EPISODES = 10_000
"""Most episodes that one launch may hold."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """What a launch plays: every task under every policy, model, mode, world and seed.

    Attributes:
        models: asked by the policies that need one; a policy that needs none is played once instead.
        repeats: episodes of each combination.
        server: name of the user's own server that episodes on Minecraft happen on; empty for the embedded one.
        clock: in async mode, whether world time waits for a model's reply (`virtual`) or keeps to the wall (`real`).
    """

    tasks: Sequence[Task]
    policies: Sequence[str]
    models: Sequence[str] = ()
    modes: Sequence[str]
    worlds: Sequence[str]
    seeds: Sequence[int]
    repeats: int = 1
    server: str = ""
    clock: str = "virtual"

    @property
    def deciders(self) -> list[tuple[str, str]]:
        """Each policy with each model that it is played with; an empty name for none."""
        return [
            (policy, model)
            for policy in self.policies
            for model in (self.models if asks_model(policy) else ("",))
        ]

    def __len__(self) -> int:
        """Number of episodes."""
        axes = (self.tasks, self.deciders, self.modes, self.worlds, self.seeds)
        count = max(self.repeats, 0)
        for axis in axes:
            count *= len(axis)
        return count

    def cells(self) -> Iterator[tuple[Task, str, str, str, str, int, int]]:
        """Task, policy, model, mode, world, seed and repeat of each episode, the last varying fastest."""
        repeats = range(1, self.repeats + 1)
        for task, (policy, model), mode, world, seed, repeat in product(
            self.tasks, self.deciders, self.modes, self.worlds, self.seeds, repeats
        ):
            yield task, policy, model, mode, world, seed, repeat

    def kinds(self) -> dict[Kind, int]:
        """How many episodes there are of each kind that estimates tell apart."""
        found: dict[Kind, int] = {}
        each = len(self.worlds) * len(self.seeds) * self.repeats
        for task, (policy, model), mode in product(self.tasks, self.deciders, self.modes):
            kind = Kind(policy, model, mode, task.type, task.agents, task.max_steps)
            found[kind] = found.get(kind, 0) + each
        return found

    def plain(self) -> dict[str, object]:
        """As a run's settings hold it."""
        return {
            "tasks": [task.pk for task in self.tasks],
            "policies": list(self.policies),
            "models": list(self.models),
            "modes": list(self.modes),
            "worlds": list(self.worlds),
            "seeds": list(self.seeds),
            "repeats": self.repeats,
            "server": self.server,
            "clock": self.clock,
        }

    def real_pace(self, pace: float) -> float:
        """How fast world time can pass where it was asked to pass at the pace: on a user's own server not faster."""
        return REAL_TIME if self.server else pace


def launch(
    grid: Grid,
    *,
    name: str,
    pace: float,
    budget: Budget | None = None,
    run_budget: Budget = spending.NO_LIMIT,
    workers: int | None = None,
) -> Run:
    """Create a run with one episode for each combination, and queue them.

    Episodes are numbered in the order task, policy, model, mode, world, seed, repeat, the last varying fastest.

    Args:
        grid: what is played.
        name: what the run is called.
        pace: world seconds per wall second that its episodes start with; 0 is as fast as possible.
        budget: what each episode may spend on models; by default 40 minutes of inference, as in the paper.
        run_budget: what the whole run may spend.
        workers: how many episodes the caller runs at once by itself; None leaves them to the dashboard's workers.

    Raises:
        ValidationError: nothing to do, too much, or a value that no engine knows; its keys are `pace` and the names of
            the grid's attributes.
    """
    check(grid, pace)
    with transaction.atomic():
        run = Run.objects.create(
            name=name,
            pace=pace,
            settings={
                **grid.plain(),
                "budget": spending.plain(budget or Budget()),
                "run_budget": spending.plain(run_budget),
                "estimate": estimate(grid.kinds(), grid.real_pace(pace), workers).plain(),
            },
        )
        episodes = Episode.objects.bulk_create(
            [
                Episode(
                    run=run,
                    index=index,
                    task=task,
                    task_type=task.type,
                    agents=task.agents,
                    policy=policy,
                    model=model,
                    mode=mode,
                    world=world,
                    seed=seed,
                    repeat=repeat,
                    pace=pace,
                )
                for index, (task, policy, model, mode, world, seed, repeat) in enumerate(
                    grid.cells(), start=1
                )
            ],
            batch_size=500,
        )
        if workers is None:
            enqueue([episode.pk for episode in episodes])
    return run


def check(grid: Grid, pace: float) -> None:
    """Make sure that a grid can be launched.

    Raises:
        ValidationError: it cannot; the keys are `pace` and the names of the grid's attributes.
    """
    faults: dict[str, str] = {}
    for field, chosen, known in (
        ("policies", grid.policies, tuple(POLICIES)),
        ("modes", grid.modes, MODES),
        ("worlds", grid.worlds, WORLDS),
        ("clock", [grid.clock], CLOCKS),
    ):
        unknown = [value for value in chosen if value not in known]
        if unknown:
            faults[field] = f"Unknown: {', '.join(unknown)}. Known: {', '.join(known)}."
        elif not chosen:
            faults[field] = "Choose at least one."
    if fault := _fault_of_models(grid):
        faults["models"] = fault
    if fault := _fault_of_server(grid):
        faults["server"] = fault
    if not grid.tasks:
        faults["tasks"] = "Choose at least one."
    if not grid.seeds:
        faults["seeds"] = "Give at least one seed."
    elif not all(0 <= seed <= MAX_SEED for seed in grid.seeds):
        faults["seeds"] = f"Seeds are whole numbers from 0 to {MAX_SEED}."
    if grid.repeats < 1:
        faults["repeats"] = "Repeat at least once."
    if pace not in PACES:
        faults["pace"] = f"Choose one of {', '.join(f'{value:g}' for value in PACES)}."
    if len(grid) > MAX_EPISODES and not faults:
        faults["seeds"] = (
            f"These choices make {len(grid):,} episodes; one launch may hold {MAX_EPISODES:,}. "
            "Choose fewer seeds, repeats or tasks."
        )
    if faults:
        raise ValidationError(faults)


def _fault_of_server(grid: Grid) -> str:
    if not grid.server:
        return ""
    if "minecraft" not in grid.worlds:
        return "A server goes only with the world minecraft."
    try:
        check_server(grid.server)
    except SettingsError as error:
        return str(error)
    return ""


def _fault_of_models(grid: Grid) -> str:
    for model in grid.models:
        try:
            check_model(model)
        except SettingsError as error:
            return str(error)
    asking = [policy for policy in grid.policies if asks_model(policy)]
    if asking and not grid.models:
        return f"Choose at least one: {', '.join(asking)} cannot decide without a language model."
    return ""
