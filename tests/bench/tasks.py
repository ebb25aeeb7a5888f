"""Tasks to measure with, of any size. Quotas are out of reach, so that an episode lasts as long as it may."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from engine.spec.model import TaskSpec


class Work(NamedTuple):
    """What is mined: kinds of block, the tools carried in turn, and blocks of each kind that appear for each agent."""

    kinds: tuple[str, str]
    tools: tuple[str, str]
    each: int = 1


ORE = Work(("iron_ore", "oak_log"), ("stone_pickaxe", "wooden_axe"))
SOFT = Work(("coal_ore", "oak_log"), ("iron_pickaxe", "iron_axe"), each=2)
HARD = Work(("ancient_debris", "crying_obsidian"), ("diamond_pickaxe", "netherite_pickaxe"))
"""What is mined fast keeps the engine busier than what takes its time: about 1, 0.5 and 7 seconds a block."""
TEAM = 8
"""Agents that share a chest: what is to grow with the team is the work, not the way home."""
ROWS = 12
"""From one row of walls to the next."""


def _team(count: int, radius: int, tools: tuple[str, ...]) -> list[dict[str, Any]]:
    """Agents in a ring, with tools and speeds in turn."""
    team = []
    for number in range(count):
        angle = 2 * math.pi * number / count
        tool = tools[number % len(tools)]
        team.append(
            {
                "name": f"Bot{number}",
                "position": [round(radius * math.cos(angle)), 64, round(radius * math.sin(angle))],
                "inventory": {tool: {"count": 1, "unbreakable": True}},
                "capabilities": {
                    "max_health": 60.0,
                    "speed_bps": 4.0 + number % 3,
                    "perception_range": 24.0,
                    "damage_multipliers": {"wither": 0.1},
                },
            }
        )
    return team


def _walls(radius: int) -> list[dict[str, Any]]:
    """Walls two high, eight long, every twelve blocks: nobody walks straight for long."""
    return [
        {"block": "stone_bricks", "position": [x, 64, z], "width": 8, "height": 2}
        for x in range(-radius, radius, ROWS)
        for z in range(-radius + ROWS // 2, radius, ROWS)
    ]


def _chests(agents: int, radius: int) -> list[dict[str, Any]]:
    """A chest for each team, in a square grid over the field, none of them in a wall."""
    count = math.ceil(agents / TEAM)
    side = math.ceil(math.sqrt(count))
    places = [round(radius * ((2 * number + 1) / side - 1)) for number in range(side)]
    cells = [(x, z + ((z + radius - ROWS // 2) % ROWS == 0)) for x in places for z in places]
    return [{"position": [x, 64, z]} for x, z in cells[:count]]


def mine(agents: int = 8, steps: int = 100, materials: int = 0, work: Work = ORE) -> TaskSpec:
    """mine_vanishing_blocks: two kinds of block in waves among walls; `materials` more blocks just stand there."""
    radius = round(10 * math.sqrt(agents))
    wave = {"type": "spawn_blocks", "center": [0, 64, 0], "radius": radius, "lifetime": 30}
    grids = _walls(radius) + _heap(materials, radius)
    return _spec(
        task={
            "type": "mine_vanishing_blocks",
            "goal": "mine",
            "targets": [{"block": kind, "count": 1_000} for kind in work.kinds],
        },
        events=[
            {
                "id": block,
                "trigger": {"start": start, "end": steps, "interval": 10},
                "actions": [{**wave, "block": block, "count": agents * work.each}],
            }
            for start, block in zip((0, 5), work.kinds, strict=True)
        ],
        agents=_team(agents, radius // 2 + 2, work.tools),
        environment={"max_steps": steps, "chests": _chests(agents, radius), "materials": {"grid": grids}},
    )


def _heap(count: int, radius: int) -> list[dict[str, Any]]:
    """`count` stones in a slab beside the field, in boxes as large as a task may have."""
    rows = math.ceil(count / 250)
    return [
        {"block": "stone", "position": [-125, 64, radius + 20 + row], "width": 250} for row in range(rows)
    ]


def raid(agents: int = 8, steps: int = 100) -> TaskSpec:
    """raid_boss: a boss that hardly hurts and does not die in time, and waves of minions."""
    return _spec(
        task={"type": "raid_boss", "goal": "raid"},
        events=[
            {
                "id": "zombies",
                "trigger": {"start": 2, "end": steps, "interval": 8},
                "actions": [
                    {
                        "type": "spawn_entities",
                        "entity": "zombie",
                        "count": max(1, agents // 2),
                        "health": 30.0,
                        "damage": 0.1,
                        "center": [0, 64, 0],
                        "radius": 14,
                    }
                ],
            }
        ],
        agents=_team(agents, 10, ("iron_sword",)),
        environment={
            "max_steps": steps,
            "entities": {
                "hostiles": [
                    {
                        "entity": "wither",
                        "role": "boss",
                        "position": [0, 64, 0],
                        "health": 1_000.0,
                        "damage": 0.1,
                    }
                ]
            },
        },
    )


def prepare(agents: int = 8, steps: int = 100) -> TaskSpec:
    """prepare_crisis: lava over a field of 60 × 60 with piles of stone in it."""
    return _spec(
        task={"type": "prepare_crisis", "goal": "prepare"},
        events=[
            {
                "id": "lava",
                "trigger": {"start": 20},
                "actions": [
                    {
                        "type": "progressive_fill",
                        "block": "lava",
                        "area": {"min": [-30, 64, -30], "max": [30, 65, 30]},
                        "direction": "east",
                        "speed_bps": 60 / (steps - 40),
                    }
                ],
            }
        ],
        agents=_team(agents, 8, SOFT.tools),
        environment={
            "max_steps": steps,
            "materials": {
                "grid": [
                    {"block": "cobblestone", "position": [x, 64, z], "width": 3, "depth": 3}
                    for x in range(-20, 21, 10)
                    for z in range(-24, 25, 16)
                ]
            },
        },
    )


def _spec(
    *,
    task: dict[str, Any],
    events: list[dict[str, Any]],
    agents: list[dict[str, Any]],
    environment: dict[str, Any],
) -> TaskSpec:
    return TaskSpec.model_validate(
        {"task": task, "events": events, "agents": {"spawn": agents}, "environment": environment}
    )
