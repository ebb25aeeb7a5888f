"""Why episodes failed, in the words of the pages: one episode's causes, and those of a run added up."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from engine.evaluation.causes import CAUSES
from engine.extensions import load_extensions
from webapp.core.templatetags.ui import humanise
from webapp.runs.models import Episode, Run
from webapp.runs.summary import PLAYED

EXAMPLES = 5
"""Episodes of a run that are linked as examples of a cause."""


@dataclass(slots=True)
class Summed:
    """One cause in a run.

    Attributes:
        cause: in words.
        episodes: how many failed episodes it befell.
        share: of all failed episodes, 0 to 1.
        weight: agent-steps that it cost in all of them.
        examples: indexes of those that it cost most, the worst first.
    """

    cause: str
    episodes: int
    share: float
    weight: float
    examples: list[int] = field(default_factory=list)


def words(name: str, subject: str = "") -> str:
    """A cause in a few words; its name made readable when this version does not know it any more."""
    load_extensions()
    return CAUSES[name].words(subject) if name in CAUSES else humanise(name).capitalize()


def told(episode: Episode) -> list[dict[str, Any]]:
    """An episode's causes as stored, the greatest first, each with its `words`."""
    stored: list[dict[str, Any]] = (episode.result or {}).get("causes", [])
    return [{**cause, "words": words(cause["name"], cause["subject"])} for cause in stored]


def summed(run: Run) -> list[Summed]:
    """The causes of a run's failures, the most frequent first; of equally frequent ones what cost more."""
    failed = (
        run.episodes.filter(status__in=PLAYED, success=False)
        .order_by("index")
        .values_list("index", "result__causes")
    )
    costs: dict[str, dict[int, float]] = {}
    count = 0
    for index, causes in failed:
        count += 1
        for cause, weight in _by_cause(causes or ()).items():
            costs.setdefault(cause, {})[index] = weight
    rows = [
        Summed(
            cause=cause,
            episodes=len(weights),
            share=len(weights) / count,
            weight=sum(weights.values()),
            examples=sorted(weights, key=lambda index: (-weights[index], index))[:EXAMPLES],
        )
        for cause, weights in costs.items()
    ]
    return sorted(rows, key=lambda row: (-row.episodes, -row.weight, row.cause))


def _by_cause(causes: Iterable[dict[str, Any]]) -> dict[str, float]:
    """One episode's weights, those of several agents added up."""
    weights: dict[str, float] = {}
    for cause in causes:
        name = words(cause["name"], cause["subject"])
        weights[name] = weights.get(name, 0.0) + cause["weight"]
    return weights
