"""A task's difficulty metrics and the verdict on its feasibility, as its page shows them."""

from __future__ import annotations

from dataclasses import dataclass

from engine.errors import EngineError
from engine.evaluation.difficulty import Metrics, metrics
from engine.evaluation.feasibility import Feasibility, feasibility
from engine.spec.model import TaskSpec

MARGINS = {
    "alpha": "\N{GREEK SMALL LETTER ALPHA}",
    "beta1": "β₁",
    "beta2": "β₂",
    "gamma": "\N{GREEK SMALL LETTER GAMMA}",
}
"""The margins' symbols, by their names in the engine."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One metric.

    Attributes:
        anchor: where the guide explains it.
        value: None where there is no figure; `note` says why.
        meaning: what the figure says, in a few words.
    """

    name: str
    anchor: str
    value: float | None
    unit: str
    meaning: str
    note: str | None


@dataclass(frozen=True, slots=True)
class Margin:
    """A margin that the verdict used."""

    symbol: str
    value: float


@dataclass(frozen=True, slots=True)
class Difficulty:
    """What the page shows; only `problem` where it cannot be worked out."""

    figures: list[Figure]
    feasibility: Feasibility | None
    margins: list[Margin]
    problem: str = ""


def difficulty(spec: TaskSpec) -> Difficulty:
    """Work it out anew for a task; takes milliseconds."""
    try:
        verdict = feasibility(spec)
        figures = _figures(metrics(spec))
    except EngineError as error:
        return Difficulty([], None, [], str(error))
    used = list(dict.fromkeys(criterion.margin for criterion in verdict.criteria if criterion.margin))
    margins = [Margin(MARGINS[name], getattr(verdict.margins, name)) for name in used]
    return Difficulty(figures, verdict, margins)


def _figures(found: Metrics) -> list[Figure]:
    necessity = "of the time limit is what the best single agent needs, without moving or planning"
    return [
        Figure(
            "Heterogeneity",
            "heterogeneity",
            found.heterogeneity,
            "",
            "from 0, all agents alike, to 1",
            None,
        ),
        Figure("Necessity", "necessity", found.necessity, "×", necessity, found.necessity_note),
        Figure(
            "Dynamicity",
            "dynamicity",
            found.dynamicity,
            "a second",
            "changes that no agent causes",
            None,
        ),
        Figure(
            "Time to failure",
            "time-to-failure",
            found.time_to_failure,
            "s",
            "before something is lost for good",
            found.time_to_failure_note,
        ),
    ]
