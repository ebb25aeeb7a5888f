from __future__ import annotations

import json
from collections.abc import Callable
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.evaluation.difficulty import NO_SINGLE_AGENT, Metrics, heterogeneity, metrics
from engine.spec.model import TaskSpec
from tests.engine.evaluation import examples

approx = pytest.approx


def of(plain: examples.Plain) -> Metrics:
    return metrics(examples.spec(plain))


# --- by hand ------------------------------------------------------------------------------------------------


def test_mining() -> None:
    found = of(examples.mine())
    # health 25 / 50, speed 1.5 / 6, sight 6 / 24, no item in common
    assert found.heterogeneity == approx((0.5 + 0.25 + 0.25 + 1) / 4)
    # Ada alone: 6 gold ore at 15 ticks and 8 logs at 60; Bruno cannot harvest gold ore
    assert found.necessity == approx((6 * 0.75 + 8 * 3) / 30)
    # gold: 12 appear, those of steps 0 and 10 vanish in time; logs: 15 appear, those of step 5 vanish in time
    assert found.dynamicity == approx((12 + 8 + 15 + 5) / 30)
    assert found.time_to_failure == 15


def test_preparing() -> None:
    found = of(examples.prepare())
    # speed 2 / 6, no item in common
    assert found.heterogeneity == approx((0 + 1 / 3 + 0 + 1) / 4)
    # (1 layer + 1) × 2 agents = 4 blocks; Ada mines stone in 8 ticks and places in half a second
    assert found.necessity == approx(4 * (0.4 + 0.5) / 60)
    assert found.dynamicity == approx(21 / 60)  # x from −10 to 10
    assert found.time_to_failure == 20 + 20 / 2


def test_raiding() -> None:
    found = of(examples.raid())
    # health 20 / 50, no item in common, multipliers 0.5 / 3 and 1 / 3; speed and sight alike
    assert found.heterogeneity == approx((0.4 + 0 + 0 + 1 + 0.5 / 3 + 1 / 3) / 6)
    # Ada: sword 6 × 1.6 = 9.6, twice that against zombies
    assert found.necessity == approx((240 / 9.6 + 9 * 35 / 19.2) / 60)
    assert found.dynamicity == approx(9 / 60)
    # 60 health; the boss does 8 a second, each zombie 4
    assert found.time_to_failure == approx((60 / 20 + 60 / 32 + 60 / 44) / 3)


def test_a_custom_task_has_heterogeneity_and_dynamicity_only() -> None:
    found = of(examples.custom())
    assert found.as_dict() == {
        "heterogeneity": 0,
        "necessity": None,
        "dynamicity": 0,
        "time_to_failure": None,
        "necessity_note": "not defined for custom tasks: their workload is not known",
        "time_to_failure_note": "not defined for custom tasks: what makes them fail is not known",
    }
    assert not of(examples.custom()).no_single_agent


def test_notes_are_there_only_where_a_figure_is_not() -> None:
    assert list(of(examples.mine()).as_dict()) == [
        "heterogeneity",
        "necessity",
        "dynamicity",
        "time_to_failure",
    ]


# --- heterogeneity ------------------------------------------------------------------------------------------


def test_one_agent_is_not_heterogeneous() -> None:
    plain = examples.mine()
    del plain["agents"]["spawn"][1]
    assert of(plain).heterogeneity == 0


def test_agents_alike_that_carry_nothing_are_not_heterogeneous() -> None:
    plain = examples.mine()
    bare = plain["agents"]["spawn"][0] | {"inventory": {}}
    plain["agents"]["spawn"] = [bare, bare | {"name": "Bruno"}]
    assert of(plain).heterogeneity == 0


