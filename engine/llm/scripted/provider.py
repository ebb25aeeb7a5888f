"""The scripted planner as a model: with a declared latency and a real tokenizer's counts."""

from __future__ import annotations

from engine.dynamics.randomness import generator
from engine.llm import tokens
from engine.llm.latency import Latency
from engine.llm.provider import Ask, Completion, Provider
from engine.llm.scripted.planner import answer


class ScriptedProvider(Provider):
    """Answers at once; its latency is declared, never slept."""

    is_scripted = True

    def __init__(self, seed: int, latency: Latency) -> None:
        self._seed = seed
        self._latency = latency

    def complete(self, ask: Ask) -> Completion:
        """The planner's answer; its latency depends on the seed, the caller and the number of the call alone."""
        text = answer(ask.turns)
        random = generator(self._seed, "latency", ask.caller, ask.call, ask.attempt)
        return Completion(
            text=text,
            prompt_tokens=sum(tokens.count(turn.text) for turn in ask.turns),
            completion_tokens=tokens.count(text),
            latency_s=self._latency.draw(random),
        )

    def close(self) -> None:
        """Nothing to let go of."""
