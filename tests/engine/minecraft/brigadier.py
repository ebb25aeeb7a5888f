"""Reads commands as a Minecraft server does: along the command tree that `minecraft-data` carries for its version.

Literals and arguments are walked as Mojang's Brigadier walks them; each kind of argument has a reader below. Names are
looked up in the version's own lists. What is left over, or what a server would refuse, raises `Refused`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from engine.world.rules import DATA

Node = dict[str, Any]
NUMBER = r"-?(?:\d+\.?\d*|\.\d+)"
LIMITS = {
    "brigadier:integer": (-(2**31), 2**31 - 1),
    "brigadier:float": (-3.4e38, 3.4e38),
    "brigadier:double": (-1e308, 1e308),
}


class Refused(Exception):  # noqa: N818 - what a server does
    """A server would not understand the command."""


class Reader:
    """A text and a place in it."""

    def __init__(self, text: str, place: int = 0) -> None:
        self.text, self.place = text, place

    @property
    def rest(self) -> str:
        return self.text[self.place :]

    def match(self, pattern: str) -> str:
        found = re.compile(pattern, re.ASCII).match(self.text, self.place)
        if not found:
            raise Refused(f"{pattern!r} was expected at {self.rest!r}")
        self.place = found.end()
        return found[0]

    def has(self, text: str) -> bool:
        """Whether the text comes next; then it is passed over."""
        if not self.text.startswith(text, self.place):
            return False
        self.place += len(text)
        return True


class Tree:
    """The commands of one version.

    Args:
        commands: the version whose tree is walked.
        names: the version in whose lists names are looked up.
        components: whether items have components, not tags.
        borrowed: commands that the tree lacks, with the version from which each is taken.
    """

    def __init__(
        self, commands: str, names: str, components: bool, borrowed: dict[str, str] | None = None
    ) -> None:
        self.root: Node = _commands(commands)
        self.names, self.components = names, components
        for name, version in (borrowed or {}).items():
            assert self._top(name) is None
            extra = next(node for node in _commands(version)["children"] if node["name"] == name)
            self.root = self.root | {"children": [*self.root["children"], extra]}

    def _top(self, name: str) -> Node | None:
        return next((node for node in self.root["children"] if node["name"] == name), None)

    def read(self, command: str) -> list[str]:
        """The names of the nodes along which the command is understood."""
        faults: list[str] = []
        for path in self._walk(self.root, Reader(command), faults):
            return path
        raise Refused(f"{command!r}: {'; '.join(faults) or 'no such command'}")

    def _walk(self, node: Node, reader: Reader, faults: list[str]) -> Iterator[list[str]]:
        for child in self._children(node):
            at = Reader(reader.text, reader.place)
            try:
                self._step(child, at)
            except Refused as fault:
                faults.append(str(fault))
                continue
            if not at.rest:
                if child.get("executable"):
                    yield [child["name"]]
                faults.append(f"{child['name']} is not the end")
            elif at.has(" "):
                for path in self._walk(child, at, faults):
                    yield [child["name"], *path]

    def _children(self, node: Node) -> list[Node]:
        if node.get("redirects"):
            top = self._top(node["redirects"][0])
            assert top is not None
            return list(top["children"])
        if (
            node["name"] == "run" and not node["children"]
        ):  # the one redirect to the root, which the data leaves out
            return list(self.root["children"])
        return list(node["children"])

    def _step(self, node: Node, reader: Reader) -> None:
        if node["type"] == "literal":
            if reader.match(r"[^ ]+") != node["name"]:
                raise Refused(f"not {node['name']}")
            return
        parser = node["parser"]
        kind, modifier = parser["parser"], parser["modifier"] or {}
        if kind in LIMITS:
            self._number(reader, kind, modifier)
        elif kind == "minecraft:entity":
            _entity(reader, modifier)
        elif kind == "minecraft:resource":
            self._resource(reader, modifier["registry"])
        elif kind == "minecraft:resource_location" and node["name"] == "attribute":
            self._resource(reader, "minecraft:attribute")
        elif kind in ("minecraft:item_stack", "minecraft:item_predicate"):
            self._item(reader)
        elif kind in ("minecraft:block_state", "minecraft:block_predicate"):
            self._named(reader, "blocks")
        elif kind in OTHERS:
            OTHERS[kind](self, reader)
        else:
            raise Refused(f"no reader for {kind}")

    def _number(self, reader: Reader, kind: str, modifier: dict[str, float]) -> None:
        text = reader.match(r"-?\d+(?![\d.])" if kind == "brigadier:integer" else NUMBER)
        least, most = LIMITS[kind]
        if not modifier.get("min", least) <= float(text) <= modifier.get("max", most):
            raise Refused(f"{text} is out of bounds")

    def _resource(self, reader: Reader, registry: str) -> None:
        lists = {
            "minecraft:entity_type": "entities",
            "minecraft:mob_effect": "effects",
            "minecraft:attribute": "attributes",
        }
        self._named(reader, lists[registry])

    def _named(self, reader: Reader, what: str) -> str:
        name = reader.match(r"minecraft:[a-z0-9_.]+").removeprefix("minecraft:")
        if name not in known(self.names, what):
            raise Refused(f"{self.names} has no {name} among its {what}")
        return name

    def _item(self, reader: Reader) -> None:
        self._named(reader, "items")
        if self.components and reader.has("["):
            while True:
                reader.match(r"[a-z_]+=")
                snbt(reader)
                if reader.has("]"):
                    return
                reader.match(",")
        elif not self.components and reader.rest.startswith("{"):
            compound(reader)


def _entity(reader: Reader, modifier: dict[str, str]) -> None:
    """A player's name or a selector, of as many and such entities as the command takes."""
    if not reader.has("@"):
        reader.match(r"\w{1,16}(?![^ ])")
        return
    kind = reader.match("[aes]")
    options = ""
    if reader.has("["):
        options = reader.match(
            rf"tag=[\w.+-]+(,limit=1)?|type=!minecraft:\w+(,(x|y|z|dx|dy|dz)={NUMBER}){{6}}"
        )
        reader.match(r"\]")
    if modifier["amount"] == "single" and kind != "s" and ",limit=1" not in options:
        raise Refused("one entity was expected")
    if modifier["type"] == "players" and kind == "e":
        raise Refused("players were expected")


