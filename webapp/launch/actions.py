"""Starting runs."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from django.core.exceptions import ValidationError
from django.db import transaction

from engine.agents.policies import POLICIES
from engine.episode.settings import MAX_SEED, MODES, WORLDS
from webapp.runs.models import PACES, Episode, Run
from webapp.runs.queue import enqueue
from webapp.tasks.models import Task

MAX_EPISODES = 10_000
"""Most episodes that one launch may hold."""


def launch(
    *,
    name: str,
    tasks: Sequence[Task],
    policies: Sequence[str],
    modes: Sequence[str],
    worlds: Sequence[str],
    seeds: Sequence[int],
    repeats: int,
    pace: float,
) -> Run:
    """Create a run with one episode for each combination, and queue them.

    Episodes are numbered in the order task, policy, mode, world, seed, repeat, the last varying fastest.

    Raises:
        ValidationError: nothing to do, too much, or a value that no engine knows; its keys are the argument names.
    """
    _check(tasks, policies, modes, worlds, seeds, repeats, pace)
    grid = list(product(tasks, policies, modes, worlds, seeds, range(1, repeats + 1)))
    with transaction.atomic():
        run = Run.objects.create(
            name=name,
            pace=pace,
            settings={
                "tasks": [task.pk for task in tasks],
                "policies": list(policies),
                "modes": list(modes),
                "worlds": list(worlds),
                "seeds": list(seeds),
                "repeats": repeats,
            },
        )
        episodes = Episode.objects.bulk_create(
            [
                Episode(
                    run=run,
                    index=index,
                    task=task,
                    policy=policy,
                    mode=mode,
                    world=world,
                    seed=seed,
                    repeat=repeat,
                    pace=pace,
                )
                for index, (task, policy, mode, world, seed, repeat) in enumerate(grid, start=1)
            ],
            batch_size=500,
        )
        enqueue([episode.pk for episode in episodes])
    return run


def _check(
    tasks: Sequence[Task],
    policies: Sequence[str],
    modes: Sequence[str],
    worlds: Sequence[str],
    seeds: Sequence[int],
    repeats: int,
    pace: float,
) -> None:
    faults: dict[str, str] = {}
    for field, chosen, known in (
        ("policies", policies, tuple(POLICIES)),
        ("modes", modes, MODES),
        ("worlds", worlds, WORLDS),
    ):
        unknown = [value for value in chosen if value not in known]
        if unknown:
            faults[field] = f"Unknown: {', '.join(unknown)}. Known: {', '.join(known)}."
        elif not chosen:
            faults[field] = "Choose at least one."
    if not tasks:
        faults["tasks"] = "Choose at least one."
    if not seeds:
        faults["seeds"] = "Give at least one seed."
    elif not all(0 <= seed <= MAX_SEED for seed in seeds):
        faults["seeds"] = f"Seeds are whole numbers from 0 to {MAX_SEED}."
    if repeats < 1:
        faults["repeats"] = "Repeat at least once."
    if pace not in PACES:
        faults["pace"] = f"Choose one of {', '.join(f'{value:g}' for value in PACES)}."
    count = len(tasks) * len(policies) * len(modes) * len(worlds) * len(seeds) * max(repeats, 0)
    if count > MAX_EPISODES and not faults:
        faults["seeds"] = (
            f"These choices make {count:,} episodes; one launch may hold {MAX_EPISODES:,}. "
            "Choose fewer seeds, repeats or tasks."
        )
    if faults:
        raise ValidationError(faults)
