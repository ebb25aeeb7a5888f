from __future__ import annotations

import heapq
import math
from collections.abc import Iterator
from itertools import pairwise, product

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.world.geometry import Cell, distance
from engine.world.paths import find_path, path_length
from engine.world.search import least_length, nearer_by, search
from engine.world.steps import DIAGONAL, cell_of, difference, number, steps_from
from engine.world.terrain import AIR, Terrain

FIELD = 8
"""Half the width of the field that the reference searches."""


def plain_steps(terrain: Terrain, cell: Cell) -> Iterator[tuple[Cell, float]]:
    """The rules of walking, block by block."""
    x, y, z = cell
    for dx, dz, rise in product((-1, 0, 1), (-1, 0, 1), (1, 0, -1, -2, -3)):
        other = (x + dx, y + rise, z + dz)
        if not (dx or dz) or (dx and dz and rise) or not stands(terrain, other):
            continue
        if rise > 0 and terrain.is_solid((x, y + 2, z)):
            continue
        if not clear(terrain, other, max(y, other[1]) + 1):
            continue
        if (
            dx
            and dz
            and not (clear(terrain, (x + dx, y, z), y + 1) and clear(terrain, (x, y, z + dz), y + 1))
        ):
            continue
        yield other, math.hypot(dx, dz, rise)


def stands(terrain: Terrain, cell: Cell) -> bool:
    x, y, z = cell
    return terrain.is_solid((x, y - 1, z)) and clear(terrain, cell, y + 1)


def clear(terrain: Terrain, cell: Cell, top: int) -> bool:
    return not any(terrain.is_solid((cell[0], y, cell[2])) for y in range(cell[1], top + 1))


def reference(terrain: Terrain, start: Cell, target: Cell, reach: float) -> float:
    """Length of the shortest way by Dijkstra, infinite if there is none."""
    best = {start: 0.0}
    queue = [(0.0, start)]
    while queue:
        cost, cell = heapq.heappop(queue)
        if distance(cell, target) <= reach:
            return cost
        if cost > best[cell]:
            continue
        for other, length in plain_steps(terrain, cell):
            inside = max(abs(other[0]), abs(other[2])) <= FIELD
            if inside and cost + length < best.get(other, math.inf) - 1e-9:
                best[other] = cost + length
                heapq.heappush(queue, (cost + length, other))
    return math.inf


near = st.integers(-3, 3)
cells = st.tuples(near, st.sampled_from([63, 64, 64, 64, 65, 65, 66, 67]), near)
changes = st.lists(st.tuples(cells, st.sampled_from(["stone", "stone", "stone", AIR])), max_size=60)
ends = st.tuples(near, near)


def terrain_of(history: list[tuple[Cell, str]]) -> Terrain:
    terrain = Terrain()
    for cell, block in history:
        terrain.set(cell, block)
    return terrain


def ground(terrain: Terrain, place: tuple[int, int]) -> Cell:
    return place[0], terrain.floors(*place)[-1], place[1]


@settings(max_examples=400)
@given(history=changes, start=ends, target=ends, reach=st.sampled_from([0.0, 1.4, 1.5, 2.0, 4.5]))
def test_the_way_found_is_as_short_as_the_one_of_a_plain_search(
    history: list[tuple[Cell, str]], start: tuple[int, int], target: tuple[int, int], reach: float
) -> None:
    terrain = terrain_of(history)
    begin, aim = ground(terrain, start), ground(terrain, target)
    expected = reference(terrain, begin, aim, reach)
    for path in (find_path(terrain, begin, aim, reach), search(terrain, begin, aim, reach)):
        found = math.inf if path is None else path_length(path)
        assert math.isclose(found, expected, abs_tol=1e-9)


@settings(max_examples=200)
@given(history=changes, start=ends, target=ends)
def test_each_stretch_of_a_way_is_made_of_steps(
    history: list[tuple[Cell, str]], start: tuple[int, int], target: tuple[int, int]
) -> None:
    terrain = terrain_of(history)
    for a, b in pairwise(search(terrain, ground(terrain, start), ground(terrain, target), 0) or ()):
        count = max(abs(b[0] - a[0]), abs(b[2] - a[2]))
        stretch = [
            tuple(p + (q - p) * i // count for p, q in zip(a, b, strict=True)) for i in range(count + 1)
        ]
        for (x, y, z), after in pairwise(stretch):
            assert after in [other for other, _ in plain_steps(terrain, (x, y, z))]


@given(history=changes, place=ends)
def test_the_steps_from_a_cell_are_those_that_the_blocks_around_allow(
    history: list[tuple[Cell, str]], place: tuple[int, int]
) -> None:
    terrain = terrain_of(history)
    cell = ground(terrain, place)
    found = {cell_of(number(cell) + step): length for step, length in steps_from(terrain, number(cell))}
    expected = dict(plain_steps(terrain, cell))
    assert found.keys() == expected.keys()
    assert all(math.isclose(found[other], length, abs_tol=1e-9) for other, length in expected.items())


def test_on_plain_ground_a_straight_step_is_followed_by_no_turn() -> None:
    # East and then south-east is as long as south-east and then east, which another way takes.
    cell, east = number((0, 64, 0)), difference(1, 0, 0)
    assert [step for step, _ in steps_from(Terrain(), cell, east)] == [east]


def test_on_plain_ground_a_diagonal_step_is_followed_by_its_two_sides_and_itself() -> None:
    cell, slanted = number((0, 64, 0)), difference(1, 0, -1)
    followed = steps_from(Terrain(), cell, slanted)
    assert set(followed) == {(difference(1, 0, 0), 1), (difference(0, 0, -1), 1), (slanted, DIAGONAL)}


@given(cell=st.tuples(st.integers(-2_000, 2_000), st.integers(-64, 400), st.integers(-2_000, 2_000)))
def test_a_number_is_that_of_one_cell(cell: Cell) -> None:
    assert cell_of(number(cell)) == cell
    x, y, z = cell
    assert number((x + 1, y - 1, z - 5)) - number(cell) == difference(1, -1, -5)


def test_the_least_length_is_that_of_the_nearest_cell_in_reach() -> None:
    assert least_length(10, 0, 4.5) == 6
    assert least_length(3, 3, 0) == 3 * DIAGONAL
    assert least_length(2, 1, 4.5) == 0
    # Within 4.5 of (10, 10) lies (7, 7), seven diagonal steps off.
    assert least_length(10, 10, 4.5) == 7 * DIAGONAL
    assert set(nearer_by(10, 10, 1.4)) == {(0, 1), (1, 0)}


@given(dx=st.integers(0, 12), dz=st.integers(0, 12), reach=st.sampled_from([0.0, 1.0, 1.4, 1.5, 2.0, 4.5]))
def test_no_cell_in_reach_is_nearer_than_the_least_length(dx: int, dz: int, reach: float) -> None:
    offsets = product(range(-5, 6), repeat=2)
    lengths = [
        abs(abs(dx + x) - abs(dz + z)) + DIAGONAL * min(abs(dx + x), abs(dz + z))
        for x, z in offsets
        if math.hypot(x, z) <= reach
    ]
    assert math.isclose(least_length(dx, dz, reach), min(lengths))