def snbt(reader: Reader) -> None:
    """A value as text, as far as the commands use it."""
    if reader.rest.startswith("{"):
        compound(reader)
    elif reader.has("["):
        if reader.has("]"):
            return
        if reader.has("I;"):
            reader.match(r"-?\d+(,-?\d+)*\]")
            return
        snbt(reader)
        while reader.has(","):
            snbt(reader)
        reader.match(r"\]")
    elif reader.rest.startswith('"'):
        reader.match(r'"(?:[^"\\]|\\.)*"')
    else:
        reader.match(rf"{NUMBER}[bsldf]?(?![\w.])")


def compound(reader: Reader) -> None:
    reader.match(r"\{")
    if reader.has("}"):
        return
    while True:
        reader.match(r"\w+:")
        snbt(reader)
        if reader.has("}"):
            return
        reader.match(",")


def _component(_tree: Tree, reader: Reader) -> None:
    try:
        value, end = json.JSONDecoder().raw_decode(reader.rest)
    except ValueError as fault:
        raise Refused(str(fault)) from None
    if set(value) != {"text"} or not isinstance(value["text"], str):
        raise Refused("a text was expected")
    reader.place += end


def _message(_tree: Tree, reader: Reader) -> None:
    reader.match(r"[^@\x00-\x1f\x7f]+")


def _pattern(pattern: str) -> Callable[[Tree, Reader], None]:
    def read(_tree: Tree, reader: Reader) -> None:
        reader.match(pattern)

    return read


OTHERS: dict[str, Callable[[Tree, Reader], None]] = {
    "brigadier:bool": _pattern("(?:true|false)"),
    "brigadier:string": _pattern(r"[\w.+-]+|\"[^\"]*\""),
    "minecraft:gamemode": _pattern("(?:survival|creative|adventure|spectator)"),
    "minecraft:uuid": _pattern(r"[0-9a-f]{1,8}(-[0-9a-f]{1,4}){3}-[0-9a-f]{1,12}"),
    "minecraft:block_pos": _pattern(r"-?\d+ -?\d+ -?\d+(?![\d.])"),
    "minecraft:column_pos": _pattern(r"-?\d+ -?\d+(?![\d.])"),
    "minecraft:vec3": _pattern(f"{NUMBER} {NUMBER} {NUMBER}"),
    "minecraft:component": _component,
    "minecraft:message": _message,
    "minecraft:nbt_compound_tag": lambda _tree, reader: compound(reader),
    "minecraft:nbt_path": _pattern(r"\w+"),
    "minecraft:time": _pattern(r"\d+(?:\.\d+)?[dst]?(?![\w.])"),
    "minecraft:item_slot": _pattern(r"container\.(?:[0-9]|[1-4][0-9]|5[0-3])(?!\d)"),
    "minecraft:entity_summon": lambda tree, reader: tree._resource(reader, "minecraft:entity_type"),
    "minecraft:mob_effect": lambda tree, reader: tree._resource(reader, "minecraft:mob_effect"),
}


def _load(version: str, what: str) -> Any:
    paths = json.loads((DATA / "dataPaths.json").read_bytes())["pc"]
    return json.loads((DATA / paths[version][what] / f"{what}.json").read_bytes())


@cache
def _commands(version: str) -> Node:
    root: Node = _load(version, "commands")["root"]
    return root


@cache
def known(version: str, what: str) -> frozenset[str]:
    """The names of blocks, items, entities, effects or attributes, as the version's commands spell them."""
    rows = _load(version, what)
    if what == "attributes":
        return frozenset(row["resource"].removeprefix("minecraft:") for row in rows)
    if what == "effects":
        names = {re.sub(r"(?<!^)(?=[A-Z])", "_", row["name"]).lower() for row in rows}
        return frozenset("unluck" if name == "bad_luck" else name for name in names)
    return frozenset(row["name"] for row in rows)
