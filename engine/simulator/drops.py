"""Items on the ground, and who picks them up.

An agent picks up whatever it comes near, whether it walks by or the item falls beside it; who is there first gets it.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from engine.events import payloads
from engine.simulator.agenda import Phase
from engine.simulator.body import Body
from engine.world.geometry import Cell, distance
from engine.world.motion import Motion

if TYPE_CHECKING:
    from engine.simulator.world import SimulatedWorld

PICKUP_RADIUS = 1.425
"""Minecraft: the player's box, 0.3 from its centre, grown by 1.0, touches the item's box, 0.125 from its centre."""


@dataclass(slots=True)
class Drop:
    """One pile of items on the ground; `taken` tells who has had how many of it."""

    number: int
    item: str
    count: int
    cell: Cell
    taken: dict[str, int] = field(default_factory=dict)


class Drops:
    """All items on the ground of a simulated world."""

    def __init__(self, world: SimulatedWorld) -> None:
        self._world = world
        self._numbers = 0
        self._lying: dict[int, Drop] = {}

    def drop(self, item: str, count: int, cell: Cell) -> Drop:
        """Let an item fall from the cell; whoever stands beside it has it at once."""
        world = self._world
        self._numbers += 1
        resting = (cell[0], world.terrain.floor_below(cell), cell[2])
        drop = Drop(self._numbers, item, count, resting)
        self._lying[drop.number] = drop
        world.emit(payloads.ItemDropped(drop=drop.number, item=item, count=count, cell=resting))
        self._offer(drop)
        return drop

    def _offer(self, drop: Drop) -> None:
        """Let whoever is beside a drop have it, and note when others will come near."""
        near = self._world.bodies_near([drop.cell], PICKUP_RADIUS)
        for body in near:
            self.take(body, drop)
        for body in near:
            if drop.count and body.motion is not None:
                self._expect_one(body, body.motion, drop)

    def take(self, body: Body, drop: Drop) -> int:
        """Give the body as much of the drop as it is near enough to take and has room for; returns how many."""
        world = self._world
        if not body.alive or not drop.count or distance(body.at(world.tick), drop.cell) > PICKUP_RADIUS:
            return 0
        taken = min(drop.count, body.inventory.room(drop.item))
        if not taken:
            return 0
        drop.count -= taken
        drop.taken[body.name] = drop.taken.get(body.name, 0) + taken
        if not drop.count:
            del self._lying[drop.number]
        world.emit(
            payloads.ItemPickedUp(
                drop=drop.number, agent=body.name, item=drop.item, count=taken, left=drop.count
            )
        )
        world.carry(body, drop.item, taken)
        return taken

    def expect(self, body: Body, motion: Motion) -> None:
        """A body sets out: note when it will come near each thing that lies there."""
        for drop in list(self._lying.values()):
            if motion.passes(drop.cell, PICKUP_RADIUS) and not self.take(body, drop):
                self._expect_one(body, motion, drop)

    def _expect_one(self, body: Body, motion: Motion, drop: Drop) -> None:
        tick = motion.first_tick_within(drop.cell, PICKUP_RADIUS, self._world.tick)
        if tick is not None and tick > self._world.tick:
            self._world.agenda.add(tick, Phase.AGENTS, body.index, partial(self._arrive, body, motion, drop))

    def _arrive(self, body: Body, motion: Motion, drop: Drop) -> None:
        if body.motion is motion:
            self.take(body, drop)

    def let_fall(self, cells: Collection[Cell]) -> None:
        """Drops that lay on blocks that are gone fall to the next floor."""
        for drop in list(self._lying.values()):
            x, y, z = drop.cell
            if (x, y - 1, z) in cells:
                drop.cell = (x, self._world.terrain.floor_below(drop.cell), z)
                self._offer(drop)
