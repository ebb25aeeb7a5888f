"""Where one gets in one step: eight directions, one block up by jumping, down by no more than a safe drop.

Here a cell is a number, so that a step is a difference of numbers, the same wherever the ground around has the same
shape. Lengths are rounded to a fraction that floats add up exactly: two ways of the same length compare as equal.
"""

from __future__ import annotations

import math
from functools import lru_cache
from itertools import product

from engine.world.geometry import Cell
from engine.world.terrain import FLAT, FREE_Y, MAX_DROP, ROW, Form, Terrain, column_at, floors_in, place_of

LEVEL_BITS = 12
"""A cell's number is that of its column and, in so many bits, its height."""
_LOWEST = 1 << (LEVEL_BITS - 1)
_HEIGHTS = (1 << LEVEL_BITS) - 1
_FREE = FREE_Y + _LOWEST
_FINEST = 2.0**32

Step = tuple[int, float]
"""What is added to a cell's number, and how long the step is in blocks."""
Around = tuple[Form, ...]
"""The forms of nine columns, three by three, by x and then z."""

_STRAIGHT = ((1, 0), (-1, 0), (0, 1), (0, -1))
_SLANTED = ((1, 1), (1, -1), (-1, 1), (-1, -1))


def number(cell: Cell) -> int:
    """The cell's number."""
    return (column_at(cell[0], cell[2]) << LEVEL_BITS) + cell[1] + _LOWEST


def cell_of(number: int) -> Cell:
    """The cell of that number."""
    x, z = place_of(number >> LEVEL_BITS)
    return x, (number & _HEIGHTS) - _LOWEST, z


def difference(dx: int, dy: int, dz: int) -> int:
    """By how much the numbers of two cells differ that lie so far apart."""
    return ((dx * ROW + dz) << LEVEL_BITS) + dy


def exact(length: float) -> float:
    """The length, rounded so that sums of lengths are exact."""
    return round(length * _FINEST) / _FINEST


DIAGONAL = exact(math.sqrt(2))
"""The length of a diagonal step."""
_DROP = [exact(math.hypot(1, drop)) for drop in range(MAX_DROP + 1)]

_ON_PLAIN = (
    *((difference(dx, 0, dz), 1.0) for dx, dz in _STRAIGHT),
    *((difference(dx, 0, dz), DIAGONAL) for dx, dz in _SLANTED),
)


def _onward(dx: int, dz: int) -> tuple[Step, ...]:
    """The steps on plain ground after one in this direction: of all ways of one length, those that turn least late.

    Straight on only after a straight step, since a diagonal one could have been taken before it; after a diagonal step
    along either of its sides, or on.
    """
    straight = [(dx, 0), (0, dz)] if dx and dz else [(dx, dz)]
    steps = [(difference(x, 0, z), 1.0) for x, z in straight]
    return (*steps, (difference(dx, 0, dz), DIAGONAL)) if dx and dz else tuple(steps)


_AFTER = {difference(dx, 0, dz): _onward(dx, dz) for dx, dz in (*_STRAIGHT, *_SLANTED)}


def steps_from(terrain: Terrain, cell: int, arrived: int = 0) -> tuple[Step, ...]:
    """Where one gets in one step from a cell that one can stand in.

    Where all around is flat, steps are left out that no way needs which came by the step `arrived`: another one, as
    short, gets there too.
    """
    column = cell >> LEVEL_BITS
    west, east = column - ROW, column + ROW
    around = (west - 1, west, west + 1, column - 1, column, column + 1, east - 1, east, east + 1)
    forms = terrain.forms
    if cell & _HEIGHTS == _FREE and forms.keys().isdisjoint(around):
        return _AFTER.get(arrived, _ON_PLAIN)
    return _work_out((cell & _HEIGHTS) - _LOWEST, tuple([forms.get(other, FLAT) for other in around]))


@lru_cache(maxsize=65_536)
def _work_out(y: int, around: Around) -> tuple[Step, ...]:
    by_place = dict(zip(product((-1, 0, 1), repeat=2), around, strict=True))
    here = by_place[0, 0]
    steps: list[Step] = []
    for dx, dz in _STRAIGHT:
        there = by_place[dx, dz]
        for floor in floors_in(there):
            rise = floor - y
            if rise == 0:
                steps.append((difference(dx, 0, dz), 1.0))
            elif rise == 1 and y + 2 not in here:
                steps.append((difference(dx, 1, dz), DIAGONAL))
            elif -MAX_DROP <= rise < 0 and there.isdisjoint(range(floor, y + 2)):
                steps.append((difference(dx, rise, dz), _DROP[-rise]))
    for dx, dz in _SLANTED:
        beside = by_place[dx, 0], by_place[0, dz]
        if y in floors_in(by_place[dx, dz]) and all(form.isdisjoint((y, y + 1)) for form in beside):
            steps.append((difference(dx, 0, dz), DIAGONAL))
    return tuple(steps)
