"""build_floor: 10 ticks a block, lowest layer first, in each layer what is nearest first."""

from __future__ import annotations

from typing import Any

from engine.world.geometry import Cell
from engine.world.protocol import ActionReport
from engine.world.terrain import AIR
from tests.engine.build import Stage, agent, custom


def summary(ended: tuple[int, ActionReport]) -> tuple[int, str, str, int, int]:
    tick, report = ended
    return tick, report.outcome, report.reason, report.done, report.wanted


def builder(count: int = 64, block: str = "cobblestone", **more: Any) -> Stage:
    return Stage(custom(agent("Ada", items={block: count}), **more))


def placed(stage: Stage) -> list[tuple[int, str, Cell]]:
    return [
        (tick, change.block, change.cells[0])
        for tick, change in stage.at("blocks_changed")
        if change.cause == "agent"
    ]


def test_a_floor_under_the_builder_is_built_from_near_to_far_with_its_own_place_last() -> None:
    stage = builder(9)
    stage.begin("Ada", "build_floor", center_pos=(0, 64, 0), width=3, depth=3)
    assert summary(stage.finish("Ada")) == (90, "ok", "", 9, 9)
    order = [(-1, 0), (0, -1), (0, 1), (1, 0), (-1, -1), (-1, 1), (1, -1), (1, 1), (0, 0)]
    assert placed(stage) == [(10 * n, "cobblestone", (x, 64, z)) for n, (x, z) in enumerate(order, 1)]
    assert stage.world.position("Ada") == (0, 65, 0)
    assert stage.world.bodies["Ada"].inventory.as_dict() == {}


def test_layers_lift_the_builder_one_by_one() -> None:
    stage = builder()
    stage.begin("Ada", "build_floor", center_pos=(0, 64, 0), width=1, depth=1, height=3)
    assert summary(stage.finish("Ada")) == (30, "ok", "", 3, 3)
    assert [cell for _, _, cell in placed(stage)] == [(0, 64, 0), (0, 65, 0), (0, 66, 0)]
    assert stage.world.position("Ada") == (0, 67, 0)


def test_an_even_width_reaches_one_further_east_and_south() -> None:
    stage = builder()
    stage.begin("Ada", "build_floor", center_pos=(3, 64, 0), width=2, depth=2)
    stage.finish("Ada")
    assert {cell for _, _, cell in placed(stage)} == {(3, 64, 0), (4, 64, 0), (3, 64, 1), (4, 64, 1)}


def test_a_far_floor_is_walked_to() -> None:
    # Within 4.5 of the nearest block, at x = 10, from x = 6 on: 30 ticks. The next, at x = 11, from x = 7: 5 ticks.
    stage = builder()
    stage.begin("Ada", "build_floor", center_pos=(10, 64, 0), width=2, depth=1)
    assert summary(stage.finish("Ada")) == (30 + 10 + 5 + 10, "ok", "", 2, 2)


def test_when_the_blocks_run_out_what_is_built_counts() -> None:
    stage = builder(4)
    stage.begin("Ada", "build_floor", center_pos=(0, 64, 0), width=3, depth=3)
    assert summary(stage.finish("Ada")) == (40, "partial", "missing_items", 4, 9)


def test_without_any_blocks_nothing_is_built() -> None:
    stage = Stage(custom(agent("Ada", tools=["iron_pickaxe"])))
    stage.begin("Ada", "build_floor", center_pos=(0, 64, 0), width=3, depth=3)
    assert summary(stage.finish("Ada")) == (1, "failed", "missing_items", 0, 9)


def test_what_stands_already_counts_and_costs_nothing() -> None:
    stage = builder(9, blocks={(x, 64, 1): "stone" for x in (-1, 0, 1)})
    stage.begin("Ada", "build_floor", center_pos=(0, 64, 0), width=3, depth=3)
    assert summary(stage.finish("Ada")) == (60, "ok", "", 9, 9)
    assert stage.world.bodies["Ada"].inventory.as_dict() == {"cobblestone": 3}


def test_a_floor_that_stands_already_takes_a_tick() -> None:
    stage = builder(9, blocks={(2, 64, 0): "stone"})
    stage.begin("Ada", "build_floor", center_pos=(2, 64, 0), width=1, depth=1)
    assert summary(stage.finish("Ada")) == (1, "ok", "", 1, 1)


