"""What a run's episodes come to: counts by status, and success over those that were really played to an end."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from django.db.models import Count, Q
from django.template.defaultfilters import pluralize

from webapp.runs.models import ACTIVE, Episode, Run, Status

PLAYED = (Status.FINISHED, Status.BUDGET)
"""Statuses that count towards success; all others say nothing about the agents."""


@dataclass(frozen=True, slots=True)
class Share:
    """One status's part of a run, for the progress bar."""

    status: str
    label: str
    count: int
    percent: float


@dataclass(slots=True)
class Tally:
    """A run's episodes by status, and how many of those played succeeded."""

    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(Status.values, 0))
    successes: int = 0

    @property
    def total(self) -> int:
        """All episodes of the run."""
        return sum(self.counts.values())

    @property
    def played(self) -> int:
        """Episodes that came to an end of their own: finished, or out of budget."""
        return sum(self.counts[status] for status in PLAYED)

    @property
    def active(self) -> int:
        """Episodes that wait or run."""
        return sum(self.counts[status] for status in ACTIVE)

    @property
    def done(self) -> int:
        """Episodes that will not change by themselves any more."""
        return self.total - self.active

    @property
    def faults(self) -> int:
        """Episodes that the infrastructure spoiled."""
        return self.counts[Status.ERROR] + self.counts[Status.LOST]

    @property
    def success_rate(self) -> float | None:
        """Successes among those played; None before the first."""
        return self.successes / self.played if self.played else None

    @property
    def shares(self) -> list[Share]:
        """The statuses that occur, in the order of an episode's life, ended ones first."""
        order = [
            Status.FINISHED,
            Status.BUDGET,
            Status.ERROR,
            Status.LOST,
            Status.CANCELLED,
            *reversed(ACTIVE),
        ]
        return [
            Share(status, status.label, count, 100 * count / self.total)
            for status in order
            if (count := self.counts[status])
        ]


def episodes(count: int) -> str:
    """How many episodes, in words."""
    return f"{count} episode{pluralize(count)}"


def tallies(run_ids: Iterable[int]) -> dict[int, Tally]:
    """The tallies of many runs in one query."""
    found = {pk: Tally() for pk in run_ids}
    won = Count("pk", filter=Q(success=True, status__in=PLAYED))
    rows = (
        Episode.objects.filter(run__in=list(found))
        .order_by()
        .values_list("run", "status")
        .annotate(episodes=Count("pk"), successes=won)
    )
    for run, status, count, successes in rows:
        found[run].counts[status] = count
        found[run].successes += successes
    return found


def with_tallies(runs: Iterable[Run]) -> list[tuple[Run, Tally]]:
    """Each run with its tally."""
    listed = list(runs)
    found = tallies(run.pk for run in listed)
    return [(run, found[run.pk]) for run in listed]
