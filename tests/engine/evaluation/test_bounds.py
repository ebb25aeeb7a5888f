"""Upper bounds: worked out by hand on small tasks, and never below what the oracles reach on the samples."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from engine.episode.run import run_episode
from engine.episode.settings import EpisodeSettings
from engine.evaluation.bounds import Spawns, bound
from engine.evaluation.prospects import prospects
from engine.spec.loader import load_task
from engine.spec.model import TaskSpec
from engine.world.geometry import Cell
from tests.engine.build import agent, area, event, task

SAMPLES = {path.stem: path for path in sorted(Path("tasks/samples").glob("*.yaml"))}


def _played(spec: TaskSpec, policy: str = "oracle-greedy", seed: int = 0) -> tuple[float, float]:
    """What the policy reached, and the bound of its episode."""
    spawns = Spawns()
    result = run_episode(
        spec,
        EpisodeSettings(policy, seed=seed),
        lambda event, _: spawns.take(event.world_time, event.payload),
    )
    assert result.status == "finished", result.error
    return result.partial_score, bound(spec, spawns)


@pytest.mark.parametrize("policy", ["oracle", "oracle-greedy"])
@pytest.mark.parametrize("name", SAMPLES)
def test_no_oracle_gets_past_the_bound(name: str, policy: str) -> None:
    spec = load_task(SAMPLES[name]).spec
    for seed in range(5):
        reached, most = _played(spec, policy, seed)
        assert reached <= most <= 1


def test_the_impossible_has_a_bound_of_nothing() -> None:
    assert prospects(load_task(SAMPLES["impossible_diamonds"]).spec, 0) == {"bound": 0.0, "oracle": 0.0}


def test_what_the_oracle_wins_has_a_bound_of_one() -> None:
    assert prospects(load_task(SAMPLES["patient_gold"]).spec, 0) == {"bound": 1.0, "oracle": 1.0}


def test_prospects_do_not_change() -> None:
    spec = load_task(SAMPLES["far_seams"]).spec
    assert prospects(spec, 3) == prospects(spec, 3)


# --- mine_vanishing_blocks


def _ores(count: int, z: int = 6) -> dict[Cell, str]:
    return {(x, 64, z): "iron_ore" for x in range(count)}


def test_a_team_digs_no_more_than_its_hands_can() -> None:
    # Iron ore has hardness 3: a stone pickaxe takes ceil(30 × 3 ÷ 4) = 23 ticks. Nobody needs to walk, and a deposit
    # takes 7 ticks: 200 − 7 = 193 ticks give 8 blocks (184 ticks) of the ten.
    spec = task(
        agent("Ada", tools=["stone_pickaxe"]),
        targets={"iron_ore": 10},
        blocks=_ores(10, 2),
        chest=(0, 64, 1),
        max_steps=10,
    )
    assert _played(spec)[1] == pytest.approx(0.8)


def test_two_have_twice_as_many_hands() -> None:
    spec = task(
        *(agent(name, tools=["stone_pickaxe"]) for name in ("Ada", "Bob")),
        targets={"iron_ore": 20},
        blocks=_ores(10, 2) | _ores(10, 3),
        chest=(0, 64, 1),
        max_steps=10,
    )
    assert _played(spec)[1] == pytest.approx(16 / 20)


def test_whose_tool_does_not_harvest_counts_for_nothing() -> None:
    spec = task(
        agent("Ada", tools=["stone_pickaxe"]),
        agent("Bob", tools=["wooden_pickaxe"]),
        targets={"iron_ore": 20},
        blocks=_ores(10, 2) | _ores(10, 3),
        chest=(0, 64, 1),
        max_steps=10,
    )
    assert _played(spec)[1] == pytest.approx(8 / 20)


def _wave(distance: int, lifetime: int) -> TaskSpec:
    spawn = {
        "type": "spawn_blocks",
        "block": "iron_ore",
        "count": 1,
        "center": [0, 64, distance],
        "radius": 0,
        "lifetime": lifetime,
    }
    return task(
        agent("Ada", tools=["stone_pickaxe"]),
        targets={"iron_ore": 1},
        events=[event("wave", {"start": 0}, spawn)],
    )


@pytest.mark.parametrize(("lifetime", "most"), [(4, 0.0), (5, 1.0)])
def test_what_vanishes_before_anybody_can_be_there_is_lost(lifetime: int, most: float) -> None:
    # 20 blocks less a reach of 4.5 and a block's grace are 14.5: at 4 a second 72 ticks. With 23 for digging that makes
    # 95, more than the 80 ticks of 4 steps and less than the 100 of 5.
    assert _played(_wave(20, lifetime))[1] == most


def test_what_nobody_can_bring_home_in_time_is_lost() -> None:
    # There it is 40 blocks, less reach 4.5 and grace 1: 34.5, at 4 a second 172 ticks, and 23 for digging. To the chest
    # at z = −10 it is 50 less 4.5, pick-up 1.5 and 1: 43, 215 ticks, and 7 for the deposit. 417 ticks are 20.85 steps.
    far = task(
        agent("Ada", tools=["stone_pickaxe"]),
        targets={"iron_ore": 1},
        blocks={(0, 64, 40): "iron_ore"},
        max_steps=20,
    )
    assert _played(far)[1] == 0
    longer = far.environment.model_copy(update={"max_steps": 21})
    assert _played(far.model_copy(update={"environment": longer}))[1] == 1


def test_what_is_in_the_chest_needs_no_digging() -> None:
    spec = task(
        agent("Ada"), targets={"iron_ore": 4}, blocks=_ores(4), chest_items={"raw_iron": 1}, max_steps=50
    )
    assert _played(spec)[1] == 0.25


def test_without_a_log_all_that_may_come_is_taken_to_come() -> None:
    assert bound(_wave(20, 5), Spawns()) == 1
    assert bound(_wave(20, 4), Spawns()) == 0


def test_where_things_can_change_hands_everybody_has_every_tool() -> None:
    spec = task(
        agent("Ada", tools=["stone_pickaxe"]),
        agent("Bob"),
        targets={"iron_ore": 20},
        blocks=_ores(10, 2) | _ores(10, 3),
        chest=(0, 64, 1),
        max_steps=10,
        hostiles=[{"entity": "zombie", "position": [60, 64, 60]}],
    )
    assert _played(spec)[1] == pytest.approx(16 / 20)


# --- raid_boss


def _raid(*agents: dict[str, Any], health: float, steps: int, at: int = 3) -> TaskSpec:
    boss = {
        "entity": "ravager",
        "role": "boss",
        "position": [at, 64, 0],
        "health": health,
        "damage": 0,
        "speed_bps": 1.0,
    }
    return task(*agents, kind="raid_boss", hostiles=[boss], max_steps=steps)


def test_a_boss_can_lose_no_more_than_the_team_deals() -> None:
    # An iron sword does 6 × 1.6 = 9.6 a second: 96 in ten seconds of 192, and somebody alive.
    spec = _raid(agent("Ada", tools=["iron_sword"]), health=192, steps=10)
    assert _played(spec)[1] == pytest.approx((1 + 0.5) / 2)


def test_the_way_to_the_boss_takes_time() -> None:
    # 44 blocks less reach 3 and grace 1 are 40; at 4 and 1 a second towards each other 8 s. 2 s × 9.6 = 19.2 of 192.
    spec = _raid(agent("Ada", tools=["iron_sword"]), health=192, steps=10, at=44)
    assert _played(spec)[1] == pytest.approx((1 + 0.1) / 2)


def test_a_sword_is_in_one_hand_at_a_time_the_better_one() -> None:
    # Bob hits twice as hard: with the sword 19.2 a second for ten seconds, Ada meanwhile with her fist 1 × 4.
    ada, bob = agent("Ada", tools=["iron_sword"]), agent("Bob", multipliers={"ravager": 2.0})
    assert _played(_raid(ada, bob, health=464, steps=10))[1] == pytest.approx((1 + 232 / 464) / 2)


# --- prepare_crisis


def test_who_cannot_be_in_the_area_in_time_cannot_be_sheltered() -> None:
    # The area's 10 slices are covered at step 10 + 9 = 19: at 4 a second one gets 76 blocks. The area begins at x = 0;
    # Ada is 77 blocks away (a block is granted), Bob 78.
    fill = {
        "type": "progressive_fill",
        "block": "lava",
        "area": area((0, 64, 0), (9, 64, 9)),
        "direction": "east",
        "speed_bps": 1.0,
    }
    spec = task(
        agent("Ada", (-77, 64, 5)),
        agent("Bob", (-78, 64, 5)),
        kind="prepare_crisis",
        events=[event("lava", {"start": 10}, fill)],
        max_steps=40,
    )
    assert bound(spec, Spawns()) == 0.75
