"""progressive_fill (SPEC section 3): the first slice at the start, slice k once k / speed steps have passed."""

from __future__ import annotations

from typing import Any

import pytest

from engine.world.geometry import Cell
from engine.world.terrain import AIR
from tests.engine.build import Played, agent, area, custom, do, event, play

FAR = agent("Ada", (40, 64, 40))


def fill(low: Cell, high: Cell, direction: str = "east", block: str = "lava", **more: Any) -> dict[str, Any]:
    return {
        "type": "progressive_fill",
        "block": block,
        "area": area(low, high),
        "direction": direction,
        "speed_bps": 1,
        **more,
    }


def crisis(trigger: dict[str, Any], *actions: dict[str, Any]) -> dict[str, Any]:
    return event("crisis", trigger, *actions)


def filled(played: Played, block: str = "lava") -> list[tuple[int, set[Cell]]]:
    return [
        (tick, set(change.cells))
        for tick, change in played.of("blocks_changed")
        if change.source == "crisis" and change.block == block
    ]


BOX = (0, 64, 0), (3, 66, 2)


@pytest.mark.parametrize(
    ("direction", "axis", "order"),
    [
        ("east", 0, [0, 1, 2, 3]),
        ("west", 0, [3, 2, 1, 0]),
        ("up", 1, [64, 65, 66]),
        ("down", 1, [66, 65, 64]),
        ("south", 2, [0, 1, 2]),
        ("north", 2, [2, 1, 0]),
    ],
)
@pytest.mark.parametrize("block", ["lava", "water", "powder_snow", "stone", "cobweb"])
def test_a_fill_covers_its_area_slice_by_slice(
    direction: str, axis: int, order: list[int], block: str
) -> None:
    played = play(custom(FAR, events=[crisis({"start": 2}, fill(*BOX, direction, block))], max_steps=8))
    cells = [(x, y, z) for x in range(4) for y in (64, 65, 66) for z in range(3)]
    assert filled(played, block) == [
        (20 * (2 + k), {cell for cell in cells if cell[axis] == place}) for k, place in enumerate(order)
    ]
    (fired,) = [fired for _, fired in played.of("event_fired")]
    assert (fired.action, fired.subject, fired.wanted, fired.done) == (
        "progressive_fill",
        block,
        len(order),
        1,
    )


@pytest.mark.parametrize(
    ("speed", "slices"),
    [
        (0.4, {0: 1, 3: 1, 5: 1, 8: 1, 10: 1, 13: 1}),  # 2.5, 5, 7.5, 10, 12.5 steps, rounded up
        (0.1, {0: 1, 10: 1, 20: 1, 30: 1, 40: 1, 50: 1}),
        (1, {0: 1, 1: 1, 2: 1, 3: 1, 4: 1, 5: 1}),
        (2.5, {0: 1, 1: 2, 2: 3}),  # 2.5 and 5 slices after the first
        (20, {0: 1, 1: 5}),
    ],
)
def test_fractions_of_slices_add_up(speed: float, slices: dict[int, int]) -> None:
    task = custom(FAR, events=[crisis({}, fill((0, 64, 0), (5, 64, 0), speed_bps=speed))], max_steps=60)
    assert {tick / 20: len(cells) for tick, cells in filled(play(task))} == slices


def test_the_triggers_end_stops_it_and_its_interval_is_ignored() -> None:
    trigger = {"start": 2, "end": 4, "interval": 2}
    played = play(custom(FAR, events=[crisis(trigger, fill((0, 64, 0), (9, 64, 0)))], max_steps=20))
    assert [tick for tick, _ in filled(played)] == [40, 60, 80]


def test_a_fill_leaves_solid_blocks_chests_and_ground() -> None:
    blocks = {(1, 64, 0): "stone", (2, 64, 0): "torch"}
    spec = custom(
        FAR,
        blocks=blocks,
        chest=(3, 64, 0),
        events=[crisis({}, fill((0, 63, 0), (3, 64, 0)))],
        max_steps=5,
    )
    world = play(spec).episode._world
    assert [world.block((x, 64, 0)) for x in range(4)] == ["lava", "stone", "lava", "chest"]
    assert world.block((0, 63, 0)) == "grass_block"


def test_what_becomes_free_in_the_covered_part_is_covered_at_once() -> None:
    spec = custom(
        FAR,
        blocks={(1, 64, 0): "stone", (4, 64, 0): "stone"},
        events=[
            crisis({}, fill((0, 64, 0), (6, 64, 0))),
            event("dig", {"at": [3]}, {"type": "remove_blocks", "block": "stone", "area": area(*BOX)}),
            event(
                "dig_ahead",
                {"at": [1]},
                {"type": "remove_blocks", "block": "stone", "area": area((4, 64, 0), (4, 64, 0))},
            ),
        ],
        max_steps=6,
    )
    played = play(spec)
    assert (60, {(1, 64, 0)}) in filled(played)
    assert (80, {(4, 64, 0)}) in filled(played)  # when the crisis gets there, and not before


def test_what_an_agent_digs_free_floods_at_once() -> None:
    spec = custom(
        agent("Ada", (3, 65, 2), tools=["iron_pickaxe"]),
        blocks={(3, 64, 2): "stone", (3, 64, 0): "stone"},
        events=[crisis({}, fill((0, 64, 0), (6, 64, 0), speed_bps=20))],
        max_steps=6,
    )
    played = play(spec, Ada=[do("wait", duration=2), do("mine_blocks_at", block_positions=[[3, 64, 0]])])
    # Stone with an iron pickaxe: 1.5 × 30 / 6 = 7.5.
    assert (48, {(3, 64, 0)}) in filled(played)


