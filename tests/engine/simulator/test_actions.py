"""Single actions with times worked out by hand. Agents walk 4 blocks a second: 5 ticks a block."""

from __future__ import annotations

import pytest

from engine.world.protocol import ActionReport
from engine.world.terrain import AIR
from tests.engine.build import Stage, agent, task

LOG = (10, 64, 0)
AXE = "iron_axe"
DIG = 10  # an oak log with an iron axe: 2 × 30 / 6


def summary(report: ActionReport) -> tuple[str, str, int, int]:
    return report.outcome, report.reason, report.done, report.wanted


def test_mining_walks_into_reach_breaks_and_collects() -> None:
    stage = Stage(task(agent("Ada", tools=[AXE]), blocks={LOG: "oak_log"}))
    stage.begin("Ada", "mine_blocks_at", block_positions=[LOG])
    tick, report = stage.finish("Ada")
    # 6 blocks to x = 6, four away from the log; break it; 3 blocks to x = 9, beside the drop.
    assert (tick, summary(report)) == (30 + DIG + 15, ("ok", "", 1, 1))
    assert stage.world.position("Ada") == (9, 64, 0)
    assert stage.world.block(LOG) == AIR
    # The drop comes within 1.425 blocks at x = 8.575: 2.575 blocks after breaking, 12.9 ticks.
    carried = [(e.world_time, e.payload.count) for e in stage.events if e.type == "inventory_changed"]
    assert carried == [(30 + DIG + 13, 1)]


def test_mining_goes_on_with_the_rest_when_one_block_is_not_there() -> None:
    stage = Stage(task(agent("Ada", tools=[AXE]), blocks={(2, 64, 0): "oak_log"}))
    stage.begin("Ada", "mine_blocks_at", block_positions=[(3, 64, 0), (2, 64, 0)])
    tick, report = stage.finish("Ada")
    # The first is seen to be missing at once; the second is in reach, and its drop one block from one's own cell.
    assert (tick, summary(report)) == (DIG + 5, ("partial", "not_found", 1, 2))
    assert report.detail == "there is no block at [3, 64, 0]"


def test_a_block_that_vanishes_in_sight_ends_the_walk_there() -> None:
    stage = Stage(task(agent("Ada", tools=[AXE]), blocks={LOG: "oak_log"}))
    stage.begin("Ada", "mine_blocks_at", block_positions=[LOG])
    stage.run(12)
    stage.world.set_blocks([LOG], AIR, cause="lifetime", source="wood")
    tick, report = stage.finish("Ada")
    assert (tick, summary(report)) == (12, ("failed", "vanished", 0, 1))
    assert stage.world.position("Ada") == pytest.approx((2.4, 64, 0))


def test_a_block_that_vanishes_out_of_sight_is_missed_on_coming_near() -> None:
    stage = Stage(task(agent("Ada", tools=[AXE], perception_range=6), blocks={LOG: "oak_log"}))
    stage.begin("Ada", "mine_blocks_at", block_positions=[LOG])
    stage.run(12)
    stage.world.set_blocks([LOG], AIR, cause="lifetime", source="wood")
    tick, report = stage.finish("Ada")
    # It sees six blocks far, so it finds out at x = 4.
    assert (tick, summary(report)) == (20, ("failed", "vanished", 0, 1))


def test_an_agent_that_sees_less_far_than_it_reaches_finds_out_when_it_gets_there() -> None:
    stage = Stage(task(agent("Ada", tools=[AXE], perception_range=2), blocks={LOG: "oak_log"}))
    stage.begin("Ada", "mine_blocks_at", block_positions=[LOG])
    stage.run(12)
    stage.world.set_blocks([LOG], AIR, cause="lifetime", source="wood")
    tick, report = stage.finish("Ada")
    assert (tick, summary(report)) == (30, ("failed", "vanished", 0, 1))


