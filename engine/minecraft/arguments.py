"""The arguments of Minecraft's commands as text, each checked. What no command could carry is a `RuleError`."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from engine.errors import RuleError
from engine.world.geometry import Cell, Position

FILL_BLOCKS = 32_768
"""Most blocks that one `fill` changes (the Minecraft Wiki, "Commands/fill")."""
MOST_CHUNKS = 256
"""Most chunks that one `forceload` takes ("Commands/forceload")."""
CHUNK = 16
FAR = 30_000_000
"""No coordinate is beyond this ("World boundary")."""


@dataclass(frozen=True, slots=True)
class Target:
    """Whom a command is about: `player(…)`, `tagged(…)`, `inside(…)` or `EVERYONE`.

    Attributes:
        text: as commands spell it.
        is_player: whether it can only be players.
        is_one: whether it is one at most, as some commands demand.
    """

    text: str
    is_player: bool
    is_one: bool

    def __str__(self) -> str:
        """As commands spell it."""
        return self.text


EVERYONE = Target("@a", is_player=True, is_one=False)


def player(name: str) -> Target:
    """The player of that name."""
    return Target(word(name, r"\w{1,16}", "a player's name"), is_player=True, is_one=True)


def tagged(tag: str, *, one: bool = False) -> Target:
    """The entities that were summoned with the tag; with `one`, one of them."""
    limit = ",limit=1" if one else ""
    return Target(f"@e[tag={tag_word(tag)}{limit}]", is_player=False, is_one=one)


def inside(low: Cell, high: Cell) -> Target:
    """Whatever is in the box but players: mobs, items, arrows."""
    corner = zip("xyz", low, strict=True)
    spans = zip(("dx", "dy", "dz"), low, high, strict=True)
    options = [f"{axis}={whole(at, -FAR, FAR, 'a coordinate')}" for axis, at in corner]
    options += [f"{axis}={whole(most - least, 0, FAR, 'a side')}" for axis, least, most in spans]
    return Target(f"@e[type=!minecraft:player,{','.join(options)}]", is_player=False, is_one=False)


def one(target: Target) -> Target:
    """The target, which must be one entity at most."""
    if not target.is_one:
        raise RuleError(f"{target} may be several entities; this command takes one")
    return target


def players(target: Target) -> Target:
    """The target, which must be players."""
    if not target.is_player:
        raise RuleError(f"{target} may be no player; this command takes players only")
    return target


def word(text: str, pattern: str, what: str) -> str:
    """The text, which must match the pattern."""
    if not re.fullmatch(pattern, text, re.ASCII):
        raise RuleError(f"{text!r} is not {what}")
    return text


def named(name: str) -> str:
    """A name with its namespace, of a block, an item, an entity or an effect."""
    return "minecraft:" + word(name, r"[a-z0-9_]+", "a name of a block, an item, an entity or an effect")


def tag_word(tag: str) -> str:
    """A tag of entities."""
    return word(tag, r"[\w.-]{1,64}", "a tag")


def field(path: str) -> str:
    """The name of a field of data."""
    return word(path, r"\w+", "the name of a field of data")


def whole(value: int, least: int, most: int, what: str) -> int:
    """A whole number within bounds."""
    if not least <= value <= most:
        raise RuleError(f"{what} must be from {least} to {most}, not {value}")
    return value


def decimal(value: float, least: float = -FAR) -> str:
    """A number without an exponent, to six places."""
    if not (math.isfinite(value) and least <= value <= FAR):
        raise RuleError(f"{value} is out of range")
    return f"{round(value, 6) + 0.0:.6f}".rstrip("0").rstrip(".")


def cell(cell: Cell) -> str:
    """Three whole coordinates."""
    return " ".join(str(whole(part, -FAR, FAR, "a coordinate")) for part in cell)


def position(position: Position) -> str:
    """Always with a decimal point: Minecraft moves whole numbers to the middle of their block."""
    parts = [decimal(part) for part in position]
    return " ".join(part if "." in part else f"{part}.0" for part in parts)


def line(text: str) -> str:
    """Text without line ends and control characters, and without space around it."""
    line = "".join(
        " " if letter.isspace() else letter for letter in text if letter.isspace() or letter.isprintable()
    )
    if not line.strip():
        raise RuleError("there is nothing to say")
    return line.strip()


def boxes(low: Cell, high: Cell) -> list[tuple[Cell, Cell]]:
    """A box as boxes that are small enough for one `fill`, cut across its longest side."""
    sides = [greatest - least + 1 for least, greatest in zip(low, high, strict=True)]
    if min(sides) < 1:
        raise RuleError(f"{low} is not the least corner of a box whose greatest is {high}")
    if math.prod(sides) <= FILL_BLOCKS:
        return [(low, high)]
    axis = sides.index(max(sides))
    middle = low[axis] + sides[axis] // 2
    near, far = list(high), list(low)
    near[axis], far[axis] = middle - 1, middle
    return boxes(low, (near[0], near[1], near[2])) + boxes((far[0], far[1], far[2]), high)


def chunks(low: Cell, high: Cell) -> str:
    """The columns of two corners, which must not be too many chunks apart."""
    across, along = (high[axis] // CHUNK - low[axis] // CHUNK + 1 for axis in (0, 2))
    if across < 1 or along < 1 or across * along > MOST_CHUNKS:
        raise RuleError(
            f"from {low} to {high} are {across} × {along} chunks; at most {MOST_CHUNKS} can be kept loaded"
        )
    return f"{low[0]} {low[2]} {high[0]} {high[2]}"
