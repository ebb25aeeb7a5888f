"""Older spellings of task files, rewritten in place to the current ones, each with a warning.

The spellings are those of the papers' listings. What a listing abbreviates so far that it cannot be read, and
what is a task file of another benchmark, is refused here with the reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from engine.errors import Fault
from engine.spec.document import Document, Path, YamlList, YamlMap, line_of, show
from engine.spec.explain import GRID_FORM
from engine.spec.model import TaskSpec
from engine.spec.names import quote

_POINTS = ("position", "center", "min", "max")
_GOLD = re.compile(r"gold_(pickaxe|axe|sword|shovel|hoe|helmet|chestplate|leggings|boots|apple|carrot)")
_FREE = ("inventory", "items", "gamerules", "damage_multipliers")
"""Mappings whose keys are names of the task's own choice, none of which is a field."""

_FOREIGN: Mapping[str, frozenset[str]] = {
    "an MCU task (MCU-AgentBeats)": frozenset({"custom_init_commands", "reward_cfg", "milestone_reward_cfg"}),
    "an AgentWorld task": frozenset({"relevant_game_context", "max_action_steps", "agent_1"}),
}
_MINDCRAFT = frozenset({"agent_count", "initial_inventory"})
"""Keys by which task files of other benchmarks are known: at the top, mindcraft's one level below it."""


