"""How often the task was done, by type of task (or task) and condition."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.db.models import Avg, Count, Min, Q

from webapp.runs.models import ACTIVE, Run, Status
from webapp.runs.summary import PLAYED
from webapp.runs.tables.conditions import AXES, Condition
from webapp.runs.tables.wilson import interval


@dataclass(frozen=True, slots=True)
class SuccessRow:
    """All episodes of one type of task (or of one task) under one condition.

    Attributes:
        task: the task's primary key and title; None where all tasks of the type are taken together.
        total: episodes of the launch; `played` of them ended by themselves and count.
        errors, lost, cancelled: those that say nothing about the agents.
        active: those that wait or run.
        partial_score, steps: means over those played; None before the first.
    """

    task_type: str
    task: tuple[int, str] | None
    condition: Condition
    total: int
    played: int
    successes: int
    errors: int
    lost: int
    cancelled: int
    active: int
    partial_score: float | None
    steps: float | None

    @property
    def success_rate(self) -> float | None:
        """Successes among those played."""
        return self.successes / self.played if self.played else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """Where the true rate lies (95 %)."""
        return interval(self.successes, self.played)

    @property
    def query(self) -> str:
        """The part of an address that narrows a list of episodes to this row."""
        what = {"task": self.task[0]} if self.task else {"type": self.task_type}
        return f"{urlencode(what)}&{self.condition.query}"

    def plain(self) -> dict[str, Any]:
        """As files hold it."""
        low, high = self.interval or (None, None)
        return {
            "task_type": self.task_type,
            **({"task": self.task[1]} if self.task else {}),
            **self.condition.plain(),
            "episodes": self.total,
            "played": self.played,
            "successes": self.successes,
            "success_rate": self.success_rate,
            "success_rate_low": low,
            "success_rate_high": high,
            "partial_score": self.partial_score,
            "steps": self.steps,
            "errors": self.errors,
            "lost": self.lost,
            "cancelled": self.cancelled,
            "active": self.active,
        }


def success(run: Run, *, by_task: bool = False, limit: int | None = None) -> list[SuccessRow]:
    """The rows in the order of the launch, at most `limit`."""
    played = Q(status__in=PLAYED)
    keys = ("task_type", *(("task", "task__title") if by_task else ()), *AXES)
    rows = (
        run.episodes.order_by()
        .values(*keys)
        .annotate(
            first=Min("index"),
            total=Count("pk"),
            played=Count("pk", filter=played),
            successes=Count("pk", filter=played & Q(success=True)),
            errors=Count("pk", filter=Q(status=Status.ERROR)),
            lost=Count("pk", filter=Q(status=Status.LOST)),
            cancelled=Count("pk", filter=Q(status=Status.CANCELLED)),
            active=Count("pk", filter=Q(status__in=ACTIVE)),
            score=Avg("partial_score", filter=played),
            length=Avg("steps", filter=played),
        )
        .order_by("first")
    )
    return [
        SuccessRow(
            task_type=row["task_type"],
            task=(row["task"], row["task__title"]) if by_task else None,
            condition=Condition.of(row),
            total=row["total"],
            played=row["played"],
            successes=row["successes"],
            errors=row["errors"],
            lost=row["lost"],
            cancelled=row["cancelled"],
            active=row["active"],
            partial_score=row["score"],
            steps=row["length"],
        )
        for row in rows[:limit]
    ]
