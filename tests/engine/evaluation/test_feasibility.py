from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import SettingsError
from engine.evaluation.feasibility import Criterion, Feasibility, Margins, feasibility
from tests.engine.evaluation import examples
from tests.engine.evaluation.test_difficulty import AGENT, team

approx = pytest.approx


def of(plain: examples.Plain, margins: Margins | None = None) -> Feasibility:
    return feasibility(examples.spec(plain), margins)


def named(found: Feasibility) -> dict[str, Criterion]:
    assert len({criterion.name for criterion in found.criteria}) == len(found.criteria)
    return {criterion.name: criterion for criterion in found.criteria}


def figures(criterion: Criterion) -> tuple[float, float | None, bool, float | None]:
    return criterion.left, criterion.right, criterion.holds, criterion.flips_at


# --- mining, by hand ----------------------------------------------------------------------------------------


def test_mining() -> None:
    found = of(examples.mine())
    criteria = named(found)
    assert list(criteria) == [
        "tool gold_ore",
        "tool oak_log",
        "lifetime gold_ore",
        "supply gold_ore",
        "lifetime oak_log",
        "supply oak_log",
    ]
    assert figures(criteria["tool gold_ore"]) == (1, 1, True, None)
    assert figures(criteria["tool oak_log"]) == (2, 1, True, None)  # by hand, too
    # Ada, 12 blocks and 2/3 of 6 away at 4 a second, then 15 ticks
    assert figures(criteria["lifetime gold_ore"]) == approx((7.5, 4.75, True, 15 / 4.75))
    # both, from [5, 64, 0]; Bruno is quicker: 5.5 a second, then 15 ticks
    fetch = (math.sqrt(125) + 2) / 5.5 + 0.75
    assert figures(criteria["lifetime oak_log"]) == approx((10, fetch, True, 20 / fetch))
    assert figures(criteria["supply gold_ore"]) == (12, 12, True, 2)
    assert figures(criteria["supply oak_log"]) == (15, 16, False, 1.875)
    assert found.feasible is False
    assert of(examples.mine(), Margins(beta2=1.8)).feasible is True


def test_a_target_that_no_tool_harvests_is_not_feasible() -> None:
    plain = examples.mine()
    plain["agents"]["spawn"][0]["inventory"] = {"golden_pickaxe": {"count": 1}}
    criteria = named(of(plain))
    assert figures(criteria["tool gold_ore"]) == (0, 1, False, None)
    assert figures(criteria["lifetime gold_ore"]) == (15, None, False, None)


def test_supply_counts_what_stands_there_and_the_expectation_of_what_may_come() -> None:
    plain = examples.mine()
    plain["events"][0]["trigger"]["probability"] = 0.5
    plain["events"][1]["trigger"] = {"when": [{"step_reached": 3}]}
    plain["environment"]["materials"] = {
        "grid": [
            {"block": "gold_ore", "position": [20, 64, 20], "width": 2, "depth": 2},
            {"block": "stone", "position": [20, 64, 20]},
        ]
    }
    criteria = named(of(plain))
    assert criteria["supply gold_ore"].left == 6 + 3
    assert criteria["supply oak_log"].left == 0
    assert "lifetime oak_log" in criteria  # it may come


def test_each_spawn_has_a_lifetime_of_its_own_and_blocks_that_stay_have_none() -> None:
    plain = examples.mine()
    action = plain["events"][0]["actions"][0]
    plain["events"][0]["actions"].append(action | {"lifetime": 5})
    plain["events"].append({"id": "late", "trigger": {"start": 31}, "actions": [action]})
    plain["events"].append({"id": "again", "trigger": {"start": 1}, "actions": [action]})
    del plain["events"][1]["actions"][0]["lifetime"]
    criteria = named(of(plain))
    assert [name for name in criteria if name.startswith("lifetime")] == [
        "lifetime gold_ore (gold 1)",
        "lifetime gold_ore (gold 2)",
        "lifetime gold_ore (again)",
    ]
    assert figures(criteria["lifetime gold_ore (gold 2)"]) == approx((2.5, 4.75, False, 5 / 4.75))