def test_a_block_that_vanishes_under_the_tool_drops_nothing() -> None:
    stage = Stage(task(agent("Ada", tools=[AXE]), blocks={(2, 64, 0): "oak_log"}))
    stage.begin("Ada", "mine_blocks_at", block_positions=[(2, 64, 0)])
    stage.run(DIG - 1)
    stage.world.set_blocks([(2, 64, 0)], AIR, cause="lifetime", source="wood")
    tick, report = stage.finish("Ada")
    assert (tick, summary(report)) == (DIG - 1, ("failed", "vanished", 0, 1))
    assert not stage.of("item_dropped")


def test_without_a_tool_that_harvests_nothing_is_broken() -> None:
    stage = Stage(task(agent("Ada", tools=["golden_pickaxe"]), blocks={(2, 64, 0): "gold_ore"}))
    stage.begin("Ada", "mine_blocks_at", block_positions=[(2, 64, 0)])
    tick, report = stage.finish("Ada")
    assert (tick, summary(report)) == (1, ("failed", "wrong_tool", 0, 1))
    assert stage.world.block((2, 64, 0)) == "gold_ore"


def test_of_two_agents_at_one_block_the_first_listed_gets_it() -> None:
    # Both stand in reach and need ten ticks; both end at tick 10. Ben would reach the drop first, if he got it.
    stage = Stage(
        task(
            agent("Ada", (0, 64, 0), tools=[AXE]),
            agent("Ben", (4, 64, 0), tools=[AXE]),
            blocks={(2, 64, 0): "oak_log"},
        )
    )
    stage.begin("Ben", "mine_blocks_at", block_positions=[(2, 64, 0)])
    stage.begin("Ada", "mine_blocks_at", block_positions=[(2, 64, 0)])
    ben_tick, ben = stage.finish("Ben")
    ada_tick, ada = stage.finish("Ada")
    assert (ben_tick, summary(ben)) == (DIG, ("failed", "vanished", 0, 1))
    assert (ada_tick, summary(ada)) == (DIG + 5, ("ok", "", 1, 1))


def test_a_drop_belongs_to_whoever_comes_near_first() -> None:
    # Ada breaks the log from afar while Ben stands beside it.
    stage = Stage(task(agent("Ada", tools=[AXE]), agent("Ben", (5, 64, 0)), blocks={(4, 64, 0): "oak_log"}))
    stage.begin("Ada", "mine_blocks_at", block_positions=[(4, 64, 0)])
    tick, report = stage.finish("Ada")
    assert stage.world.bodies["Ben"].inventory.as_dict() == {"oak_log": 1}
    assert summary(report) == ("failed", "vanished", 0, 1)
    assert report.detail == "somebody else took the oak_log from [4, 64, 0]"
    assert tick == DIG + 15  # it still walked there to see


def test_a_walled_in_block_is_unreachable_at_once() -> None:
    walls = {
        (x, y, z): "stone" for x in range(10, 21) for y in (64, 65) for z in range(-5, 6) if (x, z) != (15, 0)
    }
    stage = Stage(task(agent("Ada", tools=[AXE]), blocks=walls | {(15, 64, 0): "oak_log"}))
    stage.begin("Ada", "mine_blocks_at", block_positions=[(15, 64, 0)])
    tick, report = stage.finish("Ada")
    assert (tick, summary(report)) == (1, ("failed", "unreachable", 0, 1))


def test_with_a_full_inventory_the_drop_stays_on_the_ground() -> None:
    full = {"cobblestone": 35 * 64}
    stage = Stage(task(agent("Ada", tools=[AXE], items=full), blocks={(2, 64, 0): "oak_log"}))
    stage.begin("Ada", "mine_blocks_at", block_positions=[(2, 64, 0)])
    _, report = stage.finish("Ada")
    assert summary(report) == ("failed", "inventory_full", 0, 1)
    assert len(stage.of("item_dropped")) == 1
    assert not stage.of("item_picked_up")


