"""What touching a crisis does. Agents walk 4 blocks a second: 5 ticks a block; cells change half way between."""

from __future__ import annotations

from typing import Any

import pytest

from engine.spec.model import ContactDamage, Direction
from engine.world.contact import contact_of
from engine.world.geometry import Cell
from engine.world.terrain import AIR
from tests.engine.build import Stage, agent, custom


def stage(**more: Any) -> Stage:
    return Stage(custom(agent("Ada", **more)))


def flood(
    stage: Stage,
    block: str,
    *xs: int,
    y: int = 64,
    direction: Direction = "east",
    damage: ContactDamage | None = None,
) -> None:
    cells: list[Cell] = [(x, y, 0) for x in xs]
    contact = contact_of(block, direction, damage)
    stage.world.set_blocks(cells, block, cause="event", source="crisis", contact=contact)


def test_lava_hurts_by_four_at_once_and_each_half_second() -> None:
    one = stage()
    flood(one, "lava", 0)
    one.run(100)
    assert one.hurts("Ada") == [
        (0, 16, "lava"),
        (10, 12, "lava"),
        (20, 8, "lava"),
        (30, 4, "lava"),
        (40, 0, "lava"),
    ]
    assert [(tick, died.cause) for tick, died in one.at("agent_died")] == [(40, "lava")]


def test_one_burns_for_five_seconds_after_leaving_lava() -> None:
    one = stage()
    flood(one, "lava", 0)
    one.run(5)
    one.world.set_blocks([(0, 64, 0)], AIR, cause="event", source="rain")
    one.run(300)
    burns = [(5 + 20 * n, 16.0 - n, "burning") for n in range(1, 6)]
    assert one.hurts("Ada") == [(0, 16, "lava"), *burns]


def test_walking_through_lava_hurts_while_one_is_in_it() -> None:
    # In the cells x = 2 and 3 from 1.5 to 3.5 blocks: from tick 8 (7.5) to tick 18 (17.5), when it is out again.
    one = stage()
    flood(one, "lava", 2, 3)
    one.begin("Ada", "move_to", target_pos=(8, 64, 0))
    assert one.finish("Ada")[0] == 40
    one.run(300)
    assert one.hurts("Ada") == [(8, 16, "lava"), *((18 + 20 * n, 16.0 - n, "burning") for n in range(1, 6))]


def test_coming_back_into_lava_ends_the_burning_and_hurts_at_once() -> None:
    one = stage(max_health=40)
    flood(one, "lava", 0)
    one.run(5)
    one.world.set_blocks([(0, 64, 0)], AIR, cause="event", source="rain")
    one.run(27)  # burnt at 25
    flood(one, "lava", 0)
    one.run(46)  # no burning at 45 in the lava
    assert one.hurts("Ada") == [
        (0, 36, "lava"),
        (25, 35, "burning"),
        (27, 31, "lava"),
        (37, 27, "lava"),
    ]


def test_water_puts_out_the_fire() -> None:
    one = stage(max_health=40)
    flood(one, "lava", 0)
    one.run(5)
    flood(one, "water", 0, direction="up")
    one.run(30)
    assert one.hurts("Ada") == [(0, 36, "lava"), (5, 34, "water"), (25, 32, "water")]


def test_fire_resistance_keeps_off_lava_and_burning() -> None:
    one = stage(effects=["fire_resistance"])
    flood(one, "lava", 0)
    one.run(100)
    one.world.set_blocks([(0, 64, 0)], AIR, cause="event", source="rain")
    one.run(300)
    assert one.hurts("Ada") == []


def test_when_fire_resistance_wears_off_the_lava_hurts() -> None:
    one = stage()
    one.world.give_effect("Ada", "fire_resistance", 0, 1.0)
    flood(one, "lava", 0)
    one.run(35)
    assert one.hurts("Ada") == [(20, 16, "lava"), (30, 12, "lava")]


def test_water_hurts_by_two_a_second_and_carries_along() -> None:
    # One block a second: out of the water at x = 2.5, tick 50, and on to the middle of the cell.
    one = stage()
    flood(one, "water", 0, 1, 2)
    one.run(200)
    assert one.hurts("Ada") == [(0, 18, "water"), (20, 16, "water"), (40, 14, "water")]
    assert one.world.position("Ada") == (3, 64, 0)
    assert [tick for tick, _ in one.at("agent_moved")] == [0, 20, 40]


def test_water_carries_along_however_seldom_it_hurts() -> None:
    one = stage()
    flood(one, "water", 0, 1, 2, damage=ContactDamage(amount=0, every=60))
    one.run(30)
    assert one.world.position("Ada") == pytest.approx((1.5, 64, 0))
    one.run(200)
    assert one.world.position("Ada") == (3, 64, 0)


def test_water_carries_nobody_into_a_wall() -> None:
    one = stage()
    one.world.set_blocks([(2, 64, 0), (2, 65, 0)], "stone", cause="event", source="wall")
    flood(one, "water", 0, 1)
    one.run(100)
    assert one.world.position("Ada") == (1, 64, 0)


def test_a_wall_that_appears_before_somebody_who_is_carried_stops_it() -> None:
    one = stage()
    flood(one, "water", 0, 1, 2)
    one.run(8)
    one.world.set_blocks([(1, 64, 0), (1, 65, 0)], "stone", cause="event", source="wall")
    one.run(100)
    assert one.world.position("Ada") == pytest.approx((0.4, 64, 0))


def test_whoever_walks_is_not_carried_until_it_stops() -> None:
    one = stage()
    flood(one, "water", *range(12))
    one.begin("Ada", "move_to", target_pos=(4, 64, 0))
    # It sets out at tick 0 and arrives 20 ticks later; then the water takes it on.
    assert one.finish("Ada")[0] == 20
    one.run(40)
    assert one.world.position("Ada") == (5, 64, 0)


