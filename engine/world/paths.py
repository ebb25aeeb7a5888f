"""Finding a way on foot: eight directions, one block up by jumping, down by no more than a safe drop.

Lengths are Euclidean, corners are not cut, agents do not block one another (SPEC section 11, walking).
"""

from __future__ import annotations

import heapq
import math
from functools import cache
from itertools import pairwise

from engine.world.geometry import DIAGONAL, Cell, Position, distance, nearest_cell
from engine.world.terrain import GROUND_Y, MAX_DROP, Terrain

MAX_EXPANSIONS = 50_000
"""Cells that a search looks at before it gives up, so that no search is unbounded."""
MARGIN = 2
"""How far outside everything that ever changed a way may lead: further out there is only free ground."""

MAX_REMEMBERED = 4_096
"""Searches whose outcome is remembered. A planner asks for the way, and then the walker asks again."""
_found: dict[tuple[int, Cell, Cell, float], list[Cell] | None] = {}

FREE_Y = GROUND_Y + 1
"""The level on which one walks over flat ground."""

_TURN = DIAGONAL - 1
"""What a diagonal step costs more than a straight one."""

_STRAIGHT = ((1, 0), (-1, 0), (0, 1), (0, -1))
_DIAGONAL = ((1, 1), (1, -1), (-1, 1), (-1, -1))
_ALL = (*((x, z, 1.0) for x, z in _STRAIGHT), *((x, z, DIAGONAL) for x, z in _DIAGONAL))


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
    direct = _direct(terrain, start, target, reach)
    if direct is not None:
        return direct
    key = (terrain.shape, start, target, reach)
    if key not in _found:
        if len(_found) >= MAX_REMEMBERED:
            _found.clear()
        _found[key] = _search(terrain, start, target, reach)
    return _found[key]


def forget() -> None:
    """Forget all that is remembered of searches; for those who measure them."""
    _found.clear()


def path_length(path: list[Cell]) -> float:
    """Length of a way in blocks."""
    return sum(distance(a, b) for a, b in pairwise(path))


def _nearest_goal(terrain: Terrain, start: Cell, target: Cell, reach: float) -> Cell | None:
    """The cell on the start's level within reach of the target that is nearest to the start on free ground."""
    x, y, z = start
    left = reach * reach - (target[1] - y) ** 2
    best: tuple[int, int] | None = None
    least = math.inf
    for dx, dz, squared in _disc(reach):
        if squared > left:
            break
        goal = (target[0] + dx, target[2] + dz)
        along, across = abs(goal[0] - x), abs(goal[1] - z)
        away = along + _TURN * across if along > across else across + _TURN * along
        if away < least and y in terrain.floors(*goal):
            best, least = goal, away
    return None if best is None else (best[0], y, best[1])


def _direct(terrain: Terrain, start: Cell, target: Cell, reach: float) -> list[Cell] | None:
    """One diagonal and one straight leg to the nearest goal on the same level, if nothing stands in between.

    No way can be shorter than that of the goal with the least octile distance, so a free one needs no search.
    """
    goal = _nearest_goal(terrain, start, target, reach)
    if goal is None:
        return None
    x, y, z = start
    dx, dz = goal[0] - x, goal[2] - z
    slanted = min(abs(dx), abs(dz))
    corner = (x + slanted * _sign(dx), y, z + slanted * _sign(dz))
    for path in ([start, corner, goal], [start, (goal[0] - corner[0] + x, y, goal[2] - corner[2] + z), goal]):
        if _is_free_line(terrain, path[0], path[1]) and _is_free_line(terrain, path[1], path[2]):
            return [path[0], *(b for a, b in pairwise(path) if a != b)]
    return None


def _is_free_line(terrain: Terrain, a: Cell, b: Cell) -> bool:
    sx, sz = _sign(b[0] - a[0]), _sign(b[2] - a[2])
    x, y, z = a
    for _ in range(max(abs(b[0] - a[0]), abs(b[2] - a[2]))):
        if not (y == FREE_Y and terrain.is_plain_around(x, z)) and not _is_step_free(
            terrain, x, y, z, sx, sz
        ):
            return False
        x, z = x + sx, z + sz
    return True


def _is_step_free(terrain: Terrain, x: int, y: int, z: int, sx: int, sz: int) -> bool:
    """Whether one can step to the neighbour on the same level without cutting a corner."""
    if y not in terrain.floors(x + sx, z + sz):
        return False
    return not (sx and sz) or (_is_open(terrain, x + sx, y, z) and _is_open(terrain, x, y, z + sz))


