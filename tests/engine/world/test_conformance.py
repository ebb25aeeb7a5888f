"""One suite for both worlds: the same task and the same plan come to the same, and take as long (SPEC section 12)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from engine.agents.plans import Step
from engine.episode.settings import WorldName
from engine.minecraft.versions import EMBEDDED
from engine.spec.model import TaskSpec
from tests.engine.build import Actors, Played, agent, area, custom, do, event, mob
from tests.engine.minecraft.beside import Beside
from tests.engine.minecraft.guest import Guest

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

PER_BLOCK = {"mine_blocks_at": 2}
"""Ticks by which each block may take longer or shorter (SPEC section 12)."""
WHOLE = {"build_floor": 5, "deposit_to_chest": 5, "get_from_chest": 5, "use_item": 5}
"""Ticks by which the whole action may, and any other by `LEAST`."""
LEAST = 2
MOVING = 0.10
"""Share of the time walked in it by which an action may take longer or shorter beside."""

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


def walked(played: Played, name: str) -> list[float]:
    """How many ticks of each of the agent's actions were walking, by the lengths of its paths."""
    found: list[float] = []
    for event_ in played.events:
        payload = event_.payload
        if event_.type == "action_started" and payload.agent == name:
            found.append(0)
        elif event_.type == "agent_moved" and payload.agent == name:
            found[-1] += 20 * sum(map(math.dist, payload.points, payload.points[1:])) / payload.speed_bps
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
    walks = walked(both["simulator"], name)
    actions = zip(ended(both["simulator"], name), ended(both["minecraft"], name), walks, strict=True)
    for ours, theirs, walk in actions:
        action, wanted, took = ours[0], ours[4], ours[-1]
        allowed = PER_BLOCK.get(action, 0) * wanted or WHOLE.get(action, LEAST)
        assert abs(theirs[-1] - took) <= allowed + MOVING * walk, (name, ours, theirs, walk)


@pytest.mark.parametrize("release", EMBEDDED[1:])
def test_other_releases_of_minecraft_come_to_the_same_and_take_as_long(release: str) -> None:
    spec = custom(
        agent("Miner", (40, 64, 0), tools=TOOLS),
        agent("Builder", (80, 64, 0), items={"cobblestone": 2}),
        agent("Porter", (0, 64, 50), items={"oak_log": 70}),
        agent("Fighter", (40, 64, 40), tools=("iron_sword",), items={"healing_potion": 1}),
        blocks={(42, 64, 0): "gold_ore", (44, 64, 0): "grass"},
        hostiles=[mob((42, 64, 40), "zombie", health=12)],
        chest=(0, 64, 52),
        max_steps=8,
        events=[event("hit", {"at": [1]}, {"type": "damage", "amount": 9, "agents": ["Fighter"]})],
    )
    lines = {
        "Miner": [
            do("find_blocks", block_types=["grass"]),
            do("mine_blocks_at", block_positions=[[42, 64, 0]]),
        ],
        "Builder": [do("build_floor", center_pos=[80, 64, 0], width=1, depth=1, height=1)],
        "Porter": [do("deposit_to_chest", chest_pos=[0, 64, 52], items=["oak_log"], quantities=[66])],
        "Fighter": [do("attack", entity_type="zombie"), do("use_item", item="healing_potion")],
    }
    ours = Played(spec, Actors(lines))
    theirs = Played(spec, Actors(lines), world="minecraft", release=release)
    for name, line in lines.items():
        wanted, found = ended(ours, name), ended(theirs, name)
        assert [row[:-1] for row in found] == [row[:-1] for row in wanted]
        assert len(found) == len(line)
        assert all(
            abs(a[-1] - b[-1]) <= WHOLE.get(a[0], LEAST) + 4 for a, b in zip(found, wanted, strict=True)
        )
    assert [row[1:] for row in theirs.hurts("Fighter")] == [row[1:] for row in ours.hurts("Fighter")]


