"""Random tasks with everything that a task can have, and players who do whatever comes into their heads."""

from __future__ import annotations

from random import Random
from typing import Any

from hypothesis import strategies as st

from engine.agents.plans import Plan, Step
from engine.agents.policy import Call, Moment, Policy, Reply
from engine.spec.model import TaskSpec
from engine.world.geometry import Cell
from tests.engine.build import agent, area, event, task

TOOLS = ["iron_pickaxe", "golden_axe", "wooden_pickaxe", "diamond_axe", "stone_shovel", "iron_sword"]
GOODS = {
    "cobblestone": 40,
    "oak_planks": 9,
    "golden_apple": 2,
    "healing_potion": 1,
    "spider_eye": 1,
    "bread": 3,
}
BLOCKS = ["oak_log", "gold_ore", "stone", "oak_planks", "dirt", "torch"]
CRISES = ["lava", "water", "powder_snow", "gravel"]
EFFECTS = [
    "speed",
    "slowness",
    "regeneration",
    "poison",
    "fire_resistance",
    "absorption",
    "resistance",
    "haste",
]
MOBS = ["zombie", "skeleton"]
REACH = 5
CHESTS: tuple[Cell, ...] = ((3, 64, 3), (-3, 64, -3))

spots = st.tuples(st.integers(-REACH, REACH), st.just(64), st.integers(-REACH, REACH))


@st.composite
def areas(draw: st.DrawFn, height: int = 2) -> dict[str, Any]:
    (x, y, z), width, depth = draw(spots), draw(st.integers(0, 6)), draw(st.integers(0, 6))
    return area((x, y, z), (x + width, y + draw(st.integers(0, height)), z + depth))


@st.composite
def happenings(draw: st.DrawFn) -> dict[str, Any]:
    """One event action of any kind."""
    kind = draw(
        st.sampled_from(
            "fill blocks mobs set remove despawn effect damage message region".split()  # noqa: SIM905
        )
    )
    where, centre = draw(areas()), list(draw(spots))
    block, lifetime = draw(st.sampled_from(BLOCKS)), draw(st.none() | st.integers(1, 9))
    match kind:
        case "fill":
            return {
                "type": "progressive_fill",
                "block": draw(st.sampled_from(CRISES)),
                "area": area((-REACH, 64, -REACH), (REACH, 64 + draw(st.integers(0, 2)), REACH)),
                "direction": draw(st.sampled_from(["east", "west", "north", "south", "up", "down"])),
                "speed_bps": draw(st.sampled_from([1, 2.5, 7])),
            }
        case "blocks":
            spread = {"center": centre, "radius": draw(st.integers(0, 6)), "lifetime": lifetime}
            return {"type": "spawn_blocks", "block": block, "count": draw(st.integers(1, 6)), **spread}
        case "mobs":
            spread = {"center": centre, "radius": draw(st.integers(0, 6)), "lifetime": lifetime}
            figures = {"health": 9, "damage": draw(st.sampled_from([0, 1.5])), "speed_bps": 3.5}
            entity = draw(st.sampled_from(MOBS))
            return (
                {"type": "spawn_entities", "entity": entity, "count": draw(st.integers(1, 3))}
                | spread
                | figures
            )
        case "set":
            return {
                "type": "set_blocks",
                "block": draw(st.sampled_from([*BLOCKS, "air", "water"])),
                "area": where,
            }
        case "remove":
            return {"type": "remove_blocks", "block": draw(st.none() | st.just(block)), "area": where}
        case "despawn":
            return {"type": "despawn_entities", "count": draw(st.none() | st.integers(1, 2))}
        case "effect":
            seconds = draw(st.none() | st.integers(1, 9))
            effect = {
                "type": draw(st.sampled_from(EFFECTS)),
                "amplifier": draw(st.integers(0, 2)),
                "seconds": seconds,
            }
            return {"type": "apply_effect", "effect": effect, "area": draw(st.none() | st.just(where))}
        case "damage":
            return {"type": "damage", "amount": draw(st.sampled_from([0.5, 3, 11])), "area": where}
        case "message":
            return {"type": "message", "text": "mind the gap"}
        case _:
            return {"type": "set_region", "region": "zone", "active": draw(st.booleans()), "area": where}


@st.composite
def triggers(draw: st.DrawFn) -> dict[str, Any]:
    kind = draw(st.sampled_from(["once", "often", "listed", "when", "maybe"]))
    start = draw(st.integers(0, 8))
    choices: dict[str, dict[str, Any]] = {
        "once": {"start": start},
        "often": {"start": start, "interval": 4},
        "listed": {"at": [start, start + 1]},
        "when": {"when": [{"agent_in_area": {"area": draw(areas()), "count": 1}}]},
        "maybe": {"start": start, "interval": 2, "probability": 0.5},
    }
    return choices[kind]