def _is_open(terrain: Terrain, x: int, y: int, z: int) -> bool:
    """Whether feet and head fit into the column at this height, with or without ground."""
    return not terrain.is_solid((x, y, z)) and not terrain.is_solid((x, y + 1, z))


def _sign(value: int) -> int:
    return (value > 0) - (value < 0)


def _neighbours(terrain: Terrain, cell: Cell) -> list[tuple[Cell, float]]:
    """Where one can get to in one step, and how long it is."""
    x, y, z = cell
    if y == FREE_Y and terrain.is_plain_around(x, z):
        return [((x + sx, y, z + sz), length) for sx, sz, length in _ALL]
    levels = terrain.steps.setdefault((x, z), {})
    found = levels.get(y)
    if found is None:
        found = levels[y] = _work_out_steps(terrain, x, y, z)
    return found


def _work_out_steps(terrain: Terrain, x: int, y: int, z: int) -> list[tuple[Cell, float]]:
    found: list[tuple[Cell, float]] = []
    for sx, sz in _STRAIGHT:
        for floor in terrain.floors(x + sx, z + sz):
            rise = floor - y
            if rise == 0:
                found.append(((x + sx, y, z + sz), 1.0))
            elif rise == 1 and not terrain.is_solid((x, y + 2, z)):
                found.append(((x + sx, floor, z + sz), DIAGONAL))
            elif -MAX_DROP <= rise < 0 and _is_drop_free(terrain, x + sx, floor, y, z + sz):
                found.append(((x + sx, floor, z + sz), math.hypot(1, rise)))
    for sx, sz in _DIAGONAL:
        if _is_step_free(terrain, x, y, z, sx, sz):
            found.append(((x + sx, y, z + sz), DIAGONAL))
    return found


def _is_drop_free(terrain: Terrain, x: int, floor: int, y: int, z: int) -> bool:
    return all(not terrain.is_solid((x, level, z)) for level in range(floor, y + 2))


def _search(terrain: Terrain, start: Cell, target: Cell, reach: float) -> list[Cell] | None:
    """A* within the area where anything ever changed; ties fall in a fixed order."""
    low_x, low_z, high_x, high_z = search_area(terrain, start, target, reach)
    best = {start: 0.0}
    came: dict[Cell, Cell] = {}
    ticket = 0
    queue = [(distance(start, target) - reach, ticket, start)]
    done: set[Cell] = set()
    while queue and len(done) < MAX_EXPANSIONS:
        cell = heapq.heappop(queue)[2]
        if cell in done:
            continue
        if distance(cell, target) <= reach:
            return _corners(came, cell)
        done.add(cell)
        so_far = best[cell]
        for other, length in _neighbours(terrain, cell):
            cost = so_far + length
            if cost >= best.get(other, math.inf) - 1e-9 or other in done:
                continue
            if low_x <= other[0] <= high_x and low_z <= other[2] <= high_z:
                best[other] = cost
                came[other] = cell
                ticket += 1
                # Below 0 within reach, where it does not matter: such a cell is a goal.
                heapq.heappush(queue, (cost + distance(other, target) - reach, ticket, other))
    return None


def search_area(terrain: Terrain, start: Cell, target: Cell, reach: float) -> tuple[int, int, int, int]:
    """Least x and z, greatest x and z of the cells that a way may lead through."""
    (low_x, low_z), (high_x, high_z) = terrain.bounds()
    margin = MARGIN + math.ceil(reach)
    return (
        min(low_x, start[0], target[0]) - margin,
        min(low_z, start[2], target[2]) - margin,
        max(high_x, start[0], target[0]) + margin,
        max(high_z, start[2], target[2]) + margin,
    )


def _corners(came: dict[Cell, Cell], goal: Cell) -> list[Cell]:
    cells = [goal]
    while cells[-1] in came:
        cells.append(came[cells[-1]])
    cells.reverse()
    kept = cells[:1]
    for before, here, after in zip(cells, cells[1:], cells[2:], strict=False):
        if tuple(b - a for a, b in zip(before, here, strict=True)) != tuple(
            b - a for a, b in zip(here, after, strict=True)
        ):
            kept.append(here)
    return [*kept, goal] if len(cells) > 1 else kept


def entry_cell(terrain: Terrain, position: Position) -> Cell:
    """The cell from which a walker at this position goes on: the nearest one that it can stand in."""
    cell = nearest_cell(position)
    if terrain.can_stand(cell):
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
