"""What decisions cost, by condition."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import Any

from django.db.models import Count, Min, Q, Sum

from engine.episode.result import Latency
from engine.evaluation.costs import latency
from webapp.runs.models import Run
from webapp.runs.summary import PLAYED
from webapp.runs.tables.conditions import AXES, Condition

COUNTED = {
    "inferences": "n_inferences",
    "prompt_tokens": "prompt_tokens",
    "completion_tokens": "completion_tokens",
    "cost_usd": "cost_usd",
    "messages": "messages",
    "message_bytes": "message_bytes",
    "re_asks": "re_asks",
    "parse_errors": "parse_errors",
}
"""What is added up: its name in tables → the column of an episode."""


@dataclass(frozen=True, slots=True)
class CostsRow:
    """The costs of all played episodes of one condition.

    Attributes:
        sums: by the names of `COUNTED`; money is None where an inference has no known price.
        latency_s: of all inferences of all these episodes together.
    """

    condition: Condition
    episodes: int
    sums: dict[str, float | None]
    latency_s: Latency

    @property
    def means(self) -> dict[str, float | None]:
        """The sums divided by the number of episodes."""
        return {name: None if value is None else value / self.episodes for name, value in self.sums.items()}

    def plain(self) -> dict[str, Any]:
        """As files hold it."""
        times = self.latency_s
        return {
            **self.condition.plain(),
            "episodes": self.episodes,
            "latency_s_mean": times.mean,
            "latency_s_p50": times.p50,
            "latency_s_p95": times.p95,
            **{f"{name}_sum": value for name, value in self.sums.items()},
            **{f"{name}_mean": value for name, value in self.means.items()},
        }


def costs(run: Run) -> list[CostsRow]:
    """The rows in the order of the launch."""
    played = run.episodes.filter(status__in=PLAYED).order_by()
    rows = played.values(*AXES).annotate(
        first=Min("index"),
        episodes=Count("pk"),
        unpriced=Count("pk", filter=Q(cost_usd=None, n_inferences__gt=0)),
        **{f"sum_{name}": Sum(column, default=0) for name, column in COUNTED.items()},
    )
    seconds: dict[Condition, list[list[float]]] = {}
    for row in played.exclude(n_inferences=0).values(*AXES, "latencies"):
        seconds.setdefault(Condition.of(row), []).append(row["latencies"])
    return [_row(row, seconds) for row in rows.order_by("first")]


def _row(row: dict[str, Any], seconds: dict[Condition, list[list[float]]]) -> CostsRow:
    condition = Condition.of(row)
    sums: dict[str, float | None] = {name: row[f"sum_{name}"] for name in COUNTED}
    if row["unpriced"]:
        sums["cost_usd"] = None
    times = latency(list(chain.from_iterable(seconds.get(condition, ()))))
    return CostsRow(condition, row["episodes"], sums, times)
