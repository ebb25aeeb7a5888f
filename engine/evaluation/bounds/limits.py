"""The most that agents can be capable of in a task, whatever effects it has: figures that bounds share.

Ticks are rounded in favour of the agents.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from engine.spec.model import Agent, ApplyEffect, Effect, SpawnBlocks, TaskSpec
from engine.spec.model import Message as MessageAction
from engine.world import combat, rules
from engine.world.contact import PUSH_BPS, contact_of
from engine.world.geometry import TICKS_PER_STEP, Position
from engine.world.terrain import GROUND_Y, MAX_DROP

SNAP = 1.0
"""Blocks that a way may be shorter than it looks: who falls or is lifted comes to the middle of its cell.

Counted once a way. That comrades dig away the ground under a walker step by step, to let it snap from cell to cell, is
the one trick that these bounds do not allow for.
"""
SNUG = 1.5
"""At least the reach of picking up, in blocks."""


def strongest(spec: TaskSpec, kind: str) -> int:
    """The highest level of a status effect that the task can give anybody, from 1; 0 if it never does.

    Effects of agents, regions and events, and of whatever can be drunk or eaten in it, all at once and for ever.
    """
    levels = [effect.amplifier + 1 for effect in _effects(spec) if effect.type == kind]
    levels += [
        dose.amplifier + 1 for item in _items(spec) for dose in combat.doses(item) if dose.effect == kind
    ]
    return max(levels, default=0)


def _effects(spec: TaskSpec) -> Iterator[Effect]:
    for agent in spec.agents.spawn:
        yield from agent.effects
    for region in spec.environment.regions:
        yield from region.effects
    for event in spec.events:
        yield from (action.effect for action in event.actions if isinstance(action, ApplyEffect))


def _items(spec: TaskSpec) -> Iterator[str]:
    for holder in spec.agents.spawn:
        yield from holder.inventory
    for chest in spec.all_chests:
        yield from chest.items


def as_effects(spec: TaskSpec, *kinds: str) -> dict[str, int]:
    """The strongest of each kind, as `engine.world.combat` takes effects (0 is level I)."""
    return {kind: level - 1 for kind in kinds if (level := strongest(spec, kind))}


def top_speed(spec: TaskSpec, agent: Agent) -> float:
    """Blocks a second that the agent never exceeds: with the best effects; water carries the slowest at its own pace.

    Load, snow and slowness only slow down and are left out.
    """
    return max(PUSH_BPS, agent.capabilities.speed_bps * combat.speed_factor(as_effects(spec, "speed")))


def gap(a: Position, b: Position, within: float) -> float:
    """Blocks that lie at least between being at `a` and being within reach of `b`: straight, and regardless of height.

    Every way on the grid is at least as long as the straight one, and the horizontal part of it is no longer.
    """
    return max(0.0, math.hypot(a[0] - b[0], a[2] - b[2]) - within - SNAP)


def walk_ticks(blocks: float, speed: float) -> int:
    """Ticks that so many blocks take at least."""
    return math.floor(blocks / speed * TICKS_PER_STEP)


def dig_ticks(spec: TaskSpec, tools: list[str], block: str) -> int | None:
    """Ticks for the block with the best of the tools and the best effects; None if none of them harvests it."""
    target = rules.block(block)
    factor = combat.mining_factor(as_effects(spec, "haste"))
    ticks = [
        found
        for tool in (*tools, None)
        if rules.harvests(tool, target) and (found := rules.break_ticks(tool, block, factor)) is not None
    ]
    return min(ticks, default=None)


def relay(spec: TaskSpec) -> float:
    """Blocks that an item may come nearer uncarried: whoever dies drops it, and a comrade reaches for it."""
    return 0.0 if is_harmless(spec) else len(spec.agents.spawn) * (SNUG + SNAP)


def tools_of(spec: TaskSpec, agent: Agent) -> list[str]:
    """What the agent can ever work with: its own items, or everybody's where things can change hands.

    They do when somebody dies, and through chests where taking things out of chests is offered.
    """
    if spec.task.type == "mine_vanishing_blocks" and is_harmless(spec):
        return list(agent.inventory)
    return list(_items(spec))


def is_harmless(spec: TaskSpec) -> bool:
    """Whether nothing in the task can hurt anybody: nothing but blocks that do nothing, and no heights to fall from."""
    environment = spec.environment
    grids = environment.materials.grid
    actions = [action for event in spec.events for action in event.actions]
    placed = [grid.block for grid in grids] + [a.block for a in actions if isinstance(a, SpawnBlocks)]
    return (
        all(isinstance(action, SpawnBlocks | MessageAction) for action in actions)
        and not environment.entities.hostiles
        and not environment.regions
        and not any(agent.effects for agent in spec.agents.spawn)
        and all(contact_of(block) is None for block in placed)
        and all(grid.position[1] + grid.height - 1 <= GROUND_Y + MAX_DROP - 2 for grid in grids)
        and all(action.center[1] <= GROUND_Y + 1 for action in actions if isinstance(action, SpawnBlocks))
    )
