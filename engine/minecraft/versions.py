"""Minecraft versions of servers of the user's own: which are known, and all in which their commands differ.

Protocol numbers come from `minecraft-data`. Each difference names the page of the Minecraft Wiki (Java Edition) whose
history gives it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal

from engine.errors import MissingDataError, SettingsError
from engine.world import rules
from engine.world.rules import DATA

FIRST, LAST = "1.19", "1.21.4"
"""The oldest and the newest version whose commands are known; what lies between is known as well."""

EMBEDDED = (rules.MINECRAFT_VERSION, "1.19.4", "1.20.4", "1.21.4")
"""The releases that the embedded server speaks, and with which it was tested."""

Feature = Literal[
    "damage",
    "infinite effects",
    "active_effects",
    "tick",
    "item components",
    "operations by name",
    "attributes tag",
    "modifiers by name",
    "bare attributes",
]

_RELEASE = re.compile(r"\d{1,3}(\.\d{1,3}){1,2}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Change:
    """One difference: the first version that has it, what it is, and where that is written."""

    since: str
    what: str
    source: str


CHANGES: Mapping[Feature, Change] = {
    "damage": Change("1.19.4", "the command `damage`", "Commands/damage"),
    "infinite effects": Change(
        "1.19.4", "effects that never end: `effect give … infinite`", "Commands/effect"
    ),
    "active_effects": Change(
        "1.20.2", "effects under `active_effects`, before `ActiveEffects`", "Entity format"
    ),
    "tick": Change("1.20.3", "the command `tick`, which freezes the server", "Commands/tick"),
    "item components": Change(
        "1.20.5", "items as `item[component=…]`, before `item{tag:…}`", "Data component format"
    ),
    "operations by name": Change(
        "1.20.5",
        "the operation `add_multiplied_total` of attribute modifiers, before `multiply`",
        "Attribute",
    ),
    "attributes tag": Change(
        "1.21", "`attributes:[{id:…,base:…}]`, before `Attributes:[{Name:…,Base:…}]`", "Entity format"
    ),
    "modifiers by name": Change(
        "1.21", "attribute modifiers known by a name, before by a UUID and a name", "Commands/attribute"
    ),
    "bare attributes": Change("1.21.2", "attributes without the prefix `generic.`", "Attribute"),
}
"""All that differs between the known versions in what `engine.minecraft.commands` emits."""

RENAMED: Mapping[str, tuple[str, str]] = {
    "bad_luck": (FIRST, "unluck"),  # "Bad Luck": minecraft-data's name for 1.19 is not the one of commands
    "grass": ("1.20.3", "short_grass"),  # "Short Grass"
    "scute": ("1.20.5", "turtle_scute"),  # "Turtle Scute"
}
"""Names in tasks that servers know by another name: since which version, and by which."""


def number(version: str) -> tuple[int, ...]:
    """A release by number, to be compared.

    Raises:
        SettingsError: it is none.
    """
    if not _RELEASE.fullmatch(version):
        raise SettingsError(f"{version!r} is no release of Minecraft; give it as 1.20.4")
    return tuple(map(int, version.split(".")))


def has(version: str, feature: Feature) -> bool:
    """Whether the version has the feature."""
    return number(version) >= number(CHANGES[feature].since)


def name_in(version: str, name: str) -> str:
    """What a server of the version calls a block, an item, an entity or an effect of a task."""
    since, later = RENAMED.get(name, (version, name))
    return later if number(version) >= number(since) else name


def names_of_tasks(version: str) -> dict[str, str]:
    """What tasks call blocks and items that the version calls by another name, by that other name."""
    return {later: name for name, (since, later) in RENAMED.items() if number(version) >= number(since)}


def is_known(version: str) -> bool:
    """Whether the version's commands are known."""
    return number(FIRST) <= number(version) <= number(LAST) and version in protocols()


@cache
def protocols() -> Mapping[str, int]:
    """The protocol number of every release."""
    path = DATA / "pc" / "common" / "protocolVersions.json"
    try:
        rows = json.loads(path.read_bytes())
    except FileNotFoundError as error:
        raise MissingDataError("minecraft-data is not installed: run `make install` first") from error
    spoken = {row["minecraftVersion"]: row["version"] for row in rows}
    return {name: protocol for name, protocol in spoken.items() if _RELEASE.fullmatch(name)}


def releases(protocol: int) -> list[str]:
    """The releases that speak the protocol, oldest first; several may share one."""
    return sorted((name for name, spoken in protocols().items() if spoken == protocol), key=number)
