"""Equipping, using, taking from chests, walking somewhere; and what a heavy load does."""

from __future__ import annotations

import pytest

from engine.world.protocol import ActionReport
from tests.engine.build import Stage, agent, custom, do, event, play


def summary(ended: tuple[int, ActionReport]) -> tuple[int, str, str, int, int]:
    tick, report = ended
    return tick, report.outcome, report.reason, report.done, report.wanted


def test_equipping_takes_five_ticks() -> None:
    stage = Stage(custom(agent("Ada", tools=["wooden_sword", "iron_sword"])))
    assert stage.world.bodies["Ada"].held == "wooden_sword"
    stage.begin("Ada", "equip_item", item="iron_sword")
    assert summary(stage.finish("Ada")) == (5, "ok", "", 1, 1)
    assert stage.world.bodies["Ada"].held == "iron_sword"
    assert [(tick, held.item) for tick, held in stage.at("item_held")] == [(5, "iron_sword")]


def test_what_is_not_carried_cannot_be_held() -> None:
    stage = Stage(custom(agent("Ada", tools=["iron_sword"])))
    stage.begin("Ada", "equip_item", item="diamond_sword")
    assert summary(stage.finish("Ada")) == (5, "failed", "missing_items", 0, 1)
    assert stage.world.bodies["Ada"].held == "iron_sword"


def test_drinking_takes_32_ticks_and_the_potion() -> None:
    stage = Stage(custom(agent("Ada", items={"strong_healing_potion": 2})))
    stage.world.hurt("Ada", 15)
    stage.begin("Ada", "use_item", item="strong_healing_potion")
    assert summary(stage.finish("Ada")) == (32, "ok", "", 1, 1)
    assert stage.hurts("Ada") == [(0, 5, "event"), (32, 13, "instant_health")]
    assert stage.world.bodies["Ada"].inventory.as_dict() == {"strong_healing_potion": 1}


@pytest.mark.parametrize(
    ("potion", "effect", "seconds"),
    [
        ("fire_resistance_potion", "fire_resistance", 180),
        ("strength_potion", "strength", 180),
        ("swiftness_potion", "speed", 180),
        ("regeneration_potion", "regeneration", 45),
    ],
)
def test_a_potion_gives_its_effect_for_its_time(potion: str, effect: str, seconds: int) -> None:
    stage = Stage(custom(agent("Ada", items={potion: 1})))
    stage.begin("Ada", "use_item", item=potion)
    stage.finish("Ada")
    (changed,) = stage.of("effect_changed")
    assert (changed.effect, changed.amplifier, changed.until_tick) == (effect, 0, 32 + 20 * seconds)


def test_food_without_an_effect_is_eaten_all_the_same() -> None:
    stage = Stage(custom(agent("Ada", items={"bread": 1})))
    stage.begin("Ada", "use_item", item="bread")
    assert summary(stage.finish("Ada")) == (32, "ok", "", 1, 1)
    assert stage.world.bodies["Ada"].inventory.as_dict() == {}


def test_what_can_be_neither_eaten_nor_drunk_is_refused_and_kept() -> None:
    stage = Stage(custom(agent("Ada", items={"stone": 1})))
    stage.begin("Ada", "use_item", item="stone")
    assert summary(stage.finish("Ada")) == (1, "failed", "bad_parameters", 0, 1)
    assert stage.world.bodies["Ada"].inventory.as_dict() == {"stone": 1}


def test_what_is_not_carried_cannot_be_used() -> None:
    stage = Stage(custom(agent("Ada")))
    stage.begin("Ada", "use_item", item="golden_apple")
    assert summary(stage.finish("Ada")) == (32, "failed", "missing_items", 0, 1)


def test_an_interrupted_meal_is_not_eaten() -> None:
    stage = Stage(custom(agent("Ada", items={"golden_apple": 1})))
    stage.begin("Ada", "use_item", item="golden_apple")
    stage.run(31)
    stage.world.interrupt("Ada")
    stage.run(100)
    assert stage.world.bodies["Ada"].inventory.as_dict() == {"golden_apple": 1}
    assert not stage.of("effect_changed")


