"""What was asked of a model and answered, and what agents told one another: read from an episode's log."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from engine.events.log import Event, decode
from engine.events.payloads import (
    ActionEnded,
    ActionSkipped,
    BriefingGiven,
    InferenceEnded,
    MessageSent,
    PlanRefused,
    PlanSet,
    PlanStep,
)
from engine.world.geometry import TICKS_PER_STEP

TOLD = ("inference_ended", "message_sent")
"""Event types that the overview lists."""
FATE = ("briefing_given", "inference_ended", "plan_set", "plan_refused", "action_ended", "action_skipped")
"""Event types that tell what became of a decision."""


@dataclass(frozen=True, slots=True)
class Decision:
    """One inference in the overview. `asked` and `came` are steps."""

    seq: int
    asked: float
    came: float
    inference: InferenceEnded


@dataclass(frozen=True, slots=True)
class Told:
    """A message in the overview."""

    seq: int
    step: float
    message: MessageSent


@dataclass(slots=True)
class PlannedAction:
    """One action of a plan and what became of it; no outcome where nothing did."""

    step: PlanStep
    outcome: str = ""
    reason: str = ""
    detail: str = ""
    seq: int | None = None


@dataclass(slots=True)
class AgentPlan:
    """The plan that a decision gave an agent."""

    agent: str
    actions: list[PlannedAction] = field(default_factory=list)
    refusals: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Insight:
    """A decision with all that was said for it and came of it.

    Attributes:
        earlier: the first attempt, where this is the second.
        previous, next: event numbers of the neighbouring decisions.
    """

    decision: Decision
    briefing: str = ""
    earlier: InferenceEnded | None = None
    plans: list[AgentPlan] = field(default_factory=list)
    previous: int | None = None
    next: int | None = None


def overview(lines: Iterable[bytes]) -> tuple[list[Decision], list[Told]]:
    """All decisions and messages of a log, in order."""
    decisions: list[Decision] = []
    messages: list[Told] = []
    for event in events_of(lines, TOLD):
        if isinstance(event.payload, InferenceEnded):
            decisions.append(_decision(event))
        else:
            messages.append(Told(event.seq, event.world_time / TICKS_PER_STEP, event.payload))
    return decisions, messages


def insight(lines: Iterable[bytes], seq: int) -> Insight | None:
    """The decision whose inference has this event number; None if there is none."""
    reader = _Reader(seq)
    for event in events_of(lines, FATE):
        reader.take(event)
    return reader.found


def events_of(lines: Iterable[bytes], types: Iterable[str]) -> Iterator[Event]:
    """The events of these types; lines of others are not even decoded."""
    marks = tuple(f'"type":"{kind}"'.encode() for kind in types)
    for body in lines:
        wanted = (line for line in body.splitlines() if any(mark in line[:120] for mark in marks))
        yield from decode(wanted)


def pretty(text: str) -> str:
    """JSON set out in lines; other text as it is."""
    try:
        return json.dumps(json.loads(text), indent=2, ensure_ascii=False)
    except ValueError:
        return text


def _decision(event: Event) -> Decision:
    inference: InferenceEnded = event.payload
    return Decision(
        event.seq, inference.asked_tick / TICKS_PER_STEP, event.world_time / TICKS_PER_STEP, inference
    )


class _Reader:
    """Follows a log up to the end of what one decision led to."""

    def __init__(self, seq: int) -> None:
        self._seq = seq
        self._briefings: dict[str, str] = {}
        self._last: Decision | None = None
        self._open: dict[str, AgentPlan] = {}
        self._replaced: set[str] = set()
        self.found: Insight | None = None

    def take(self, event: Event) -> None:
        """Take in one event."""
        payload: Any = event.payload
        if isinstance(payload, BriefingGiven):
            self._briefings[payload.caller] = payload.text
        elif isinstance(payload, InferenceEnded):
            self._meet(_decision(event))
        elif self.found is not None and payload.agent in self.found.decision.inference.agents:
            self._follow(event.seq, payload)

    def _meet(self, decision: Decision) -> None:
        inference = decision.inference
        if decision.seq == self._seq:
            self.found = Insight(decision, self._briefings.get(inference.caller, ""))
            if self._last is not None:
                self.found.previous = self._last.seq
                before = self._last.inference
                if inference.attempt > 1 and (before.caller, before.call) == (
                    inference.caller,
                    inference.call,
                ):
                    self.found.earlier = before
        elif self.found is not None:
            if self.found.next is None:
                self.found.next = decision.seq
            self._replaced |= (
                set(inference.agents) if inference.caller == self.found.decision.inference.caller else set()
            )
        self._last = decision

    def _follow(self, seq: int, payload: Any) -> None:
        if self.found is None or payload.agent in self._replaced:
            return
        plan = self._open.get(payload.agent)
        if plan is None:
            plan = self._open[payload.agent] = AgentPlan(payload.agent)
            self.found.plans.append(plan)
        match payload:
            case PlanSet():
                plan.actions = [PlannedAction(step) for step in payload.steps]
            case PlanRefused():
                plan.refusals.append(payload.fault)
            case ActionEnded() | ActionSkipped():
                _settle(plan, seq, payload)
            case _:
                pass


def _settle(plan: AgentPlan, seq: int, payload: ActionEnded | ActionSkipped) -> None:
    for action in plan.actions:
        if action.step.id == payload.id and not action.outcome:
            action.seq = seq
            if isinstance(payload, ActionEnded):
                action.outcome, action.reason, action.detail = payload.outcome, payload.reason, payload.detail
            else:
                action.outcome, action.detail = "skipped", f"{payload.after} did not succeed"
            return
