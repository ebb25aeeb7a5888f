"""Success and partial scores of all task types, played out (SPEC sections 7 and 13)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from engine.episode.run import run_episode
from engine.episode.settings import EpisodeSettings
from engine.episode.state import WorldState
from engine.evaluation.scores import completion, needed_items, partial_score, score_for
from engine.events import Event
from engine.events.payloads import Checkpoint
from engine.spec.loader import load_task
from engine.spec.model import TaskSpec
from engine.world.geometry import Cell
from tests.engine.build import Played, agent, area, do, event, mob, play, task

SAMPLES = Path(__file__).resolve().parents[3] / "tasks" / "samples"


def points(played: Played) -> dict[str, tuple[float, float]]:
    return {point.name: (point.have, point.need) for point in played.result.checkpoints}


def verdict(played: Played) -> tuple[bool | None, float]:
    return played.result.success, played.result.partial_score


@pytest.mark.parametrize(
    ("have", "need", "done"), [(0, 4, 0), (1, 4, 0.25), (4, 4, 1), (9, 4, 1), (-1, 4, 0), (0, 0, 1)]
)
def test_completion_is_a_share_from_nothing_to_all(have: float, need: float, done: float) -> None:
    assert completion(Checkpoint(name="x", have=have, need=need)) == done


def test_the_partial_score_is_the_mean_completion() -> None:
    told = [Checkpoint(name=str(n), have=n, need=4) for n in (0, 1, 4)]
    assert partial_score(told) == pytest.approx(1.25 / 3)


# --- mine_vanishing_blocks


def test_targets_that_drop_the_same_item_add_up() -> None:
    spec = task(agent("Ada"), targets={"gold_ore": 2, "deepslate_gold_ore": 3, "stone": 4})
    assert needed_items(spec) == {"raw_gold": 5, "cobblestone": 4}


def test_a_mine_scores_what_lies_in_chests_of_what_is_wanted() -> None:
    spec = task(
        agent("Ada", items={"oak_log": 1, "raw_gold": 9}),
        targets={"oak_log": 4, "gold_ore": 2},
        chest=(2, 64, 0),
        max_steps=2,
    )
    deposit = do("deposit_to_chest", chest_pos=[2, 64, 0], items=["oak_log", "raw_gold"], quantities=[1, 9])
    played = play(spec, Ada=[deposit])
    assert points(played) == {"deposit oak_log": (1, 4), "deposit raw_gold": (9, 2)}
    assert verdict(played) == (False, (0.25 + 1) / 2)


# --- raid_boss


def raid(*hostiles: dict[str, Any], **more: Any) -> TaskSpec:
    return task(
        agent("Ada", tools=["iron_sword"]),
        agent("Ben", (9, 64, 9)),
        kind="raid_boss",
        hostiles=hostiles,
        **{"max_steps": 5} | more,
    )


ATTACK = do("attack", entity_type="zombie")


def boss(position: Cell = (2, 64, 0), **more: Any) -> dict[str, Any]:
    return mob(position, role="boss", **more)


def test_a_raid_is_won_when_the_boss_is_dead_whatever_became_of_its_minions() -> None:
    played = play(raid(boss(), mob((3, 64, 0), "skeleton")), Ada=[ATTACK])
    assert played.end == (50, "the task is done")
    assert verdict(played) == (True, 1.0)
    assert points(played) == {"boss health": (20, 20), "somebody alive": (1, 1)}


def test_a_raid_that_is_not_won_scores_the_health_taken() -> None:
    # Blows of 6 at ticks 13, 25, 38 and at every further cooldown; 2 steps are 40 ticks.
    played = play(raid(boss(health=100), max_steps=2), Ada=[ATTACK])
    assert points(played) == {"boss health": (18, 100), "somebody alive": (1, 1)}
    assert verdict(played) == (False, (0.18 + 1) / 2)


def test_all_bosses_of_the_beginning_must_be_dead() -> None:
    bosses = (boss((2, 64, 0), health=6), boss((0, 64, 2), health=6))
    played = play(raid(*bosses), Ada=[ATTACK])
    assert verdict(played) == (False, (0.5 + 1) / 2)
    played = play(raid(*bosses), Ada=[ATTACK, ATTACK])
    assert played.end == (26, "the task is done")
    assert verdict(played) == (True, 1.0)


def test_a_boss_that_comes_later_is_neither_asked_for_nor_counted() -> None:
    spawn = {
        "type": "spawn_entities",
        "entity": "zombie",
        "role": "boss",
        "count": 1,
        "health": 6,
        "damage": 0,
        "speed_bps": 0.001,
        "center": [2, 64, 0],
        "radius": 0,
    }
    first = mob((12, 64, 0), "skeleton", role="boss", health=50)
    played = play(raid(first, events=[event("more", {}, spawn)]), Ada=[ATTACK])
    assert [died.mob for _, died in played.of("mob_died")] == [2]
    assert verdict(played) == (False, 0.5)


def test_a_boss_that_is_taken_away_alive_cannot_be_killed_any_more() -> None:
    gone = event("gone", {"at": [2]}, {"type": "despawn_entities", "role": "boss"})
    played = play(raid(boss(health=500), events=[gone]))
    assert played.end == (40, "the task can no longer be done")
    assert verdict(played) == (False, 0.5)


def test_a_raid_in_which_all_die_is_lost() -> None:
    bolt = event("bolt", {"at": [1]}, {"type": "damage", "amount": 99})
    played = play(raid(boss(), events=[bolt]), Ada=[ATTACK])
    assert played.end == (20, "everyone is dead")
    assert points(played) == {"boss health": (6, 20), "somebody alive": (0, 1)}
    assert verdict(played) == (False, 0.15)


def test_fractions_of_health_do_not_keep_a_won_raid_from_full_marks() -> None:
    bosses = (boss((2, 64, 0), health=0.1), boss((0, 64, 2), health=0.2))
    assert verdict(play(raid(*bosses), Ada=[ATTACK, ATTACK])) == (True, 1.0)


# --- prepare_crisis

AREA = area((0, 64, 0), (8, 64, 4))  # one layer; covered 8 steps after the start at step 4


def prepare(*agents: dict[str, Any], block: str = "lava", **more: Any) -> TaskSpec:
    fill = {
        "type": "progressive_fill",
        "block": block,
        "area": AREA,
        "direction": "east",
        "speed_bps": 1,
        "damage": {"amount": 1, "every": 1},
    }
    return task(
        *agents,
        kind="prepare_crisis",
        events=[event("crisis", {"start": 4}, fill)],
        chest=(50, 64, 50),
        **more,
    )


def shelter(x: int, z: int) -> Any:
    return do("build_floor", center_pos=[x, 64, z], width=1, depth=1)


TEAM = (
    agent("Ada", (4, 64, 1), items={"cobblestone": 2}),
    agent("Ben", (6, 64, 3), items={"cobblestone": 2}),
)


def test_prepare_is_won_ten_steps_after_all_stand_on_what_they_built() -> None:
    played = play(prepare(*TEAM), Ada=[shelter(4, 1)], Ben=[shelter(6, 3)])
    assert played.end == (20 * (4 + 8 + 10), "the task is done")
    assert points(played) == {"alive": (2, 2), "sheltered": (2, 2)}
    assert verdict(played) == (True, 1.0)
    assert played.hurts("Ada") == []


def test_prepare_is_lost_as_soon_as_the_crisis_finds_somebody_without_shelter() -> None:
    played = play(prepare(*TEAM), Ada=[shelter(4, 1)])
    assert played.end == (20 * 12, "the task can no longer be done")
    assert points(played) == {"alive": (2, 2), "sheltered": (1, 2)}
    assert verdict(played) == (False, 0.75)


def test_walking_away_is_no_shelter() -> None:
    far = [do("move_to", target_pos=[40, 64, 0])]
    played = play(prepare(*TEAM), Ada=far, Ben=far)
    assert points(played) == {"alive": (2, 2), "sheltered": (0, 2)}
    assert verdict(played) == (False, 0.5)


def test_a_block_that_no_agent_placed_is_no_shelter() -> None:
    rock = agent("Ada", (4, 65, 1))
    played = play(prepare(rock, blocks={(4, 64, 1): "stone"}))
    assert points(played) == {"alive": (1, 1), "sheltered": (0, 1)}


def test_a_shelter_outside_the_area_is_none() -> None:
    played = play(prepare(agent("Ada", (4, 64, 6), items={"cobblestone": 1})), Ada=[shelter(4, 6)])
    assert points(played) == {"alive": (1, 1), "sheltered": (0, 1)}


def test_a_shelter_of_planks_burns_under_the_feet_of_its_builder() -> None:
    played = play(prepare(agent("Ada", (4, 64, 1), items={"oak_planks": 1})), Ada=[shelter(4, 1)])
    assert points(played) == {"alive": (1, 1), "sheltered": (0, 1)}
    played = play(
        prepare(agent("Ada", (4, 64, 1), items={"oak_planks": 1}), block="water"), Ada=[shelter(4, 1)]
    )
    assert verdict(played) == (True, 1.0)


def test_prepare_is_lost_with_the_first_death() -> None:
    frail = agent("Ben", (6, 64, 3), max_health=2)
    played = play(prepare(TEAM[0], frail), Ada=[shelter(4, 1)])
    # The lava reaches x = 6 at step 10 and does 1 a second: dead at step 11.
    assert played.end == (20 * 11, "the task can no longer be done")
    assert points(played) == {"alive": (1, 2), "sheltered": (1, 2)}
    assert verdict(played) == (False, 0.5)


def test_whoever_dies_in_the_ten_steps_after_the_crisis_loses_the_task() -> None:
    bolt = event("bolt", {"at": [21]}, {"type": "damage", "amount": 99, "agents": ["Ben"]})
    spec = prepare(*TEAM)
    spec = spec.model_copy(update={"events": [*spec.events, *task(events=[bolt]).events]})
    played = play(spec, Ada=[shelter(4, 1)], Ben=[shelter(6, 3)])
    assert played.end == (20 * 21, "the task can no longer be done")
    assert points(played) == {"alive": (1, 2), "sheltered": (2, 2)}
    assert verdict(played) == (False, 0.75)


# --- conditions


def test_a_custom_task_scores_its_conditions_one_by_one() -> None:
    spec = task(
        agent("Ada", items={"oak_log": 3}),
        kind="custom",
        success=[
            {"chest_contains": {"item": "oak_log", "count": 4}},
            {"step_reached": 2},
            {"not": {"all_alive": True}},
        ],
        chest=(2, 64, 0),
        max_steps=4,
    )
    deposit = do("deposit_to_chest", chest_pos=[2, 64, 0], items=["oak_log"], quantities=[3])
    played = play(spec, Ada=[deposit])
    assert points(played) == {"1. chest_contains": (3, 4), "2. step_reached": (4, 2), "3. not": (0, 1)}
    assert verdict(played) == (False, (0.75 + 1 + 0) / 3)


def test_a_custom_task_is_won_at_the_tick_at_which_all_conditions_hold() -> None:
    spec = task(agent("Ada"), kind="custom", success=[{"all_alive": True}, {"step_reached": 3}], max_steps=9)
    played = play(spec)
    assert played.end == (60, "the task is done")
    assert verdict(played) == (True, 1.0)


def test_conditions_take_the_place_of_a_types_own_rule() -> None:
    spec = raid(boss(health=500), success=[{"step_reached": 2}])
    assert verdict(play(spec)) == (True, 1.0)


# --- when to look


@pytest.mark.parametrize("sample", ["gold_rush", "wither_lord"])
def test_a_score_that_names_what_it_hears_changes_with_nothing_else(sample: str) -> None:
    spec = load_task(SAMPLES / f"{sample}.yaml").spec
    state = WorldState()
    score = score_for(spec, state)
    log: list[Event] = []
    run_episode(spec, EpisodeSettings(policy="oracle-greedy"), lambda event, _: log.append(event))
    assert score.hears is not None
    state.apply(0, log[0].payload)
    before, changes = (score.verdict(0), score.checkpoints(0)), 0
    for one in log[1:]:
        state.apply(one.world_time, one.payload)
        now = score.verdict(one.world_time), score.checkpoints(one.world_time)
        assert now == before or type(one.payload) in score.hears
        changes += now != before
        before = now
    assert changes > 1
    assert before[0] is True
