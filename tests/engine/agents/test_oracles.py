"""Heuristics of the oracles, on situations small enough to see what is right."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine.agents.oracles.breaching import Breach, breach
from engine.agents.policies import POLICIES
from engine.agents.policy import Policy, PolicyInfo, Setting
from engine.episode.run import run_episode
from engine.episode.settings import EpisodeSettings
from engine.episode.state import WorldState
from engine.events import Event
from engine.spec.model import TaskSpec
from engine.world.geometry import Cell
from tests.engine.build import agent, task

BOX = (
    [(x, 0) for x in (-1, 0, 1)] + [(x, 4) for x in (-1, 0, 1)] + [(x, z) for x in (-2, 2) for z in range(5)]
)
"""Columns of a wall round the nine cells x −1 … 1, z 1 … 3; Ada stands outside at z = −4."""


def _walled(*tools: str, height: int = 2, wall: str = "cobblestone") -> TaskSpec:
    """An iron ore in the middle of a box; 4 blocks a second are 5 ticks a block."""
    blocks: dict[Cell, str] = {(x, 64 + level, z): wall for x, z in BOX for level in range(height)}
    blocks[0, 64, 2] = "iron_ore"
    return task(
        agent("Ada", (0, 64, -4), tools=tools), targets={"iron_ore": 1}, blocks=blocks, chest=(0, 64, -8)
    )


def _log(spec: TaskSpec) -> list[Event]:
    events: list[Event] = []
    result = run_episode(spec, EpisodeSettings("oracle"), lambda event, _: events.append(event))
    assert result.status == "finished", result.error
    return events


def _of(events: list[Event], kind: str) -> list[Any]:
    return [event.payload for event in events if event.type == kind]


@pytest.fixture
def at_start(monkeypatch: pytest.MonkeyPatch) -> Callable[[TaskSpec], WorldState]:
    """Gives the state of a task's world after its first tick."""

    def read(spec: TaskSpec) -> WorldState:
        kept: list[WorldState] = []
        build = POLICIES["oracle"].build

        def keep(setting: Setting) -> Policy:
            kept.append(setting.state)
            return build(setting)

        monkeypatch.setitem(POLICIES, "oracle", PolicyInfo("oracle", "", "", keep))
        short = spec.environment.model_copy(update={"max_steps": 1})
        _log(spec.model_copy(update={"environment": short}))
        return kept[0]

    return read


def _breach(state: WorldState) -> Breach | None:
    return breach(state, state.agents["Ada"], (0, 64, -4), (0, 64, 2), reach=1.4)


def test_a_breach_takes_out_two_blocks_one_above_the_other(
    at_start: Callable[[TaskSpec], WorldState],
) -> None:
    way = _breach(at_start(_walled("stone_pickaxe")))
    # Cobblestone has hardness 2: ceil(30 × 2 ÷ 4) = 15 ticks each. Five steps to (0, 64, 1) at 5 ticks each.
    assert way == Breach(((0, 64, 0), (0, 65, 0)), 2 * 15 + 5 * 5)


def test_where_there_is_a_gap_that_is_nearer_than_a_breach_nothing_is_broken(
    at_start: Callable[[TaskSpec], WorldState],
) -> None:
    spec = _walled("stone_pickaxe")
    grid = [box for box in spec.environment.materials.grid if box.position not in {(1, 64, 0), (1, 65, 0)}]
    materials = spec.environment.materials.model_copy(update={"grid": grid})
    environment = spec.environment.model_copy(update={"materials": materials})
    way = _breach(at_start(spec.model_copy(update={"environment": environment})))
    # One step east and five south, to (1, 64, 1), which is a diagonal (1.41) and so too far, and one west.
    assert way == Breach((), 7 * 5)


def test_there_is_no_breach_through_what_no_tool_breaks(at_start: Callable[[TaskSpec], WorldState]) -> None:
    assert _breach(at_start(_walled("stone_pickaxe", wall="obsidian"))) is None
    assert _breach(at_start(_walled("diamond_pickaxe", wall="bedrock"))) is None


