"""Finding a way on foot: eight directions, one block up by jumping, down by no more than a safe drop.

Lengths are Euclidean, corners are not cut, agents do not block one another (SPEC section 11, walking).
"""

from __future__ import annotations

import math
from functools import cache, lru_cache

from engine.world.geometry import Cell, Position, distance, nearest_cell
from engine.world.search import flat_length, nearer_by, search
from engine.world.terrain import FLAT, FREE_Y, ROW, Terrain, column_at, floors_in

MAX_REMEMBERED = 4_096
"""Ways that are remembered. A planner asks for the way, and then the walker asks again."""
_found: dict[tuple[int, Cell, Cell, float], list[Cell] | None] = {}


@cache
def _disc(radius: float) -> tuple[tuple[int, int, float], ...]:
    """Offsets (dx, dz, distance²) within the radius, nearest first; the order is fixed, so that ties are."""
    reach = math.floor(radius)
    offsets = [
        (dx, dz, float(dx * dx + dz * dz))
        for dx in range(-reach, reach + 1)
        for dz in range(-reach, reach + 1)
        if dx * dx + dz * dz <= radius * radius
    ]
    return tuple(sorted(offsets, key=lambda offset: (offset[2], offset[0], offset[1])))


def find_path(terrain: Terrain, start: Cell, target: Cell, reach: float) -> list[Cell] | None:
    """The shortest way from `start` to a cell within `reach` of `target`; None when there is none.

    Returns the corners only: straight lines between them are free. The first is `start`; a way of one point means
    that the start is within reach already.
    """
    if distance(start, target) <= reach:
        return [start]
    key = (terrain.shape, start, target, reach)
    if key not in _found:
        if len(_found) >= MAX_REMEMBERED:
            _found.clear()
        _found[key] = _direct(terrain, start, target, reach) or search(terrain, start, target, reach)
    return _found[key]


def forget() -> None:
    """Forget all ways that are remembered; for those who measure how long they take to find."""
    _found.clear()


def path_length(path: list[Cell]) -> float:
    """Length of a way in blocks."""
    return sum(map(distance, path, path[1:]))


def _direct(terrain: Terrain, start: Cell, target: Cell, reach: float) -> list[Cell] | None:
    """One diagonal and one straight leg to the nearest goal on the same level, if nothing stands in between.

    No way can be shorter than to the goal that is nearest over free ground, so a free one needs no search.
    """
    x, y, z = start
    left = reach * reach - (target[1] - y) ** 2
    if left < 0:
        return None
    for dx, dz in _nearest_goals(target[0] - x, target[2] - z, math.sqrt(left)):
        if y in terrain.floors(x + dx, z + dz):
            return _two_legs(terrain, start, dx, dz)
    return None


@lru_cache(maxsize=65_536)
def _nearest_goals(dx: int, dz: int, reach: float) -> tuple[tuple[int, int], ...]:
    """The offsets within reach of this one that are nearest over free ground; those nearest to it first."""
    east, south = abs(dx), abs(dz)
    nearer = nearer_by(east, south, reach)
    lengths = [flat_length(east - by_x, south - by_z) for by_x, by_z in nearer]
    least = min(lengths)
    best = [by for by, length in zip(nearer, lengths, strict=True) if length == least]
    best.sort(key=lambda by: by[0] * by[0] + by[1] * by[1])
    to_east, to_south = _sign(dx), _sign(dz)
    return tuple([(dx - to_east * by_x, dz - to_south * by_z) for by_x, by_z in best])


def _two_legs(terrain: Terrain, start: Cell, dx: int, dz: int) -> list[Cell] | None:
    """The way so far east and south by one diagonal and one straight leg, in either order, if one of them is free."""
    x, y, z = start
    slanted = min(abs(dx), abs(dz))
    east, south = slanted * _sign(dx), slanted * _sign(dz)
    goal = (x + dx, y, z + dz)
    for corner in ((x + east, y, z + south), (goal[0] - east, y, goal[2] - south)):
        if _is_free_line(terrain, start, corner) and _is_free_line(terrain, corner, goal):
            return list(dict.fromkeys((start, corner, goal)))
    return None


def _is_free_line(terrain: Terrain, a: Cell, b: Cell) -> bool:
    """Whether one can walk straight from cell to cell, all on one level, without cutting a corner."""
    x, y, z = a
    east, south = b[0] - x, b[2] - z
    count = max(abs(east), abs(south))
    if not count:
        return True
    east, south = east // count, south // count
    step = east * ROW + south
    start = column_at(x, z)
    passed = range(start + step, start + (count + 1) * step, step)
    forms = terrain.forms
    if y != FREE_Y or not forms.keys().isdisjoint(passed):
        for column in passed:
            if y not in floors_in(forms.get(column, FLAT)):
                return False
    if not (east and south):
        return True
    for first in (start + east * ROW, start + south):
        beside = range(first, first + count * step, step)
        if y == FREE_Y and forms.keys().isdisjoint(beside):
            continue
        for column in beside:
            if not forms.get(column, FLAT).isdisjoint((y, y + 1)):
                return False
    return True


def _sign(value: int) -> int:
    return (value > 0) - (value < 0)


def entry_cell(terrain: Terrain, position: Position) -> Cell:
    """The cell from which a walker at this position goes on: the nearest one that it can stand in."""
    cell = nearest_cell(position)
    if cell[1] in terrain.floors(cell[0], cell[2]):
        return cell
    around = [(cell[0] + dx, cell[2] + dz) for dx, dz, _ in _disc(1.5)]
    options = [(x, y, z) for x, z in around for y in terrain.floors(x, z)]
    return min(options, key=lambda option: (distance(option, position), option), default=cell)


def find_way(terrain: Terrain, here: Position, target: Cell, reach: float) -> list[Position] | None:
    """The shortest way from a position that may lie between cells; one point if the walker need not move.

    Who is in the cell where the way begins does not go back to its centre first: from anywhere in it, the line to the
    next corner leads through the same cells, and through those beside a diagonal, which are open.
    """
    start = entry_cell(terrain, here)
    path = find_path(terrain, start, target, reach)
    if path is None:
        return None
    if here == start:
        return [*path]
    return [here, *(path[1:] if len(path) > 1 and nearest_cell(here) == start else path)]
