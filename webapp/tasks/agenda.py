"""What happens to a task's world by itself, as rows for its page: what, when, how often, for how long."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from engine.spec.model import (
    ApplyEffect,
    Condition,
    DealDamage,
    DespawnEntities,
    Event,
    EventAction,
    Message,
    ProgressiveFill,
    RemoveBlocks,
    SetBlocks,
    SetRegion,
    SpawnBlocks,
    SpawnEntities,
    TaskSpec,
)
from engine.spec.schedule import schedule

DRAWN = 200
"""Firings drawn in one row's strip; beyond that the bars merge anyhow."""

_DIRECTIONS = {
    **{name: f"towards the {name}" for name in ("east", "west", "north", "south")},
    "up": "upwards",
    "down": "downwards",
}


@dataclass(frozen=True, slots=True)
class Bar:
    """One firing in a row's strip: from its step, as long as what it brings lasts."""

    start: float
    length: float


@dataclass(frozen=True, slots=True)
class Row:
    """One action of one event.

    Attributes:
        times: how often it fires; None when a condition decides.
        bars: where it is drawn along the task's steps.
    """

    event: str
    action: str
    what: str
    when: str
    times: int | None
    lifetime: str
    bars: list[Bar]


def agenda(spec: TaskSpec) -> list[Row]:
    """One row for each action of each event, in the order of the file."""
    steps: dict[tuple[int, int], list[float]] = {}
    for firing in schedule(spec):
        if firing.step is not None:
            steps.setdefault((firing.event_index, firing.action_index), []).append(firing.step)
    return [
        _row(spec, event, action, steps.get((number, place), []))
        for number, event in enumerate(spec.events)
        for place, action in enumerate(event.actions)
    ]


def _row(spec: TaskSpec, event: Event, action: EventAction, steps: Sequence[float]) -> Row:
    length = _length(spec, action)
    return Row(
        event=event.id,
        action=action.type,
        what=what(action),
        when=when(event, action),
        times=None if event.trigger.when else len(steps),
        lifetime=_lifetime(action),
        bars=[Bar(step, min(length, spec.environment.max_steps - step)) for step in steps[:DRAWN]],
    )


def _length(spec: TaskSpec, action: EventAction) -> float:
    """How long a firing's bar is, in steps; something that happens at once has none."""
    if isinstance(action, SpawnBlocks | SpawnEntities):
        return action.lifetime if action.lifetime is not None else spec.environment.max_steps
    if isinstance(action, ProgressiveFill):
        return action.slices / action.speed_bps
    return 0


def _lifetime(action: EventAction) -> str:
    if isinstance(action, SpawnBlocks | SpawnEntities):
        return f"{action.lifetime} steps" if action.lifetime is not None else "stays"
    if isinstance(action, ApplyEffect):
        return f"{action.effect.seconds:g} steps" if action.effect.seconds else "stays"
    return "stays" if isinstance(action, ProgressiveFill | SetBlocks | SetRegion) else "–"


def when(event: Event, action: EventAction) -> str:
    """The trigger in words."""
    trigger = event.trigger
    chance = f", each with probability {trigger.probability:g}" if trigger.probability is not None else ""
    if trigger.when:
        return f"once, when {' and '.join(condition_words(item) for item in trigger.when)}{chance}"
    if trigger.at:
        return f"at step{'s' * (len(trigger.at) > 1)} {', '.join(map(str, trigger.at))}{chance}"
    if isinstance(action, ProgressiveFill):
        until = f" until step {trigger.end}" if trigger.end is not None else ""
        return f"from step {trigger.start}{until}{chance}"
    if trigger.interval is None and trigger.end is None:
        return f"once, at step {trigger.start}{chance}"
    every = trigger.interval or 1
    pace = "every step" if every == 1 else f"every {every} steps"
    until = f"to {trigger.end}" if trigger.end is not None else "to the end"
    return f"{pace}, from step {trigger.start} {until}{chance}"


def condition_words(condition: Condition) -> str:
    """A condition in words that are close to its YAML."""
    kind = condition.kind
    if kind in ("all", "any"):
        parts: list[Condition] = getattr(condition, kind)
        word = " and " if kind == "all" else " or "
        return f"({word.join(condition_words(part) for part in parts)})"
    if kind == "not":
        assert condition.not_ is not None  # noqa: S101 - that is what the kind says
        return f"not {condition_words(condition.not_)}"
    value = getattr(condition, kind)
    name = kind.replace("_", " ")
    if value is True:
        return name
    if isinstance(value, int):
        return f"{name} {value}"
    facts = {key: fact for key, fact in value.model_dump(exclude_none=True).items() if key != "area"}
    words = " ".join(
        f"{_plain(fact)} {_plain(key)}" if key == "count" else _plain(fact) for key, fact in facts.items()
    )
    where = f" in {_box(value.area)}" if getattr(value, "area", None) else ""
    return f"{name} {words}{where}".strip()


def _plain(value: Any) -> str:
    return str(value).replace("_", " ")


def _box(area: Any) -> str:
    low, high = (", ".join(map(str, corner)) for corner in (area.min, area.max))
    return f"{low} … {high}"


def what(action: EventAction) -> str:
    """What an action does, in one phrase."""
    match action:
        case ProgressiveFill():
            return (
                f"{_plain(action.block)} fills {_box(action.area)}, {_DIRECTIONS[action.direction]}, "
                f"{action.speed_bps:g} slices a step"
            )
        case SpawnBlocks():
            return f"{action.count} × {_plain(action.block)} within {action.radius} of {_spot(action.center)}"
        case SpawnEntities():
            health = f", {action.health:g} HP" if action.health is not None else ""
            return (
                f"{action.count} × {_plain(action.entity)} ({action.role}{health}) "
                f"within {action.radius} of {_spot(action.center)}"
            )
        case SetBlocks():
            return f"{_box(action.area)} becomes {_plain(action.block)}"
        case RemoveBlocks():
            return f"{_plain(action.block or 'every block')} vanishes from {_box(action.area)}"
        case DespawnEntities():
            kind = _plain(action.entity or action.role or "mobs")
            return f"{f'up to {action.count}' if action.count else 'all'} {kind} vanish"
        case ApplyEffect():
            return f"{_plain(action.effect.type)} {action.effect.amplifier + 1} for {_who(action)}"
        case DealDamage():
            return f"{action.amount:g} HP of damage to {_who(action)}"
        case Message():
            return f"“{action.text}” to {', '.join(action.agents) if action.agents else 'everyone'}"
        case SetRegion():
            moved = f", moved to {_box(action.area)}" if action.area else ""
            return f"region {action.region} switched {'on' if action.active else 'off'}{moved}"


def _who(action: ApplyEffect | DealDamage) -> str:
    if action.agents:
        return ", ".join(action.agents)
    return f"whoever is in {_box(action.area)}" if action.area else "everyone"


def _spot(point: Sequence[int]) -> str:
    return ", ".join(map(str, point))
