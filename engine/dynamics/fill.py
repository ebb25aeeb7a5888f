"""progressive_fill: a crisis that covers an area slice by slice (SPEC section 3)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet

from engine.events.payloads import BlocksChanged
from engine.spec.model import ProgressiveFill
from engine.world import combat
from engine.world.contact import TOWARDS, contact_of
from engine.world.geometry import TICKS_PER_STEP, Cell, box, is_within, rounded_up
from engine.world.protocol import World
from engine.world.terrain import AIR

FLOODING_BLOCK = "lava"
"""The crisis that burns what is flammable."""


class Fill:
    """One crisis on its way through its area.

    The first slice is filled when the fill starts, slice k once k / speed steps have passed. What a crisis has covered
    stays covered: a cell that becomes free there fills at once, and lava burns the flammable blocks that it touches;
    where those are is kept up to date by whoever passes them in.
    """

    def __init__(
        self,
        event: str,
        action: ProgressiveFill,
        start_tick: int,
        end: int | None,
        flammable: AbstractSet[Cell],
    ) -> None:
        self._event = event
        self._action = action
        self._start = start_tick
        self._end = math.inf if end is None else end * TICKS_PER_STEP
        self._contact = contact_of(action.block, action.direction, action.damage)
        self._axis = action.axis
        self._forward = TOWARDS[action.direction][action.axis] > 0
        self._filled = 0
        self._loose: list[Cell] = []
        self._near_lava: list[Cell] = []
        self._flammable = flammable

    @property
    def slices(self) -> int:
        """How many slices the area has."""
        return self._action.slices

    def next_tick(self) -> int | None:
        """When the next slice is due: whole steps after the start, when fractions of slices have added up to one."""
        if self._filled >= self.slices:
            return None
        steps = rounded_up(self._filled / self._action.speed_bps)
        tick = self._start + steps * TICKS_PER_STEP
        return tick if tick <= self._end else None

    def advance(self, world: World, tick: int) -> int:
        """Fill the slices that are due; returns how many."""
        passed = (tick - self._start) / TICKS_PER_STEP * self._action.speed_bps
        due = min(self.slices, math.floor(round(passed, 9)) + 1)
        cells = [
            cell
            for number in range(self._filled, due)
            for cell in self._slice(number)
            if self._takes(world, cell)
        ]
        advanced, self._filled = due - self._filled, due
        self._put(world, cells)
        return advanced

    def _slice(self, number: int) -> Iterator[Cell]:
        low, high = list(self._action.area.min), list(self._action.area.max)
        axis = self._axis
        place = low[axis] + number if self._forward else high[axis] - number
        low[axis] = high[axis] = place
        return box((low[0], low[1], low[2]), (high[0], high[1], high[2]))

    def _takes(self, world: World, cell: Cell) -> bool:
        return not world.is_solid(cell) and world.block(cell) != self._action.block

    def _covers(self, cell: Cell) -> bool:
        area = self._action.area
        if not is_within(area.min, cell, area.max):
            return False
        place = cell[self._axis]
        number = place - area.min[self._axis] if self._forward else area.max[self._axis] - place
        return number < self._filled

    def _put(self, world: World, cells: list[Cell]) -> None:
        if cells:
            world.set_blocks(
                cells, self._action.block, cause="event", source=self._event, contact=self._contact
            )

    # --- what follows from what others change

    def follow(self, payload: BlocksChanged) -> None:
        """Note changed cells that the crisis may take or burn."""
        if payload.source == self._event and payload.block == self._action.block:
            if self._action.block == FLOODING_BLOCK and self._flammable:
                around = (other for cell in payload.cells for other in _around(cell))
                self._near_lava.extend(other for other in around if other in self._flammable)
        elif payload.block == AIR or combat.burns(payload.block):
            self._loose.extend(payload.cells)

    def react(self, world: World) -> None:
        """Take what has become free in the covered part, and burn what touches lava, until nothing is left to do."""
        while self._loose or self._near_lava:
            loose, self._loose = dict.fromkeys(self._loose), []
            near, self._near_lava = dict.fromkeys(self._near_lava), []
            burnt = [cell for cell in near if cell in self._flammable]
            burnt += [cell for cell in loose if cell not in near and self._is_burning(world, cell)]
            outside = [cell for cell in burnt if not self._covers(cell)]
            if outside:
                world.set_blocks(outside, AIR, cause="fire", source=self._event)
            taken = [cell for cell in burnt if self._covers(cell)]
            taken += [cell for cell in loose if self._takes(world, cell) and self._covers(cell)]
            self._put(world, list(dict.fromkeys(taken)))

    def _is_burning(self, world: World, cell: Cell) -> bool:
        return (
            self._action.block == FLOODING_BLOCK
            and cell in self._flammable
            and any(world.block(other) == FLOODING_BLOCK for other in _around(cell))
        )


def _around(cell: Cell) -> Iterable[Cell]:
    x, y, z = cell
    return (x + 1, y, z), (x - 1, y, z), (x, y + 1, z), (x, y - 1, z), (x, y, z + 1), (x, y, z - 1)