def test_items_in_common_count_by_name_and_differences_are_clipped_to_the_bounds() -> None:
    plain = examples.mine()
    ada, bruno = plain["agents"]["spawn"]
    ada["inventory"] = {"iron_pickaxe": {"count": 1}, "bread": {"count": 9}, "oak_log": {"count": 1}}
    bruno["inventory"] = {"iron_pickaxe": {"count": 1}, "bread": {"count": 1}, "stone_axe": {"count": 1}}
    ada["capabilities"] |= {"max_health": 1, "speed_bps": 4, "perception_range": 16}
    bruno["capabilities"] |= {"max_health": 100, "speed_bps": 4, "perception_range": 16}
    assert of(plain).heterogeneity == approx((1 + 0 + 0 + 0.5) / 4)  # 2 of 4 items in common


def test_three_agents_have_three_pairs() -> None:
    plain = examples.mine()
    plain["agents"]["spawn"].append(plain["agents"]["spawn"][0] | {"name": "Chen", "position": [3, 64, 3]})
    assert of(plain).heterogeneity == approx((0.5 + 0 + 0.5) / 3)


# --- necessity ----------------------------------------------------------------------------------------------


def test_necessity_is_infinite_when_no_agent_can_do_all() -> None:
    plain = examples.mine()
    plain["agents"]["spawn"][0]["inventory"] = {"stone_pickaxe": {"count": 1}}
    found = of(plain)
    assert (found.necessity, found.necessity_note, found.no_single_agent) == (None, NO_SINGLE_AGENT, True)
    raid = examples.raid()
    raid["agents"]["spawn"][0]["capabilities"]["damage_multipliers"] = {"zombie": 0}
    raid["agents"]["spawn"][1]["capabilities"]["damage_multipliers"] = {"wither_skeleton": 0}
    assert of(raid).no_single_agent
    prepare = examples.prepare()
    for agent in prepare["agents"]["spawn"]:
        agent["inventory"] = {}
    assert of(prepare).no_single_agent


def test_the_shelter_of_the_task_replaces_the_default() -> None:
    plain = examples.prepare()
    plain["task"]["shelter"] = {"blocks_required": 10}
    assert of(plain).necessity == approx(10 * 0.9 / 60)


def test_wood_is_a_survival_block_against_water_only() -> None:
    plain = examples.prepare()
    for agent in plain["agents"]["spawn"]:
        agent["inventory"] = {"golden_axe": {"count": 1}}
    assert of(plain).no_single_agent
    plain["events"][0]["actions"][0]["block"] = "water"
    assert of(plain).necessity == approx(4 * (0.25 + 0.5) / 60)  # oak log: 2 × 30 / 12 = 5 ticks


def test_ore_and_glass_leave_nothing_to_build_with() -> None:
    plain = examples.prepare()
    for grid, block in zip(
        plain["environment"]["materials"]["grid"], ("iron_ore", "glass", "oak_log"), strict=True
    ):
        grid["block"] = block
    assert of(plain).no_single_agent


def test_survival_blocks_that_are_only_carried_count_as_a_kind() -> None:
    plain = examples.prepare()
    plain["environment"]["materials"] = {}
    plain["agents"]["spawn"][1]["inventory"] = {"cobblestone": {"count": 9}}
    assert of(plain).necessity == approx(4 * (0.5 + 0.5) / 60)  # Ada on cobblestone: 2 × 30 / 6 = 10 ticks


def test_the_bare_hand_fights_too() -> None:
    plain = examples.raid()
    del plain["agents"]["spawn"][0]
    plain["agents"]["spawn"][0]["inventory"] = {"wooden_pickaxe": {"count": 1}}
    assert of(plain).necessity == approx(
        (240 / 2 + 315 / 4) / 60
    )  # 1 × 4 a second, half of it against the boss


# --- dynamicity ---------------------------------------------------------------------------------------------


def with_trigger(plain: examples.Plain, **trigger: Any) -> examples.Plain:
    plain["events"][0]["trigger"] |= trigger
    return plain


