"""Status effects, worked by hand from the figures of `engine.world.combat`. Agents walk 4 blocks a second."""

from __future__ import annotations

from typing import Any

import pytest

from engine.world.geometry import Cell
from tests.engine.build import Stage, agent, area, custom


def stage(*, effects: Any = (), **more: Any) -> Stage:
    return Stage(custom(agent("Ada", effects=effects, **more)))


def changes(one: Stage, effect: str) -> list[tuple[int, int | None, int | None]]:
    return [
        (tick, changed.amplifier, changed.until_tick)
        for tick, changed in one.at("effect_changed")
        if changed.effect == effect
    ]


@pytest.mark.parametrize(
    ("effect", "amplifier", "ticks"),
    [
        ("speed", 0, 34),  # 8 blocks at 4.8: 33.3
        ("speed", 1, 29),  # at 5.6: 28.6
        ("slowness", 0, 48),  # at 3.4: 47.06
        ("slowness", 3, 100),  # at 1.6
    ],
)
def test_speed_and_slowness_change_walking(effect: str, amplifier: int, ticks: int) -> None:
    one = stage()
    one.world.give_effect("Ada", effect, amplifier, None)
    one.begin("Ada", "move_to", target_pos=(8, 64, 0))
    assert one.finish("Ada")[0] == ticks


def test_an_effect_changes_speed_in_mid_walk_and_again_when_it_wears_off() -> None:
    # 2 blocks to tick 10; slowness II for a second: 2.8 blocks to tick 30; 3.2 blocks at 4 a second: 16 ticks.
    one = stage()
    one.begin("Ada", "move_to", target_pos=(8, 64, 0))
    one.run(10)
    one.world.give_effect("Ada", "slowness", 1, 1.0)
    assert one.finish("Ada")[0] == 46
    assert changes(one, "slowness") == [(10, 1, 30), (30, None, None)]


def test_regeneration_heals_by_one_each_fifty_ticks_up_to_its_last() -> None:
    one = stage()
    one.world.hurt("Ada", 10)
    one.world.give_effect("Ada", "regeneration", 0, 10.0)
    one.run(1_000)
    heals = [(50 * n, 10.0 + n, "regeneration") for n in range(1, 5)]
    assert one.hurts("Ada") == [(0, 10, "event"), *heals]


def test_regeneration_never_heals_beyond_full_health() -> None:
    one = stage()
    one.world.hurt("Ada", 0.5)
    one.world.give_effect("Ada", "regeneration", 0, 10.0)
    one.run(1_000)
    assert one.hurts("Ada") == [(0, 19.5, "event"), (50, 20, "regeneration")]


def test_a_golden_apple_gives_four_half_hearts_and_four_more_to_use_up() -> None:
    # Eaten at tick 32: regeneration II for 100 ticks, by 1 each 25; absorption I.
    one = stage(items={"golden_apple": 1})
    one.world.hurt("Ada", 10)
    one.begin("Ada", "use_item", item="golden_apple")
    tick, report = one.finish("Ada")
    assert (tick, report.outcome) == (32, "ok")
    assert one.world.bodies["Ada"].absorption == 4
    one.run(500)
    assert one.hurts("Ada")[1:] == [(32 + 25 * n, 10.0 + n, "regeneration") for n in range(1, 5)]
    one.world.hurt("Ada", 5)
    assert one.hurts("Ada")[-1] == (500, 13, "event")
    assert one.of("agent_health_changed")[-1].absorption == 0


def test_absorption_goes_with_its_effect() -> None:
    one = stage()
    one.world.give_effect("Ada", "absorption", 1, 2.0)
    one.world.hurt("Ada", 3)
    assert (one.world.bodies["Ada"].health, one.world.bodies["Ada"].absorption) == (20, 5)
    one.run(40)
    one.world.hurt("Ada", 3)
    assert (one.world.bodies["Ada"].health, one.world.bodies["Ada"].absorption) == (17, 0)


def test_a_spider_eye_poisons_by_four() -> None:
    one = stage(items={"spider_eye": 1})
    one.begin("Ada", "use_item", item="spider_eye")
    one.run(500)
    assert one.hurts("Ada") == [(32 + 25 * n, 20.0 - n, "poison") for n in range(1, 5)]


def test_poison_does_not_kill_and_wither_does() -> None:
    one = stage()
    one.world.hurt("Ada", 18)
    one.world.give_effect("Ada", "poison", 0, None)
    one.run(60)
    assert one.hurts("Ada")[1:] == [(25, 1, "poison")]
    one.world.give_effect("Ada", "wither", 0, None)
    one.run(500)
    assert one.hurts("Ada")[2:] == [(100, 0, "wither")]
    assert [tick for tick, _ in one.at("agent_died")] == [100]


@pytest.mark.parametrize(("amplifier", "left"), [(0, 12), (1, 14), (4, 20)])
def test_resistance_takes_a_fifth_of_all_damage_a_level(amplifier: int, left: float) -> None:
    one = stage()
    one.world.give_effect("Ada", "resistance", amplifier, None)
    one.world.hurt("Ada", 10)
    assert one.world.bodies["Ada"].health == left


