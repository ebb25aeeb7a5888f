"""Every kind of condition, on a state that was told by hand: how much there is, and how much is needed."""

from __future__ import annotations

from typing import Any

import pytest

from engine.episode.state import WorldState
from engine.evaluation.conditions import all_hold, amount, holds
from engine.events import payloads
from engine.events.payloads import AgentStart, ChestStart, Payload
from engine.spec.model import Condition
from tests.engine.build import area


def start(name: str, position: tuple[int, int, int], **inventory: int) -> AgentStart:
    return AgentStart(
        name=name,
        position=position,
        max_health=20,
        speed_bps=4,
        perception_range=16,
        damage_multipliers={},
        inventory=inventory,
        effects=[],
    )


def spawned(number: int, entity: str, role: str = "minion") -> payloads.MobSpawned:
    return payloads.MobSpawned(
        mob=number,
        entity=entity,
        role=role,
        position=(50, 64, 0),
        health=20,
        damage=1,
        speed_bps=3,
        source="",
        vanish_tick=None,
    )


def placed(block: str, cause: str, *cells: tuple[int, int, int]) -> payloads.BlocksChanged:
    return payloads.BlocksChanged(block=block, cells=list(cells), cause=cause, source="x", vanish_tick=None)


STORY: list[tuple[int, Payload]] = [
    (
        0,
        payloads.EpisodeStarted(
            engine_version="0",
            task_id="t",
            task_type="custom",
            task_digest="",
            goal="",
            policy="",
            model=None,
            mode="sync",
            world="simulator",
            seed=0,
            max_steps=100,
            ground_y=63,
            agents=[
                start("Ada", (0, 64, 0), bread=2),
                start("Ben", (5, 64, 0), bread=3),
                start("Cleo", (9, 64, 0)),
            ],
            chests=[
                ChestStart(position=(0, 64, 9), items={"bread": 4}),
                ChestStart(position=(5, 64, 9), items={"bread": 1, "stone": 7}),
            ],
            checkpoints=[],
        ),
    ),
    (0, spawned(1, "zombie")),
    (0, spawned(2, "zombie")),
    (0, spawned(3, "skeleton", "boss")),
    (10, placed("stone", "agent", (1, 64, 1), (2, 64, 1), (3, 64, 1))),
    (10, placed("oak_planks", "agent", (4, 64, 1))),
    (11, placed("stone", "event", (8, 64, 8))),
    (12, placed("air", "event", (3, 64, 1))),
    (12, placed("lava", "event", (2, 64, 1))),
    (20, payloads.MobDied(mob=1, agent="Ada", position=(50, 64, 0))),
    (20, payloads.MobDespawned(mob=2, cause="event")),
    (30, payloads.AgentDied(agent="Cleo", cause="lava", position=(9, 64, 0))),
    (40, payloads.AgentMoved(agent="Ada", points=[(0, 64, 0), (8, 64, 0)], speed_bps=4)),
]
NOW = 60  # Ada is at x = 4


@pytest.fixture(scope="module")
def state() -> WorldState:
    told = WorldState()
    for tick, payload in STORY:
        told.apply(tick, payload)
    return told


@pytest.mark.parametrize(
    ("condition", "have", "need"),
    [
        ({"all_alive": True}, 2, 3),
        ({"alive_at_least": 2}, 2, 2),
        ({"alive_at_least": 3}, 2, 3),
        ({"chest_contains": {"item": "bread", "count": 5}}, 5, 5),  # both chests together
        ({"chest_contains": {"item": "stone", "count": 8}}, 7, 8),
        ({"chest_contains": {"item": "diamond"}}, 0, 1),
        ({"inventory_contains": {"item": "bread", "count": 5}}, 5, 5),
        ({"inventory_contains": {"item": "bread", "count": 3, "agent": "Ada"}}, 2, 3),
        ({"inventory_contains": {"item": "bread", "agent": "Cleo"}}, 0, 1),
        ({"entity_dead": {"entity": "zombie"}}, 1, 1),
        ({"entity_dead": {"entity": "skeleton"}}, 0, 1),
        ({"entity_dead": {"role": "minion"}}, 1, 1),
        ({"entity_dead": {"entity": "zombie", "role": "boss"}}, 0, 1),
        ({"entities_dead": {"entity": "zombie"}}, 1, 2),  # one went away, and was not killed
        ({"entities_dead": {"entity": "zombie", "count": 1}}, 1, 1),
        ({"entities_dead": {"role": "boss"}}, 0, 1),
        ({"entities_dead": {"entity": "witch"}}, 0, 1),  # there never was one
        ({"entities_dead": {}}, 1, 3),
        ({"blocks_placed": {"count": 3}}, 2, 3),  # one was cleared, one is lava now
        ({"blocks_placed": {"block": "stone"}}, 1, 1),
        ({"blocks_placed": {"block": "bricks"}}, 0, 1),
        (
            {"agent_in_area": {"area": area((4, 64, 0), (9, 64, 0))}},
            2,
            2,
        ),  # Ada on her way, Ben; not the dead
        ({"agent_in_area": {"area": area((5, 64, 0), (9, 64, 0))}}, 1, 2),
        ({"agent_in_area": {"area": area((5, 64, 0), (9, 64, 0)), "count": 1}}, 1, 1),
        ({"agent_in_area": {"area": area((5, 64, 0), (9, 64, 0)), "agent": "Ada"}}, 0, 1),
        ({"agent_in_area": {"area": area((5, 64, 0), (9, 64, 0)), "agent": "Cleo"}}, 0, 1),
        ({"agent_in_area": {"area": area((4, 65, 0), (9, 66, 0))}}, 0, 2),
        ({"step_reached": 3}, 3, 3),
        ({"step_reached": 4}, 3, 4),
        ({"step_reached": 0}, 3, 0),
        ({"all": [{"alive_at_least": 2}, {"step_reached": 4}]}, 1, 2),
        ({"all": [{"alive_at_least": 2}, {"step_reached": 3}]}, 2, 2),
        ({"any": [{"all_alive": True}, {"step_reached": 4}]}, 0, 1),
        ({"any": [{"all_alive": True}, {"step_reached": 3}]}, 1, 1),
        ({"not": {"all_alive": True}}, 1, 1),
        ({"not": {"step_reached": 3}}, 0, 1),
        ({"not": {"any": [{"all_alive": True}, {"all": [{"step_reached": 9}]}]}}, 1, 1),
    ],
)
def test_a_condition_is_met_when_there_is_as_much_as_it_needs(
    state: WorldState, condition: dict[str, Any], have: float, need: float
) -> None:
    parsed = Condition.model_validate(condition)
    assert amount(parsed, state, NOW) == (have, need)
    assert holds(parsed, state, NOW) is (have >= need)


def test_a_list_of_conditions_means_all(state: WorldState) -> None:
    alive, late = ({"alive_at_least": 2}, {"step_reached": 4})
    assert all_hold([Condition.model_validate(alive)], state, NOW)
    assert not all_hold([Condition.model_validate(one) for one in (alive, late)], state, NOW)


def test_when_nobody_lives_nobody_is_anywhere() -> None:
    state = WorldState()
    for tick, payload in STORY[:1]:
        state.apply(tick, payload)
    for name in ("Ada", "Ben", "Cleo"):
        state.apply(5, payloads.AgentDied(agent=name, cause="lava", position=(0, 64, 0)))
    everywhere = Condition.model_validate({"agent_in_area": {"area": area((-99, 0, -99), (99, 99, 99))}})
    assert amount(everywhere, state, 5) == (0, 1)
