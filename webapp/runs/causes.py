"""Why episodes failed, in the words of the pages: one episode's causes, and those of a run added up."""

from __future__ import annotations

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

    def plain(self) -> dict[str, Any]:
        """The row as a file has it."""
        return {
            "cause": self.cause,
            "episodes": self.episodes,
            "share": round(self.share, 4),
            "agent_steps": self.weight,
            "worst": " ".join(map(str, self.examples)),
        }


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
    failed = run.episodes.filter(status__in=PLAYED, success=False).order_by("index")
    costs: dict[tuple[str, str], dict[int, float]] = {}
    count = 0
    for index, causes in failed.values_list("index", "causes"):
        count += 1
        for name, subject, weight in causes:
            costs.setdefault((name, subject), {})[index] = weight
    rows = [
        Summed(
            cause=words(*kind),
            episodes=len(weights),
            share=len(weights) / count,
            weight=round(sum(weights.values()), 2),
            examples=sorted(weights, key=lambda index: (-weights[index], index))[:EXAMPLES],
        )
        for kind, weights in costs.items()
    ]
    return sorted(rows, key=lambda row: (-row.episodes, -row.weight, row.cause))
