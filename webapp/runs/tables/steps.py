"""How the agents spent their time, by condition and team size."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Min, Sum

from webapp.runs.aggregates import ACTIVITIES
from webapp.runs.models import Run
from webapp.runs.summary import PLAYED
from webapp.runs.tables.conditions import AXES, Condition


@dataclass(frozen=True, slots=True)
class StepsRow:
    """The agent-steps of all played episodes of one condition and team size.

    Attributes:
        agents: the team's size.
        steps: agent-steps by activity, in the order planning, action, idle, dead.
    """

    condition: Condition
    agents: int
    episodes: int
    steps: dict[str, float]

    @property
    def total(self) -> float:
        """All agent-steps."""
        return sum(self.steps.values())

    @property
    def shares(self) -> dict[str, float]:
        """Per cent of the agent-steps by activity; they add up to 100."""
        return {name: 100 * steps / self.total if self.total else 0.0 for name, steps in self.steps.items()}

    def plain(self) -> dict[str, Any]:
        """As files hold it."""
        return {
            **self.condition.plain(),
            "agents": self.agents,
            "episodes": self.episodes,
            "agent_steps": self.total,
            **{f"{name}_percent": share for name, share in self.shares.items()},
        }


def steps(run: Run, *, waiting_is_idle: bool = False) -> list[StepsRow]:
    """The rows in the order of the launch, by rising team size.

    Args:
        run: whose episodes.
        waiting_is_idle: count waiting for a master's decision as idle, as the paper does, and not as planning.
    """
    rows = (
        run.episodes.filter(status__in=PLAYED)
        .order_by()
        .values(*AXES, "agents")
        .annotate(
            first=Min("index"),
            episodes=Count("pk"),
            waiting=Sum("master_steps"),
            **{name: Sum(f"{name}_steps") for name in ACTIVITIES},
        )
    )
    found = [_row(row, row["waiting"] if waiting_is_idle else 0.0) for row in rows.order_by("first")]
    places = {condition: place for place, condition in reversed(list(enumerate(r.condition for r in found)))}
    return sorted(found, key=lambda row: (places[row.condition], row.agents))


def _row(row: dict[str, Any], moved: float) -> StepsRow:
    spent = {name: row[name] for name in ACTIVITIES}
    spent["planning"] -= moved
    spent["idle"] += moved
    return StepsRow(Condition.of(row), row["agents"], row["episodes"], spent)
