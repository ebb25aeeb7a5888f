"""Rules across fields: what no single field can tell about a task.

Each rule is a generator of problems, at the path of the field to change. Those of `ERRORS` make a task invalid,
those of `WARNINGS` do not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from engine.episode.opening import agent_starts, chest_starts
from engine.episode.state import WorldState
from engine.evaluation.conditions import all_hold
from engine.spec import layout
from engine.spec.document import Path, show
from engine.spec.explain import Problem
from engine.spec.model import (
    AgentArea,
    AgentItemCount,
    ApplyEffect,
    Condition,
    DealDamage,
    EntitySelector,
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
from engine.spec.names import nearest, quote
from engine.spec.schedule import steps
from engine.spec.walk import actions, parts, walk
from engine.world import rules

SETTLING_STEPS = 10
"""Steps that must remain after a crisis has covered its area (SPEC section 13)."""
MAX_FIRINGS = 100_000
MAX_CHANGES = 1_000_000
"""Blocks and mobs that all firings of a task together may spawn, set or remove."""

Rule = Callable[[TaskSpec], Iterator[Problem]]


def errors(spec: TaskSpec) -> Iterator[Problem]:
    """All that makes a task invalid although each field is right by itself."""
    for rule in ERRORS:
        yield from rule(spec)


def warnings(spec: TaskSpec) -> Iterator[Problem]:
    """What is valid and yet hardly meant."""
    for rule in WARNINGS:
        yield from rule(spec)


# --- names --------------------------------------------------------------------------------------------------


def _unique(spec: TaskSpec) -> Iterator[Problem]:
    """Ids and names differ; Minecraft tells players' names apart without regard to capitals."""
    named: list[tuple[str, list[tuple[Path, str]]]] = [
        (
            "agent name",
            [(("agents", "spawn", i, "name"), a.name.lower()) for i, a in enumerate(spec.agents.spawn)],
        ),
        ("event id", [(("events", i, "id"), event.id) for i, event in enumerate(spec.events)]),
        (
            "region id",
            [(("environment", "regions", i, "id"), r.id) for i, r in enumerate(spec.environment.regions)],
        ),
        (
            "target block",
            [(("task", "targets", i, "block"), t.block) for i, t in enumerate(spec.task.targets)],
        ),
    ]
    for what, places in named:
        first: dict[str, Path] = {}
        for path, name in places:
            if name in first:
                yield path, f"the {what} {quote(name)} is taken by {show(first[name][:-1])}; each must differ"
            first.setdefault(name, path)


def _count(spec: TaskSpec) -> Iterator[Problem]:
    spawned = len(spec.agents.spawn)
    if spec.agents.count not in (None, spawned):
        yield (
            ("agents", "count"),
            f"expected {spawned}, the number of agents under spawn, found {spec.agents.count}",
        )


def _references(spec: TaskSpec) -> Iterator[Problem]:
    """Agents and regions that are named exist."""
    agents = [agent.name for agent in spec.agents.spawn]
    regions = [region.id for region in spec.environment.regions]
    for path, one in walk(spec):
        if isinstance(one, AgentItemCount | AgentArea) and one.agent is not None:
            yield from _known(one.agent, agents, "agent", (*path, "agent"))
    for _, path, action in actions(spec):
        if isinstance(action, ApplyEffect | DealDamage | Message):
            for index, name in enumerate(action.agents or ()):
                yield from _known(name, agents, "agent", (*path, "agents", index))
        elif isinstance(action, SetRegion):
            yield from _known(action.region, regions, "region", (*path, "region"))


def _known(name: str, names: list[str], what: str, path: Path) -> Iterator[Problem]:
    if name not in names:
        there = f"; there is {', '.join(names[:8])}" if names else f"; the task has no {what}s"
        yield path, f"unknown {what} {quote(name)}{nearest(name, names) or there}"


# --- conditions and triggers --------------------------------------------------------------------------------


