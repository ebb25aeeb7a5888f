"""One decision of a model: ask, read the reply, ask once more if it cannot be read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from engine.agents.policy import Inference
from engine.agents.team.finding import ReplyFault, without_surrogates
from engine.llm.provider import Ask, Completion, Provider, Turn

ATTEMPTS = 2
QUOTED = 4_000
"""Characters of an unreadable reply that the model is shown again."""
NOTHING = "(no answer)"
"""Stands for an empty reply, since endpoints refuse empty turns."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Question:
    """What a caller asks a model.

    Attributes:
        agents: whom the decision concerns.
        schema: JSON schema of the reply.
    """

    caller: str
    agents: tuple[str, ...]
    call: int
    briefing: str
    prompt: str
    schema: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Answer(Generic[T]):
    """What came back: None after the last attempt failed, and `fault` says why."""

    value: T | None
    fault: str
    inferences: tuple[Inference, ...]

    @property
    def latency_s(self) -> float:
        """All attempts together."""
        return sum(inference.completion.latency_s for inference in self.inferences)


def put(provider: Provider, question: Question, read: Callable[[str], T]) -> Answer[T]:
    """Ask, and once more if the reply cannot be read.

    Raises:
        ProviderError: there is no answer to be had.
    """
    turns = [Turn("system", question.briefing), Turn("user", question.prompt)]
    inferences: list[Inference] = []
    fault = ""
    for attempt in range(1, ATTEMPTS + 1):
        ask = Ask(question.caller, question.call, attempt, tuple(turns), question.schema)
        completion = _encodable(provider.complete(ask))
        value, fault = _try(read, completion)
        inferences.append(_inference(question, attempt, turns[-1].text, completion, fault))
        if value is not None:
            return Answer(value, "", tuple(inferences))
        turns += [Turn("assistant", completion.text[:QUOTED].strip() or NOTHING), Turn("user", _again(fault))]
    return Answer(None, fault, tuple(inferences))


def _encodable(completion: Completion) -> Completion:
    """The log is UTF-8; a reply need not be."""
    return replace(completion, text=without_surrogates(completion.text))


def _try(read: Callable[[str], T], completion: Completion) -> tuple[T | None, str]:
    try:
        return read(completion.text), ""
    except ReplyFault as fault:
        cut = " It was cut off at the length limit: be briefer." if completion.is_cut_off else ""
        return None, f"{fault}.{cut}"


def _again(fault: str) -> str:
    return f"Your reply could not be used: {fault} Answer again, with the JSON object alone, in the form asked for."


def _inference(
    question: Question, attempt: int, prompt: str, completion: Completion, fault: str
) -> Inference:
    outcome = "ok" if not fault else "malformed" if completion.text.strip() else "empty"
    return Inference(
        caller=question.caller,
        agents=question.agents,
        call=question.call,
        attempt=attempt,
        briefing=question.briefing,
        prompt=prompt,
        completion=completion,
        outcome=outcome,
        fault=fault,
    )
