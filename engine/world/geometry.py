"""Cells, positions and distances.

A cell `(x, y, z)` is a block position; x grows east, y up, z south. A position has the same axes and may be
fractional; an agent that stands in a cell is at the cell's own coordinates, so distances between agents and blocks are
distances between cell centres (SPEC section 13, geometry).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import ceil, dist, floor, sqrt

Cell = tuple[int, int, int]
Position = tuple[float, float, float]

TICKS_PER_STEP = 20
"""A step is one second of world time, a tick 1/20 of it, as in Minecraft."""

BLOCK_REACH = 4.5
"""How far an agent can mine, place or open (SPEC section 3)."""
ATTACK_REACH = 3.0
"""How far an agent's blows reach (SPEC section 3)."""
DIAGONAL = sqrt(2)


distance: Callable[[Position, Position], float] = dist
"""Euclidean distance of two positions in blocks."""


_SLACK = 5e-10
"""Far more than rounding errors add up to, and far less than matters."""


def rounded_up(amount: float) -> int:
    """The least whole number that is not below the amount, but for what rounding errors added to it."""
    return ceil(amount - _SLACK)


def octile(dx: int, dz: int) -> float:
    """Length of the shortest walk in eight directions over free flat ground."""
    dx, dz = abs(dx), abs(dz)
    return dx + (DIAGONAL - 1) * dz if dx > dz else dz + (DIAGONAL - 1) * dx


def nearest_cell(position: Position) -> Cell:
    """The cell whose centre is nearest to the position (halves go up, whatever the sign)."""
    x, y, z = position
    return floor(x + 0.5), floor(y + 0.5), floor(z + 0.5)


def is_within(low: Cell, cell: Cell, high: Cell) -> bool:
    """Whether the cell lies in the box, whose corners belong to it."""
    return low[0] <= cell[0] <= high[0] and low[1] <= cell[1] <= high[1] and low[2] <= cell[2] <= high[2]


def box(low: Cell, high: Cell) -> Iterator[Cell]:
    """Every cell of the box, both corners included, in x, y, z order."""
    for x in range(low[0], high[0] + 1):
        for y in range(low[1], high[1] + 1):
            for z in range(low[2], high[2] + 1):
                yield x, y, z
