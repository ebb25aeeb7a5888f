"""One suite for both worlds: the same task and the same plan come to the same, and take as long (SPEC section 12)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from engine.agents.plans import Step
from engine.episode.settings import WorldName
from engine.spec.model import TaskSpec
from tests.engine.build import Actors, Played, agent, custom, do, event, mob

TOOLS = ("iron_pickaxe", "iron_axe", "iron_sword")


def stage(**more: Any) -> TaskSpec:
    """Agents with a part of the field for themselves each, two at one chest, and something of everything."""
    agents = [
        agent("Walker", (0, 64, 0), speed_bps=4.317),
        agent("Miner", (40, 64, 0), tools=TOOLS, perception_range=32),
        agent("Builder", (80, 64, 0), items={"cobblestone": 12}, perception_range=32),
        agent("Porter", (0, 64, 40), items={"oak_log": 70, "stone": 3}, perception_range=32),
        agent("Fighter", (40, 64, 40), tools=("iron_sword",), items={"healing_potion": 2, "golden_apple": 1}),
        agent("Seer", (80, 64, 40), perception_range=12),
        agent("Castor", (2, 64, 52), perception_range=32),
        agent("Pollux", (0, 64, 54), perception_range=32),
    ]
    blocks = {
        **{(42, 64, z): "gold_ore" for z in (0, 2)},
        (44, 64, 0): "oak_log",
        (44, 64, 2): "stone",
        (46, 64, 0): "obsidian",
        **{(x, y, 3): "stone" for x in range(-3, 4) for y in (64, 65)},
        (86, 64, 40): "gold_ore",
        (88, 64, 40): "iron_ore",
    }
    hostiles = [mob((43, 64, 40), "zombie", health=24), mob((84, 64, 44), "skeleton", health=20)]
    return custom(
        *agents,
        blocks=blocks,
        hostiles=hostiles,
        chest=(0, 64, 52),
        chest_items={"bread": 3, "apple": 2},
        max_steps=60,
        events=[event("hit", {"at": [1]}, {"type": "damage", "amount": 9, "agents": ["Fighter"]})],
        **more,
    )


LINES: dict[str, list[Step]] = {
    "Walker": [
        do("move_to", target_pos=[20, 64, 0]),
        do("move_to", target_pos=[20, 64, 18]),
        do("move_to", target_pos=[6, 64, 4]),
        do("move_to", target_pos=[0, 66, 3]),
        do("wait", duration=2),
        do("scout_blocks_at", target_pos=[-12, 64, 0]),
    ],
    "Miner": [
        do("mine_blocks_at", block_positions=[[42, 64, 0]]),
        do("mine_blocks_at", block_positions=[[42, 64, 2], [44, 64, 0], [44, 64, 2]]),
        do("mine_blocks_at", block_positions=[[46, 64, 0]]),
        do("mine_blocks_at", block_positions=[[42, 64, 0], [50, 64, 0]]),
    ],
    "Builder": [
        do("build_floor", center_pos=[82, 64, 0], width=2, depth=2, height=1),
        do("build_floor", center_pos=[80, 64, 0], width=1, depth=1, height=1),
        do("build_floor", center_pos=[84, 64, 4], width=3, depth=3, height=1),
    ],
    "Porter": [
        do("deposit_to_chest", chest_pos=[0, 64, 52], items=["oak_log"], quantities=[66]),
        do("deposit_to_chest", chest_pos=[0, 64, 52], items=["stone"], quantities=[5]),
        do("get_from_chest", chest_pos=[0, 64, 52], items=["bread", "oak_log"], quantities=[2, 3]),
        do("get_from_chest", chest_pos=[9, 64, 52], items=["bread"], quantities=[1]),
    ],
    "Fighter": [
        do("equip_item", item="iron_sword"),
        do("attack", entity_type="zombie"),
        do("use_item", item="healing_potion"),
        do("use_item", item="golden_apple"),
        do("use_item", item="iron_sword"),
        do("equip_item", item="stone"),
        do("attack", entity_type="zombie"),
    ],
    "Castor": [do("get_from_chest", chest_pos=[0, 64, 52], items=["apple"], quantities=[1])],
    "Pollux": [do("get_from_chest", chest_pos=[0, 64, 52], items=["apple"], quantities=[1])],
    "Seer": [
        do("find_blocks", block_types=["gold_ore", "iron_ore"], count=2),
        do("find_entities", entity_types=["skeleton"], count=1),
        do("find_entities", entity_types=["zombie"], count=1),
        do("scout_blocks_at", target_pos=[84, 64, 40]),
    ],
}

TOLERANCES = {
    "mine_blocks_at": 2,
    "build_floor": 5,
    "deposit_to_chest": 5,
    "get_from_chest": 5,
    "use_item": 5,
}
"""Ticks by which an action may take longer or shorter; what walking there is in it has its share beside."""
LEAST = 2
MOVING = 0.10

Ended = tuple[str, str, str, int, int, str, int]
"""Action, outcome, reason, done, wanted, detail, duration in ticks."""


def ended(played: Played, name: str) -> list[Ended]:
    """How the agent's actions went, one after the other."""
    found: list[Ended] = []
    began = 0
    for event_ in played.events:
        payload = event_.payload
        if event_.type == "action_started" and payload.agent == name:
            began = event_.world_time
        elif event_.type == "action_ended" and payload.agent == name:
            took = event_.world_time - began
            found.append(
                (
                    payload.do,
                    payload.outcome,
                    payload.reason,
                    payload.done,
                    payload.wanted,
                    payload.detail,
                    took,
                )
            )
    return found


def perform(world: WorldName, spec: TaskSpec, lines: Mapping[str, Sequence[Step]]) -> Played:
    return Played(spec, Actors(lines), world=world)


@pytest.fixture(scope="module")
def both() -> dict[str, Played]:
    """One episode in each world."""
    return {
        "simulator": perform("simulator", stage(), LINES),
        "minecraft": perform("minecraft", stage(), LINES),
    }


@pytest.mark.parametrize("name", LINES)
def test_actions_come_to_the_same(both: dict[str, Played], name: str) -> None:
    ours, theirs = (ended(both[world], name) for world in ("simulator", "minecraft"))
    assert len(ours) == len(LINES[name])
    assert [row[:-1] for row in theirs] == [row[:-1] for row in ours]


@pytest.mark.parametrize("name", LINES)
def test_actions_take_as_long(both: dict[str, Played], name: str) -> None:
    for ours, theirs in zip(ended(both["simulator"], name), ended(both["minecraft"], name), strict=True):
        action, took = ours[0], ours[-1]
        allowed = TOLERANCES.get(action, LEAST) + MOVING * took
        assert abs(theirs[-1] - took) <= allowed, (name, ours, theirs)
