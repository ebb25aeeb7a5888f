"""What holds in every episode, tried on random tasks with the oracle and with players who do as they please."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.episode.run import Episode
from engine.episode.settings import Unhurried
from engine.episode.state import WorldState
from engine.evaluation.bounds import Spawns, bound
from engine.events import Event
from engine.simulator.world import ACTION_LIMIT, SimulatedWorld
from engine.spec.model import TaskSpec
from engine.world import rules
from engine.world.geometry import Cell, distance
from engine.world.terrain import AIR
from tests.engine.build import Played, Stage, agent, custom, mob, task
from tests.engine.episode.wild import BLOCKS, Whim, spots, wild_tasks

TOOLS = ["iron_pickaxe", "golden_axe", "wooden_pickaxe", "diamond_axe", "stone_shovel"]
ORES = ["oak_log", "gold_ore", "stone"]
HEALERS = {"regeneration", "instant_health"}


@st.composite
def mines(draw: st.DrawFn) -> TaskSpec:
    """A few agents, a scatter of stones, and waves of targets that come and go."""
    places: list[Cell] = draw(
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
            place,
            tools=draw(st.lists(st.sampled_from(TOOLS), unique=True, max_size=2)),
            speed_bps=draw(st.sampled_from([2.0, 4.317, 6.0])),
            perception_range=draw(st.sampled_from([3.0, 16.0])),
        )
        for i, place in enumerate(places)
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
        for i, block in enumerate(draw(st.lists(st.sampled_from(ORES), min_size=1, max_size=2, unique=True)))
    ]
    wanted = {event["actions"][0]["block"]: draw(st.integers(1, 6)) for event in events}
    return task(
        *agents,
        targets=wanted,
        events=events,
        blocks=dict.fromkeys(stones - set(places), "stone"),
        max_steps=draw(st.integers(5, 40)),
    )


class Watchman(Unhurried):
    """Looks, whenever time moves on, whether the log tells the truth and agents perceive what they may."""

    def __init__(self) -> None:
        self.episode: Episode | None = None

    def before(self, tick: int) -> None:
        assert self.episode is not None
        world: SimulatedWorld | None = getattr(self.episode, "_world", None)
        if world is None:
            return
        state = self.episode._state
        agrees(state, world)
        for name in world.bodies:
            perceives_just_what_is_near(state, world, name)


def agrees(state: WorldState, world: SimulatedWorld) -> None:
    """The log alone tells what the world is like."""
    tick = world.tick
    for name, body in world.bodies.items():
        told = state.agents[name]
        assert (told.alive, told.health, told.inventory) == (
            body.alive,
            body.health,
            body.inventory.as_dict(),
        )
        assert told.at(tick) == body.at(tick)
    assert state.chests == {cell: chest.as_dict() for cell, chest in world.chests.items()}
    assert {cell: placed.block for cell, placed in state.placed.items()} == {
        cell: block for cell, block in world.terrain._changed.items() if block != AIR
    }
    told_mobs = {number: one for number, one in state.mobs.items() if one.alive}
    assert told_mobs.keys() == world.mobs.living.keys()
    for number, living in world.mobs.living.items():
        assert (told_mobs[number].health, told_mobs[number].at(tick)) == (living.health, living.at(tick))


def perceives_just_what_is_near(state: WorldState, world: SimulatedWorld, name: str) -> None:
    here = world.position(name)
    for radius in (2.5, 1_000):
        sight = min(radius, state.agents[name].perception_range)
        blocks = {
            cell: placed.block for cell, placed in state.placed.items() if distance(cell, here) <= sight
        }
        assert {sighting.cell: sighting.block for sighting in world.sense(name, radius)} == blocks
        mobs = {
            number
            for number, one in state.mobs.items()
            if one.alive and one.health > 0 and distance(one.at(world.tick), here) <= sight
        }
        assert {sighting.number for sighting in world.sense_mobs(name, radius)} == mobs


def total(stores: Iterable[dict[str, int]]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for store in stores:
        counts.update(store)
    return counts


def items_are_conserved(spec: TaskSpec, events: list[Event], world: SimulatedWorld) -> None:
    """Items come from broken blocks and go into placed ones and mouths; else they are carried, stored or lie there."""
    stocks = [*(one.inventory for one in spec.agents.spawn), *(chest.items for chest in spec.all_chests)]
    expected = total({item: stack.count for item, stack in stock.items()} for stock in stocks)
    state = WorldState()
    begun: dict[str, Any] = {}
    for event in events:
        payload = event.payload
        if event.type == "blocks_changed" and payload.cause == "agent":
            (cell,) = payload.cells
            if payload.block == AIR:
                expected.update(rules.block(state.terrain.block(cell)).drops)
            else:
                expected[payload.block] -= 1
        elif event.type == "action_started":
            begun[payload.agent] = payload.with_
        elif event.type == "action_ended" and payload.do == "use_item" and payload.outcome == "ok":
            expected[begun[payload.agent]["item"]] -= 1
        state.apply(event.world_time, payload)
    found = total(
        [
            *(body.inventory.as_dict() for body in world.bodies.values()),
            *(chest.as_dict() for chest in world.chests.values()),
            *({drop.item: drop.count} for drop in world.drops._lying.values()),
        ]
    )
    assert +found == +expected
    assert not -expected


def health_has_causes(spec: TaskSpec, events: list[Event]) -> None:
    """Each change starts where the last one ended; what heals is an effect, and one that is at work."""
    most = {one.name: one.capabilities.max_health for one in spec.agents.spawn}
    health = dict(most)
    at_work: set[tuple[str, str]] = set()
    for event in events:
        payload = event.payload
        if event.type == "effect_changed":
            change = at_work.discard if payload.amplifier is None else at_work.add
            change((payload.agent, payload.effect))
        elif event.type == "agent_health_changed":
            name = payload.agent
            assert payload.health == pytest.approx(health[name] + payload.delta, abs=1e-5)
            assert 0 <= payload.health <= most[name]
            assert payload.absorption >= 0
            if payload.delta > 0:
                assert payload.cause in HEALERS
                assert payload.cause != "regeneration" or (name, "regeneration") in at_work
            health[name] = payload.health


def actions_end_in_time(events: list[Event]) -> None:
    """Every action has one end within its bound, and an agent does one thing at a time.

    It takes a tick at least, unless death or another plan comes at the tick at which it began.
    """
    running: dict[str, tuple[int, str]] = {}
    cut_short = {
        (event.world_time, event.payload.agent)
        for event in events
        if event.type in ("plan_set", "agent_died")
    }
    for event in events:
        if event.type == "action_started":
            assert event.payload.agent not in running
            running[event.payload.agent] = (event.world_time, event.payload.id)
        elif event.type == "action_ended":
            began, name = running.pop(event.payload.agent)
            assert name == event.payload.id
            least = 0 if (event.world_time, event.payload.agent) in cut_short else 1
            assert least <= event.world_time - began <= ACTION_LIMIT
            assert 0 <= event.payload.done <= event.payload.wanted
            assert (event.payload.outcome == "ok") is (event.payload.reason == "")
            assert (event.payload.outcome == "failed") is (
                event.payload.done == 0 and event.payload.reason != ""
            )
    dead = {event.payload.agent for event in events if event.type == "agent_died"}
    assert not dead & running.keys()


def nobody_mines_what_is_not_there(events: list[Event]) -> None:
    state = WorldState()
    for event in events:
        payload = event.payload
        if event.type == "blocks_changed" and payload.cause == "agent":
            (cell,) = payload.cells
            was = state.terrain.block(cell)
            if payload.block == AIR:
                assert was not in (AIR, "water", "lava")
                assert rules.block(was).hardness is not None
            else:
                assert not rules.block(was).solid
        state.apply(event.world_time, payload)


def the_dead_are_left_alone(events: list[Event]) -> None:
    """After its death an agent loses what it carried and ends what it was doing; what it hit last may die of it."""
    dead: set[str] = set()
    for event in events:
        if event.type == "agent_died":
            assert event.payload.agent not in dead
            dead.add(event.payload.agent)
        elif getattr(event.payload, "agent", None) in dead:
            assert event.type in ("inventory_changed", "action_ended", "mob_died"), event
            assert event.type != "action_ended" or event.payload.reason
            assert event.type != "inventory_changed" or event.payload.count == 0


def everybody_does_one_thing_at_every_tick(played: Played) -> None:
    for lane in played.result.breakdown.values():
        spent = lane.planning + lane.action + lane.idle + lane.dead
        assert spent == pytest.approx(played.result.steps)


def keeps_the_rules(spec: TaskSpec, played: Played) -> None:
    world = played.episode._world
    assert isinstance(world, SimulatedWorld)
    items_are_conserved(spec, played.events, world)
    health_has_causes(spec, played.events)
    actions_end_in_time(played.events)
    nobody_mines_what_is_not_there(played.events)
    the_dead_are_left_alone(played.events)
    everybody_does_one_thing_at_every_tick(played)
    state = WorldState()
    for event in played.events:
        state.apply(event.world_time, event.payload)
    agrees(state, world)
    assert (played.result.partial_score == 1.0) is (played.result.success is True)


@settings(max_examples=60)
@given(spec=mines(), seed=st.integers(0, 9), policy=st.sampled_from(["oracle-greedy", "oracle"]))
def test_every_episode_of_an_oracle_keeps_the_rules_and_the_bound(
    spec: TaskSpec, seed: int, policy: str
) -> None:
    first, again = (Played(spec, policy, seed) for _ in range(2))
    keeps_the_rules(spec, first)
    assert first.lines == again.lines
    spawns = Spawns()
    for event in first.events:
        spawns.take(event.world_time, event.payload)
    assert first.result.partial_score <= bound(spec, spawns)


@settings(max_examples=100)
@given(spec=wild_tasks(), seed=st.integers(0, 99), mode=st.sampled_from(["sync", "async"]))
def test_every_episode_keeps_the_rules_whatever_happens_and_whatever_agents_try(
    spec: TaskSpec, seed: int, mode: Any
) -> None:
    first = Played(spec, Whim(spec, seed), seed, mode=mode, control=Watchman())
    keeps_the_rules(spec, first)
    assert Played(spec, Whim(spec, seed), seed, mode=mode).lines == first.lines


near = st.dictionaries(spots, st.sampled_from(BLOCKS), max_size=6)
far = st.dictionaries(
    st.tuples(st.integers(30, 60), st.just(64), st.integers(-60, 60)), st.sampled_from(BLOCKS), max_size=6
)


@settings(max_examples=60)
@given(
    here=near, there=far, mobs=st.lists(spots, max_size=3), others=st.sets(st.integers(30, 60), max_size=3)
)
def test_what_is_out_of_sight_changes_nothing_that_an_agent_is_told(
    here: dict[Cell, str], there: dict[Cell, str], mobs: list[Cell], others: set[int]
) -> None:
    here = {cell: block for cell, block in here.items() if cell != (0, 64, 0)}

    def told(blocks: dict[Cell, str], places: list[Cell]) -> list[object]:
        # Two steps away nothing of what is 30 blocks east is within 16 blocks; mobs do not move that fast.
        stage = Stage(custom(agent("Ada"), blocks=blocks, hostiles=[mob(place) for place in places]))
        reports: list[object] = []
        for action, parameters in (
            ("find_blocks", {"block_types": BLOCKS, "count": 50}),
            ("find_entities", {"entity_types": ["zombie"], "count": 50}),
            ("scout_blocks_at", {"target_pos": (1, 64, 1), "max_distance": 500}),
            ("attack", {"entity_type": "skeleton"}),
        ):
            stage.begin("Ada", action, **parameters)
            reports.append(stage.finish("Ada"))
        return [*reports, stage.world.sense("Ada", 500), stage.world.sense_mobs("Ada", 500)]

    assert told(here, mobs) == told(here | there, [*mobs, *((x, 64, 0) for x in sorted(others))])
