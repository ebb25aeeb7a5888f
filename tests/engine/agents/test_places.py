from __future__ import annotations

from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.agents.oracles.places import Places
from engine.world.geometry import Cell, octile


def places(*cells: Cell) -> Places:
    found = Places()
    for cell in cells:
        found.add(cell)
    return found


def test_the_nearest_come_first_however_far_apart_they_are() -> None:
    near, far, further = (3, 64, 0), (0, 64, -40), (300, 64, 300)
    assert [cell for _, cell in places(further, near, far).nearest(0, 0)] == [near, far, further]


def test_distances_are_those_of_a_walk_in_eight_directions() -> None:
    assert list(places((3, 64, 4)).nearest(0, 0)) == [(octile(3, 4), (3, 64, 4))]


def test_what_was_taken_out_is_not_found() -> None:
    found = places((1, 64, 1), (2, 64, 2))
    found.remove((1, 64, 1))
    assert [cell for _, cell in found.nearest(0, 0)] == [(2, 64, 2)]
    assert len(found) == 1
    with pytest.raises(KeyError):
        found.remove((1, 64, 1))


cells = st.tuples(st.integers(-60, 60), st.integers(64, 66), st.integers(-60, 60))


@given(
    kept=st.sets(cells, max_size=60), x=st.integers(-80, 80), z=st.integers(-80, 80), count=st.integers(0, 60)
)
def test_the_order_is_that_of_sorting_all(kept: set[Cell], x: int, z: int, count: int) -> None:
    expected = sorted((octile(cell[0] - x, cell[2] - z), cell) for cell in kept)
    assert list(islice(places(*kept).nearest(x, z), count)) == expected[:count]


def test_a_cell_is_in_until_it_is_taken_out() -> None:
    found = places((1, 64, 1))
    assert (1, 64, 1) in found
    assert (1, 65, 1) not in found
    found.remove((1, 64, 1))
    assert (1, 64, 1) not in found