def test_a_fill_that_a_condition_starts_counts_its_steps_from_then() -> None:
    # At tick 3 Ada enters x = 1 (half a block, 2.5 ticks).
    when = {"when": [{"agent_in_area": {"area": area((1, 64, 40), (9, 64, 40))}}]}
    spec = custom(
        agent("Ada", (0, 64, 40)),
        events=[crisis(when, fill((0, 64, 0), (3, 64, 0), speed_bps=2))],
        max_steps=6,
    )
    played = play(spec, Ada=[do("move_to", target_pos=[8, 64, 40])])
    assert [(tick, len(cells)) for tick, cells in filled(played)] == [(3, 1), (23, 2), (43, 1)]


# --- lava burns


def test_lava_burns_what_it_touches_and_takes_its_place_where_it_covers() -> None:
    # Planks within the area one cell ahead of the lava, beside it, and one further off; stone beside it.
    blocks = {
        (2, 64, 0): "oak_planks",
        (2, 64, 1): "oak_planks",
        (2, 64, 2): "oak_planks",
        (2, 64, -1): "stone",
        (1, 65, 0): "oak_log",
        (1, 66, 0): "oak_log",
    }
    played = play(custom(FAR, blocks=blocks, events=[crisis({}, fill((0, 64, 0), (3, 64, 0)))], max_steps=8))
    burnt = [
        (tick, set(change.cells)) for tick, change in played.of("blocks_changed") if change.cause == "fire"
    ]
    # Step 1: the lava at x = 1 touches the log over it and the planks ahead. Step 2: it takes x = 2 and touches
    # the planks beside it. What touches only what has burnt away stays.
    assert burnt == [(20, {(2, 64, 0), (1, 65, 0)}), (40, {(2, 64, 1)})]
    world = played.episode._world
    assert [world.block((x, 64, 0)) for x in range(4)] == ["lava"] * 4
    left = {cell: world.block(cell) for cell in blocks}
    assert left == blocks | {(2, 64, 0): "lava", (2, 64, 1): AIR, (1, 65, 0): AIR}


@pytest.mark.parametrize(
    ("block", "safe"), [("stone", True), ("oak_planks", False), ("crimson_planks", True)]
)
def test_what_stands_on_a_block_that_burns_falls_into_the_lava(block: str, safe: bool) -> None:
    # At step 1 the planks at x = 2 burn and Ada falls by one; at step 2 the lava comes to where she stands.
    spec = custom(
        agent("Ada", (2, 65, 0), max_health=100),
        blocks={(2, 64, 0): block},
        events=[crisis({}, fill((0, 64, -2), (6, 64, 2)))],
        max_steps=4,
    )
    played = play(spec)
    expected = [] if safe else [(40 + 10 * n, 96.0 - 4 * n, "lava") for n in range(5)]
    assert played.hurts("Ada") == expected
    assert played.episode._world.position("Ada") == (2, 65 if safe else 64, 0)


def test_planks_that_are_placed_beside_lava_burn_at_once() -> None:
    spec = custom(
        agent("Ada", (3, 64, 3), items={"oak_planks": 1}),
        events=[crisis({}, fill((0, 64, 0), (6, 64, 0), speed_bps=20))],
        max_steps=4,
    )
    played = play(
        spec, Ada=[do("wait", duration=1), do("build_floor", center_pos=[3, 64, 1], width=1, depth=1)]
    )
    told = [
        (tick, change.block, change.cause)
        for tick, change in played.of("blocks_changed")
        if (3, 64, 1) in change.cells
    ]
    assert told == [(30, "oak_planks", "agent"), (30, AIR, "fire")]


@pytest.mark.parametrize("block", ["water", "powder_snow"])
def test_only_lava_burns(block: str) -> None:
    blocks = {(2, 64, 0): "oak_planks"}
    events = [crisis({}, fill((0, 64, 0), (6, 64, 0), block=block))]
    world = play(custom(FAR, blocks=blocks, events=events, max_steps=8)).episode._world
    assert world.block((2, 64, 0)) == "oak_planks"


def test_a_fill_and_what_the_task_does_at_the_same_step_happen_in_the_order_of_the_file() -> None:
    stone = {"type": "set_blocks", "block": "stone", "area": area((2, 64, 0), (2, 64, 0))}
    flood = crisis({}, fill((0, 64, 0), (4, 64, 0), block="water"))

    def after(*events: dict[str, Any]) -> list[str]:
        played = play(custom(FAR, events=events, max_steps=6))
        return [
            change.block
            for tick, change in played.of("blocks_changed")
            if tick == 40 and (2, 64, 0) in change.cells
        ]

    assert after(flood, event("wall", {"at": [2]}, stone)) == ["water", "stone"]
    assert after(event("wall", {"at": [2]}, stone), flood) == ["stone"]


def test_the_damage_of_the_task_is_what_hurts() -> None:
    spec = custom(
        agent("Ada", (2, 64, 0)),
        events=[crisis({}, fill((0, 64, 0), (6, 64, 0), damage={"amount": 1, "every": 2}))],
        max_steps=6,
    )
    assert play(spec).hurts("Ada") == [(40, 19, "lava"), (80, 18, "lava"), (120, 17, "lava")]
