"""Names that a task may use, checked against the game data, and the nearest right one for a misspelt one."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from difflib import get_close_matches

from engine.world import rules

_LONGEST_NAME = 64


class UnknownName(ValueError):  # noqa: N818 - what pydantic expects of a validator is a ValueError
    """A name that the game data does not have. The search for the nearest one waits until it is shown."""

    def __init__(self, name: str, known: Callable[[], Iterable[str]], what: str) -> None:
        super().__init__(f"unknown {what}")
        self._name, self._known, self._what = name, known, what

    def message(self) -> str:
        """What was found and expected, and the nearest right name if one is near."""
        guess = nearest(self._name, self._known())
        expected = f"; expected a name of Minecraft {rules.MINECRAFT_VERSION}"
        return f"unknown {self._what} {quote(self._name)}{guess or expected}"


def quote(text: str) -> str:
    """The text in quotes, on one line and not longer than a message can bear."""
    return repr(text if len(text) <= _LONGEST_NAME else text[: _LONGEST_NAME - 1] + "…")


def nearest(name: str, known: Iterable[str]) -> str:
    """`"; did you mean 'gold_ore'?"`, or nothing when no known name is close.

    Capitals, spaces and hyphens for underscores and the namespace `minecraft:` do not count as differences.
    """
    if len(name) > _LONGEST_NAME:
        return ""
    plain = name.lower().removeprefix("minecraft:").replace(" ", "_").replace("-", "_")
    matches = get_close_matches(plain, list(known), n=1, cutoff=0.6)
    return f"; did you mean {matches[0]!r}?" if matches else ""


def block_name(name: str) -> str:
    """The name, if Minecraft has such a block."""
    return _check(name, rules.blocks, "block")


def item_name(name: str) -> str:
    """The name, if Minecraft has such an item or such a potion."""
    return _check(name, rules.items, "item")


def entity_name(name: str) -> str:
    """The name, if Minecraft has such a mob."""
    return _check(name, rules.entities, "entity")


def effect_name(name: str) -> str:
    """The name, if Minecraft has such a status effect."""
    return _check(name, rules.effects, "effect")


def _check(name: str, known: Callable[[], Iterable[str]], what: str) -> str:
    if name not in known():
        raise UnknownName(name, known, what)
    return name
