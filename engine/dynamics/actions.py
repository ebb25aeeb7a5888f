"""What the environment can do: one function for each event action of the task schema, registered by its name.

A fill goes on over time and has a module of its own (`engine.dynamics.fill`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from random import Random
from typing import Any

from engine.dynamics.randomness import shuffled_disc
from engine.events.payloads import EventFired, MessageSent
from engine.spec.model import (
    ApplyEffect,
    Area,
    DealDamage,
    DespawnEntities,
    Message,
    RemoveBlocks,
    SetBlocks,
    SetRegion,
    SpawnBlocks,
    SpawnEntities,
)
from engine.world.geometry import TICKS_PER_STEP, Cell, box, is_within, nearest_cell
from engine.world.protocol import Emit, World
from engine.world.terrain import AIR


@dataclass(frozen=True, slots=True)
class Occasion:
    """One firing of one action: which event, the how-manieth time, the dice for it, and who lives."""

    event: str
    firing: int
    tick: int
    random: Random
    living: tuple[str, ...]
    emit: Emit

    def fired(self, action: str, subject: str, wanted: int, done: int) -> EventFired:
        """The log entry for what came of it."""
        return EventFired(
            event=self.event, firing=self.firing, action=action, subject=subject, wanted=wanted, done=done
        )

    def vanish_tick(self, lifetime: int | None) -> int | None:
        """When something that lives `lifetime` steps from now is gone."""
        return None if lifetime is None else self.tick + lifetime * TICKS_PER_STEP


Perform = Callable[[World, Any, Occasion], EventFired]
PERFORM: dict[str, Perform] = {}
"""By action type."""


def performs(kind: str) -> Callable[[Perform], Perform]:
    """Register a function as what an action type does."""

    def register(function: Perform) -> Perform:
        PERFORM[kind] = function
        return function

    return register


def _free_cells(world: World, action: SpawnBlocks | SpawnEntities, random: Random) -> list[Cell]:
    """As many free cells within the radius as are wanted, or as there are; none is used twice."""
    cells: list[Cell] = []
    for cell in shuffled_disc(action.center, action.radius, random):
        if len(cells) == action.count:
            break
        if world.is_free(cell):
            cells.append(cell)
    return cells


@performs("spawn_blocks")
def spawn_blocks(world: World, action: SpawnBlocks, occasion: Occasion) -> EventFired:
    """Put blocks on free ground within the radius; fewer when there is not enough room."""
    cells = _free_cells(world, action, occasion.random)
    if cells:
        vanish = occasion.vanish_tick(action.lifetime)
        world.set_blocks(cells, action.block, cause="event", source=occasion.event, vanish_tick=vanish)
    return occasion.fired(action.type, action.block, action.count, len(cells))


@performs("spawn_entities")
def spawn_entities(world: World, action: SpawnEntities, occasion: Occasion) -> EventFired:
    """Spawn mobs on free ground within the radius; fewer when there is not enough room."""
    cells = _free_cells(world, action, occasion.random)
    for cell in cells:
        world.spawn_mob(
            action.entity,
            action.role,
            cell,
            health=action.health,
            damage=action.damage,
            speed=action.speed_bps,
            source=occasion.event,
            vanish_tick=occasion.vanish_tick(action.lifetime),
        )
    return occasion.fired(action.type, action.entity, action.count, len(cells))


@performs("despawn_entities")
def despawn_entities(world: World, action: DespawnEntities, occasion: Occasion) -> EventFired:
    """Take living mobs of the kind away, the oldest first."""
    fitting = [
        mob.number
        for mob in world.living_mobs()
        if action.entity in (None, mob.entity) and action.role in (None, mob.role)
    ]
    gone = fitting if action.count is None else fitting[: action.count]
    for mob in gone:
        world.despawn_mob(mob, "event")
    subject = action.entity or action.role or "any mob"
    return occasion.fired(action.type, subject, action.count or len(fitting), len(gone))


@performs("set_blocks")
def set_blocks(world: World, action: SetBlocks, occasion: Occasion) -> EventFired:
    """Set every cell of the area but chests, since what they hold must not vanish."""
    cells = [cell for cell in box(action.area.min, action.area.max) if world.block(cell) != "chest"]
    if cells:
        world.set_blocks(cells, action.block, cause="event", source=occasion.event)
    return occasion.fired(action.type, action.block, len(cells), len(cells))


@performs("remove_blocks")
def remove_blocks(world: World, action: RemoveBlocks, occasion: Occasion) -> EventFired:
    """Turn blocks of the kind, or all but chests, into air."""
    cells = [
        cell
        for cell in box(action.area.min, action.area.max)
        if world.block(cell) not in (AIR, "chest") and action.block in (None, world.block(cell))
    ]
    if cells:
        world.set_blocks(cells, AIR, cause="event", source=occasion.event)
    return occasion.fired(action.type, action.block or "any block", len(cells), len(cells))


def _concerned(
    world: World, agents: Iterable[str] | None, area: Area | None, living: tuple[str, ...]
) -> list[str]:
    """Living agents: those named, of them those in the area; without either everyone."""
    chosen = [name for name in living if agents is None or name in agents]
    if area is None:
        return chosen
    return [name for name in chosen if is_within(area.min, nearest_cell(world.position(name)), area.max)]


@performs("apply_effect")
def apply_effect(world: World, action: ApplyEffect, occasion: Occasion) -> EventFired:
    """Give agents a status effect."""
    concerned = _concerned(world, action.agents, action.area, occasion.living)
    for name in concerned:
        world.give_effect(name, action.effect.type, action.effect.amplifier, action.effect.seconds)
    return occasion.fired(action.type, action.effect.type, len(concerned), len(concerned))


@performs("damage")
def damage(world: World, action: DealDamage, occasion: Occasion) -> EventFired:
    """Hurt agents; armour does not help."""
    concerned = _concerned(world, action.agents, action.area, occasion.living)
    for name in concerned:
        world.hurt(name, action.amount)
    return occasion.fired(action.type, f"{action.amount:g}", len(concerned), len(concerned))


@performs("message")
def message(world: World, action: Message, occasion: Occasion) -> EventFired:  # noqa: ARG001
    """Tell agents something; they can read it from the next tick on."""
    to = [name for name in occasion.living if action.agents is None or name in action.agents]
    occasion.emit(MessageSent(sender=occasion.event, to=to, text=action.text))
    return occasion.fired(action.type, action.text[:40], len(to), len(to))


@performs("set_region")
def set_region(world: World, action: SetRegion, occasion: Occasion) -> EventFired:
    """Switch a region on or off, or move it."""
    area = None if action.area is None else (action.area.min, action.area.max)
    world.set_region(action.region, action.active, area)
    return occasion.fired(action.type, action.region, 1, 1)