def test_probability_counts_with_its_expectation_and_when_not_at_all() -> None:
    assert of(with_trigger(examples.raid(), probability=0.5)).dynamicity == approx(4.5 / 60)
    plain = examples.raid()
    plain["events"][0]["trigger"] = {"when": [{"step_reached": 3}]}
    found = of(plain)
    assert found.dynamicity == 0
    assert found.time_to_failure_note == "no enemies spawn"
    assert found.necessity == approx(240 / 9.6 / 60)


def test_a_crisis_counts_the_slices_that_it_fills_in_time() -> None:
    plain = examples.custom()
    plain["events"] = examples.prepare()["events"]
    plain["events"][0]["trigger"] = {"start": 4}
    fill = plain["events"][0]["actions"][0]
    assert of(plain).dynamicity == approx((1 + 6 * 2) / 10)  # at step 4, then until step 10
    plain["events"][0]["trigger"] = {"start": 4, "end": 7}
    assert of(plain).dynamicity == approx((1 + 3 * 2) / 10)
    fill["speed_bps"] = 0.1
    fill["direction"] = "north"
    plain["environment"]["max_steps"] = 100
    plain["events"][0]["trigger"] = {"start": 0}
    assert of(plain).dynamicity == approx(9 / 100)  # z from 8 to 0, one each 10 steps, the last at step 80


def test_despawned_mobs_are_changes_and_harm_nobody_any_more() -> None:
    plain = examples.raid()
    retreat = {"type": "despawn_entities", "entity": "zombie", "count": 2}
    plain["events"].append({"id": "retreat", "trigger": {"start": 10}, "actions": [retreat]})
    found = of(plain)
    assert found.dynamicity == approx((9 + 2) / 60)
    assert found.time_to_failure == approx((60 / 20 + 60 / 24 + 60 / 36) / 3)  # 3, 1 + 3, 4 + 3 zombies
    plain["events"][1]["trigger"] = {"start": 10, "probability": 0.5}
    found = of(plain)
    assert found.dynamicity == approx((9 + 1) / 60)
    assert found.time_to_failure == approx((60 / 20 + 60 / 28 + 60 / 40) / 3)
    plain["events"][1] = {"id": "end", "trigger": {"start": 50}, "actions": [{"type": "despawn_entities"}]}
    assert of(plain).dynamicity == approx((9 + 10) / 60)  # the boss as well


def test_mobs_vanish_after_their_lifetime() -> None:
    plain = examples.raid()
    plain["events"][0]["actions"][0]["lifetime"] = 11
    found = of(plain)
    assert found.dynamicity == approx((9 + 9) / 60)
    assert found.time_to_failure == approx(60 / 20)
    plain["events"][0]["actions"][0]["lifetime"] = 34
    assert of(plain).dynamicity == approx((9 + 6) / 60)  # gone at 39, 50 and 61


# --- time to failure ----------------------------------------------------------------------------------------


def test_spawns_with_a_probability_meet_the_others_expectation() -> None:
    found = of(with_trigger(examples.raid(), probability=0.5))
    assert found.time_to_failure == approx(
        (60 / 20 + 60 / 26 + 60 / 32) / 3
    )  # its own 3, and 1.5 of each before
    assert of(with_trigger(examples.raid(), probability=0.0)).time_to_failure_note == "no enemies spawn"


def test_mobs_without_damage_of_their_own_do_the_vanilla_damage_of_the_difficulty() -> None:
    plain = examples.raid()
    del plain["events"][0]["actions"][0]["damage"]
    plain["environment"]["entities"]["hostiles"][0]["damage"] = 0
    plain["events"][0]["trigger"] = {"start": 5}
    assert of(plain).time_to_failure == approx(60 / (3 * 4.5))
    plain["environment"]["world"] = {"difficulty": "easy"}
    assert of(plain).time_to_failure == approx(60 / (3 * 2.5))
    plain["environment"]["world"] = {"difficulty": "peaceful"}
    assert of(plain).time_to_failure_note == "no enemy does any damage"