def test_instant_effects_work_at_once() -> None:
    one = stage()
    one.world.give_effect("Ada", "instant_damage", 0, None)
    one.world.give_effect("Ada", "instant_health", 0, None)
    assert one.hurts("Ada") == [(0, 14, "instant_damage"), (0, 18, "instant_health")]
    assert one.world.bodies["Ada"].effects == {}


@pytest.mark.parametrize(
    ("effect", "amplifier", "ticks"),
    [
        ("haste", 0, 50),  # 60 / 1.2
        ("haste", 1, 43),  # 60 / 1.4: 42.9
        ("mining_fatigue", 0, 200),  # 60 / 0.3
    ],
)
def test_haste_and_mining_fatigue_change_digging(effect: str, amplifier: int, ticks: int) -> None:
    one = Stage(custom(agent("Ada"), blocks={(1, 64, 0): "oak_log"}))
    one.world.give_effect("Ada", effect, amplifier, None)
    one.begin("Ada", "mine_blocks_at", block_positions=[(1, 64, 0)])
    assert one.finish("Ada")[0] == ticks  # the drop falls beside the digger


def test_a_weaker_effect_shows_again_when_a_stronger_one_is_over() -> None:
    one = stage()
    one.world.give_effect("Ada", "speed", 0, 10.0)
    one.world.give_effect("Ada", "speed", 2, 1.0)
    one.world.give_effect("Ada", "speed", 1, 0.5)  # over before it could show
    one.run(300)
    assert changes(one, "speed") == [(0, 0, 200), (0, 2, 20), (20, 0, 200), (200, None, None)]


def test_the_dead_have_no_effects() -> None:
    one = stage()
    one.world.give_effect("Ada", "regeneration", 0, 10.0)
    one.world.hurt("Ada", 20)
    one.run(500)
    assert changes(one, "regeneration") == [(0, 0, 200)]
    assert one.hurts("Ada") == [(0, 0, "event")]
    assert one.world.next_tick() is None


# --- regions


def swamp(low: Cell = (2, 64, -1), high: Cell = (5, 64, 1), **more: Any) -> dict[str, Any]:
    effects = [{"type": "slowness", "amplifier": 1}]
    return {"id": "swamp", "area": area(low, high), "effects": effects, **more}


def test_a_region_slows_whoever_walks_through_it() -> None:
    # Entered after 1.5 blocks, noticed at tick 8 at x = 1.6; 3.9 blocks at 2.8 a second: 27.9 ticks, to tick 36
    # at x = 5.52; the last 2.48 blocks at 4 a second take 12.4.
    one = Stage(custom(agent("Ada"), regions=[swamp()]))
    one.begin("Ada", "move_to", target_pos=(8, 64, 0))
    assert one.finish("Ada")[0] == 49
    assert changes(one, "slowness") == [(8, 1, None), (36, None, None)]


def test_a_region_that_is_switched_off_does_nothing_until_it_is_switched_on() -> None:
    one = Stage(custom(agent("Ada", (3, 64, 0)), regions=[swamp(active=False)]))
    one.run(10)
    assert changes(one, "slowness") == []
    one.world.set_region("swamp", True, None)
    one.run(20)
    one.world.set_region("swamp", False, None)
    assert changes(one, "slowness") == [(10, 1, None), (20, None, None)]
    assert [(tick, region.active) for tick, region in one.at("region_changed")] == [
        (0, False),
        (10, True),
        (20, False),
    ]


def test_a_region_that_moves_away_takes_its_effects_along() -> None:
    one = Stage(custom(agent("Ada", (3, 64, 0)), agent("Ben", (20, 64, 0)), regions=[swamp()]))
    one.world.set_region("swamp", True, ((19, 64, 0), (21, 64, 0)))
    told = [(changed.agent, changed.amplifier) for changed in one.of("effect_changed")]
    assert told == [("Ada", 1), ("Ada", None), ("Ben", 1)]


def test_leaving_a_region_leaves_the_effects_that_one_has_of_oneself() -> None:
    one = Stage(custom(agent("Ada", effects=["slowness"]), regions=[swamp()]))
    one.begin("Ada", "move_to", target_pos=(8, 64, 0))
    one.finish("Ada")
    assert [amplifier for _, amplifier, _ in changes(one, "slowness")] == [0, 1, 0]


def test_where_two_regions_overlap_each_takes_only_its_own() -> None:
    mud = {"id": "mud", "area": area((4, 64, 0), (9, 64, 0)), "effects": [{"type": "slowness"}]}
    one = Stage(custom(agent("Ada"), regions=[swamp(), mud]))
    one.begin("Ada", "move_to", target_pos=(7, 64, 0))
    one.finish("Ada")
    assert [amplifier for _, amplifier, _ in changes(one, "slowness")] == [1, 0]


def test_an_effect_of_a_region_may_hurt_as_long_as_one_stays() -> None:
    marsh = {"id": "marsh", "area": area((0, 64, 0), (0, 64, 0)), "effects": [{"type": "poison"}]}
    one = Stage(custom(agent("Ada"), regions=[marsh]))
    one.run(60)
    one.begin("Ada", "move_to", target_pos=(8, 64, 0))
    one.run(500)
    assert one.hurts("Ada") == [(25, 19, "poison"), (50, 18, "poison")]