def dangers() -> TaskSpec:
    """One agent for each thing that can happen to somebody."""
    apple = {"golden_apple": 1}
    agents = [
        agent("Ash", (0, 64, 0)),
        agent("Fern", (2, 64, 0), effects=["fire_resistance"]),
        agent("Ember", (3, 64, 20), max_health=60),
        agent("Wade", (40, 64, 0), max_health=60),
        agent("Snow", (80, 64, 0), max_health=60),
        agent("Posy", (0, 64, 40)),
        agent("Mara", (0, 64, 80)),
        agent("Knight", (40, 64, 40), items={"iron_chestplate": 1, "iron_helmet": 1}),
        agent("Icarus", (60, 70, 40)),
        agent("Stout", (80, 64, 40), effects=["resistance"]),
        agent("Eve", (100, 64, 40), items=apple),
        agent("Hasty", (120, 64, 40), tools=["iron_pickaxe"], effects=["haste"]),
    ]
    lava = {"type": "progressive_fill", "block": "lava", "direction": "east", "speed_bps": 1}
    water = {"type": "progressive_fill", "block": "water", "direction": "east", "speed_bps": 2}
    snow = {"type": "progressive_fill", "block": "powder_snow", "direction": "east", "speed_bps": 4}
    poison = {"type": "apply_effect", "effect": {"type": "poison", "seconds": 5}, "agents": ["Posy"]}
    blow = {"type": "damage", "amount": 5, "agents": ["Stout", "Eve"]}
    fall = {"type": "remove_blocks", "area": area((60, 64, 40), (60, 69, 40))}
    return custom(
        *agents,
        blocks={**{(60, y, 40): "stone" for y in range(64, 70)}, (122, 64, 40): "gold_ore"},
        hostiles=[mob((41, 64, 40), "zombie", damage=6)],
        events=[
            event("lava", {"start": 1, "end": 10}, {**lava, "area": area((-1, 64, -1), (4, 64, 1))}),
            event("embers", {"start": 1, "end": 10}, {**lava, "area": area((2, 64, 20), (4, 64, 20))}),
            event("water", {"start": 1, "end": 10}, {**water, "area": area((39, 64, -1), (46, 64, 1))}),
            event("snow", {"start": 1, "end": 10}, {**snow, "area": area((79, 64, -1), (90, 64, 1))}),
            event("poison", {"at": [2]}, poison),
            event("blow", {"at": [4]}, blow),
            event("fall", {"at": [3]}, fall),
        ],
        regions=[
            {
                "id": "swamp",
                "area": area((2, 64, 79), (12, 64, 81)),
                "effects": [{"type": "slowness", "amplifier": 1}],
            }
        ],
        max_steps=16,
    )


PERILS: dict[str, list[Step]] = {
    "Ember": [do("wait", duration=4), do("move_to", target_pos=[3, 64, 24])],
    "Snow": [do("wait", duration=4), do("move_to", target_pos=[88, 64, 0])],
    "Mara": [do("move_to", target_pos=[20, 64, 80])],
    "Eve": [do("use_item", item="golden_apple")],
    "Hasty": [do("mine_blocks_at", block_positions=[[122, 64, 40]])],
}
FATES = ("Ash", "Fern", "Wade", "Snow", "Posy", "Mara", "Knight", "Icarus", "Stout", "Eve")
LATE = 3
"""Ticks by which what happens to an agent may come sooner or later."""
FALL_TICKS = 25
"""Six blocks take Minecraft's gravity 22 ticks; the simulator needs none."""


@pytest.fixture(scope="module")
def perils() -> dict[str, Played]:
    """One episode full of dangers in each world."""
    worlds: tuple[WorldName, ...] = ("simulator", "minecraft")
    return {world: perform(world, dangers(), PERILS) for world in worlds}


@pytest.mark.parametrize("name", FATES)
def test_dangers_do_the_same(perils: dict[str, Played], name: str) -> None:
    ours, theirs = (perils[world].hurts(name) for world in ("simulator", "minecraft"))
    assert [row[1:] for row in theirs] == [row[1:] for row in ours]
    late = FALL_TICKS if name == "Icarus" else LATE
    assert all(abs(a[0] - b[0]) <= late for a, b in zip(ours, theirs, strict=True)), (ours, theirs)


def test_burning_goes_on_after_the_fire(perils: dict[str, Played]) -> None:
    # Lava slows a player down in Minecraft, so there may be a bite more of it; then 1 a second for five seconds.
    for played in perils.values():
        causes = [cause for _, _, cause in played.hurts("Ember")]
        assert causes.count("burning") == 5
        assert causes.index("burning") == causes.count("lava")


def test_the_same_agents_die_and_effects_come_and_go_alike(perils: dict[str, Played]) -> None:
    ours, theirs = perils["simulator"], perils["minecraft"]
    deaths = [[(p.agent, p.cause) for _, p in played.of("agent_died")] for played in (ours, theirs)]
    assert deaths == [[("Ash", "lava"), ("Knight", "zombie")]] * 2
    effects = [
        sorted(
            (p.agent, p.effect, p.amplifier)
            for _, p in played.of("effect_changed")
            if p.amplifier is not None
        )
        for played in (ours, theirs)
    ]
    assert effects[0] == effects[1]
    assert ("Mara", "slowness", 1) in effects[0]


def test_effects_and_crises_change_how_long_things_take(perils: dict[str, Played]) -> None:
    for name in ("Snow", "Mara", "Hasty"):
        ours, theirs = (ended(perils[world], name)[-1] for world in ("simulator", "minecraft"))
        assert theirs[:-1] == ours[:-1]
        assert abs(theirs[-1] - ours[-1]) <= LEAST + MOVING * ours[-1], (name, ours, theirs)


def test_neither_a_guest_nor_another_episode_beside_it_changes_an_episode(
    perils: dict[str, Played], tmp_path: Path
) -> None:
    with Beside(tmp_path) as beside:
        guest = Guest((0, 64, 0), "Ember", beside.start)
        again = Played(dangers(), Actors(PERILS), world="minecraft", control=guest)
        status, result = beside.finish()
    assert len(again.lines) > 200
    assert again.lines == perils["minecraft"].lines
    assert guest.saw.pop("to")[2] > 21
    assert guest.saw == {"mode": "spectator", "block": "air", "from": [3.5, 64, 20.5]}
    # And what became of the other: a bot that is lost is an error, and no failure of the task.
    assert status == 1
    assert (result["status"], result["success"]) == ("error", None)
    assert "lost its connection" in result["error"]
    assert result["steps"] > 0
