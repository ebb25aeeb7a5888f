"""When events fire: a pure reading of the triggers, for the dynamics and for people alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from engine.spec.model import EventAction, ProgressiveFill, TaskSpec, Trigger


@dataclass(frozen=True, slots=True)
class Firing:
    """One firing of one action.

    Attributes:
        event: the event's id.
        event_index: place of the event in the task, from 0.
        action_index: place of the action in the event, from 0.
        step: when it fires; None for a `when` trigger, whose time nobody knows beforehand.
        firing: number of this firing of the event, from 0 in order of steps; all its actions share it.
        kind: what makes it fire.
        probability: that it happens; the draw is the dynamics' part.
    """

    event: str
    event_index: int
    action_index: int
    step: int | None
    firing: int
    kind: Literal["time", "condition"]
    probability: float


def schedule(spec: TaskSpec) -> list[Firing]:
    """All firings within `max_steps` in order of step, event and action; those on a condition at the end."""
    firings = []
    for event_index, event in enumerate(spec.events):
        probability = 1.0 if event.trigger.probability is None else event.trigger.probability
        for action_index, action in enumerate(event.actions):
            place = (event.id, event_index, action_index)
            if event.trigger.when is not None:
                firings.append(Firing(*place, None, 0, "condition", probability))
            for number, step in enumerate(steps(event.trigger, action, spec.environment.max_steps)):
                firings.append(Firing(*place, step, number, "time", probability))
    return sorted(firings, key=_order)


def steps(trigger: Trigger, action: EventAction, max_steps: int) -> Sequence[int]:
    """The steps at which an action fires, ascending; none for a `when` trigger.

    Up to and including `end` (default and limit: `max_steps`). `interval` is 1 if only `end` is given;
    without both, and for a fill in any case, there is one firing (SPEC sections 2, 3 and 13).
    """
    if trigger.when is not None:
        return ()
    listed = _all_steps(trigger, max_steps)
    return listed[:1] if isinstance(action, ProgressiveFill) else listed


def _all_steps(trigger: Trigger, max_steps: int) -> Sequence[int]:
    if trigger.at is not None:
        return [step for step in sorted(set(trigger.at)) if step <= max_steps]
    if trigger.interval is None and trigger.end is None:
        return range(trigger.start, min(trigger.start, max_steps) + 1)
    end = max_steps if trigger.end is None else min(trigger.end, max_steps)
    return range(trigger.start, end + 1, trigger.interval or 1)


def _order(firing: Firing) -> tuple[float, int, int]:
    step = float("inf") if firing.step is None else firing.step
    return step, firing.event_index, firing.action_index
