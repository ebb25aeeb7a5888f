from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from engine.dynamics.manager import DynamicsManager
from engine.dynamics.randomness import generator, shuffled_disc
from engine.episode.state import AgentState, WorldState
from engine.events import Payload
from engine.world.geometry import Cell, distance
from engine.world.terrain import AIR
from tests.engine.build import Stage, agent, task


class Wilds:
    """A stage where events happen."""

    def __init__(self, *events: dict[str, Any], seed: int = 0, **rest: Any) -> None:
        spec = task(agent("Ada", (0, 64, 0)), events=events, **rest)
        self.stage = Stage(spec)
        self.state = WorldState()
        for name in self.stage.world.bodies:
            self.state.agents[name] = AgentState(name, (0, 64, 0), 4, 16, 20, 20, {}, {})
        self.manager = DynamicsManager(spec, seed, self.stage.world, self.state, self.emit)
        self.stage.world.emit = self.emit

    def emit(self, payload: Payload) -> None:
        self.stage._emit(payload)
        self.state.apply(self.stage.tick, payload)
        self.manager.follow(payload)

    def run(self, until: int) -> None:
        while (tick := self.manager.next_tick()) is not None and tick <= until:
            self.stage._go(tick)
            self.manager.fire(tick)
            self.manager.expire(tick)

    def changes(self) -> list[tuple[int, str, str, int]]:
        return [
            (event.world_time, event.payload.block, event.payload.cause, len(event.payload.cells))
            for event in self.stage.events
            if event.type == "blocks_changed" and event.payload.cause != "setup"
        ]


def spawn(count: int = 3, radius: int = 6, center: Cell = (20, 64, 0), **more: Any) -> dict[str, Any]:
    return {
        "type": "spawn_blocks",
        "block": "gold_ore",
        "count": count,
        "center": list(center),
        "radius": radius,
    } | more


def event(name: str, trigger: dict[str, Any], *actions: dict[str, Any]) -> dict[str, Any]:
    return {"id": name, "trigger": trigger, "actions": list(actions)}


def test_blocks_appear_on_time_and_vanish_after_their_lifetime() -> None:
    wilds = Wilds(event("gold", {"start": 2, "end": 12, "interval": 5}, spawn(lifetime=4)))
    wilds.run(10_000)
    assert wilds.changes() == [
        (40, "gold_ore", "event", 3),
        (120, AIR, "lifetime", 3),
        (140, "gold_ore", "event", 3),
        (220, AIR, "lifetime", 3),
        (240, "gold_ore", "event", 3),
        (320, AIR, "lifetime", 3),
    ]


def test_blocks_appear_on_free_ground_within_the_radius() -> None:
    wilds = Wilds(event("gold", {}, spawn(count=80)), blocks={(20, 64, 0): "stone"})
    wilds.run(0)
    (change,) = [p for p in wilds.stage.of("blocks_changed") if p.cause == "event"]
    assert len(set(change.cells)) == 80
    assert (20, 64, 0) not in change.cells
    assert all(distance(cell, (20, 64, 0)) <= 6 for cell in change.cells)


def test_too_little_room_gives_fewer_and_the_log_says_so() -> None:
    # Within one block of the centre there are five cells; a stone takes one and Ada stands in another.
    wilds = Wilds(
        event("gold", {}, spawn(count=9, radius=1, center=(0, 64, 1))), blocks={(0, 64, 1): "stone"}
    )
    wilds.run(0)
    (fired,) = wilds.stage.of("event_fired")
    assert (fired.wanted, fired.done) == (9, 3)


def test_what_was_mined_does_not_vanish_again() -> None:
    wilds = Wilds(event("gold", {}, spawn(count=2, lifetime=4)))
    wilds.run(0)
    mined, left = wilds.stage.of("blocks_changed")[-1].cells
    wilds.stage.world.set_blocks([mined], AIR, cause="agent", source="Ada")
    wilds.stage.world.set_blocks([mined], "gold_ore", cause="agent", source="Ada")
    wilds.run(10_000)
    assert wilds.stage.world.block(mined) == "gold_ore"
    assert wilds.stage.world.block(left) == AIR


def test_events_of_one_step_fire_in_the_order_of_the_file() -> None:
    area = {"min": [5, 64, 5], "max": [5, 64, 5]}
    wilds = Wilds(
        event("second", {"at": [3]}, {"type": "set_blocks", "block": "stone", "area": area}),
        event("third", {"at": [3]}, {"type": "remove_blocks", "block": "stone", "area": area}),
    )
    wilds.run(10_000)
    assert wilds.changes() == [(60, "stone", "event", 1), (60, AIR, "event", 1)]


def test_removing_blocks_leaves_chests() -> None:
    area = {"min": [-1, 64, -11], "max": [1, 64, -9]}
    wilds = Wilds(event("sweep", {}, {"type": "remove_blocks", "area": area}), blocks={(1, 64, -9): "stone"})
    wilds.run(0)
    assert wilds.stage.world.block((0, 64, -10)) == "chest"
    assert wilds.stage.world.block((1, 64, -9)) == AIR


def test_a_probability_of_one_always_fires_and_one_of_zero_never() -> None:
    always = Wilds(event("gold", {"start": 0, "end": 9, "probability": 1.0}, spawn(count=1)))
    never = Wilds(event("gold", {"start": 0, "end": 9, "probability": 0.0}, spawn(count=1)))
    always.run(10_000)
    never.run(10_000)
    assert (len(always.changes()), len(never.changes())) == (10, 0)


def test_one_seed_gives_one_world_and_another_seed_another() -> None:
    def cells(seed: int) -> Any:
        wilds = Wilds(event("gold", {}, spawn(count=5)), seed=seed)
        wilds.run(0)
        return wilds.stage.of("blocks_changed")[-1].cells

    assert cells(7) == cells(7)
    assert cells(7) != cells(8)


def test_where_blocks_appear_does_not_depend_on_what_agents_did_before() -> None:
    quiet = Wilds(event("gold", {"at": [1, 2]}, spawn(count=3)))
    busy = Wilds(event("gold", {"at": [1, 2]}, spawn(count=3)))
    for wilds in (quiet, busy):
        wilds.run(20)
    busy.stage.world.set_blocks(busy.stage.of("blocks_changed")[-1].cells, AIR, cause="agent", source="Ada")
    for wilds in (quiet, busy):
        wilds.run(40)
    second = quiet.stage.of("blocks_changed")[-1].cells
    # The busy world may use a cell that was mined free; all others are the same.
    freed = set(busy.stage.of("blocks_changed")[-2].cells)
    assert [cell for cell in busy.stage.of("blocks_changed")[-1].cells if cell not in freed] == second[:3]


@given(radius=st.integers(0, 12), seed=st.integers(0, 99))
def test_the_shuffled_disc_holds_each_of_its_cells_once(radius: int, seed: int) -> None:
    cells = list(shuffled_disc((3, 64, -5), radius, generator(seed, "disc")))
    square = range(-radius, radius + 1)
    expected = {(3 + x, 64, z - 5) for x in square for z in square if x * x + z * z <= radius * radius}
    assert len(cells) == len(expected)
    assert set(cells) == expected