def test_a_block_that_appears_in_the_way_is_walked_round() -> None:
    stage = Stage(task(agent("Ada"), chest=(-20, 64, 0)))
    stage.begin("Ada", "scout_blocks_at", target_pos=(8, 64, 0))
    stage.run(5)
    stage.world.set_blocks([(4, 64, 0), (4, 65, 0)], "stone", cause="event", source="rock")
    tick, report = stage.finish("Ada")
    # From x = 1: two straight, diagonal to z = 1 would cut no corner at x = 3, pass x = 4 and 5, then back to z = 0.
    # 1→2 straight, 2→3 diagonal, 3→5 straight, 5→6 diagonal, 6→8 straight: 5 + 2√2 = 7.83 blocks, 39.1 ticks.
    assert (tick, report.outcome) == (5 + 40 + 10, "ok")
    assert stage.world.position("Ada") == (8, 64, 0)


def test_depositing_counts_exactly_what_was_there() -> None:
    stage = Stage(task(agent("Ada", items={"oak_log": 3}), chest=(2, 64, 0)))
    stage.begin(
        "Ada", "deposit_to_chest", chest_pos=(2, 64, 0), items=["oak_log", "raw_gold"], quantities=[5, 1]
    )
    tick, report = stage.finish("Ada")
    assert (tick, summary(report)) == (5 + 2, ("partial", "missing_items", 3, 6))
    assert report.detail == "there were only 3 of 5 oak_log"
    assert stage.world.chests[2, 64, 0].as_dict() == {"oak_log": 3}
    assert stage.world.bodies["Ada"].inventory.as_dict() == {}


def test_depositing_takes_two_ticks_a_stack() -> None:
    stage = Stage(task(agent("Ada", items={"oak_log": 65, "raw_gold": 1}), chest=(2, 64, 0)))
    stage.begin(
        "Ada", "deposit_to_chest", chest_pos=(2, 64, 0), items=["oak_log", "raw_gold"], quantities=[65, 1]
    )
    tick, report = stage.finish("Ada")
    assert (tick, report.outcome) == (5 + 2 * 3, "ok")


def test_a_full_chest_takes_what_fits() -> None:
    stage = Stage(
        task(agent("Ada", items={"oak_log": 10}), chest=(2, 64, 0), chest_items={"oak_log": 27 * 64 - 4})
    )
    stage.begin("Ada", "deposit_to_chest", chest_pos=(2, 64, 0), items=["oak_log"], quantities=[10])
    _, report = stage.finish("Ada")
    assert summary(report) == ("partial", "inventory_full", 4, 10)
    assert stage.world.bodies["Ada"].inventory.count("oak_log") == 6


def test_a_chest_that_is_not_there_is_named() -> None:
    stage = Stage(task(agent("Ada", items={"oak_log": 1})))
    stage.begin("Ada", "deposit_to_chest", chest_pos=(2, 64, 2), items=["oak_log"], quantities=[1])
    tick, report = stage.finish("Ada")
    assert (tick, summary(report)) == (5, ("failed", "no_chest", 0, 1))


def test_waiting_lasts_as_long_as_asked() -> None:
    stage = Stage(task(agent("Ada")))
    stage.begin("Ada", "wait", duration=3)
    tick, report = stage.finish("Ada")
    assert (tick, summary(report)) == (60, ("ok", "", 3, 3))


def test_scouting_reports_what_is_in_sight_and_no_more() -> None:
    blocks = {(8, 64, 3): "oak_log", (8, 64, -3): "gold_ore", (8, 64, 9): "gold_ore"}
    stage = Stage(task(agent("Ada", perception_range=5), blocks=blocks))
    stage.begin("Ada", "scout_blocks_at", target_pos=(8, 64, 0), max_distance=50)
    tick, report = stage.finish("Ada")
    assert (tick, report.outcome) == (40 + 10, "ok")
    assert report.detail == "in sight: 1 gold_ore, 1 oak_log"


def test_finding_fewer_blocks_than_asked_is_partial() -> None:
    stage = Stage(task(agent("Ada"), blocks={(3, 64, 0): "oak_log", (0, 64, 4): "gold_ore"}))
    stage.begin("Ada", "find_blocks", block_types=["oak_log"], count=2)
    tick, report = stage.finish("Ada")
    assert (tick, summary(report)) == (10, ("partial", "not_found", 1, 2))


