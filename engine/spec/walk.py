"""Every part of a task with its path."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeVar

from pydantic import BaseModel

from engine.spec.document import Path
from engine.spec.model import EventAction, TaskSpec

Part = TypeVar("Part", bound=BaseModel)


def walk(value: Any, path: Path = ()) -> Iterator[tuple[Path, BaseModel]]:
    """Every model within a value, outermost first, with its path as the YAML spells it."""
    if isinstance(value, BaseModel):
        yield path, value
        for name, field in type(value).model_fields.items():
            yield from walk(getattr(value, name), (*path, field.alias or name))
    elif isinstance(value, list):
        for index, entry in enumerate(value):
            yield from walk(entry, (*path, index))
    elif isinstance(value, dict):
        for key, entry in value.items():
            yield from walk(entry, (*path, key))


def parts(spec: TaskSpec, kind: type[Part]) -> Iterator[tuple[Path, Part]]:
    """The task's parts of one kind."""
    for path, part in walk(spec):
        if isinstance(part, kind):
            yield path, part


def actions(spec: TaskSpec) -> Iterator[tuple[int, Path, EventAction]]:
    """The actions of all events, each after the index of its event."""
    for index, event in enumerate(spec.events):
        for number, action in enumerate(event.actions):
            yield index, ("events", index, "actions", number), action