# --- chests


def test_taking_from_a_chest_costs_five_ticks_and_two_a_stack() -> None:
    spec = custom(agent("Ada"), chest=(2, 64, 0), chest_items={"cobblestone": 100, "bread": 3})
    stage = Stage(spec)
    stage.begin(
        "Ada", "get_from_chest", chest_pos=(2, 64, 0), items=["cobblestone", "bread"], quantities=[65, 3]
    )
    assert summary(stage.finish("Ada")) == (5 + 2 * 3, "ok", "", 68, 68)
    assert stage.world.chests[2, 64, 0].as_dict() == {"cobblestone": 35}
    assert stage.world.bodies["Ada"].inventory.as_dict() == {"cobblestone": 65, "bread": 3}
    assert [(change.item, change.delta, change.count) for change in stage.of("chest_changed")] == [
        ("cobblestone", -65, 35),
        ("bread", -3, 0),
    ]


def test_a_chest_gives_no_more_than_it_has() -> None:
    stage = Stage(custom(agent("Ada"), chest=(2, 64, 0), chest_items={"bread": 3}))
    stage.begin("Ada", "get_from_chest", chest_pos=(2, 64, 0), items=["bread", "stone"], quantities=[5, 1])
    assert summary(stage.finish("Ada")) == (5 + 2, "partial", "missing_items", 3, 6)


def test_a_full_inventory_takes_what_fits() -> None:
    full = {"cobblestone": 35 * 64, "bread": 60}
    stage = Stage(custom(agent("Ada", items=full), chest=(2, 64, 0), chest_items={"bread": 10}))
    stage.begin("Ada", "get_from_chest", chest_pos=(2, 64, 0), items=["bread"], quantities=[10])
    assert summary(stage.finish("Ada")) == (7, "partial", "inventory_full", 4, 10)
    assert stage.world.chests[2, 64, 0].as_dict() == {"bread": 6}


def test_of_two_who_take_the_same_the_first_listed_gets_it() -> None:
    stage = Stage(
        custom(agent("Ada"), agent("Ben", (0, 64, 1)), chest=(2, 64, 0), chest_items={"golden_apple": 1})
    )
    for name in ("Ben", "Ada"):
        stage.begin(name, "get_from_chest", chest_pos=(2, 64, 0), items=["golden_apple"], quantities=[1])
    assert summary(stage.finish("Ada")) == (7, "ok", "", 1, 1)
    assert summary(stage.finish("Ben")) == (7, "failed", "missing_items", 0, 1)


def test_chests_stay_when_blocks_of_their_area_are_set() -> None:
    spec = custom(
        agent("Ada", (0, 64, 5)),
        chest=(2, 64, 0),
        chest_items={"bread": 1},
        events=[
            event(
                "pave",
                {},
                {"type": "set_blocks", "block": "stone", "area": {"min": [1, 64, 0], "max": [3, 64, 0]}},
            )
        ],
        max_steps=2,
    )
    played = play(spec, Ada=[do("get_from_chest", chest_pos=[2, 64, 0], items=["bread"], quantities=[1])])
    assert [ended[1] for ended in played.outcomes("Ada")] == ["ok"]


# --- walking


def test_walking_takes_five_ticks_a_block() -> None:
    stage = Stage(custom(agent("Ada")))
    stage.begin("Ada", "move_to", target_pos=(8, 64, 0))
    assert summary(stage.finish("Ada")) == (40, "ok", "", 1, 1)
    assert stage.world.position("Ada") == (8, 64, 0)


def test_walking_to_a_block_ends_on_top_of_it() -> None:
    # 7 blocks straight and one up by jumping, √2.
    stage = Stage(custom(agent("Ada"), blocks={(8, 64, 0): "stone"}))
    stage.begin("Ada", "move_to", target_pos=(8, 64, 0))
    tick, report = stage.finish("Ada")
    assert (tick, report.outcome) == (43, "ok")  # 8.414 blocks: 42.07 ticks
    assert stage.world.position("Ada") == (8, 65, 0)