def test_what_another_has_built_meanwhile_counts() -> None:
    stage = Stage(
        custom(
            agent("Ada", items={"cobblestone": 1}),
            agent("Ben", (0, 64, 1), items={"stone": 1}),
        )
    )
    for name in ("Ada", "Ben"):
        stage.begin(name, "build_floor", center_pos=(2, 64, 0), width=1, depth=1)
    assert summary(stage.finish("Ada")) == (10, "ok", "", 1, 1)
    assert summary(stage.finish("Ben")) == (10, "ok", "", 1, 1)
    assert stage.world.block((2, 64, 0)) == "cobblestone"
    assert stage.world.bodies["Ben"].inventory.as_dict() == {"stone": 1}


def test_nobody_is_built_over() -> None:
    stage = Stage(custom(agent("Ada", items={"cobblestone": 9}), agent("Ben", (1, 64, 0))))
    stage.begin("Ada", "build_floor", center_pos=(0, 64, 0), width=3, depth=3)
    tick, report = stage.finish("Ada")
    assert (tick, report.outcome, report.reason, report.done) == (90, "partial", "out_of_reach", 8)
    assert "[1, 64, 0]" in report.detail
    assert stage.world.block((1, 64, 0)) == AIR
    assert stage.world.bodies["Ada"].inventory.as_dict() == {"cobblestone": 1}


def test_nobody_is_built_over_who_shares_the_builder_s_cell() -> None:
    stage = Stage(custom(agent("Ada", items={"cobblestone": 1}), agent("Ben", (0, 64, 0))))
    stage.begin("Ada", "build_floor", center_pos=(0, 64, 0), width=1, depth=1)
    assert summary(stage.finish("Ada")) == (10, "failed", "out_of_reach", 0, 1)
    assert stage.world.position("Ada") == stage.world.position("Ben") == (0, 64, 0)


def test_a_builder_under_a_ceiling_is_not_lifted_into_it() -> None:
    stage = builder(blocks={(0, 66, 0): "stone"})
    stage.begin("Ada", "build_floor", center_pos=(0, 64, 0), width=1, depth=1)
    assert summary(stage.finish("Ada")) == (10, "failed", "out_of_reach", 0, 1)
    assert stage.world.position("Ada") == (0, 64, 0)


def test_a_block_in_the_air_has_nothing_to_hold_on_to() -> None:
    stage = builder()
    stage.begin("Ada", "build_floor", center_pos=(2, 66, 0), width=1, depth=1)
    assert summary(stage.finish("Ada")) == (10, "failed", "out_of_reach", 0, 1)
    stage = builder(blocks={(3, 66, 0): "stone"})
    stage.begin("Ada", "build_floor", center_pos=(2, 66, 0), width=1, depth=1)
    assert summary(stage.finish("Ada")) == (10, "ok", "", 1, 1)


def test_what_does_not_burn_is_used_before_what_does() -> None:
    stage = Stage(custom(agent("Ada", items={"oak_planks": 2, "torch": 5, "cobblestone": 1})))
    stage.begin("Ada", "build_floor", center_pos=(2, 64, 0), width=1, depth=2)
    assert summary(stage.finish("Ada")) == (20, "ok", "", 2, 2)
    assert [block for _, block, _ in placed(stage)] == ["cobblestone", "oak_planks"]


def test_building_in_lava_ends_what_it_does_there() -> None:
    stage = builder(max_steps=200)
    stage.world.set_blocks([(2, 64, 0)], "lava", cause="event", source="crisis")
    stage.begin("Ada", "build_floor", center_pos=(2, 64, 0), width=1, depth=1)
    assert summary(stage.finish("Ada")) == (10, "ok", "", 1, 1)
    stage.begin("Ada", "move_to", target_pos=(2, 64, 0))
    stage.run(300)
    assert stage.hurts("Ada") == []


def test_an_interrupted_builder_keeps_what_it_built() -> None:
    stage = builder(9)
    stage.begin("Ada", "build_floor", center_pos=(0, 64, 0), width=3, depth=3)
    stage.run(35)
    report = stage.world.interrupt("Ada")
    assert report is not None
    assert (report.outcome, report.reason, report.done, report.wanted) == ("partial", "interrupted", 3, 9)
