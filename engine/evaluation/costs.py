"""What decisions cost: a fold over inferences and messages (SPEC section 7)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import ClassVar

from engine.episode.result import Costs, Latency, Wait
from engine.events.payloads import EpisodeStarted, InferenceEnded, MessageSent, Payload

GIVEN_UP = 2
"""The attempt after which a reply that cannot be read is given up."""


class CostSheet:
    """Feed it payloads in order, all or those whose types it `hears`; `costs` is what they came to so far."""

    hears: ClassVar[frozenset[type[Payload]]] = frozenset({EpisodeStarted, InferenceEnded, MessageSent})

    def __init__(self) -> None:
        self._inferences: list[InferenceEnded] = []
        self._agents: set[str] = set()
        self._messages = 0
        self._bytes = 0

    def apply(self, payload: Payload) -> None:
        """Take in one event's payload."""
        if isinstance(payload, InferenceEnded):
            self._inferences.append(payload)
        elif isinstance(payload, EpisodeStarted):
            self._agents = {agent.name for agent in payload.agents}
        elif isinstance(payload, MessageSent) and payload.sender in self._agents:
            self._messages += len(payload.to)
            self._bytes += len(payload.text.encode()) * len(payload.to)

    def costs(self, *, replayed: int = 0, waits: Sequence[Wait] = ()) -> Costs:
        """The sums. What is not in the log comes from the caller: replies taken from a record, an endpoint's faults."""
        asked = self._inferences
        prices = [one.cost_usd for one in asked]
        known = [price for price in prices if price is not None]
        return Costs(
            inferences=len(asked),
            latency_s=latency([one.latency_s for one in asked]),
            prompt_tokens=sum(one.prompt_tokens for one in asked),
            completion_tokens=sum(one.completion_tokens for one in asked),
            cost_usd=sum(known) if prices and len(known) == len(prices) else None,
            messages=self._messages,
            message_bytes=self._bytes,
            re_asks=sum(one.attempt == GIVEN_UP for one in asked),
            parse_errors=sum(one.attempt == GIVEN_UP and one.outcome != "ok" for one in asked),
            reasoning_tokens=sum(one.reasoning_tokens for one in asked),
            replayed=replayed,
            retries=sum(wait.retries for wait in waits),
            queue_s=math.fsum(wait.queue_s for wait in waits),
            waits=tuple(waits),
        )


def latency(seconds: list[float]) -> Latency:
    """Total, mean, and percentiles by nearest rank: the p-th is the smallest value that p % do not exceed."""
    if not seconds:
        return Latency()
    ordered = sorted(seconds)
    total = math.fsum(ordered)
    return Latency(total, total / len(ordered), _percentile(ordered, 50), _percentile(ordered, 95))


def _percentile(ordered: list[float], percent: int) -> float:
    return ordered[math.ceil(percent / 100 * len(ordered)) - 1]
