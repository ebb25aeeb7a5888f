"""What holds in every episode, tried on random small tasks."""

from __future__ import annotations

from collections import Counter
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.episode.run import Episode
from engine.episode.settings import EpisodeSettings, Unhurried
from engine.episode.state import WorldState
from engine.events import Event
from engine.simulator.world import ACTION_LIMIT
from engine.spec.model import TaskSpec
from engine.world import rules
from engine.world.geometry import Cell
from tests.engine.build import agent, task

TOOLS = ["iron_pickaxe", "golden_axe", "wooden_pickaxe", "diamond_axe", "stone_shovel"]
BLOCKS = ["oak_log", "gold_ore", "stone"]


@st.composite
def tasks(draw: st.DrawFn) -> TaskSpec:
    """A few agents, a scatter of stones, and waves of targets that come and go."""
    spots: list[Cell] = draw(
        st.lists(
            st.tuples(st.integers(-6, 6), st.just(64), st.integers(-6, 6)),
            min_size=2,
            max_size=4,
            unique=True,
        )
    )
    agents = [
        agent(
            f"Bot{i}",
            spot,
            tools=draw(st.lists(st.sampled_from(TOOLS), unique=True, max_size=2)),
            speed_bps=draw(st.sampled_from([2.0, 4.317, 6.0])),
            perception_range=draw(st.sampled_from([3.0, 16.0])),
        )
        for i, spot in enumerate(spots)
    ]
    stones = draw(st.sets(st.tuples(st.integers(-8, 8), st.just(64), st.integers(-8, 8)), max_size=20))
    events: list[dict[str, Any]] = [
        {
            "id": f"wave{i}",
            "trigger": {"start": draw(st.integers(0, 5)), "end": 30, "interval": draw(st.integers(2, 9))},
            "actions": [
                {
                    "type": "spawn_blocks",
                    "block": block,
                    "count": draw(st.integers(1, 4)),
                    "center": [0, 64, 0],
                    "radius": 9,
                    "lifetime": draw(st.integers(2, 12)),
                }
            ],
        }
        for i, block in enumerate(
            draw(st.lists(st.sampled_from(BLOCKS), min_size=1, max_size=2, unique=True))
        )
    ]
    wanted = {event["actions"][0]["block"]: draw(st.integers(1, 6)) for event in events}
    return task(
        *agents,
        targets=wanted,
        events=events,
        blocks=dict.fromkeys(stones - set(spots), "stone"),
        max_steps=draw(st.integers(5, 40)),
    )


def run(spec: TaskSpec, seed: int) -> tuple[Episode, list[Event], list[bytes]]:
    events: list[Event] = []
    lines: list[bytes] = []

    def sink(event: Event, line: bytes) -> None:
        events.append(event)
        lines.append(line)

    episode = Episode(spec, EpisodeSettings(seed=seed), sink, Unhurried())
    result = episode.run()
    assert result.status == "finished", result.error
    return episode, events, lines


def total(*stores: dict[str, int]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for store in stores:
        counts.update(store)
    return counts


@settings(max_examples=60, deadline=None)
@given(spec=tasks(), seed=st.integers(0, 9))
def test_every_episode_keeps_the_rules(spec: TaskSpec, seed: int) -> None:
    episode, events, lines = run(spec, seed)
    world = episode._world

    # Items come from broken blocks and from nowhere else; they are carried, stored or on the ground.
    at_start = total(*({item: stack.count for item, stack in a.inventory.items()} for a in spec.agents.spawn))
    state = WorldState()
    broken: Counter[str] = Counter()
    for event in events:
        payload = event.payload
        if event.type == "blocks_changed" and payload.cause == "agent":
            (cell,) = payload.cells
            broken.update(rules.block(state.terrain.block(cell)).drops)
        state.apply(event.world_time, payload)
    inventories = [body.inventory.as_dict() for body in world.bodies.values()]
    lying = [{drop.item: drop.count} for drop in world.drops._lying.values()]
    assert (
        total(*inventories, *(chest.as_dict() for chest in world.chests.values()), *lying)
        == at_start + broken
    )

    # The log alone tells what the world is like.
    end = events[-1].world_time
    for name, body in world.bodies.items():
        assert state.agents[name].inventory == body.inventory.as_dict()
        assert state.agents[name].at(end) == body.at(end)
    assert state.chests == {cell: chest.as_dict() for cell, chest in world.chests.items()}
    assert {cell: placed.block for cell, placed in state.placed.items()} == {
        cell: block for cell, block in world.terrain._changed.items() if block != "air"
    }

    # Every action that began has one end within its bound, and an agent does one thing at a time.
    running: dict[str, tuple[int, str]] = {}
    for event in events:
        if event.type == "action_started":
            assert event.payload.agent not in running
            running[event.payload.agent] = (event.world_time, event.payload.id)
        elif event.type == "action_ended":
            began, name = running.pop(event.payload.agent)
            assert name == event.payload.id
            assert 1 <= event.world_time - began <= ACTION_LIMIT

    # Nobody mines what is not there.
    standing: dict[Cell, str] = {}
    for event in events:
        if event.type == "blocks_changed":
            for cell in event.payload.cells:
                if event.payload.cause == "agent":
                    assert standing[cell] != "air"
                standing[cell] = event.payload.block

    assert run(spec, seed)[2] == lines
