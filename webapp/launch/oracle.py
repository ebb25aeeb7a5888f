"""Watching the oracle: its episode of the same task, seed and mode, played once and found again later."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Q

from webapp.launch.actions import Grid, launch
from webapp.runs.models import ACTIVE, ORACLE_OF, Episode
from webapp.runs.summary import PLAYED
from webapp.tasks.models import Task

POLICY = "oracle"
WORLD = "simulator"
FASTEST = 0.0


def is_oracle(episode: Episode) -> bool:
    """Whether the episode is itself what `beside` would give."""
    return (episode.policy, episode.world) == (POLICY, WORLD)


def beside(episode: Episode) -> Episode:
    """The oracle's episode to watch beside this one, on the simulator.

    One that has been played, or is about to be at full speed, is taken; otherwise a run with just this episode is
    launched, which lists of runs leave out unless asked. It is an episode like any other: with a page, a log and a
    status of its own.
    """
    with transaction.atomic():
        Task.objects.select_for_update().get(pk=episode.task_id)  # so that two clicks launch one episode
        found = Episode.objects.filter(
            Q(status__in=PLAYED) | Q(status__in=ACTIVE, pace=FASTEST, cancel_requested=False),
            task=episode.task_id,
            seed=episode.seed,
            mode=episode.mode,
            policy=POLICY,
            world=WORLD,
        ).order_by("pk")
        return found.first() or _play(episode)


def _play(episode: Episode) -> Episode:
    grid = Grid(
        tasks=[episode.task], policies=[POLICY], modes=[episode.mode], worlds=[WORLD], seeds=[episode.seed]
    )
    name = f"Oracle on {episode.task.title}, seed {episode.seed}"[:200]
    run = launch(grid, name=name, pace=FASTEST)
    run.settings[ORACLE_OF] = episode.pk
    run.save(update_fields=["settings"])
    return run.episodes.get()
