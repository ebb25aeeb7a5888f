"""One task of each type, small enough to work out every figure by hand."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from engine.spec.model import TaskSpec

Plain = dict[str, Any]


def _agent(name: str, x: int, z: int, health: float, speed: float, sight: float, **items: int) -> Plain:
    return {
        "name": name,
        "position": [x, 64, z],
        "inventory": {item: {"count": count} for item, count in items.items()},
        "capabilities": {"max_health": health, "speed_bps": speed, "perception_range": sight},
    }


def mine() -> Plain:
    """Two waves of ore and timber; only Ada can mine gold."""
    return {
        "task": {
            "type": "mine_vanishing_blocks",
            "goal": "mine",
            "targets": [{"block": "gold_ore", "count": 6}, {"block": "oak_log", "count": 8}],
        },
        "events": [
            {
                "id": "gold",
                "trigger": {"start": 0, "end": 20, "interval": 10},
                "actions": [_blocks("gold_ore", 4, 12, 6, 15)],
            },
            {
                "id": "timber",
                "trigger": {"start": 5, "end": 25, "interval": 10},
                "actions": [_blocks("oak_log", 5, -10, 3, 20)],
            },
        ],
        "agents": {
            "spawn": [
                _agent("Ada", 0, 0, 20, 4, 16, iron_pickaxe=1),
                _agent("Bruno", 10, 0, 45, 5.5, 22, stone_axe=1),
            ]
        },
        "environment": {"max_steps": 30, "chest": {"position": [0, 64, 3]}},
    }


def _blocks(block: str, count: int, z: int, radius: int, lifetime: int) -> Plain:
    return {
        "type": "spawn_blocks",
        "block": block,
        "count": count,
        "center": [0, 64, z],
        "radius": radius,
        "lifetime": lifetime,
    }


def prepare() -> Plain:
    """Lava moves east over one layer, 20 blocks at 2 a second from step 20; the site is [10, 64, 4]."""
    return {
        "task": {"type": "prepare_crisis", "goal": "survive"},
        "events": [
            {
                "id": "lava",
                "trigger": {"start": 20},
                "actions": [
                    {
                        "type": "progressive_fill",
                        "block": "lava",
                        "area": {"min": [-10, 64, 0], "max": [10, 64, 8]},
                        "direction": "east",
                        "speed_bps": 2,
                    }
                ],
            }
        ],
        "agents": {
            "spawn": [
                _agent("Ada", 10, 2, 20, 4, 16, iron_pickaxe=1),
                _agent("Bruno", 10, 0, 20, 2, 16, wooden_pickaxe=1),
            ]
        },
        "environment": {
            "max_steps": 60,
            "materials": {
                "grid": [
                    {"block": "oak_log", "position": [10, 64, 5], "depth": 2},
                    {"block": "stone", "position": [10, 64, -9], "depth": 3},
                    {"block": "cobblestone", "position": [10, 64, 9], "depth": 3},
                ]
            },
        },
    }


def raid() -> Plain:
    """A boss of 240 and three waves of three zombies of 35."""
    ada = _agent("Ada", 0, 0, 40, 4, 16, iron_sword=1)
    ada["capabilities"]["damage_multipliers"] = {"zombie": 2}
    bruno = _agent("Bruno", 5, 0, 20, 4, 16, stone_axe=1)
    bruno["capabilities"]["damage_multipliers"] = {"wither_skeleton": 0.5}
    return {
        "task": {"type": "raid_boss", "goal": "fight"},
        "events": [
            {
                "id": "minions",
                "trigger": {"start": 5, "end": 27, "interval": 11},
                "actions": [
                    {
                        "type": "spawn_entities",
                        "entity": "zombie",
                        "count": 3,
                        "health": 35,
                        "damage": 4,
                        "center": [0, 64, 10],
                        "radius": 4,
                    }
                ],
            }
        ],
        "agents": {"spawn": [ada, bruno]},
        "environment": {
            "max_steps": 60,
            "entities": {
                "hostiles": [
                    {
                        "entity": "wither_skeleton",
                        "role": "boss",
                        "position": [0, 64, 20],
                        "health": 240,
                        "damage": 8,
                    }
                ]
            },
        },
    }


def custom() -> Plain:
    """One agent and a message."""
    return {
        "task": {"type": "custom", "goal": "wait", "success": [{"step_reached": 5}]},
        "events": [
            {"id": "hello", "trigger": {"start": 1}, "actions": [{"type": "message", "text": "hello"}]}
        ],
        "agents": {"spawn": [_agent("Ada", 0, 0, 20, 4, 16)]},
        "environment": {"max_steps": 10},
    }


def spec(plain: Plain) -> TaskSpec:
    """The task, valid as the schema goes."""
    return TaskSpec.model_validate(deepcopy(plain))
