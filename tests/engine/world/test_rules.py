from __future__ import annotations

from pathlib import Path

import pytest

from engine.errors import MissingDataError, RuleError
from engine.world import rules


@pytest.mark.parametrize(
    ("tool", "block", "ticks"),
    [
        ("wooden_pickaxe", "stone", 23),  # 1.5 × 30 / 2 = 22.5
        ("diamond_pickaxe", "stone", 6),  # 1.5 × 30 / 8 = 5.6
        (None, "stone", 150),  # 1.5 × 100 / 1: the hand does not harvest it
        ("iron_pickaxe", "gold_ore", 15),  # 3 × 30 / 6
        ("golden_pickaxe", "gold_ore", 25),  # 3 × 100 / 12: too soft to harvest it
        (None, "oak_log", 60),  # 2 × 30 / 1: the hand harvests it
        ("golden_axe", "oak_log", 5),  # 2 × 30 / 12
        ("diamond_pickaxe", "oak_log", 60),  # a pickaxe does not fit, and is no worse than the hand
        ("diamond_pickaxe", "obsidian", 188),  # 50 × 30 / 8 = 187.5
        (None, "torch", 0),
        ("netherite_pickaxe", "bedrock", None),
    ],
)
def test_breaking_takes_the_time_that_the_formula_gives(
    tool: str | None, block: str, ticks: int | None
) -> None:
    assert rules.break_ticks(tool, block) == ticks


@pytest.mark.parametrize(
    ("block", "drops"),
    [
        ("stone", ("cobblestone",)),
        ("gold_ore", ("raw_gold",)),
        ("oak_log", ("oak_log",)),
        ("diamond_ore", ("diamond",)),
    ],
)
def test_blocks_drop_their_loot(block: str, drops: tuple[str, ...]) -> None:
    assert rules.block(block).drops == drops


@pytest.mark.parametrize(
    ("tool", "block", "harvested"),
    [
        ("stone_pickaxe", "iron_ore", True),
        ("wooden_pickaxe", "iron_ore", False),
        ("golden_pickaxe", "iron_ore", False),
        ("iron_pickaxe", "diamond_ore", True),
        ("stone_pickaxe", "diamond_ore", False),
        ("iron_pickaxe", "obsidian", False),
        (None, "oak_log", True),
    ],
)
def test_harvesting_asks_for_the_tier(tool: str | None, block: str, harvested: bool) -> None:
    assert rules.harvests(tool, rules.block(block)) is harvested


def test_the_best_tool_harvests_before_it_is_fast() -> None:
    # On gold ore the golden pickaxe takes 25 ticks without a drop, the iron one 15 with it, the diamond one 12.
    assert rules.best_tool(["golden_pickaxe", "iron_pickaxe"], "gold_ore") == "iron_pickaxe"
    assert rules.best_tool(["iron_pickaxe", "diamond_pickaxe"], "gold_ore") == "diamond_pickaxe"
    assert rules.best_tool(["golden_apple"], "oak_log") is None


def test_a_block_that_does_not_exist_is_a_typed_error() -> None:
    with pytest.raises(RuleError, match="unobtainium"):
        rules.block("unobtainium")


def test_missing_game_data_says_what_to_run(tmp_path: Path) -> None:
    with pytest.raises(MissingDataError, match="make install"):
        rules._read(tmp_path / "blocks.json")


@pytest.mark.parametrize(
    ("item", "count", "slots"), [("oak_log", 64, 1), ("oak_log", 65, 2), ("iron_axe", 2, 2)]
)
def test_stacks_are_as_large_as_the_item_allows(item: str, count: int, slots: int) -> None:
    assert rules.stacks(item, count) == slots
