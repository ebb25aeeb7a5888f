"""Going on with a run that was broken off."""

from __future__ import annotations

from django.db import transaction

from engine.episode.settings import Budget
from webapp.launch.actions import Grid
from webapp.runs import actions, spending
from webapp.runs.models import ACTIVE, RETRYABLE, Run

LOOKED_AT = 500
"""How many runs back a like one is looked for."""


def unfinished(grid: Grid, budget: Budget, name: str | None) -> Run | None:
    """The newest run of just these settings that has episodes left to play; None if there is none.

    Args:
        grid: what it plays.
        budget: what each episode may spend.
        name: its name; None for any.
    """
    wanted = {**grid.plain(), "budget": spending.plain(budget)}
    runs = Run.objects.filter(episodes__status__in=(*ACTIVE, *RETRYABLE)).distinct()
    if name is not None:
        runs = runs.filter(name=name)
    for run in runs.order_by("-pk")[:LOOKED_AT]:
        settings = {"server": "", "clock": "virtual", **run.settings}  # runs of earlier versions name none
        if {key: settings.get(key) for key in wanted} == wanted:
            return run
    return None


def start_over(run: Run, run_budget: Budget) -> int:
    """Let all episodes wait again that were lost, cancelled or failed by a fault, under a budget of the whole run.

    Returns:
        How many episodes wait or run now.
    """
    with transaction.atomic():
        run.settings["run_budget"] = spending.plain(run_budget)
        run.cancel_requested = False
        run.save(update_fields=["settings", "cancel_requested"])
        actions.start_over(run.episodes.all())
    return run.episodes.filter(status__in=ACTIVE).count()
