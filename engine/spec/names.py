"""Names that a task may use, checked against the game data, with the nearest right one for a misspelt one."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from engine.world import rules


def nearest(name: str, known: Iterable[str]) -> str:
    """`"; did you mean 'gold_ore'?"`, or nothing when no known name is close."""
    matches = get_close_matches(name, list(known), n=1, cutoff=0.6)
    return f"; did you mean {matches[0]!r}?" if matches else ""


def _check(name: str, known: Iterable[str], what: str) -> str:
    known = list(known)
    if name not in known:
        raise ValueError(f"unknown {what} {name!r}{nearest(name, known)}")
    return name


def block_name(name: str) -> str:
    """The name, if Minecraft has such a block."""
    return _check(name, rules.blocks(), "block")


def item_name(name: str) -> str:
    """The name, if Minecraft has such an item."""
    return _check(name, rules.items(), "item")


def entity_name(name: str) -> str:
    """The name, if Minecraft has such a mob."""
    return _check(name, rules.entities(), "entity")


def effect_name(name: str) -> str:
    """The name, if Minecraft has such a status effect."""
    return _check(name, rules.effects(), "effect")
