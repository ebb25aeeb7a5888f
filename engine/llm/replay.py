"""Replies from an earlier episode's log, with latencies as they were or changed: what if the model had been faster?

A recorded reply is a valid decision as long as the caller is asked exactly what it was asked then. From its first
question that differs on, a caller's replies come from the fall-back model.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from threading import Lock

from engine.errors import SettingsError
from engine.events.log import Event
from engine.events.payloads import BriefingGiven, InferenceEnded
from engine.llm.provider import Ask, Completion, Provider, RefusalError

_FORM = re.compile(r"(x)?(\d+(?:\.\d+)?)")
LONGEST_S = 3_600.0


@dataclass(frozen=True, slots=True)
class LatencyChange:
    """What becomes of each reply's latency.

    Attributes:
        text: as people write it: `x0.5` halves it, `5` makes it 5 s.
        apply: seconds before → seconds after.
    """

    text: str
    apply: Callable[[float], float]


def latency_change(text: str) -> LatencyChange:
    """The change that the text names.

    Raises:
        SettingsError: it names none.
    """
    found = _FORM.fullmatch(text.strip())
    if found is None or float(found[2]) > LONGEST_S:
        raise SettingsError(
            f"unknown latency change {text!r}: write a factor, as `x0.5`, or seconds from 0 to {LONGEST_S:g}, as `5`"
        )
    number = float(found[2])
    if found[1]:
        return LatencyChange(text, lambda seconds: seconds * number)
    return LatencyChange(text, lambda _: number)


@dataclass(frozen=True, slots=True)
class _Record:
    briefing: str
    inference: InferenceEnded


class ReplayProvider(Provider):
    """Answers what was answered before, as long as the questions are the same."""

    def __init__(self, log: Iterable[Event], change: LatencyChange, fallback: Provider | None) -> None:
        self._records = _read(log)
        self._change = change
        self._fallback = fallback
        self._diverged: set[str] = set()
        self._lock = Lock()

    @property
    def is_scripted(self) -> bool:
        """Whether no language model can be asked: then calls need no threads."""
        return self._fallback is None or self._fallback.is_scripted

    def complete(self, ask: Ask) -> Completion:
        """The recorded answer, or the fall-back's.

        Raises:
            RefusalError: the question is another one than was recorded, and there is no fall-back.
            ProviderError: the fall-back has no answer.
        """
        record = self._records.get((ask.caller, ask.call, ask.attempt))
        with self._lock:
            if ask.caller not in self._diverged and record is not None and _is_same(record, ask):
                return self._replay(record.inference)
            self._diverged.add(ask.caller)
        if self._fallback is None:
            raise RefusalError(
                f"call {ask.call} of {ask.caller} differs from the recorded one; name a model that answers from here on"
            )
        completion = self._fallback.complete(ask)
        return replace(completion, latency_s=self._change.apply(completion.latency_s))

    def _replay(self, inference: InferenceEnded) -> Completion:
        return Completion(
            text=inference.completion,
            prompt_tokens=inference.prompt_tokens,
            completion_tokens=inference.completion_tokens,
            reasoning_tokens=inference.reasoning_tokens,
            latency_s=self._change.apply(inference.latency_s),
            cost_usd=inference.cost_usd,
            is_cut_off=inference.is_cut_off,
            is_replayed=True,
        )

    def close(self) -> None:
        """Close the fall-back."""
        if self._fallback is not None:
            self._fallback.close()


def _read(log: Iterable[Event]) -> dict[tuple[str, int, int], _Record]:
    """Every inference of a log by caller, call and attempt."""
    briefings: dict[str, str] = {}
    records = {}
    for event in log:
        match event.payload:
            case BriefingGiven() as given:
                briefings[given.caller] = given.text
            case InferenceEnded() as ended:
                key = (ended.caller, ended.call, ended.attempt)
                records[key] = _Record(briefings.get(ended.caller, ""), ended)
            case _:
                pass
    return records


def _is_same(record: _Record, ask: Ask) -> bool:
    return record.briefing == ask.turns[0].text and record.inference.prompt == ask.turns[-1].text