def test_two_spawns_at_one_step_both_meet_all_that_are_there() -> None:
    plain = examples.raid()
    plain["events"][0]["trigger"] = {"start": 5}
    plain["events"].append(plain["events"][0] | {"id": "more"})
    assert of(plain).time_to_failure == approx(60 / (8 + 6 * 4))


def test_without_lifetimes_mining_cannot_come_too_late() -> None:
    plain = examples.mine()
    for event in plain["events"]:
        del event["actions"][0]["lifetime"]
    assert of(plain).time_to_failure_note == "no target block has a lifetime"


def test_only_target_blocks_that_may_spawn_count_for_the_least_lifetime() -> None:
    plain = examples.mine()
    plain["task"]["targets"] = [{"block": "oak_log", "count": 1}]
    assert of(plain).time_to_failure == 20
    plain["events"][1]["trigger"] = {"start": 31}
    assert of(plain).time_to_failure is None


# --- properties ---------------------------------------------------------------------------------------------

ITEMS = ["iron_pickaxe", "stone_axe", "bread", "iron_sword"]
AGENT = st.fixed_dictionaries(
    {
        "position": st.just([0, 64, 0]),
        "inventory": st.lists(st.sampled_from(ITEMS), unique=True).map(
            lambda items: {item: {"count": 1} for item in items}
        ),
        "capabilities": st.fixed_dictionaries(
            {
                "max_health": st.floats(1, 100),
                "speed_bps": st.floats(0.1, 20),
                "perception_range": st.floats(1, 128),
                "damage_multipliers": st.dictionaries(
                    st.sampled_from(["zombie", "wither_skeleton", "cow"]), st.floats(0, 100)
                ),
            }
        ),
    }
)


def team(kind: Callable[[], examples.Plain], agents: list[examples.Plain]) -> TaskSpec:
    spawn = [agent | {"name": f"Bot{number}"} for number, agent in enumerate(agents)]
    return examples.spec(kind() | {"agents": {"spawn": spawn}})


@given(agents=st.lists(AGENT, min_size=1, max_size=4), kind=st.sampled_from([examples.mine, examples.raid]))
def test_heterogeneity_is_a_share_and_does_not_depend_on_the_agents_order(
    agents: list[examples.Plain], kind: Callable[[], examples.Plain]
) -> None:
    found = {heterogeneity(team(kind, list(order))) for order in permutations(agents)}
    assert len(found) == 1
    assert 0 <= found.pop() <= 1


@given(speeds=st.lists(st.floats(0.3, 20), min_size=2, max_size=2, unique=True).map(sorted))
def test_time_to_failure_falls_as_the_crisis_speeds_up(speeds: list[float]) -> None:
    times = []
    for speed in speeds:
        plain = examples.prepare()
        plain["events"][0]["actions"][0]["speed_bps"] = speed
        plain["environment"]["max_steps"] = 200
        times.append(of(plain).time_to_failure or 0)
    assert times[0] >= times[1]
    if speeds[1] - speeds[0] > 1e-6:
        assert times[0] > times[1]


@given(
    agents=st.lists(AGENT, min_size=1, max_size=3),
    kind=st.sampled_from([examples.mine, examples.prepare, examples.raid, examples.custom]),
    damage=st.floats(0, 1_024),
    probability=st.floats(0, 1),
)
def test_every_task_has_metrics_that_json_can_hold(
    agents: list[examples.Plain], kind: Callable[[], examples.Plain], damage: float, probability: float
) -> None:
    plain = with_trigger(kind(), probability=probability)
    for event in plain["events"]:
        for action in event["actions"]:
            if action["type"] == "spawn_entities":
                action["damage"] = damage
    found = metrics(team(lambda: plain, agents))
    json.dumps(found.as_dict(), allow_nan=False)
    assert (found.necessity is None) == (found.necessity_note is not None)
    assert (found.time_to_failure is None) == (found.time_to_failure_note is not None)
    assert found.dynamicity >= 0