@st.composite
def wild_tasks(draw: st.DrawFn) -> TaskSpec:
    """A task of any kind with whatever a task can have."""
    places = draw(
        st.lists(spots.filter(lambda spot: spot not in CHESTS), min_size=1, max_size=4, unique=True)
    )
    team = [
        agent(
            f"Bot{i}",
            place,
            tools=draw(st.lists(st.sampled_from(TOOLS), unique=True, max_size=3)),
            items=draw(st.dictionaries(st.sampled_from(list(GOODS)), st.integers(1, 9), max_size=3)),
            effects=draw(st.lists(st.sampled_from(EFFECTS), unique=True, max_size=1)),
            speed_bps=draw(st.sampled_from([2.0, 4.317, 6.0])),
            perception_range=draw(st.sampled_from([3.0, 16.0])),
            max_health=draw(st.sampled_from([20.0, 4.0, 60.0])),
        )
        for i, place in enumerate(places)
    ]
    taken = {*places, *CHESTS}
    blocks = draw(st.dictionaries(spots, st.sampled_from(BLOCKS), min_size=5, max_size=25))
    zone = {
        "id": "zone",
        "area": draw(areas()),
        "effects": [{"type": draw(st.sampled_from(EFFECTS))}],
        "active": draw(st.booleans()),
    }
    events = [
        event(f"event{i}", draw(triggers()), *draw(st.lists(happenings(), min_size=1, max_size=2)))
        for i in range(draw(st.sampled_from([0, 2, 3, 4])))
    ]
    hostiles = [
        {"entity": draw(st.sampled_from(MOBS)), "position": list(draw(spots)), "health": 8, "damage": 1}
        for _ in range(draw(st.integers(0, 3)))
    ]
    steps = draw(st.integers(10, 30))
    return task(
        *team,
        kind="custom",
        success=[{"step_reached": steps}],
        events=events,
        blocks={cell: block for cell, block in blocks.items() if cell not in taken},
        chest=CHESTS[0],
        chest_items=draw(st.dictionaries(st.sampled_from(list(GOODS)), st.integers(1, 9), max_size=3)),
        hostiles=hostiles,
        regions=[zone],
        mechanics={"inventory_weight": {"free_items": 5, "slowdown_per_item": 0.02}}
        if draw(st.booleans())
        else {},
        max_steps=steps,
    )


class Whim(Policy):
    """A policy that draws plans, possible and impossible, from a generator of its own."""

    def __init__(self, spec: TaskSpec, seed: int) -> None:
        self._names = [one.name for one in spec.agents.spawn]
        self._blocks = [list(grid.position) for grid in spec.environment.materials.grid]
        self._random = Random(seed)

    def calls(self, moment: Moment) -> list[Call]:
        random = self._random
        chosen = [name for name in self._names if name in moment.idle or random.random() < 0.1]
        plans = {name: self._plan() for name in chosen}
        latency = random.choice([0.0, 0.3])
        return [self._call(name, plan, latency) for name, plan in plans.items()]

    @staticmethod
    def _call(name: str, plan: Plan, latency: float) -> Call:
        return Call((name,), lambda: Reply({name: plan}, latency_s=latency))

    def _plan(self) -> Plan:
        steps = []
        for number in range(self._random.randint(0, 4)):
            after = (str(self._random.randrange(number)),) if number and self._random.random() < 0.3 else ()
            name, parameters = self._action()
            steps.append(Step(str(number), name, parameters, after))
        return Plan(tuple(steps))

    def _cell(self) -> list[int]:
        random = self._random
        if self._blocks and random.random() < 0.6:
            return random.choice(self._blocks)
        return [
            random.randint(-REACH, REACH),
            random.choice([63, 64, 64, 64, 65, 66]),
            random.randint(-REACH, REACH),
        ]

    def _action(self) -> tuple[str, dict[str, Any]]:
        random = self._random
        item = random.choice([*GOODS, *TOOLS, "oak_log", "raw_gold"])
        chest = {"chest_pos": random.choice([list(CHESTS[0]), self._cell()]), "items": [item]}
        chest["quantities"] = [random.randint(1, 9)]
        choices: list[tuple[str, dict[str, Any]]] = [
            ("scout_blocks_at", {"target_pos": self._cell(), "max_distance": random.randint(1, 30)}),
            ("mine_blocks_at", {"block_positions": [self._cell() for _ in range(random.randint(1, 3))]}),
            (
                "build_floor",
                {"center_pos": self._cell(), "width": 2, "depth": random.randint(1, 2), "height": 2},
            ),
            ("move_to", {"target_pos": self._cell()}),
            ("deposit_to_chest", chest),
            ("get_from_chest", chest),
            ("find_entities", {"entity_types": ["zombie"], "count": 2}),
            ("find_blocks", {"block_types": ["stone", "oak_log"], "count": 3, "max_distance": 8}),
            ("attack", {"entity_type": random.choice(MOBS)}),
            ("equip_item", {"item": item}),
            ("use_item", {"item": random.choice([item, "golden_apple", "spider_eye"])}),
            ("wait", {"duration": random.randint(1, 3)}),
            ("wait", {"duration": 99}),
            ("move_to", {"target_pos": [1, 2]}),
            ("dance", {}),
        ]
        return random.choice(choices)
