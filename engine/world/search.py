"""The search for a shortest way: A* over numbered cells."""

from __future__ import annotations

import math
from functools import lru_cache
from heapq import heappop, heappush, heappushpop
from itertools import product

from engine.world.geometry import Cell, distance
from engine.world.steps import DIAGONAL, LEVEL_BITS, cell_of, difference, number, steps_from
from engine.world.terrain import ROW, Terrain, column_at

MAX_EXPANSIONS = 50_000
"""Cells that a search looks at before it gives up, so that no search is unbounded."""
MARGIN = 2
"""How far outside everything that ever changed a way may lead: further out there is only free ground."""
MAX_ESTIMATES = 100_000
"""Estimates that are remembered for each reach."""


_Entry = tuple[float, int, int, float, int]
"""A cell to look at: the length that a way by it promises, its rank, its number, its distance, the step to it."""


def search(terrain: Terrain, start: Cell, target: Cell, reach: float) -> list[Cell] | None:
    """The corners of the shortest way from the start to a cell within reach of the target; None if there is none.

    Of several shortest ways, which one it is depends on nothing but the arguments.
    """
    low_x, low_z, high_x, high_z = search_area(terrain, start, target, reach)
    first_column, last_column = column_at(low_x, low_z), column_at(high_x, high_z)
    first_row, last_row = first_column % ROW, last_column % ROW
    goals, left = _within(reach), _estimates(reach)
    begin, aim = number(start), number(target)
    aimed = aim >> LEVEL_BITS
    best, inf = {begin: 0.0}, math.inf
    came: dict[int, int] = {}
    # Of cells that promise the same, the one found last comes first: it is the one furthest on. Since it often comes
    # next of all, it is held back, and the queue asked only whether it holds anything better.
    queue: list[_Entry] = []
    held: _Entry | None = (0.0, 0, begin, 0.0, 0)
    while (held or queue) and len(came) < MAX_EXPANSIONS:
        _, _, cell, so_far, arrived = heappushpop(queue, held) if held else heappop(queue)
        held = None
        if cell in came:
            continue
        came[cell] = arrived
        if cell - aim in goals:
            return _corners(came, cell)
        column = cell >> LEVEL_BITS
        if not (first_column <= column <= last_column and first_row <= column % ROW <= last_row):
            continue
        for step, length in steps_from(terrain, cell, arrived):
            other = cell + step
            total = so_far + length
            if total < best.get(other, inf):
                best[other] = total
                if held:
                    heappush(queue, held)
                held = (total + left[(other >> LEVEL_BITS) - aimed], -len(best), other, total, step)
    return None


def search_area(terrain: Terrain, start: Cell, target: Cell, reach: float) -> tuple[int, int, int, int]:
    """Least x and z, greatest x and z of the cells that a way may lead through."""
    low_x, low_z, high_x, high_z = terrain.bounds()
    margin = MARGIN + math.ceil(reach)
    return (
        min(low_x, start[0], target[0]) - margin,
        min(low_z, start[2], target[2]) - margin,
        max(high_x, start[0], target[0]) + margin,
        max(high_z, start[2], target[2]) + margin,
    )


def _corners(came: dict[int, int], goal: int) -> list[Cell]:
    """The first cell, those where the way turns, and the last, from the step by which one came to each cell."""
    corners = [goal]
    cell, step = goal, came[goal]
    while step:
        cell -= step
        before = came[cell]
        if before != step:
            corners.append(cell)
        step = before
    return [cell_of(corner) for corner in reversed(corners)]


@lru_cache(maxsize=64)
def _within(reach: float) -> frozenset[int]:
    """By how much the numbers of the cells within reach of another differ from its own."""
    span = range(-math.floor(reach), math.floor(reach) + 1)
    return frozenset(
        difference(dx, dy, dz)
        for dx, dy, dz in product(span, repeat=3)
        if distance((dx, dy, dz), (0, 0, 0)) <= reach
    )


@lru_cache(maxsize=64)
def _estimates(reach: float) -> _Estimates:
    return _Estimates(reach)


class _Estimates(dict[int, float]):
    """What a way to within reach is long at least, by how much a column's number differs from the target's.

    Worked out when asked for first.
    """

    def __init__(self, reach: float) -> None:
        super().__init__()
        self._reach = reach

    def __missing__(self, apart: int) -> float:
        if len(self) >= MAX_ESTIMATES:
            self.clear()
        dx = (apart + ROW // 2) // ROW
        east, south = abs(dx), abs(apart - dx * ROW)
        found = self[apart] = least_length(max(east, south), min(east, south), self._reach)
        return found


@lru_cache(maxsize=MAX_ESTIMATES)
def least_length(dx: int, dz: int, reach: float) -> float:
    """Length of the shortest way over free flat ground to within reach of what lies so far off (0 or more)."""
    return min([flat_length(dx - by_x, dz - by_z if dz > by_z else 0) for by_x, by_z in _edges(dx, reach)])


def nearer_by(dx: int, dz: int, reach: float) -> list[tuple[int, int]]:
    """By how much a cell within reach of what lies so far off (0 or more) can be nearer: for each x the most in z."""
    return [(by_x, min(dz, by_z)) for by_x, by_z in _edges(dx, reach)]


@lru_cache(maxsize=4_096)
def _edges(dx: int, reach: float) -> list[tuple[int, int]]:
    """How far within reach one can be off in x, up to dx, each with how far one can be off in z with that."""
    furthest = min(dx, math.floor(reach))
    return [(by_x, math.isqrt(math.floor(reach * reach - by_x * by_x))) for by_x in range(furthest + 1)]


def flat_length(dx: int, dz: int) -> float:
    """Length of the shortest way over free flat ground to what lies so far off (0 or more)."""
    return dx + (DIAGONAL - 1) * dz if dx > dz else dz + (DIAGONAL - 1) * dx