def test_walking_to_the_foot_of_a_tower_ends_beside_it() -> None:
    tower = {(8, y, 0): "stone" for y in range(63, 70)}
    stage = Stage(custom(agent("Ada"), blocks=tower))
    stage.begin("Ada", "move_to", target_pos=(8, 64, 0))
    tick, report = stage.finish("Ada")
    assert (tick, report.outcome) == (35, "ok")
    assert stage.world.position("Ada") == (7, 64, 0)


def test_whoever_is_there_already_needs_one_tick() -> None:
    stage = Stage(custom(agent("Ada")))
    stage.begin("Ada", "move_to", target_pos=(0, 64, 0))
    assert summary(stage.finish("Ada")) == (1, "ok", "", 1, 1)


def test_a_place_in_the_sky_is_unreachable() -> None:
    stage = Stage(custom(agent("Ada")))
    stage.begin("Ada", "move_to", target_pos=(8, 90, 0))
    assert summary(stage.finish("Ada")) == (1, "failed", "unreachable", 0, 1)


# --- weight


def heavy(items: int, **weight: float) -> tuple[int, list[float]]:
    """When somebody who carries so much has walked 8 blocks, and the speeds at which it walked."""
    spec = custom(agent("Ada", items={"stone": items}), mechanics={"inventory_weight": weight}, max_steps=40)
    played = play(spec, Ada=[do("move_to", target_pos=[8, 64, 0])])
    return played.outcomes("Ada")[0][0], [moved.speed_bps for _, moved in played.of("agent_moved")]


def test_items_beyond_the_free_ones_slow_their_carrier() -> None:
    assert heavy(16, free_items=16, slowdown_per_item=0.01) == (40, [4.0])
    assert heavy(66, free_items=16, slowdown_per_item=0.01) == (80, [2.0])  # 50 too many: half the speed
    assert heavy(500, free_items=16, slowdown_per_item=0.01) == (400, [0.4])  # a tenth always remains


def test_what_is_picked_up_on_the_way_slows_the_rest_of_it() -> None:
    # Ben, who has no room for it, fells a log while Ada looks round. From z = 0 it is within 1.425 at
    # x = 5 − 1.0152 = 3.9848, 19.9 ticks after she has set out at tick 10. That is one item too many: the last
    # 4 blocks at 3.6 a second take 22.2 ticks.
    spec = custom(
        agent("Ada", items={"stone": 10}),
        agent("Ben", (5, 64, 4), tools=["iron_axe"], items={"stone": 35 * 64}),
        blocks={(5, 64, 1): "oak_log"},
        mechanics={"inventory_weight": {"free_items": 10, "slowdown_per_item": 0.1}},
        max_steps=10,
    )
    played = play(
        spec,
        Ada=[do("find_blocks", block_types=["oak_log"]), do("move_to", target_pos=[8, 64, 0])],
        Ben=[do("mine_blocks_at", block_positions=[[5, 64, 1]])],
    )
    picked = [(tick, taken.agent) for tick, taken in played.of("item_picked_up")]
    assert picked == [(30, "Ada")]
    assert played.outcomes("Ada")[1][0] == 53


def test_laying_items_down_makes_lighter() -> None:
    spec = custom(
        agent("Ada", items={"stone": 30}),
        chest=(2, 64, 0),
        mechanics={"inventory_weight": {"free_items": 10, "slowdown_per_item": 0.04}},
        max_steps=40,
    )
    played = play(
        spec,
        Ada=[
            do("move_to", target_pos=[0, 64, 4]),
            do("deposit_to_chest", chest_pos=[2, 64, 0], items=["stone"], quantities=[20]),
            do("move_to", target_pos=[0, 64, 8]),
        ],
    )
    # 20 too many: a fifth of the speed, 0.8 a second, 100 ticks; the chest is 4.47 away; then 4 blocks at 4 a second.
    assert [ended[0] for ended in played.outcomes("Ada")] == [100, 107, 127]
