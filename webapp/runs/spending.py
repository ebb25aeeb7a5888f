"""What a run has spent on language models, against its budget."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from django.db.models import Sum
from django.utils import timezone

from engine.agents.policy import MASTER
from engine.episode.settings import Budget
from engine.events.payloads import InferenceEnded, Payload
from webapp.live.wake import wake
from webapp.runs.models import Episode, Run, Status

LIMITS: Mapping[str, str] = {
    "inference_s": "seconds of inference",
    "inferences": "inferences",
    "tokens": "tokens",
    "usd": "US dollars",
}
"""What a budget can limit, in words."""

TOO_LATE = "The run's budget was used up before it began."


def budget(plain: Mapping[str, Any] | None) -> Budget:
    """A budget as a run's settings hold it; what they do not name has the default."""
    return Budget(**{name: value for name, value in (plain or {}).items() if name in LIMITS})


def plain(limits: Budget) -> dict[str, Any]:
    """A budget as a run's settings hold it."""
    return asdict(limits)


NO_LIMIT = Budget(inference_s=None)
"""A run's budget unless somebody sets one."""


def run_budget(run: Run) -> Budget:
    """What the whole run may spend."""
    return budget({**plain(NO_LIMIT), **run.settings.get("run_budget", {})})


@dataclass(slots=True)
class Meter:
    """What one execution has spent so far, by the inferences in its log.

    Attributes:
        latencies: seconds of each inference.
        callers: on whose behalf a model was asked.
    """

    tokens: int = 0
    usd: float = 0.0
    latencies: list[float] = field(default_factory=list)
    callers: set[str] = field(default_factory=set)

    def take(self, payload: Payload) -> None:
        """Count an inference; other events cost nothing."""
        if isinstance(payload, InferenceEnded):
            self.tokens += payload.prompt_tokens + payload.completion_tokens
            self.usd += payload.cost_usd or 0.0
            self.latencies.append(payload.latency_s)
            self.callers.add(payload.caller)

    @property
    def by_master(self) -> bool:
        """Every decision was one for the whole team."""
        return self.callers == {MASTER}

    def added_to(self, episode: Episode) -> dict[str, float]:
        """The episode's columns of what is spent, with this execution on top of what was there before it."""
        return {
            "spent_inferences": episode.spent_inferences + len(self.latencies),
            "spent_tokens": episode.spent_tokens + self.tokens,
            "spent_usd": episode.spent_usd + self.usd,
            "spent_inference_s": episode.spent_inference_s + sum(self.latencies),
        }


def spent(run_id: int) -> dict[str, float]:
    """What all of a run's episodes have spent so far, by the names of `LIMITS`."""
    sums = Episode.objects.filter(run=run_id).aggregate(
        **{name: Sum(f"spent_{name}", default=0) for name in LIMITS}
    )
    return {name: sums[name] for name in LIMITS}


def exceeded(run_id: int, limits: Budget) -> str:
    """Which of the run's budgets is used up, in words; empty if none is."""
    if limits == NO_LIMIT:
        return ""
    so_far = spent(run_id)
    for name, words in LIMITS.items():
        limit = getattr(limits, name)
        if limit is not None and so_far[name] >= limit:
            return f"the run's budget of {limit:,g} {words} is used up ({so_far[name]:,.6g})"
    return ""


def stop_waiting(run_id: int) -> int:
    """Cancel the run's episodes that have not begun, since its budget is used up; their number."""
    waiting = Episode.objects.filter(run=run_id, status=Status.QUEUED)
    ids = list(waiting.values_list("pk", flat=True))
    count = waiting.update(status=Status.CANCELLED, error=TOO_LATE, ended_at=timezone.now())
    for episode_id in ids:
        wake(episode_id)
    return count