# --- preparing, by hand -------------------------------------------------------------------------------------


def test_preparing() -> None:
    found = of(examples.prepare())
    criteria = named(found)
    assert list(criteria) == ["tool stone", "tool cobblestone", "survival_blocks", "time_to_prepare"]
    assert figures(criteria["survival_blocks"]) == (6, 4, True, None)
    # Ada takes the near pile: 8 blocks' way, 3 × 10 ticks, 6 back: 2 + 1.5 + 1.5 = 5 s. Bruno, who has done nothing
    # yet, takes the one block that is left to take: 8 blocks' way at 2, 23 ticks, 12 back: 4 + 1.15 + 6 s.
    # Both build: 0.5 × 4 / 2 = 1 s.
    assert figures(criteria["time_to_prepare"]) == approx((30, 2 * (11.15 + 1), True, 30 / 12.15))
    assert found.feasible is True
    assert of(examples.prepare(), Margins(alpha=2.5)).feasible is False


def test_carried_blocks_count_and_need_not_be_gathered() -> None:
    plain = examples.prepare()
    plain["agents"]["spawn"][1]["inventory"]["stone"] = {"count": 2}
    criteria = named(of(plain))
    assert criteria["survival_blocks"].left == 8
    # Ada: 2 + 2 × 0.5 + 1.5 = 4.5 s; Bruno only walks 4 blocks at 2 a second
    assert criteria["time_to_prepare"].flips_at == approx(30 / (4.5 + 1))


def test_a_larger_shelter_asks_for_more_blocks() -> None:
    plain = examples.prepare()
    plain["task"]["shelter"] = {"blocks_required": 7}
    assert figures(named(of(plain))["survival_blocks"]) == (6, 7, False, None)
    plain["task"]["shelter"] = {"blocks_required": 2}
    assert named(of(plain))["survival_blocks"].right == 4


def test_more_layers_ask_for_more_blocks() -> None:
    plain = examples.prepare()
    plain["events"][0]["actions"][0]["area"]["max"][1] = 66
    assert figures(named(of(plain))["survival_blocks"]) == (6, 8, False, None)


def test_who_can_mine_nothing_that_withstands_cannot_prepare() -> None:
    plain = examples.prepare()
    for agent in plain["agents"]["spawn"]:
        agent["inventory"] = {"iron_axe": {"count": 1}}
    criteria = named(of(plain))
    assert not criteria["tool stone"].holds
    assert figures(criteria["time_to_prepare"]) == (30, None, False, None)
    plain["events"][0]["actions"][0]["block"] = "powder_snow"
    criteria = named(of(plain))
    assert criteria["tool oak_log"].holds
    assert criteria["time_to_prepare"].flips_at is not None


def test_carriers_build_where_nobody_can_mine() -> None:
    plain = examples.prepare()
    plain["environment"]["materials"] = {}
    plain["agents"]["spawn"][0]["inventory"] = {"cobblestone": {"count": 4}}
    criteria = named(of(plain))
    assert list(criteria) == ["survival_blocks", "time_to_prepare"]
    # Bruno's way to the site: 4 blocks at 2 a second; Ada alone builds 4 blocks
    assert criteria["time_to_prepare"].right == approx(2 * (2 + 2))


@pytest.mark.parametrize(
    ("direction", "length", "distance"),
    [
        # the site is [x, 64, z]; Bruno stands at [10, 64, 0] and walks at 2 a second
        ("west", 20, math.hypot(20, 4)),
        ("south", 8, math.hypot(10, 8)),
        ("north", 8, math.hypot(10, 0)),
    ],
)
def test_the_site_is_the_centre_of_the_last_slice(direction: str, length: float, distance: float) -> None:
    plain = examples.prepare()
    plain["environment"]["materials"] = {}
    plain["agents"]["spawn"] = [plain["agents"]["spawn"][1] | {"inventory": {"stone": {"count": 2}}}]
    plain["events"][0]["actions"][0]["direction"] = direction
    criterion = named(of(plain))["time_to_prepare"]
    assert criterion.left == 20 + length / 2
    assert criterion.right == approx(2 * (distance / 2 + 0.5 * 2))