class Legacy:
    """Rewrites one document.

    Attributes:
        warnings: one for each older spelling that was rewritten.
        faults: forms that cannot be rewritten.
        spoiled: the places of these faults, where no more is to be said.
    """

    def __init__(self, document: Document) -> None:
        self.data = document.data
        self.warnings: list[Fault] = []
        self.faults: list[Fault] = []
        self.spoiled: list[Path] = []

    def rewrite(self) -> None:
        """Rewrite all older spellings that the document has."""
        if not isinstance(self.data, YamlMap) or self._refuse_foreign(self.data):
            return
        if isinstance(self.data.get("environment"), YamlList):
            self._refuse(("environment",), f"expected a mapping, found a list; {GRID_FORM}")
        self._wrap(self.data, "events", ())
        for event, path in _entries(self.data.get("events"), ("events",)):
            self._wrap(event, "actions", path)
        self._conditions()
        self._walk(self.data, ())

    def _refuse_foreign(self, root: YamlMap) -> bool:
        unknown = [key for key in root if key not in TaskSpec.model_fields]
        name = next((name for name, signs in _FOREIGN.items() if signs.intersection(unknown)), None)
        if len(unknown) == len(root) and any(
            _MINDCRAFT & set(task) for task in root.values() if isinstance(task, YamlMap)
        ):
            name = "a mindcraft task"
        if name is None:
            return False
        known = ", ".join(TaskSpec.model_fields)
        message = (
            f"unknown key {quote(unknown[0])}; this looks like {name}, which is not read; expected {known}"
        )
        self._refuse((unknown[0],), message)
        self.spoiled.append(())
        return True

    def _refuse(self, path: Path, message: str) -> None:
        self.faults.append(Fault(line_of(self.data, path), show(path), message))
        self.spoiled.append(path)

    def _warn(self, path: Path, message: str) -> None:
        self.warnings.append(Fault(line_of(self.data, path), show(path), message))

    def _wrap(self, owner: Any, key: str, path: Path, *, silently: bool = False) -> None:
        """Put a mapping that stands where a list belongs into a list."""
        value = owner.get(key) if isinstance(owner, YamlMap) else None
        if isinstance(value, YamlMap):
            if not silently:
                self._warn((*path, key), f"older spelling; write {key} as a list, also for a single entry")
            owner.put(key, _listed(value), owner.lines[key])

    def _conditions(self) -> None:
        """A single condition may stand where a list of conditions does; that is no older spelling."""
        self._wrap(self.data.get("task"), "success", ("task",), silently=True)
        for event, path in _entries(self.data.get("events"), ("events",)):
            self._wrap(event.get("trigger"), "when", (*path, "trigger"), silently=True)

    def _walk(self, value: Any, path: Path) -> None:
        """Spellings that are known by the key alone, wherever it stands."""
        if isinstance(value, YamlMap) and path[-1:] not in [(key,) for key in _FREE]:
            self._rewrite_map(value, path)
        for child, child_path in _children(value, path):
            self._walk(child, child_path)

    def _rewrite_map(self, owner: YamlMap, path: Path) -> None:
        if path[-1:] == ("capabilities",) and "perception range" in owner:
            self._rename(owner, "perception range", "perception_range", path)
        if "speed" in owner and _moves(owner, path):
            self._rename(owner, "speed", "speed_bps", path)
        for key in _POINTS:
            self._point(owner, key, path)
        self._effects(owner)
        for key in ("inventory", "items"):
            self._items(owner.get(key), (*path, key), silently=key == "items")
        if isinstance(owner.get("item"), str) and _GOLD.fullmatch(owner["item"]):
            right = owner["item"].replace("gold_", "golden_", 1)
            self._warn((*path, "item"), f"older spelling; write {right}")
            owner.put("item", right, owner.lines["item"])
        if isinstance(owner.get("not"), YamlList):
            owner.put("not", _mapping("all", owner["not"], owner.lines["not"]), owner.lines["not"])

    def _rename(self, owner: YamlMap, old: str, new: str, path: Path) -> None:
        if new in owner:
            self._refuse(
                (*path, old), f"given twice: {quote(old)} is an older spelling of {quote(new)}; keep one"
            )
            owner.drop(old)
            return
        self._warn((*path, old), f"older spelling; write {new}")
        owner.rename(old, new)

    def _point(self, owner: YamlMap, key: str, path: Path) -> None:
        value = owner.get(key)
        if isinstance(value, YamlMap) and set(value) == {"x", "y", "z"}:
            self._warn((*path, key), "older spelling; write the point as [x, y, z]")
            point = YamlList(value.line)
            for axis in "xyz":
                point.add(value[axis], value.lines[axis])
            owner.put(key, point, owner.lines[key])

    def _effects(self, owner: YamlMap) -> None:
        """`effects: [name]` and `effect: name` are short for the form with a type; both are current."""
        effects = owner.get("effects")
        if isinstance(effects, YamlList):
            for index, effect in enumerate(effects):
                if isinstance(effect, str):
                    effects[index] = _mapping("type", effect, effects.lines[index])
        if isinstance(owner.get("effect"), str):
            owner.put(
                "effect", _mapping("type", owner["effect"], owner.lines["effect"]), owner.lines["effect"]
            )

    def _items(self, items: Any, path: Path, *, silently: bool) -> None:
        if not isinstance(items, YamlMap):
            return
        for name in list(items):
            value = items[name]
            if isinstance(value, int) and not isinstance(value, bool):
                if not silently:
                    self._warn((*path, name), f"older spelling; write {{count: {value}}}")
                items.put(name, _mapping("count", value, items.lines[name]), items.lines[name])
            if _GOLD.fullmatch(name):
                self._rename(items, name, name.replace("gold_", "golden_", 1), path)


def _moves(owner: YamlMap, path: Path) -> bool:
    """Whether the mapping describes something that has a speed."""
    kinds = ("progressive_fill", "spawn_entities")
    return path[-1:] == ("capabilities",) or path[-2:-1] == ("hostiles",) or owner.get("type") in kinds


def _entries(value: Any, path: Path) -> Iterator[tuple[YamlMap, Path]]:
    """The mappings in a list."""
    if isinstance(value, YamlList):
        for index, entry in enumerate(value):
            if isinstance(entry, YamlMap):
                yield entry, (*path, index)


def _children(value: Any, path: Path) -> list[tuple[Any, Path]]:
    if isinstance(value, YamlMap):
        return [(child, (*path, key)) for key, child in value.items()]
    if isinstance(value, YamlList):
        return [(child, (*path, index)) for index, child in enumerate(value)]
    return []


def _listed(value: YamlMap) -> YamlList:
    result = YamlList(value.line)
    result.add(value, value.line)
    return result


def _mapping(key: str, value: Any, line: int) -> YamlMap:
    result = YamlMap(line)
    result.put(key, value, line)
    return result
