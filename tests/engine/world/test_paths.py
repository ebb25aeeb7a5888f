from __future__ import annotations

import heapq
import math
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.world.geometry import Cell, distance
from engine.world.paths import find_path, find_way, path_length
from engine.world.terrain import Terrain

R2 = math.sqrt(2)


def terrain_with(*cells: Cell, block: str = "stone") -> Terrain:
    terrain = Terrain()
    for cell in cells:
        terrain.set(cell, block)
    return terrain


def test_free_ground_is_crossed_by_one_diagonal_and_one_straight_leg() -> None:
    path = find_path(Terrain(), (0, 64, 0), (5, 64, 2), 0)
    assert path is not None
    assert path_length(path) == 2 * R2 + 3


def test_a_way_ends_as_soon_as_the_target_is_in_reach() -> None:
    path = find_path(Terrain(), (0, 64, 0), (10, 64, 0), 4.5)
    assert path == [(0, 64, 0), (6, 64, 0)]


def test_a_target_in_reach_needs_no_way() -> None:
    assert find_path(Terrain(), (0, 64, 0), (3, 64, 3), 4.5) == [(0, 64, 0)]


def test_a_high_wall_is_walked_round_without_cutting_its_corner() -> None:
    # A wall two high at x = 2, z -1 … 1: straight on would be 4. Round it: out to z = 2 before the wall's end.
    wall = [(2, y, z) for z in (-1, 0, 1) for y in (64, 65)]
    path = find_path(terrain_with(*wall), (0, 64, 0), (4, 64, 0), 0)
    assert path is not None
    # Diagonally to (1, 1), straight to (1, 2), past the corner to (3, 2), back to (3, 1), diagonally to (4, 0).
    assert math.isclose(path_length(path), 2 * R2 + 4)


def test_a_low_wall_is_jumped() -> None:
    wall = [(2, 64, z) for z in range(-9, 10)]
    path = find_path(terrain_with(*wall), (0, 64, 0), (4, 64, 0), 0)
    assert path is not None
    assert math.isclose(path_length(path), 2 + 2 * R2)


def test_a_jump_needs_room_over_the_head() -> None:
    wall = [(2, 64, z) for z in range(-30, 31)] + [(1, 66, z) for z in range(-30, 31)]
    low_roof = find_path(terrain_with(*wall), (1, 64, 0), (2, 65, 0), 0)
    assert low_roof is None or path_length(low_roof) > R2


def test_what_one_can_walk_through_does_not_change_how_far_a_way_may_lead() -> None:
    # Else the same ground could give two ways, and a remembered one would depend on what was searched before.
    walled = terrain_with((2, 64, 0))
    flooded = terrain_with((2, 64, 0))
    flooded.set((40, 64, 40), "lava")
    assert flooded.shape == walled.shape
    assert flooded.bounds() == walled.bounds()


def test_ways_round_a_wall_are_not_remembered_for_another() -> None:
    shapes = {terrain_with((x, 64, z)).shape for x in (-2, -1, 0, 1) for z in (-2, -1, 0, 1)}
    assert len(shapes) == 16


def test_whoever_is_between_two_cells_does_not_go_back_to_the_nearer_one_first() -> None:
    way = find_way(Terrain(), (0.4, 64, 0.2), (5, 64, 0), 0)
    assert way == [(0.4, 64, 0.2), (5, 64, 0)]


def test_whoever_is_in_reach_between_two_cells_stands_in_the_nearer_one() -> None:
    assert find_way(Terrain(), (0.4, 64, 0), (0, 64, 0), 0) == [(0.4, 64, 0), (0, 64, 0)]
    assert find_way(Terrain(), (1, 64, 0), (0, 64, 0), 1) == [(1, 64, 0)]


def test_a_walled_in_target_cannot_be_reached() -> None:
    walls = [(x, y, z) for x in (9, 10, 11) for z in (-1, 0, 1) for y in (64, 65) if (x, z) != (10, 0)]
    assert find_path(terrain_with(*walls), (0, 64, 0), (10, 64, 0), 0) is None


def test_a_walled_in_walker_gets_nowhere() -> None:
    walls = [(x, y, z) for x in (-1, 0, 1) for z in (-1, 0, 1) for y in (64, 65) if (x, z) != (0, 0)]
    assert find_path(terrain_with(*walls), (0, 64, 0), (10, 64, 0), 0) is None


def test_a_drop_of_three_is_taken_and_one_of_four_is_not() -> None:
    for height, expected in ((3, True), (4, False)):
        pillar = [(0, y, 0) for y in range(64, 64 + height)]
        path = find_path(terrain_with(*pillar), (0, 64 + height, 0), (3, 64, 0), 0)
        assert (path is not None) is expected


def flat_reference(walls: set[tuple[int, int]], start: Cell, target: Cell) -> float:
    """Dijkstra over a flat field with walls two high, written apart from the code under test."""
    best = {(start[0], start[2]): 0.0}
    queue = [(0.0, start[0], start[2])]
    while queue:
        cost, x, z = heapq.heappop(queue)
        if (x, z) == (target[0], target[2]):
            return cost
        if cost > best[x, z]:
            continue
        for dx in (-1, 0, 1):
            for dz in (-1, 0, 1):
                there = (x + dx, z + dz)
                if not (dx or dz) or there in walls or max(abs(there[0]), abs(there[1])) > 12:
                    continue
                if dx and dz and ((x + dx, z) in walls or (x, z + dz) in walls):
                    continue
                new = cost + math.hypot(dx, dz)
                if new < best.get(there, math.inf) - 1e-9:
                    best[there] = new
                    heapq.heappush(queue, (new, *there))
    return math.inf


walls_of_a_small_field = st.sets(st.tuples(st.integers(-4, 4), st.integers(-4, 4)), max_size=40)


@settings(max_examples=200)
@given(walls=walls_of_a_small_field, target=st.tuples(st.integers(-5, 5), st.integers(-5, 5)))
def test_no_way_is_shorter_than_the_one_found(walls: set[tuple[int, int]], target: tuple[int, int]) -> None:
    start, goal = (-6, 64, -6), (target[0], 64, target[1])
    walls = walls - {target}
    terrain = terrain_with(*((x, y, z) for x, z in walls for y in (64, 65)))
    path = find_path(terrain, start, goal, 0)
    expected = flat_reference(walls, start, goal)
    assert math.isinf(expected) if path is None else math.isclose(path_length(path), expected)


@settings(max_examples=100)
@given(walls=walls_of_a_small_field, target=st.tuples(st.integers(-5, 5), st.integers(-5, 5)))
def test_a_way_leads_only_through_cells_to_stand_in_and_ends_in_reach(
    walls: set[tuple[int, int]], target: tuple[int, int]
) -> None:
    terrain = terrain_with(*((x, y, z) for x, z in walls for y in (64, 65)))
    goal = (target[0], 64, target[1])
    path = find_path(terrain, (-6, 64, -6), goal, 1.5)
    if path is None:
        return
    assert distance(path[-1], goal) <= 1.5
    for a, b in pairwise(path):
        count = max(abs(b[0] - a[0]), abs(b[2] - a[2]))
        for i in range(count + 1):
            cell = (a[0] + (b[0] - a[0]) * i // count, 64, a[2] + (b[2] - a[2]) * i // count)
            assert terrain.can_stand(cell)