# --- raiding, by hand ---------------------------------------------------------------------------------------


def test_raiding() -> None:
    found = of(examples.raid())
    # the boss: 9.6 + half of 7.2 a second; zombies: twice 9.6 + 7.2
    total = 240 / 13.2 + 9 * 35 / 26.4
    assert figures(named(found)["time_to_fight"]) == approx((60, 2 * total, False, 60 / total))
    assert found.feasible is False
    assert of(examples.raid(), Margins(gamma=1.9)).feasible is True


def test_enemies_that_nobody_can_hurt_make_a_raid_unfeasible() -> None:
    plain = examples.raid()
    for agent in plain["agents"]["spawn"]:
        agent["capabilities"]["damage_multipliers"] = {"zombie": 0}
    assert figures(named(of(plain))["time_to_fight"]) == (60, None, False, None)


def test_mobs_without_health_of_their_own_have_the_vanilla_mobs() -> None:
    plain = examples.raid()
    del plain["events"][0]["actions"][0]["health"]
    del plain["environment"]["entities"]["hostiles"][0]["health"]
    assert named(of(plain))["time_to_fight"].right == approx(2 * (20 / 13.2 + 9 * 20 / 26.4))


# --- verdict and margins ------------------------------------------------------------------------------------


def test_custom_tasks_have_no_verdict() -> None:
    assert of(examples.custom()).as_dict() == {
        "feasible": None,
        "margins": {"alpha": 2.0, "beta1": 2.0, "beta2": 2.0, "gamma": 2.0},
        "criteria": [],
        "note": "custom tasks are not judged: what their success takes is not known",
    }


@pytest.mark.parametrize("value", [0, -1, math.inf, math.nan])
def test_a_margin_is_a_number_above_0(value: float) -> None:
    with pytest.raises(SettingsError, match="the margin gamma must be a number above 0"):
        Margins(gamma=value)


KINDS = st.sampled_from([examples.mine, examples.prepare, examples.raid])


@given(agents=st.lists(AGENT, min_size=1, max_size=3), kind=KINDS)
def test_each_criterion_and_the_verdict_flip_exactly_at_flips_at(
    agents: list[examples.Plain], kind: Callable[[], examples.Plain]
) -> None:
    spec = team(kind, agents)
    found = feasibility(spec)
    json.dumps(found.as_dict(), allow_nan=False)
    assert found.feasible == all(criterion.holds for criterion in found.criteria)
    for name in {criterion.margin for criterion in found.criteria if criterion.margin}:
        margined = [criterion for criterion in found.criteria if criterion.margin == name]
        others = all(criterion.holds for criterion in found.criteria if criterion.margin != name)
        for criterion in margined:
            if criterion.flips_at:
                for factor in (1 - 1e-9, 1 + 1e-9):
                    again = feasibility(spec, replace(Margins(), **{name: criterion.flips_at * factor}))
                    assert named(again)[criterion.name].holds == (factor < 1)
        limits = [criterion.flips_at for criterion in margined]
        if others and all(limit is not None and limit > 0 for limit in limits):
            least = min(limit for limit in limits if limit is not None)
            assert feasibility(spec, replace(Margins(), **{name: least * (1 - 1e-9)})).feasible
            assert not feasibility(spec, replace(Margins(), **{name: least * (1 + 1e-9)})).feasible


@given(agents=st.lists(AGENT, min_size=1, max_size=3), kind=KINDS, margin=st.floats(0.1, 10))
def test_a_criterion_holds_when_its_left_side_is_at_least_its_right_side(
    agents: list[examples.Plain], kind: Callable[[], examples.Plain], margin: float
) -> None:
    for criterion in feasibility(team(kind, agents), Margins(margin, margin, margin, margin)).criteria:
        assert criterion.holds == (criterion.right is not None and criterion.left >= criterion.right)
