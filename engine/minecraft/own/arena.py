"""The box of the server in which an episode takes place, and the commands that build it and clean it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from engine.minecraft.arguments import Target, inside
from engine.minecraft.commands import Commands
from engine.minecraft.own.slots import SPACING, Box
from engine.spec.model import Agent as SpecAgent
from engine.spec.model import (
    Area,
    Chest,
    Grid,
    Hostile,
    SpawnBlocks,
    SpawnEntities,
    TaskSpec,
)
from engine.spec.walk import walk
from engine.world.geometry import Cell, Position
from engine.world.terrain import BEDROCK_Y, FREE_Y, GROUND_Y

MARGIN = 16
"""Blocks beyond all that a task names, to each side and upwards."""


@dataclass(frozen=True, slots=True)
class Arena:
    """A box of the server.

    Attributes:
        offset: x and z of the task's [0, 0] on the server.
        low, high: its corners, in coordinates of the task.
    """

    offset: tuple[int, int]
    low: Cell
    high: Cell

    def cell(self, cell: Cell) -> Cell:
        """A cell of the task as the server numbers it."""
        return cell[0] + self.offset[0], cell[1], cell[2] + self.offset[1]

    def middle(self, position: Position) -> Position:
        """Where on the server somebody stands who is at this position of the task: in the middle of a cell."""
        return position[0] + self.offset[0] + 0.5, position[1], position[2] + self.offset[1] + 0.5

    @property
    def corners(self) -> Box:
        """Its corners as the server numbers them."""
        return self.cell(self.low), self.cell(self.high)

    @property
    def contents(self) -> Target:
        """Whatever is in it but players."""
        return inside(*self.corners)

    def clear(self, commands: Commands) -> list[str]:
        """Commands that leave nothing but flat ground; it must be loaded."""
        (west, _, north), (east, top, south) = self.corners
        layers = [(BEDROCK_Y, BEDROCK_Y, "bedrock"), (BEDROCK_Y + 1, GROUND_Y - 1, "dirt")]
        layers += [(GROUND_Y, GROUND_Y, "grass_block"), (FREE_Y, top, "air")]
        fills = [commands.fill((west, low, north), (east, high, south), name) for low, high, name in layers]
        return [commands.kill(self.contents), *(one for fill in fills for one in fill)]


def arena(spec: TaskSpec, number: int, origin: tuple[int, int]) -> Arena:
    """The arena of a task in a slot."""
    places = list(_places(spec))
    low = [min(place[axis] for place in places) - MARGIN for axis in range(3)]
    high = [max(place[axis] for place in places) + MARGIN for axis in range(3)]
    offset = origin[0] + number * SPACING, origin[1]
    return Arena(offset, (low[0], BEDROCK_Y, low[2]), (high[0], max(high[1], FREE_Y + MARGIN), high[2]))


def _places(spec: TaskSpec) -> Iterator[Cell]:
    """Cells that span all that the task names."""
    for _, part in walk(spec):
        if isinstance(part, SpecAgent | Chest | Hostile):
            yield part.position
        elif isinstance(part, Area):
            yield part.min
            yield part.max
        elif isinstance(part, Grid):
            yield from part.cells
        elif isinstance(part, SpawnBlocks | SpawnEntities):
            (x, y, z), reach = part.center, part.radius
            yield x - reach, y, z - reach
            yield x + reach, y, z + reach


def boxes(cells: Iterable[Cell]) -> list[Box]:
    """The cells as few boxes: rows along z, equal rows along x, equal layers along y."""
    found = sorted((cell, cell) for cell in set(cells))
    for axis in (2, 0, 1):
        found = _joined(found, axis)
    return found


def _joined(boxes: Sequence[Box], axis: int) -> list[Box]:
    """Boxes that touch along an axis and are alike across it, as one."""
    across = [other for other in range(3) if other != axis]
    ranked = sorted(boxes, key=lambda box: ([(box[0][a], box[1][a]) for a in across], box[0][axis]))
    joined: list[Box] = []
    for low, high in ranked:
        if joined:
            least, most = joined[-1]
            is_alike = all(least[a] == low[a] and most[a] == high[a] for a in across)
            if is_alike and most[axis] + 1 == low[axis]:
                joined[-1] = least, high
                continue
        joined.append((low, high))
    return joined