def test_an_interrupted_action_stops_where_it_is_and_counts_what_it_did() -> None:
    stage = Stage(task(agent("Ada", tools=[AXE]), blocks={(2, 64, 0): "oak_log", (12, 64, 0): "oak_log"}))
    stage.begin("Ada", "mine_blocks_at", block_positions=[(2, 64, 0), (12, 64, 0)])
    stage.run(DIG + 5 + 5)  # the first is in the bag, one block on the way to the second
    report = stage.world.interrupt("Ada")
    assert report is not None
    assert summary(report) == ("partial", "interrupted", 1, 2)
    assert stage.world.position("Ada") == (2, 64, 0)
    assert stage.world.next_tick() is None


def test_no_action_outlives_its_bound() -> None:
    # Obsidian with a diamond pickaxe takes 188 ticks; thirteen of them are more than 120 steps.
    blocks = {(x, 64, 2): "obsidian" for x in range(1, 16)}
    stage = Stage(task(agent("Ada", tools=["diamond_pickaxe"]), blocks=blocks))
    stage.begin("Ada", "mine_blocks_at", block_positions=list(blocks))
    tick, report = stage.finish("Ada")
    assert (tick, report.outcome, report.reason) == (120 * 20, "partial", "timeout")
    assert report.done == len(stage.of("item_picked_up"))


def test_whoever_digs_away_the_ground_under_its_feet_comes_down() -> None:
    stage = Stage(task(agent("Ada", tools=["iron_shovel"])))
    stage.begin("Ada", "mine_blocks_at", block_positions=[(0, 63, 0)])
    _, report = stage.finish("Ada")
    assert report.outcome == "ok"
    assert stage.world.position("Ada") == (0, 63, 0)


def test_a_tool_that_wears_out_breaks_with_its_last_use() -> None:
    # A golden axe survives 32 uses. The 33rd log is felled by hand, in 60 ticks instead of 5.
    logs = [(x, 64, z) for z in (3, 4) for x in range(-8, 9)][:33]
    stage = Stage(task(agent("Ada", items={"golden_axe": 1}), blocks=dict.fromkeys(logs, "oak_log")))
    stage.begin("Ada", "mine_blocks_at", block_positions=logs)
    _, report = stage.finish("Ada")
    assert (report.outcome, report.done) == ("ok", 33)
    axes = [(p.count, p.item) for p in stage.of("inventory_changed") if p.item == "golden_axe"]
    assert axes == [(0, "golden_axe")]
    broken = [event.world_time for event in stage.events if event.type == "blocks_changed"][-2:]
    assert broken[1] - broken[0] >= 60


def test_an_unbreakable_tool_lasts() -> None:
    logs = [(x, 64, z) for z in (3, 4) for x in range(-8, 9)][:33]
    stage = Stage(task(agent("Ada", tools=["golden_axe"]), blocks=dict.fromkeys(logs, "oak_log")))
    stage.begin("Ada", "mine_blocks_at", block_positions=logs)
    stage.finish("Ada")
    assert stage.world.bodies["Ada"].inventory.count("golden_axe") == 1


@pytest.mark.parametrize("liquid", ["water", "lava"])
def test_liquids_are_no_blocks_to_a_tool(liquid: str) -> None:
    stage = Stage(task(agent("Ada", tools=["iron_shovel"]), blocks={(2, 64, 0): liquid}))
    stage.begin("Ada", "mine_blocks_at", block_positions=[(2, 64, 0)])
    tick, report = stage.finish("Ada")
    assert (tick, summary(report)) == (1, ("failed", "vanished", 0, 1))


def test_a_chest_of_the_task_is_not_mined() -> None:
    stage = Stage(task(agent("Ada", tools=[AXE]), chest=(2, 64, 0), chest_items={"oak_log": 3}))
    stage.begin("Ada", "mine_blocks_at", block_positions=[(2, 64, 0)])
    tick, report = stage.finish("Ada")
    assert (tick, summary(report)) == (1, ("failed", "wrong_tool", 0, 1))
    assert stage.world.block((2, 64, 0)) == "chest"