def _conditions(spec: TaskSpec) -> Iterator[Problem]:
    for path, condition in parts(spec, Condition):
        keys = list(condition.model_dump(exclude_none=True, by_alias=True))
        if len(keys) != 1:
            names = ", ".join(field.alias or name for name, field in Condition.model_fields.items())
            yield path, f"expected exactly one of {names}, found {' and '.join(keys) or 'none'}"
        if condition.entity_dead == EntitySelector():
            yield (*path, "entity_dead"), "expected entity, role or both, found neither"
        place = condition.agent_in_area
        if place and place.agent is not None and place.count is not None:
            yield (*path, "agent_in_area", "count"), "agent and count exclude each other; keep one"


def _triggers(spec: TaskSpec) -> Iterator[Problem]:
    for index, event in enumerate(spec.events):
        path: Path = ("events", index, "trigger")
        trigger = event.trigger
        given = {name for name in trigger.model_fields_set if getattr(trigger, name) is not None}
        for key, excluded in (
            ("when", ("at", "start", "end", "interval")),
            ("at", ("start", "end", "interval")),
        ):
            for other in excluded:
                if key in given and other in given:
                    yield (*path, other), f"{other} cannot stand beside {key}; keep one of the two"
        if trigger.end is not None and trigger.end < trigger.start:
            yield (
                (*path, "end"),
                f"expected at least {trigger.start}, the trigger's start, found {trigger.end}",
            )
        for step, times in Counter(trigger.at or ()).items():
            if times > 1:
                yield (*path, "at"), f"lists step {step} {times} times; an event fires once a step"


def _amounts(spec: TaskSpec) -> Iterator[Problem]:
    """Bounds on what the events of a task do in all, so that every task can be run."""
    firings = changes = 0
    for index, _, action in actions(spec):
        times = _times(spec.events[index], action, spec)
        firings += times
        changes += times * _size(action)
    if firings > MAX_FIRINGS:
        yield (
            ("events",),
            f"the events' actions fire {firings:,} times in all; expected at most {MAX_FIRINGS:,}",
        )
    if changes > MAX_CHANGES:
        yield ("events",), f"the events change {changes:,} blocks and mobs; expected at most {MAX_CHANGES:,}"


def _times(event: Event, action: EventAction, spec: TaskSpec) -> int:
    """How often the action fires at most; a condition makes it fire once."""
    return (
        1 if event.trigger.when is not None else len(steps(event.trigger, action, spec.environment.max_steps))
    )


def _size(action: EventAction) -> int:
    if isinstance(action, SpawnBlocks | SpawnEntities):
        return action.count
    return layout.volume(action.area) if isinstance(action, ProgressiveFill | SetBlocks | RemoveBlocks) else 0


def _solid(spec: TaskSpec) -> Iterator[Problem]:
    for _, path, action in actions(spec):
        if isinstance(action, SpawnBlocks | ProgressiveFill) and action.block == "air":
            yield (
                (*path, "block"),
                f"{action.type} of air changes nothing; name a block, or use remove_blocks",
            )


# --- task types ---------------------------------------------------------------------------------------------


def _mine(spec: TaskSpec) -> Iterator[Problem]:
    for index, target in enumerate(spec.task.targets):
        block = rules.block(target.block)
        if not block.drops or block.hardness is None:
            path: Path = ("task", "targets", index, "block")
            yield (
                path,
                f"{target.block} drops nothing with any tool, so it could never be deposited; choose another",
            )
    if spec.task.type != "mine_vanishing_blocks":
        return
    if not spec.task.targets:
        yield ("task", "targets"), "is missing; mine_vanishing_blocks needs a list of {block, count}"
    if not spec.all_chests:
        yield ("environment", "chest"), "is missing; mine_vanishing_blocks needs a chest to deposit in"


def _raid(spec: TaskSpec) -> Iterator[Problem]:
    bosses = [hostile for hostile in spec.environment.entities.hostiles if hostile.role == "boss"]
    if spec.task.type == "raid_boss" and not bosses:
        yield (
            ("environment", "entities", "hostiles"),
            "raid_boss needs at least one hostile with role: boss, found none",
        )


def _custom(spec: TaskSpec) -> Iterator[Problem]:
    if spec.task.type == "custom" and spec.task.success is None:
        yield ("task", "success"), "is missing; a custom task needs a list of conditions"


