"""What an agent remembers of its own doings and of what it was told: a fold over the log, with a window."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.events.payloads import (
    ActionEnded,
    ActionSkipped,
    ActionStarted,
    AgentDied,
    MessageSent,
    Payload,
    PlanRefused,
    PlanSet,
    PlanStep,
    RoleTaken,
)

HISTORY = 24
"""Entries of its own history that an agent remembers."""
MESSAGES = 24
"""Messages that an agent remembers, its own included."""
LONGEST = 1_000
"""Characters of an action's parameters, as JSON, that an entry keeps; the rest would fill every later prompt."""


@dataclass(frozen=True, slots=True)
class Entry:
    """Something that an agent did or that befell it; `tick` is when it ended."""

    tick: int
    what: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Heard:
    """A message that an agent sent or was sent."""

    tick: int
    sender: str
    to: tuple[str, ...]
    text: str


@dataclass(slots=True)
class Memory:
    """One agent's.

    Attributes:
        history: what it did and how that came out, oldest first.
        messages: what it said and was told, oldest first.
        running: the action under way.
        remaining: the steps of its plan that have not begun.
        failures: actions that failed since it last was asked.
        unread: tick of the first message to it since it last was asked; None if there was none.
        role: the part that it says it plays.
    """

    name: str
    history: deque[Entry] = field(default_factory=lambda: deque(maxlen=HISTORY))
    messages: deque[Heard] = field(default_factory=lambda: deque(maxlen=MESSAGES))
    running: ActionStarted | None = None
    remaining: list[PlanStep] = field(default_factory=list)
    failures: int = 0
    unread: int | None = None
    role: str = ""

    def apply(self, tick: int, payload: Payload) -> None:
        """Take in what happened, if it concerns the agent."""
        if isinstance(payload, MessageSent):
            self._hear(tick, payload)
        elif getattr(payload, "agent", None) == self.name:
            self._live(tick, payload)

    def asked(self, tick: int) -> None:
        """The agent is asked at the tick what to do: what it can read now is news no more."""
        self.failures = 0
        later = any(heard.tick >= tick and self.name in heard.to for heard in self.messages)
        self.unread = tick if later else None

    def _hear(self, tick: int, message: MessageSent) -> None:
        if self.name in message.to and self.unread is None:
            self.unread = tick
        if self.name in message.to or self.name == message.sender:
            self.messages.append(Heard(tick, message.sender, tuple(message.to), message.text))

    def _live(self, tick: int, payload: Payload) -> None:
        match payload:
            case PlanSet():
                self.remaining = list(payload.steps)
            case ActionStarted():
                self.running = payload
                self.remaining = [step for step in self.remaining if step.id != payload.id]
            case ActionEnded():
                self._end(tick, payload)
            case ActionSkipped():
                self.remaining = [step for step in self.remaining if step.id != payload.id]
                self._note(tick, id=payload.id, do=payload.do, outcome="skipped", after=payload.after)
            case PlanRefused():
                self._note(tick, problem=payload.fault)
            case RoleTaken():
                self.role = payload.role
            case AgentDied():
                self.running = None
                self.remaining = []
            case _:
                pass

    def _end(self, tick: int, ended: ActionEnded) -> None:
        parameters = _brief(self.running.with_) if self.running else {}
        self.running = None
        if ended.outcome == "failed" and ended.reason != "interrupted":
            self.failures += 1
        told = {"reason": ended.reason, "done": ended.done, "wanted": ended.wanted} if ended.reason else {}
        self._note(
            tick,
            id=ended.id,
            do=ended.do,
            **{"with": parameters},
            outcome=ended.outcome,
            **told,
            detail=ended.detail,
        )

    def _note(self, tick: int, **what: object) -> None:
        self.history.append(Entry(tick, what))


def _brief(parameters: Mapping[str, object]) -> dict[str, object]:
    text = json.dumps(parameters, ensure_ascii=False)
    return dict(parameters) if len(text) <= LONGEST else {"shortened": text[:LONGEST]}
