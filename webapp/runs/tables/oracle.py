"""How far each condition is from the oracle, and the oracle from what nobody could exceed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db.models import Avg, Count, F, Min, Q

from webapp.runs.models import Run
from webapp.runs.summary import PLAYED
from webapp.runs.tables.conditions import AXES, Condition


@dataclass(frozen=True, slots=True)
class OracleRow:
    """The episodes of one type of task under one condition whose task and seed the oracle has played too.

    Attributes:
        score, oracle, bound: mean partial scores over these episodes: the agents', the oracle's, and the upper bound.
        behind: episodes in which the agents scored less than the oracle.
    """

    task_type: str
    condition: Condition
    episodes: int
    score: float
    oracle: float
    bound: float
    behind: int

    @property
    def to_oracle(self) -> float:
        """Score that the agents lack to the oracle's."""
        return self.oracle - self.score

    @property
    def to_bound(self) -> float:
        """Score that the oracle lacks to the bound."""
        return self.bound - self.oracle

    def plain(self) -> dict[str, Any]:
        """As files hold it."""
        return {
            "task_type": self.task_type,
            **self.condition.plain(),
            "episodes": self.episodes,
            "score": self.score,
            "oracle": self.oracle,
            "bound": self.bound,
            "to_oracle": self.to_oracle,
            "to_bound": self.to_bound,
            "behind": self.behind,
        }


def beside_oracle(run: Run) -> list[OracleRow]:
    """The rows in the order of the launch; none before the first episode that asked a model has been looked at."""
    rows = (
        run.episodes.filter(status__in=PLAYED, score_bound__isnull=False)
        .order_by()
        .values("task_type", *AXES)
        .annotate(
            first=Min("index"),
            episodes=Count("pk"),
            score=Avg("partial_score"),
            oracle=Avg("oracle_score"),
            bound=Avg("score_bound"),
            behind=Count("pk", filter=Q(partial_score__lt=F("oracle_score"))),
        )
        .order_by("first")
    )
    return [
        OracleRow(
            task_type=row["task_type"],
            condition=Condition.of(row),
            episodes=row["episodes"],
            score=row["score"],
            oracle=row["oracle"],
            bound=row["bound"],
            behind=row["behind"],
        )
        for row in rows
    ]
