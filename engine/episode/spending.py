"""What an episode has spent on language models so far, against its budget (SPEC sections 11 and 13)."""

from __future__ import annotations

from collections.abc import Sequence

from engine.agents.policy import Inference, Reply
from engine.episode.result import Wait
from engine.episode.settings import Budget
from engine.world.geometry import TICKS_PER_STEP


class Spending:
    """Adds up inferences, tokens, money, and the seconds during which at least one call was on its way."""

    def __init__(self, budget: Budget, is_async: bool) -> None:
        self._budget = budget
        self._is_async = is_async
        self._frozen: tuple[int, float] = (-1, 0.0)
        self._busy: list[tuple[float, float]] = []
        self.inference_s = 0.0
        self.inferences = 0
        self.tokens = 0
        self.usd = 0.0
        self.replayed = 0
        self.waits: list[Wait] = []

    def add(self, asked: int, reply: Reply) -> None:
        """Count what a decision asked for at the tick took."""
        self._count(reply.inferences)
        if self._is_async:
            self._overlap(asked / TICKS_PER_STEP, reply.latency_s)
        else:
            self._freeze(asked, reply.latency_s)

    def _count(self, inferences: Sequence[Inference]) -> None:
        for inference in inferences:
            completion = inference.completion
            self.inferences += 1
            self.tokens += completion.prompt_tokens + completion.completion_tokens
            self.usd += completion.cost_usd or 0.0
            self.replayed += completion.is_replayed
            if completion.retries:
                self.waits.append(_wait(inference))

    def _overlap(self, began: float, latency_s: float) -> None:
        """The length of the union of all calls' intervals in world time."""
        ended = began + latency_s
        apart = []
        for low, high in self._busy:
            if high < began or low > ended:
                apart.append((low, high))
            else:
                began, ended = min(began, low), max(ended, high)
        self._busy = [*apart, (began, ended)]
        self.inference_s = sum(high - low for low, high in self._busy)

    def _freeze(self, asked: int, latency_s: float) -> None:
        """World time stands still until the slowest of a tick's calls is answered."""
        tick, longest = self._frozen
        if asked != tick:
            longest = 0.0
        self.inference_s += max(0.0, latency_s - longest)
        self._frozen = (asked, max(longest, latency_s))

    def exceeded(self) -> str:
        """Which budget is used up, in words; empty if none is."""
        for what, spent, limit in (
            ("seconds of inference", self.inference_s, self._budget.inference_s),
            ("inferences", self.inferences, self._budget.inferences),
            ("tokens", self.tokens, self._budget.tokens),
            ("US dollars", self.usd, self._budget.usd),
        ):
            if limit is not None and spent >= limit:
                return f"the budget of {limit:,g} {what} is used up ({spent:,.6g})"
        return ""


def _wait(inference: Inference) -> Wait:
    completion = inference.completion
    return Wait(inference.caller, inference.call, inference.attempt, completion.queue_s, completion.retries)
