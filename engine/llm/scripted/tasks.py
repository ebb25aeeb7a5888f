"""Tasks of a plan as the scripted planner writes them."""

from __future__ import annotations

import math
from typing import Any

from engine.llm.scripted.situation import Member, Situation
from engine.world.geometry import Cell

Task = tuple[str, dict[str, Any], str]
"""An action, its parameters and a note."""

_GOLDEN_ANGLE = math.pi * (3 - math.sqrt(5))
"""Directions that are this far apart never come close to an earlier one for long."""


def mine(cells: list[Cell], note: str) -> Task:
    """Mine blocks in this order."""
    return "mine_blocks_at", {"block_positions": [list(cell) for cell in cells]}, note


def deposit(chest: Cell, items: dict[str, int], note: str) -> Task:
    """Put items into a chest."""
    return "deposit_to_chest", _transfer(chest, items), note


def fetch(chest: Cell, items: dict[str, int], note: str) -> Task:
    """Take items out of a chest."""
    return "get_from_chest", _transfer(chest, items), note


def _transfer(chest: Cell, items: dict[str, int]) -> dict[str, Any]:
    return {"chest_pos": list(chest), "items": list(items), "quantities": list(items.values())}


def wait(duration: int, note: str) -> Task:
    """Do nothing for some steps."""
    return "wait", {"duration": duration}, note


def look_elsewhere(situation: Situation, member: Member) -> Task:
    """Scout a place round the agent's chest, or itself: another one each time, and another one for each agent."""
    number = situation.looks(member.name) * len(situation.team) + situation.team.index(member.name)
    angle = number * _GOLDEN_ANGLE
    way = min(member.perception_range, 16.0) * (0.5 + 0.5 * (number % 3))
    centre = min(situation.chests, key=lambda chest: math.dist(chest, member.position), default=member.cell)
    target = [round(centre[0] + way * math.cos(angle)), 64, round(centre[2] + way * math.sin(angle))]
    return "scout_blocks_at", {"target_pos": target, "max_distance": member.perception_range}, "look round"
