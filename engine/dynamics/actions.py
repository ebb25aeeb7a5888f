"""What the environment can do: one function for each event action of the task schema, registered by its name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

from engine.dynamics.randomness import shuffled_disc
from engine.events.payloads import EventFired
from engine.spec.model import RemoveBlocks, SetBlocks, SpawnBlocks
from engine.world.geometry import TICKS_PER_STEP, Cell, box
from engine.world.protocol import World
from engine.world.terrain import AIR


@dataclass(frozen=True, slots=True)
class Occasion:
    """One firing of one action: which event, the how-manieth time, and the dice for it."""

    event: str
    firing: int
    tick: int
    random: Random

    def fired(self, action: str, subject: str, wanted: int, done: int) -> EventFired:
        """The log entry for what came of it."""
        return EventFired(
            event=self.event, firing=self.firing, action=action, subject=subject, wanted=wanted, done=done
        )


Perform = Callable[[World, Any, Occasion], EventFired]
PERFORM: dict[str, Perform] = {}
"""By action type."""


def performs(kind: str) -> Callable[[Perform], Perform]:
    """Register a function as what an action type does."""

    def register(function: Perform) -> Perform:
        PERFORM[kind] = function
        return function

    return register


@performs("spawn_blocks")
def spawn_blocks(world: World, action: SpawnBlocks, occasion: Occasion) -> EventFired:
    """Put blocks on free ground within the radius; fewer when there is not enough room."""
    cells: list[Cell] = []
    for cell in shuffled_disc(action.center, action.radius, occasion.random):
        if len(cells) == action.count:
            break
        if world.is_free(cell):
            cells.append(cell)
    if cells:
        vanish = occasion.tick + action.lifetime * TICKS_PER_STEP if action.lifetime else None
        world.set_blocks(cells, action.block, cause="event", source=occasion.event, vanish_tick=vanish)
    return occasion.fired(action.type, action.block, action.count, len(cells))


@performs("set_blocks")
def set_blocks(world: World, action: SetBlocks, occasion: Occasion) -> EventFired:
    """Set every cell of the area."""
    cells = list(box(action.area.min, action.area.max))
    world.set_blocks(cells, action.block, cause="event", source=occasion.event)
    return occasion.fired(action.type, action.block, len(cells), len(cells))


@performs("remove_blocks")
def remove_blocks(world: World, action: RemoveBlocks, occasion: Occasion) -> EventFired:
    """Turn blocks of the kind, or all, into air; chests stay, since what they hold must not vanish."""
    cells = [
        cell
        for cell in box(action.area.min, action.area.max)
        if world.block(cell) not in (AIR, "chest") and action.block in (None, world.block(cell))
    ]
    if cells:
        world.set_blocks(cells, AIR, cause="event", source=occasion.event)
    return occasion.fired(action.type, action.block or "any block", len(cells), len(cells))