def _prepare(spec: TaskSpec) -> Iterator[Problem]:
    if spec.task.type != "prepare_crisis":
        return
    fills = [(index, action) for index, _, action in actions(spec) if isinstance(action, ProgressiveFill)]
    if len(fills) != 1:
        yield ("events",), f"prepare_crisis needs exactly one progressive_fill, found {len(fills)}"
        return
    index, fill = fills[0]
    trigger = spec.events[index].trigger
    if trigger.when is not None:
        yield ("events", index, "trigger", "when"), "the crisis of prepare_crisis must start at a fixed step"
        return
    start = min(trigger.at) if trigger.at else trigger.start
    length = max(0, fill.slices - 1)
    covered = start + length / fill.speed_bps
    if covered + SETTLING_STEPS > spec.environment.max_steps:
        yield (
            ("environment", "max_steps"),
            f"expected at least {covered + SETTLING_STEPS:g}, found {spec.environment.max_steps}: the crisis covers "
            f"its area at step {covered:g} (start {start} + {length} blocks / {fill.speed_bps:g} a step), and "
            f"{SETTLING_STEPS} steps must remain",
        )
    if spec.task.success is None and trigger.end is not None and trigger.end < covered:
        yield (
            ("events", index, "trigger", "end"),
            f"the crisis would end at step {trigger.end}, before it covers its area at step {covered:g}",
        )


ERRORS: tuple[Rule, ...] = (
    _unique,
    _count,
    _references,
    _conditions,
    _triggers,
    _amounts,
    _solid,
    _mine,
    _raid,
    _custom,
    _prepare,
    layout.areas,
    layout.grids,
    layout.places,
    layout.capacity,
)


# --- warnings -----------------------------------------------------------------------------------------------


def _never(spec: TaskSpec) -> Iterator[Problem]:
    for index, event in enumerate(spec.events):
        if all(_times(event, action, spec) == 0 for action in event.actions):
            first = min(event.trigger.at) if event.trigger.at else event.trigger.start
            yield (
                ("events", index, "trigger"),
                f"never fires: its first step is {first}, after max_steps {spec.environment.max_steps}",
            )


def _unused(spec: TaskSpec) -> Iterator[Problem]:
    if spec.task.targets and spec.task.type != "mine_vanishing_blocks":
        yield ("task", "targets"), f"has no effect in a task of type {spec.task.type}"
    if spec.task.shelter and spec.task.type != "prepare_crisis":
        yield ("task", "shelter"), f"has no effect in a task of type {spec.task.type}"


def _quota(spec: TaskSpec) -> Iterator[Problem]:
    """More wanted than there will ever be, counting what lies ready at the start."""
    blocks, items = _supply(spec)
    for index, target in enumerate(spec.task.targets):
        ready = blocks[target.block] + sum(items[drop] for drop in rules.block(target.block).drops)
        if ready < target.count:
            yield (
                ("task", "targets", index, "count"),
                f"{target.count} wanted, but no more than {ready} {target.block} will ever be there",
            )


def _won_at_once(spec: TaskSpec) -> Iterator[Problem]:
    """All conditions hold before anybody has done anything, and a task is won as soon as they do."""
    if not spec.task.success:
        return
    start = WorldState()
    start.begin(agent_starts(spec), chest_starts(spec))
    if all_hold(spec.task.success, start, 0):
        yield (
            ("task", "success"),
            "holds from the start, so the task is won before it begins; to ask for it at the end, add "
            f"{{step_reached: {spec.environment.max_steps}}}",
        )


def _supply(spec: TaskSpec) -> tuple[Counter[str], Counter[str]]:
    blocks: Counter[str] = Counter()
    items: Counter[str] = Counter()
    for index, _, action in actions(spec):
        if isinstance(action, SpawnBlocks | SetBlocks):
            blocks[action.block] += _size(action) * _times(spec.events[index], action, spec)
    for grid in spec.environment.materials.grid:
        blocks[grid.block] += grid.volume
    for stacks in (*(a.inventory for a in spec.agents.spawn), *(chest.items for chest in spec.all_chests)):
        for name, stack in stacks.items():
            items[name] += stack.count
    return blocks, items


WARNINGS: tuple[Rule, ...] = (_never, _unused, _quota, _won_at_once, layout.spawn_ground)
