"""How long a run will still take and what it will still cost, from its own episodes that have ended."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Avg, Count, Max, Min, Q
from django.utils import timezone

from webapp.runs.models import ACTIVE, Run, Status
from webapp.runs.providers import is_free
from webapp.runs.spending import LIMITS, plain, run_budget, spent
from webapp.runs.summary import PLAYED
from webapp.runs.tables.conditions import AXES


@dataclass(frozen=True, slots=True)
class Limit:
    """One limit of the run's budget."""

    name: str
    words: str
    spent: float
    limit: float

    @property
    def percent(self) -> float:
        """How much of it is used up, at most 100."""
        return min(100.0, 100 * self.spent / self.limit) if self.limit else 100.0


@dataclass(frozen=True, slots=True)
class Forecast:
    """Where a run stands.

    Attributes:
        elapsed_s: since its first episode began; None before.
        left_s, left_usd: still to come; None while no episode has ended, or where there is no price.
        spent: by the names of `LIMITS`, over all executions.
        limits: of the run's budget, those that are set.
    """

    elapsed_s: float | None
    left_s: float | None
    left_usd: float | None
    spent: dict[str, float]
    limits: list[Limit]


def forecast(run: Run, now: datetime | None = None) -> Forecast:
    """Where the run stands now."""
    so_far = spent(run.pk)
    set_limits = {name: limit for name, limit in plain(run_budget(run)).items() if limit is not None}
    left_s, left_usd = _left(run)
    return Forecast(
        elapsed_s=_elapsed(run, now or timezone.now()),
        left_s=left_s,
        left_usd=left_usd,
        spent=so_far,
        limits=[Limit(name, LIMITS[name], so_far[name], limit) for name, limit in set_limits.items()],
    )


def _elapsed(run: Run, now: datetime) -> float | None:
    active = Q(status__in=ACTIVE)
    times = run.episodes.aggregate(
        began=Min("started_at"), ended=Max("ended_at"), active=Count("pk", filter=active)
    )
    if times["began"] is None:
        return None
    until: datetime = now if times["active"] else times["ended"] or now
    return (until - times["began"]).total_seconds()


def _left(run: Run) -> tuple[float | None, float | None]:
    """Seconds and money: each condition's mean times the number of its episodes still to be played.

    A condition of which none has ended yet counts with the mean of the others. Episodes that run at the same time share
    the seconds.
    """
    active, played = Q(status__in=ACTIVE), Q(status__in=PLAYED)
    rows = list(
        run.episodes.order_by()
        .values(*AXES, "task_type")
        .annotate(
            active=Count("pk", filter=active),
            running=Count("pk", filter=Q(status=Status.RUNNING)),
            wall=Avg("wall_seconds", filter=played),
            usd=Avg("cost_usd", filter=played),
            unpriced=Count("pk", filter=played & Q(cost_usd=None, n_inferences__gt=0)),
        )
    )
    at_once = max(1, sum(row["running"] for row in rows))
    seconds = _sum(rows, {id(row): row["wall"] for row in rows})
    has_price = not any(row["active"] and row["unpriced"] and not is_free(row["model"]) for row in rows)
    money = _sum(rows, {id(row): _usd(row) for row in rows}) if has_price else None
    return (None if seconds is None else seconds / at_once), money


def _usd(row: Mapping[str, Any]) -> float | None:
    """An episode's money; None while no episode has shown it."""
    if is_free(row["model"]):
        return 0.0
    return None if row["wall"] is None or row["unpriced"] else float(row["usd"] or 0.0)


def _sum(rows: list[Any], means: Mapping[int, float | None]) -> float | None:
    known = [mean for mean in means.values() if mean is not None]
    if not known:
        return None
    other = sum(known) / len(known)
    return sum(
        row["active"] * (other if (mean := means[id(row)]) is None else mean) for row in rows if row["active"]
    )