def test_an_effect_does_not_change_how_fast_water_carries() -> None:
    one = stage()
    flood(one, "water", *range(12))
    one.begin("Ada", "wait", duration=10)
    one.run(10)
    one.world.give_effect("Ada", "speed", 4, None)
    one.run(40)
    assert one.world.position("Ada") == (2, 64, 0)


def test_digging_while_being_carried_off_fails_out_of_reach() -> None:
    # Obsidian at x = −3 takes 188 ticks; it is 4.5 blocks away after 1.5 s.
    one = stage(tools=["diamond_pickaxe"])
    one.world.set_blocks([(-3, 64, 0)], "obsidian", cause="event", source="rock")
    one.begin("Ada", "mine_blocks_at", block_positions=[(-3, 64, 0)])
    flood(one, "water", *range(20), damage=ContactDamage(amount=0))
    tick, report = one.finish("Ada")
    assert (tick, report.outcome, report.reason) == (188, "failed", "out_of_reach")
    assert one.world.block((-3, 64, 0)) == "obsidian"


def test_powder_snow_halves_speed_and_hurts_by_one_a_second() -> None:
    # Into the snow at 1.5 blocks, noticed at tick 8 at x = 1.6; 3.9 blocks at 2 a second take 39 ticks, to tick 47;
    # the last 2.5 blocks at 4 a second take 12.5.
    one = stage()
    flood(one, "powder_snow", 2, 3, 4, 5)
    one.begin("Ada", "move_to", target_pos=(8, 64, 0))
    tick, report = one.finish("Ada")
    assert (tick, report.outcome) == (60, "ok")
    assert one.hurts("Ada") == [(8, 19, "powder_snow"), (28, 18, "powder_snow")]
    assert [round(moved.speed_bps, 3) for moved in one.of("agent_moved")] == [4, 2, 4]


def test_snow_that_comes_while_one_walks_slows_from_then_on() -> None:
    # At tick 10 Ada is at x = 2 and the rest of the way turns to snow: 6 blocks at 2 a second, 60 ticks.
    one = stage()
    one.begin("Ada", "move_to", target_pos=(8, 64, 0))
    one.run(10)
    flood(one, "powder_snow", *range(12))
    assert one.finish("Ada")[0] == 70


@pytest.mark.parametrize(
    ("feet", "layers", "touched"),
    [
        (64, [64], True),
        (65, [64], False),
        (65, [64, 65], True),
        (66, [64, 65], False),
        (64, [65], True),  # the head is in it
        (64, [66], False),
    ],
)
def test_whoever_stands_above_the_layers_is_safe(feet: int, layers: list[int], touched: bool) -> None:
    one = Stage(custom(agent("Ada", (0, feet, 0)), blocks={(0, y, 0): "stone" for y in range(64, feet)}))
    for y in layers:
        cell = (0, y, 0)
        if one.world.block(cell) == AIR:
            flood(one, "lava", 0, y=y)
    assert bool(one.hurts("Ada")) is touched


def test_the_task_may_say_what_a_crisis_does() -> None:
    one = stage()
    flood(one, "lava", 0, damage=ContactDamage(amount=3, every=2))
    one.run(90)
    assert one.hurts("Ada") == [(0, 17, "lava"), (40, 14, "lava"), (80, 11, "lava")]


def test_any_block_hurts_if_the_task_says_so() -> None:
    one = stage()
    flood(one, "cobweb", 0, damage=ContactDamage(amount=1.5, every=0.5))
    one.run(15)
    assert one.hurts("Ada") == [(0, 18.5, "cobweb"), (10, 17, "cobweb")]


def test_one_suffocates_in_a_solid_crisis_by_one_each_half_second() -> None:
    one = stage()
    flood(one, "gravel", 0)
    flood(one, "gravel", 0, y=65)
    one.run(25)
    assert one.hurts("Ada") == [(0, 19, "gravel"), (10, 18, "gravel"), (20, 17, "gravel")]


def test_what_happens_around_somebody_who_eats_in_the_water_does_not_hurry_it() -> None:
    one = stage(items={"golden_apple": 1})
    flood(one, "water", *range(6))
    one.begin("Ada", "use_item", item="golden_apple")
    one.run(10)
    one.world.set_blocks([(1, 64, 0)], "stone", cause="event", source="wall")
    assert one.finish("Ada")[0] == 32


def test_falling_damage_is_the_height_beyond_three() -> None:
    for height, left in ((3, 20), (4, 19), (10, 13)):
        one = Stage(custom(agent("Ada", (0, 64 + height, 0)), blocks={(0, 63 + height, 0): "stone"}))
        one.world.set_blocks([(0, 63 + height, 0)], AIR, cause="event", source="quake")
        assert one.world.bodies["Ada"].health == left
        assert one.world.position("Ada") == (0, 64, 0)


def test_whoever_walks_over_a_bridge_that_goes_falls_with_it_and_walks_on_below() -> None:
    # Ten blocks up and 2 blocks out: seven half hearts; then 6 blocks along the ground.
    bridge = {(x, 73, 0): "stone" for x in range(-1, 10)}
    one = Stage(custom(agent("Ada", (0, 74, 0)), blocks=bridge | {(9, 64, 0): "oak_log"}))
    one.begin("Ada", "move_to", target_pos=(8, 74, 0))
    one.run(10)
    one.world.set_blocks(list(bridge), AIR, cause="event", source="quake")
    assert one.hurts("Ada") == [(10, 13, "fall")]
    assert one.world.position("Ada") == (2, 64, 0)
    tick, report = one.finish("Ada")
    # Where it was sent is no place any more, and nothing near it can be stood on.
    assert (tick, report.reason) == (10, "unreachable")
