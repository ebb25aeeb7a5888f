"""Attacks. Hit n lands ceil(n × 20 / rate) ticks after the target came into reach (SPEC section 13)."""

from __future__ import annotations

from typing import Any

import pytest

from engine.world.geometry import Cell
from tests.engine.build import Stage, agent, custom, do, mob, play

NEAR = (2, 64, 0)


def stage(hostiles: list[dict[str, Any]], **more: Any) -> Stage:
    return Stage(custom(agent("Ada", **more), hostiles=hostiles))


def blows(one: Stage) -> list[tuple[int, float]]:
    return [(tick, changed.health) for tick, changed in one.at("mob_health_changed")]


def test_an_iron_sword_kills_a_zombie_with_four_blows() -> None:
    # 6 a blow, 1.6 a second: after 12.5, 25, 37.5 and 50 ticks.
    one = stage([mob(NEAR)], tools=["iron_sword"])
    one.begin("Ada", "attack", entity_type="zombie")
    tick, report = one.finish("Ada")
    assert (tick, report.outcome, report.done, report.wanted) == (50, "ok", 20, 20)
    assert blows(one) == [(13, 14), (25, 8), (38, 2), (50, 0)]
    one.run(60)
    assert [(tick, died.agent) for tick, died in one.at("mob_died")] == [(50, "Ada")]
    assert one.world.living_mobs() == []


@pytest.mark.parametrize(
    ("multipliers", "effects", "first"),
    [
        ({}, [], 14),
        ({"zombie": 2.0}, [], 8),
        ({"skeleton": 2.0}, [], 14),
        ({"zombie": 0.5}, [], 17),
        ({}, ["strength"], 11),  # 6 + 3
        ({}, ["weakness"], 18),  # 6 − 4
        ({"zombie": 2.0}, ["strength"], 2),  # (6 + 3) × 2
    ],
)
def test_multipliers_and_effects_change_a_blow(
    multipliers: dict[str, float], effects: list[str], first: float
) -> None:
    one = stage([mob(NEAR)], tools=["iron_sword"], multipliers=multipliers, effects=effects)
    one.begin("Ada", "attack", entity_type="zombie")
    one.run(13)
    assert blows(one) == [(13, first)]


def test_haste_makes_blows_faster() -> None:
    # 1.6 × 1.1 a second: 11.4, 22.7 ticks.
    one = stage([mob(NEAR)], tools=["iron_sword"], effects=["haste"])
    one.begin("Ada", "attack", entity_type="zombie")
    one.run(30)
    assert [tick for tick, _ in blows(one)] == [12, 23]


def test_what_is_held_counts_and_not_the_best_that_is_carried() -> None:
    one = stage([mob(NEAR)], tools=["wooden_sword", "netherite_sword"])
    one.begin("Ada", "attack", entity_type="zombie")
    one.run(13)
    assert blows(one) == [(13, 16)]


def test_whoever_gave_its_sword_away_hits_with_the_bare_hand() -> None:
    # The deposit takes 7 ticks; a fist does 1, four times a second.
    spec = custom(agent("Ada", tools=["iron_sword"]), hostiles=[mob(NEAR)], chest=(0, 64, 2), max_steps=1)
    played = play(
        spec,
        Ada=[
            do("deposit_to_chest", chest_pos=[0, 64, 2], items=["iron_sword"], quantities=[1]),
            do("attack", entity_type="zombie"),
        ],
    )
    assert [(tick, blow.delta) for tick, blow in played.of("mob_health_changed")] == [(12, -1), (17, -1)]


def test_an_attack_walks_into_reach_first() -> None:
    # Ten blocks away; within 3 after 7 blocks, 35 ticks.
    one = stage([mob((10, 64, 0))], tools=["iron_sword"])
    one.begin("Ada", "attack", entity_type="zombie")
    tick, report = one.finish("Ada")
    assert (tick, report.outcome) == (35 + 50, "ok")


def test_an_attack_follows_a_target_that_moves() -> None:
    # The zombie goes east at 2 blocks a second, to Ben; Ada comes after it from 31 blocks behind at 6.4. After half a
    # second she is the nearer one (28.8 to 29), so it turns: 28.8 blocks close at 8.4 a second, and she is within 3
    # after 61.4 ticks more. She stops and waits for her first blow; it comes within 2 after 7.6 ticks.
    one = Stage(
        custom(
            agent("Ada", (-31, 64, 0), tools=["iron_sword"], speed_bps=6.4, perception_range=64),
            agent("Ben", (30, 64, 0)),
            hostiles=[mob((0, 64, 0), speed_bps=2.0, damage=4)],
        )
    )
    one.begin("Ada", "attack", entity_type="zombie")
    tick, report = one.finish("Ada")
    assert (tick, report.outcome) == (72 + 50, "ok")
    assert [t for t, _ in blows(one)] == [72 + n for n in (13, 25, 38, 50)]
    assert [t for t, _, _ in one.hurts("Ada")] == [80, 100, 120]


