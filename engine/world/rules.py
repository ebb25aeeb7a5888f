"""Blocks, items and tools, read from `minecraft-data` (npm) and nowhere else.

The version is Java Edition 1.19, the one of the paper. Nothing here is typed by hand; a figure that `minecraft-data`
lacks does not belong in this module.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from engine.errors import MissingDataError, RuleError

MINECRAFT_VERSION = "1.19"
DATA = Path(__file__).resolve().parents[2] / "node_modules" / "minecraft-data" / "minecraft-data" / "data"

HARVEST_DIVISOR = 30
"""Minecraft: progress a tick is tool speed / hardness / 30 for a tool that harvests the block …"""
NO_HARVEST_DIVISOR = 100
"""… and / 100 for one that does not."""


POTIONS = (
    "fire_resistance_potion",
    "healing_potion",
    "regeneration_potion",
    "strength_potion",
    "strong_healing_potion",
    "swiftness_potion",
)
"""Potions as items of their own.

In Minecraft they are all the item `potion`, told apart by its data tag; the name here is that tag (`healing`,
`strong_healing`, …) with `_potion` after it. They stack as `potion` does.
"""


@dataclass(frozen=True, slots=True)
class Block:
    """One kind of block.

    Attributes:
        hardness: Minecraft's hardness; None for what cannot be broken (bedrock).
        solid: whether it has a collision box: it can be stood on, cannot be walked through, and keeps its cell
            when something is spawned, placed or floods in (what has none, as air, liquids and grass, gives way).
        drops: item names, one of each when a fitting tool breaks it.
        harvest_tools: names of the tools that harvest it; None when anything does, the bare hand included.
        tool_speeds: mining speed by tool name, for the tools that fit.
    """

    name: str
    hardness: float | None
    solid: bool
    drops: tuple[str, ...]
    harvest_tools: frozenset[str] | None
    tool_speeds: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Item:
    """One kind of item. `durability` is how many uses it survives; None for what does not wear out."""

    name: str
    stack_size: int
    durability: int | None


def _load(name: str) -> Any:
    paths = _read(DATA / "dataPaths.json")
    return _read(DATA / paths["pc"][MINECRAFT_VERSION][name] / f"{name}.json")


def _read(path: Path) -> Any:
    try:
        return json.loads(path.read_bytes())
    except FileNotFoundError as error:
        raise MissingDataError(
            f"the game data is not installed ({path.name} of minecraft-data is missing): run `make install` first"
        ) from error


@cache
def items() -> Mapping[str, Item]:
    """All items by name, each potion of `POTIONS` as an item of its own."""
    found = {
        row["name"]: Item(row["name"], row["stackSize"], row.get("maxDurability")) for row in _load("items")
    }
    return found | {name: replace(found["potion"], name=name) for name in POTIONS}


@cache
def blocks() -> Mapping[str, Block]:
    """All blocks by name."""
    names = {row["id"]: row["name"] for row in _load("items")}
    materials = _load("materials")
    return {row["name"]: _block(row, names, materials) for row in _load("blocks")}


def _block(row: Mapping[str, Any], items_by_id: Mapping[int, str], materials: Mapping[str, Any]) -> Block:
    hardness = row["hardness"]
    tools = row.get("harvestTools")
    return Block(
        name=row["name"],
        hardness=None if hardness is None or hardness < 0 else float(hardness),
        solid=row["boundingBox"] == "block",
        drops=tuple(items_by_id[drop] for drop in row["drops"]),
        harvest_tools=None if tools is None else frozenset(items_by_id[int(tool)] for tool in tools),
        tool_speeds={
            items_by_id[int(tool)]: speed for tool, speed in materials.get(row["material"], {}).items()
        },
    )


@cache
def foods() -> frozenset[str]:
    """Names of the items that can be eaten."""
    return frozenset(row["name"] for row in _load("foods"))


@cache
def entities() -> frozenset[str]:
    """Names of the living entity types that a task may spawn."""
    living = {"hostile", "mob", "animal", "passive", "living", "ambient", "water_creature"}
    return frozenset(row["name"] for row in _load("entities") if row["type"] in living)


@cache
def effects() -> frozenset[str]:
    """Names of status effects in snake case, as commands spell them."""
    return frozenset(_snake(row["name"]) for row in _load("effects"))


def _snake(name: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("_")


def block(name: str) -> Block:
    """The block of that name, or `RuleError`."""
    try:
        return blocks()[name]
    except KeyError:
        raise RuleError(f"no block is called {name!r} in Minecraft {MINECRAFT_VERSION}") from None


def harvests(tool: str | None, target: Block) -> bool:
    """Whether breaking the block with the tool (None: bare hand) yields its drops."""
    return target.harvest_tools is None or tool in target.harvest_tools


@cache
def break_ticks(tool: str | None, name: str, factor: float = 1.0) -> int | None:
    """Ticks to break a block standing on the ground, with `factor` on the speed for effects.

    ceil(1 / (speed / hardness / divisor)), 0 where that progress is 1 or more; None if it cannot be broken
    (the Minecraft Wiki, "Breaking"; SPEC section 3).
    """
    target = block(name)
    if target.hardness is None:
        return None
    if target.hardness == 0:
        return 0
    speed = target.tool_speeds.get(tool, 1.0) if tool else 1.0
    divisor = HARVEST_DIVISOR if harvests(tool, target) else NO_HARVEST_DIVISOR
    progress = speed * factor / target.hardness / divisor
    return 0 if progress >= 1 else math.ceil(1 / progress)


def best_tool(carried: Iterable[str], name: str) -> str | None:
    """The carried item that suits the block best: harvesting before speed; None for the bare hand.

    Ties go to the first carried, so that the choice does not depend on anything but the inventory's order.
    """
    best, best_fit = None, _fit(None, name)
    for tool in carried:
        if (fit := _fit(tool, name)) > best_fit:
            best, best_fit = tool, fit
    return best


@cache
def _fit(tool: str | None, name: str) -> tuple[bool, float]:
    """How well the tool suits the block: whether it harvests it, and how fast."""
    ticks = break_ticks(tool, name)
    return harvests(tool, block(name)), -math.inf if ticks is None else -ticks


def dig_ticks(carried: Iterable[str], name: str) -> int | None:
    """Ticks to break the block with the best of the tools; None if none harvests it."""
    tool = best_tool(carried, name)
    return break_ticks(tool, name) if harvests(tool, block(name)) else None


def wear(tool: str | None, name: str) -> int:
    """Uses that breaking the block costs the tool: 1, or 2 for a sword; none for what breaks at once.

    Source: the Minecraft Wiki, "Durability", Java Edition 1.19.
    """
    if tool is None or items()[tool].durability is None or block(name).hardness == 0:
        return 0
    return 2 if tool.endswith("_sword") else 1


def stacks(item: str, count: int) -> int:
    """How many inventory slots `count` of the item take."""
    return -(-count // items()[item].stack_size)