def test_the_miner_breaks_through_a_wall_and_brings_home_what_was_behind_it() -> None:
    events = _log(_walled("stone_pickaxe"))
    assert _of(events, "episode_ended")[0].success
    broken = [
        cell for change in _of(events, "blocks_changed") if change.cause == "agent" for cell in change.cells
    ]
    assert broken == [(0, 64, 0), (0, 65, 0), (0, 64, 2)]


def test_only_one_agent_breaks_through_a_wall() -> None:
    spec = _walled("stone_pickaxe")
    ada = spec.agents.spawn[0]
    team = [ada, ada.model_copy(update={"name": "Bruno", "position": (1, 64, -4)})]
    agents = spec.agents.model_copy(update={"spawn": team})
    two = spec.task.targets[0].model_copy(update={"count": 2})
    materials = spec.environment.materials
    ore = next(box for box in materials.grid if box.block == "iron_ore")
    grid = [*materials.grid, ore.model_copy(update={"position": (1, 64, 3)})]
    environment = spec.environment.model_copy(
        update={"materials": materials.model_copy(update={"grid": grid})}
    )
    spec = spec.model_copy(
        update={
            "agents": agents,
            "environment": environment,
            "task": spec.task.model_copy(update={"targets": [two]}),
        }
    )
    events = _log(spec)
    assert _of(events, "episode_ended")[0].success
    changes = [change for change in _of(events, "blocks_changed") if change.cause == "agent"]
    assert sum(len(change.cells) for change in changes) == 4


def test_the_miner_goes_home_when_its_load_has_cost_a_quarter_of_its_speed() -> None:
    logs: dict[Cell, str] = {(x, 64, 6): "oak_log" for x in range(8)}
    spec = task(agent("Ada", tools=["iron_axe"]), targets={"oak_log": 8}, blocks=logs, chest=(0, 64, -2))
    assert [change.count for change in _of(_log(spec), "chest_changed")] == [8]
    # The axe is one item, so four logs are the first five items: 5 × 0.05 = 0.25.
    mechanics = spec.environment.mechanics.model_validate(
        {"inventory_weight": {"free_items": 0, "slowdown_per_item": 0.05}}
    )
    heavy = spec.model_copy(
        update={"environment": spec.environment.model_copy(update={"mechanics": mechanics})}
    )
    assert [change.count for change in _of(_log(heavy), "chest_changed")] == [4, 8]


def _raid(*hostiles: dict[str, Any], chest: dict[str, int] | None = None, health: float = 20) -> TaskSpec:
    return TaskSpec.model_validate(
        {
            "task": {"type": "raid_boss", "id": "raid_v1", "goal": "fight"},
            "events": [],
            "agents": {"spawn": [agent("Ada", tools=["iron_sword"], max_health=health)]},
            "environment": {
                "max_steps": 60,
                "chests": [
                    {
                        "position": [0, 64, 5],
                        "items": {name: {"count": n} for name, n in (chest or {}).items()},
                    }
                ],
                "entities": {"hostiles": list(hostiles)},
            },
        }
    )


def _mob(entity: str, x: int, health: float, damage: float, role: str = "minion") -> dict[str, Any]:
    return {"entity": entity, "role": role, "position": [x, 64, 0], "health": health, "damage": damage}


def test_the_raider_goes_for_a_weak_boss_past_its_minions() -> None:
    events = _log(_raid(_mob("zombie", 2, 40, 1), _mob("ravager", -3, 20, 1, "boss")))
    assert [died.mob for died in _of(events, "mob_died")] == [2]
    assert _of(events, "episode_ended")[0].success


def test_the_raider_kills_a_weak_minion_that_hits_hard_before_a_boss_that_lasts() -> None:
    events = _log(_raid(_mob("zombie", 2, 6, 3), _mob("ravager", -3, 100, 0, "boss"), health=40))
    assert [died.mob for died in _of(events, "mob_died")] == [1, 2]


def test_the_raider_does_not_drink_under_blows() -> None:
    # 9.6 a second: the boss is dead after 100 ÷ 9.6 ≈ 10.6 s, and Ada, at two a second from 30, is below half by then.
    events = _log(_raid(_mob("ravager", 3, 100, 2, "boss"), chest={"healing_potion": 3}, health=30))
    assert _of(events, "episode_ended")[0].success
    assert min(change.health for change in _of(events, "agent_health_changed")) < 15
    assert {started.do for started in _of(events, "action_started")} == {"attack"}
