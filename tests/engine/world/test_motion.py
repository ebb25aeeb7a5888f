from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from engine.world.geometry import Position, distance
from engine.world.motion import Motion

L_SHAPE: list[Position] = [(0, 64, 0), (4, 64, 0), (4, 64, 4)]


def test_the_walk_takes_its_length_over_its_speed_rounded_up_to_a_tick() -> None:
    assert Motion(100, L_SHAPE, 4.0).arrival == 140  # 8 blocks at 4 a second: 2 s
    assert Motion(0, [(0, 64, 0), (1, 64, 0)], 4.317).arrival == 5  # 20 / 4.317 = 4.63 ticks


def test_positions_on_the_way_are_exact() -> None:
    motion = Motion(100, L_SHAPE, 4.0)
    assert motion.at(100) == (0, 64, 0)
    assert motion.at(110) == (2, 64, 0)
    assert motion.at(130) == (4, 64, 2)
    assert motion.at(999) == (4, 64, 4)


def test_the_cells_on_the_way_are_those_whose_centres_it_passes() -> None:
    assert Motion(0, [(0, 64, 0), (2, 64, 2), (4, 64, 2)], 4.0).cells() == {
        (0, 64, 0),
        (1, 64, 1),
        (2, 64, 2),
        (3, 64, 2),
        (4, 64, 2),
    }


def test_coming_near_is_found_on_the_first_tick_within() -> None:
    # Passing (4, 64, 3) on the first leg at distance 3; at (4, 64, 1) it is within 2, five blocks on: 25 ticks.
    assert Motion(0, L_SHAPE, 4.0).first_tick_within((4, 64, 3), 2.0, since=0) == 25
    assert Motion(0, L_SHAPE, 4.0).first_tick_within((4, 64, 3), 2.0, since=30) == 30
    assert Motion(0, L_SHAPE, 4.0).first_tick_within((-9, 64, 0), 2.0, since=0) is None


points = st.lists(st.tuples(st.integers(-9, 9), st.just(64), st.integers(-9, 9)), min_size=1, max_size=5)


@given(
    points=points,
    speed=st.sampled_from([2.0, 3.3, 4.317, 7.9]),
    target=st.tuples(st.integers(-9, 9), st.just(64), st.integers(-9, 9)),
    radius=st.sampled_from([1.425, 3.0, 4.5]),
    since=st.integers(0, 60),
)
def test_the_first_tick_within_is_what_looking_tick_by_tick_finds(
    points: list[Position], speed: float, target: Position, radius: float, since: int
) -> None:
    motion = Motion(0, points, speed)
    looked = (
        t for t in range(since, max(since, motion.arrival) + 1) if distance(motion.at(t), target) <= radius
    )
    seen = next(looked, None)
    found = motion.first_tick_within(target, radius, since)
    if (
        found != seen
    ):  # a touch of the circle between two ticks, or one within rounding of it, may go either way
        at = found if seen is None else seen
        assert at is not None
        assert math.isclose(distance(motion.at(at), target), radius, abs_tol=1e-6)


def test_cells_are_entered_half_way_between_their_centres() -> None:
    # Four blocks a second, five ticks a block: the border to x = 1 is passed after half a block, 2.5 ticks.
    motion = Motion(100, [(0, 64, 0), (2, 64, 0), (3, 64, 1)], 4.0)
    assert motion.entries() == [
        (100, (0, 64, 0)),
        (103, (1, 64, 0)),
        (108, (2, 64, 0)),
        (114, (3, 64, 1)),  # 2 + √2 / 2 = 2.71 blocks, 13.5 ticks
    ]


def test_the_rest_of_a_way_begins_where_the_walker_is() -> None:
    assert Motion(100, L_SHAPE, 4.0).rest(130) == [(4, 64, 2), (4, 64, 4)]
    assert Motion(100, L_SHAPE, 4.0).rest(110) == [(2, 64, 0), (4, 64, 0), (4, 64, 4)]


@given(points=points, speed=st.sampled_from([2.0, 3.3, 4.317]))
def test_the_cell_that_was_entered_last_is_the_nearest_one(points: list[Position], speed: float) -> None:
    motion = Motion(0, points, speed)
    for tick in range(motion.arrival + 1):
        entered = [cell for since, cell in motion.entries() if since <= tick][-1]
        assert distance(entered, motion.at(tick)) <= math.sqrt(3) / 2 + 1e-6