def test_after_fifteen_seconds_an_attack_is_over() -> None:
    # A fist does 1 each 5 ticks: 59 blows before tick 300.
    one = stage([mob(NEAR, health=1_000)])
    one.begin("Ada", "attack", entity_type="zombie")
    tick, report = one.finish("Ada")
    assert (tick, report.outcome, report.reason, report.done, report.wanted) == (
        300,
        "partial",
        "timeout",
        59,
        1_000,
    )


def test_a_target_that_goes_away_ends_the_attack() -> None:
    one = stage([mob(NEAR, health=1_000)])
    one.begin("Ada", "attack", entity_type="zombie")
    one.run(22)
    one.world.despawn_mob(1, "event")
    tick, report = one.finish("Ada")
    assert (tick, report.outcome, report.reason, report.done) == (25, "partial", "vanished", 4)


def test_whoever_helps_to_kill_a_target_has_succeeded() -> None:
    # Ada's 6 a blow and Ben's 6 a blow: 12 at tick 13, and 24 at tick 25, of which Ada's is 18.
    one = Stage(
        custom(
            agent("Ada", tools=["iron_sword"]),
            agent("Ben", (2, 64, 2), tools=["iron_sword"]),
            hostiles=[mob(NEAR)],
        )
    )
    one.begin("Ada", "attack", entity_type="zombie")
    one.begin("Ben", "attack", entity_type="zombie")
    assert one.finish("Ada")[1].outcome == "ok"
    assert one.finish("Ben")[1].outcome == "ok"
    assert blows(one) == [(13, 14), (13, 8), (25, 2), (25, 0)]
    assert [died.agent for died in one.of("mob_died")] == ["Ben"]


def test_a_walled_in_target_is_unreachable_at_once() -> None:
    walls: dict[Cell, str] = {
        (x, y, z): "stone" for x in range(8, 13) for y in (64, 65) for z in range(-2, 3) if (x, z) != (10, 0)
    }
    one = Stage(custom(agent("Ada"), blocks=walls, hostiles=[mob((10, 64, 0))]))
    one.begin("Ada", "attack", entity_type="zombie")
    tick, report = one.finish("Ada")
    assert (tick, report.outcome, report.reason) == (1, "failed", "unreachable")


def test_a_target_out_of_sight_or_of_another_kind_is_not_found() -> None:
    one = stage([mob((10, 64, 0)), mob(NEAR, "skeleton")], perception_range=9)
    one.begin("Ada", "attack", entity_type="zombie")
    tick, report = one.finish("Ada")
    assert (tick, report.outcome, report.reason) == (1, "failed", "not_found")


def test_the_nearest_of_several_is_attacked() -> None:
    one = stage([mob((3, 64, 0)), mob((0, 64, 2))], tools=["iron_sword"])
    one.begin("Ada", "attack", entity_type="zombie")
    one.run(13)
    assert [changed.mob for changed in one.of("mob_health_changed")] == [2]


def test_what_was_just_killed_is_not_attacked_again() -> None:
    spec = custom(agent("Ada", tools=["netherite_sword"]), hostiles=[mob(NEAR, health=8)], max_steps=5)
    played = play(spec, Ada=[do("attack", entity_type="zombie"), do("attack", entity_type="zombie")])
    assert played.outcomes("Ada") == [(13, "ok", "", 8, 8), (14, "failed", "not_found", 0, 1)]


def test_finding_mobs_counts_those_in_sight_within_the_distance() -> None:
    one = stage([mob((3, 64, 0)), mob((0, 64, 9)), mob((4, 64, 0), "skeleton"), mob((0, 64, 20))])
    one.begin("Ada", "find_entities", entity_types=["zombie"], count=3)
    tick, report = one.finish("Ada")
    assert (tick, report.outcome, report.reason, report.done, report.wanted) == (
        10,
        "partial",
        "not_found",
        2,
        3,
    )
    assert report.detail == "in sight: 2 zombie"
    one.begin("Ada", "find_entities", entity_types=["zombie", "skeleton"], count=2, max_distance=5)
    tick, report = one.finish("Ada")
    assert (tick, report.outcome, report.detail) == (20, "ok", "in sight: 1 skeleton, 1 zombie")
