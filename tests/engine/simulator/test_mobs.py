"""Mobs: whom they hunt, how they get there, and what their blows do. Times are worked by hand."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from engine.world.geometry import Cell
from engine.world.terrain import AIR
from tests.engine.build import Stage, agent, custom, mob

ADA = agent("Ada")


def hunter(position: Cell, **more: Any) -> dict[str, Any]:
    """A zombie at 3 blocks a second that hits for 4."""
    return mob(position, **{"speed_bps": 3.0, "damage": 4} | more)


def walks(stage: Stage, number: int = 1) -> list[int]:
    return [tick for tick, moved in stage.at("mob_moved") if moved.mob == number]


def test_a_mob_comes_and_hits_at_once_and_then_once_a_second_until_its_prey_is_dead() -> None:
    # From 10 blocks to 2 blocks away: 8 blocks at 3 a second, 53.3 ticks.
    stage = Stage(custom(ADA, hostiles=[hunter((10, 64, 0))]))
    stage.run(500)
    assert stage.hurts("Ada") == [(54 + 20 * n, 16.0 - 4 * n, "zombie") for n in range(5)]
    assert [(tick, died.cause) for tick, died in stage.at("agent_died")] == [(134, "zombie")]
    assert walks(stage) == [0]


@pytest.mark.parametrize(("away", "hunts"), [(32, True), (33, False)])
def test_a_mob_sees_as_far_as_32_blocks(away: int, hunts: bool) -> None:
    stage = Stage(custom(ADA, hostiles=[hunter((away, 64, 0))]))
    stage.run(100)
    assert bool(walks(stage)) is hunts


def test_a_mob_that_saw_nobody_looks_again_each_second() -> None:
    # Ada comes from 36 blocks away, 0.2 blocks a tick: within 32 from tick 20 on.
    stage = Stage(custom(ADA, hostiles=[hunter((36, 64, 0))]))
    stage.begin("Ada", "move_to", target_pos=(30, 64, 0))
    stage.run(40)
    assert walks(stage)[0] == 20


def test_of_two_agents_the_nearer_is_hunted_and_of_two_as_near_the_first_listed() -> None:
    stage = Stage(
        custom(
            agent("Ada", (-5, 64, 0)),
            agent("Ben", (4, 64, 0)),
            hostiles=[hunter((0, 64, 0)), hunter((-1, 64, 1)), hunter((0, 64, -9))],
        )
    )
    stage.run(0)
    ends = {moved.mob: moved.points[-1] for moved in stage.of("mob_moved")}
    assert ends[1][0] > 0  # 5 away from Ada, 4 from Ben
    assert ends[2][0] < 0  # 4.1 and 5.1
    stage = Stage(custom(agent("Ada", (-5, 64, 0)), agent("Ben", (5, 64, 0)), hostiles=[hunter((0, 64, 0))]))
    stage.run(0)
    assert stage.of("mob_moved")[0].points[-1][0] < 0


def test_a_mob_turns_to_whoever_comes_nearer_on_its_way() -> None:
    # It goes to Ada, 28 blocks east, at one block a second. Ben comes from 30 blocks south at 4 a second. At tick 10
    # Ada is 27.5 and Ben 28.004 away; at tick 20 it is 27 and 26.02.
    stage = Stage(
        custom(
            agent("Ada", (28, 64, 0)),
            agent("Ben", (0, 64, 30)),
            hostiles=[hunter((0, 64, 0), speed_bps=1.0)],
        )
    )
    stage.begin("Ben", "move_to", target_pos=(0, 64, 4))
    stage.run(25)
    (first, to_ada), (second, to_ben) = stage.at("mob_moved")
    assert (first, to_ada.points[-1][2]) == (0, 0)
    assert second == 20
    assert to_ben.points[-1][2] > 10


def test_a_mob_goes_on_after_a_prey_that_runs_away_from_its_blow() -> None:
    # It hits at tick 0; ten ticks later Ada is 4 blocks away.
    stage = Stage(custom(ADA, hostiles=[hunter((2, 64, 0))]))
    stage.begin("Ada", "move_to", target_pos=(-30, 64, 0))
    stage.run(15)
    assert stage.hurts("Ada") == [(0, 16, "zombie")]
    assert walks(stage) == [10]


def test_a_faster_mob_catches_up_and_hits_once_a_second_at_the_most() -> None:
    stage = Stage(custom(agent("Ada", max_health=100), hostiles=[hunter((6, 64, 0), speed_bps=6.0)]))
    stage.begin("Ada", "move_to", target_pos=(-60, 64, 0))
    stage.run(300)
    ticks = [tick for tick, _, _ in stage.hurts("Ada")]
    assert len(ticks) > 5
    assert all(later - earlier >= 20 for earlier, later in pairwise(ticks))


def test_a_mob_reaches_whoever_stopped_between_two_cells() -> None:
    # After 16 ticks on the diagonal Ada stands at 2.442, 2.442: nearest to the cell 2, 2, from which the mob's is
    # 1.41 away, but 2.04 from the mob itself. One tick of 0.15 blocks brings it within 2.
    stage = Stage(custom(agent("Ada", speed_bps=4.317)))
    stage.begin("Ada", "move_to", target_pos=(10, 64, 10))
    stage.run(16)
    stage.world.interrupt("Ada")
    stage.world.spawn_mob("zombie", "minion", (1, 64, 1), health=None, damage=4, speed=3.0, source="")
    stage.run(17)
    assert stage.hurts("Ada") == [(17, 16, "zombie")]


WALL: dict[Cell, str] = {(5, y, z): "stone" for y in (64, 65) for z in range(-2, 3)}


def test_a_mob_walks_round_walls() -> None:
    stage = Stage(custom(ADA, blocks=WALL, hostiles=[hunter((8, 64, 0))]))
    stage.run(200)
    way = next(moved.points for moved in stage.of("mob_moved"))
    assert max(abs(z) for _, _, z in way) == 3
    assert stage.hurts("Ada")


def test_a_wall_that_appears_before_a_mob_is_walked_round_too() -> None:
    stage = Stage(custom(ADA, hostiles=[hunter((8, 64, 0))]))
    stage.run(7)
    stage.world.set_blocks(list(WALL), "stone", cause="event", source="wall")
    stage.run(60)
    assert walks(stage) == [0, 7]
    assert max(abs(z) for _, _, z in stage.of("mob_moved")[1].points) == 3


def test_a_mob_that_finds_no_way_stands_and_tries_again() -> None:
    tower = {(0, y, 0): "stone" for y in (64, 65, 66)}
    stage = Stage(custom(agent("Ada", (0, 67, 0)), blocks=tower, hostiles=[hunter((8, 64, 0))]))
    stage.run(100)
    assert walks(stage) == []
    assert stage.hurts("Ada") == []
    stage.world.set_blocks([(0, 66, 0), (0, 65, 0)], AIR, cause="event", source="quake")
    stage.run(130)
    assert walks(stage) == [100]  # startled by the fall


def test_armour_takes_its_part_of_a_blow() -> None:
    # Iron armour: 15 points, no toughness. 8 × (1 − (15 − 4 × 8 / 8) / 25) = 4.48.
    suit = {f"iron_{piece}": 1 for piece in ("helmet", "chestplate", "leggings", "boots")}
    stage = Stage(custom(agent("Ada", items=suit), hostiles=[hunter((2, 64, 0), damage=8)]))
    stage.run(0)
    assert stage.hurts("Ada") == [(0, 15.52, "zombie")]


def test_armour_does_not_help_against_lava_falls_and_events() -> None:
    suit = {f"netherite_{piece}": 1 for piece in ("helmet", "chestplate", "leggings", "boots")}
    stage = Stage(custom(agent("Ada", items=suit)))
    stage.world.set_blocks([(0, 64, 0)], "lava", cause="event", source="crisis")
    stage.world.hurt("Ada", 5)
    assert stage.hurts("Ada") == [(0, 16, "lava"), (0, 11, "event")]


@pytest.mark.parametrize(
    ("entity", "difficulty", "health", "damage"),
    [
        ("zombie", "normal", 20, 3),
        ("zombie", "hard", 20, 4.5),
        ("zombie", "easy", 20, 2.5),
        ("zombie", "peaceful", 20, 0),
        ("wither_skeleton", "normal", 20, 8),
        ("cow", "hard", 10, 0),
    ],
)
def test_what_a_task_leaves_out_is_the_vanilla_mobs(
    entity: str, difficulty: str, health: float, damage: float
) -> None:
    plain = {"entity": entity, "position": [9, 64, 0]}
    stage = Stage(custom(ADA, hostiles=[plain], difficulty=difficulty))
    (spawned,) = stage.of("mob_spawned")
    assert (spawned.health, spawned.damage, spawned.speed_bps) == (health, damage, 3.0)


def test_bosses_and_minions_say_what_they_are() -> None:
    stage = Stage(custom(ADA, hostiles=[mob((9, 64, 0), role="boss", health=240), mob((9, 64, 3))]))
    assert [(m.role, m.health, m.source) for m in stage.of("mob_spawned")] == [
        ("boss", 240, ""),
        ("minion", 20, ""),
    ]


def test_a_mob_with_a_lifetime_goes_when_it_is_over_and_hits_no_more() -> None:
    stage = Stage(custom(ADA))
    stage.world.spawn_mob(
        "zombie", "minion", (2, 64, 0), health=None, damage=4, speed=3.0, source="x", vanish_tick=40
    )
    stage.run(200)
    assert [tick for tick, _, _ in stage.hurts("Ada")] == [0, 20]  # gone before its turn at tick 40
    assert [(tick, gone.cause) for tick, gone in stage.at("mob_despawned")] == [(40, "lifetime")]
    assert stage.world.living_mobs() == []


def test_when_its_prey_is_dead_a_mob_hunts_the_next() -> None:
    stage = Stage(
        custom(agent("Ada", max_health=4), agent("Ben", (-10, 64, 0)), hostiles=[hunter((2, 64, 0))])
    )
    stage.run(100)
    assert [died.agent for died in stage.of("agent_died")] == ["Ada"]
    # From x = 2 to 2 blocks from Ben: 10 blocks, 66.7 ticks.
    assert stage.hurts("Ben")[0] == (67, 16, "zombie")


def test_without_anybody_alive_mobs_stand() -> None:
    stage = Stage(custom(agent("Ada", max_health=4), hostiles=[hunter((2, 64, 0))]))
    stage.run(100)
    assert walks(stage) == []


def test_a_mob_whose_ground_goes_comes_down_and_hunts_on() -> None:
    pillar = {(6, y, 0): "stone" for y in range(64, 70)}
    stage = Stage(custom(ADA, blocks=pillar, hostiles=[hunter((6, 70, 0))]))
    stage.run(10)
    assert walks(stage) == []
    stage.world.set_blocks(list(pillar), AIR, cause="event", source="quake")
    stage.run(200)
    # From x = 6 to 2 blocks from Ada: 4 blocks, 26.7 ticks.
    assert stage.of("mob_stopped")[0].position == (6, 64, 0)
    assert stage.hurts("Ada")[0] == (37, 16, "zombie")
    assert not stage.of("mob_health_changed")
