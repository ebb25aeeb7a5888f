"""Breaking times and harvests against `prismarine-block`, which knows nothing of this engine, pair by pair."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from engine.world import combat, rules

ROOT = Path(__file__).resolve().parents[3]
NODE = Path(sys.executable).parent / "node"

HAND = "hand"
TIERS = ("wooden", "stone", "iron", "golden", "diamond", "netherite")
KINDS = ("pickaxe", "axe", "shovel", "sword", "hoe")
TOOLS = (HAND, "shears", *(f"{tier}_{kind}" for tier in TIERS for kind in KINDS))
_NAMES = """
    cobblestone stone stone_bricks bricks oak_log oak_planks birch_log spruce_log oak_leaves gold_ore iron_ore
    diamond_ore coal_ore copper_ore redstone_ore lapis_ore emerald_ore deepslate_gold_ore deepslate_diamond_ore
    nether_gold_ore ancient_debris obsidian crying_obsidian netherrack end_stone dirt grass_block sand gravel clay
    soul_sand sandstone granite diorite andesite deepslate cobbled_deepslate glass white_wool powder_snow snow_block
    ice packed_ice iron_block gold_block diamond_block chest crafting_table furnace bookshelf torch bedrock
"""
OF_THE_PAPER = _NAMES.split()

Verdict = tuple[int | None, bool]


def theirs(haste: int = 0, fatigue: int = 0) -> dict[tuple[str, str], Verdict]:
    """By (block, tool): ticks and harvest according to prismarine-block, under effects of these levels."""
    question = {"version": rules.MINECRAFT_VERSION, "tools": TOOLS, "haste": haste, "fatigue": fatigue}
    done = subprocess.run(
        [str(NODE), "tests/js/dig.js", json.dumps(question)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    table = json.loads(done.stdout)
    return {
        (block, tool): (ticks, harvested)
        for block, row in table.items()
        for tool, (ticks, harvested) in row.items()
    }


def ours(block: str, tool: str, factor: float = 1.0) -> Verdict:
    held = None if tool == HAND else tool
    return rules.break_ticks(held, block, factor), rules.harvests(held, rules.block(block))


def test_every_block_breaks_with_every_tool_as_prismarine_block_says() -> None:
    table = theirs()
    assert {block for block, _ in table} == set(rules.blocks())
    assert set(OF_THE_PAPER) <= set(rules.blocks())
    assert len(table) == len(rules.blocks()) * len(TOOLS)
    assert {pair: ours(*pair) for pair in table} == table


def test_the_other_side_gives_answers_worth_comparing() -> None:
    # Worked by hand, so that two wrong tables could not agree: 3 × 30 / 6, 3 × 100 / 12, 2 × 30 / 1.
    table = theirs()
    assert table["gold_ore", "iron_pickaxe"] == (15, True)
    assert table["gold_ore", "golden_pickaxe"] == (25, False)
    assert table["oak_log", HAND] == (60, True)
    assert table["bedrock", "netherite_pickaxe"][0] is None


@pytest.mark.parametrize(
    ("haste", "fatigue"), [(1, 0), (2, 0), (5, 0), (0, 1), (0, 2), (0, 3), (0, 4), (2, 1)]
)
def test_haste_and_mining_fatigue_change_breaking_times_as_prismarine_block_says(
    haste: int, fatigue: int
) -> None:
    effects = {"haste": haste - 1} if haste else {}
    effects |= {"mining_fatigue": fatigue - 1} if fatigue else {}
    factor = combat.mining_factor(effects)
    table = {pair: verdict for pair, verdict in theirs(haste, fatigue).items() if pair[0] in OF_THE_PAPER}
    assert {pair: ours(*pair, factor) for pair in table} == table
