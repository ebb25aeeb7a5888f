"""How a single file adds an event action or a mechanic of its own to the benchmark.

The file lies in `engine/extensions/`; what it registers here is part of the task schema, of the error messages and of
every world from then on. The user guide shows an example of each.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from operator import or_
from typing import Annotated, Any, get_args

from pydantic import Field
from pydantic.fields import FieldInfo

from engine.dynamics.actions import Perform, performs
from engine.dynamics.mechanics import Build, mechanic
from engine.spec.model import Environment, Event, Mechanics, Strict, TaskSpec


def event_action(model: type[Strict]) -> Callable[[Perform], Perform]:
    """Register a function as what an event action does.

    Args:
        model: the action's fields; `type` is a `Literal` with its name.
    """
    (kind,) = get_args(model.model_fields["type"].annotation)

    def register(function: Perform) -> Perform:
        (union,) = get_args(Event.model_fields["actions"].annotation)
        known = [known for known in get_args(get_args(union)[0]) if _kind(known) != kind]
        members: Any = reduce(or_, [*known, model])
        chosen: Any = Annotated[members, Field(discriminator="type")]
        Event.model_fields["actions"].annotation = list[chosen]
        _rebuild()
        return performs(kind)(function)

    return register


def _kind(model: type[Strict]) -> str:
    (kind,) = get_args(model.model_fields["type"].annotation)
    return str(kind)


def extra_mechanic(name: str, settings: type[Strict]) -> Callable[[Build], Build]:
    """Register a class as a mechanic: the key in `environment.mechanics`, and the fields of its settings."""

    def register(build: Build) -> Build:
        Mechanics.model_fields[name] = FieldInfo(annotation=settings | None, default=None)  # type: ignore[arg-type]
        _rebuild()
        return mechanic(name)(build)

    return register


def _rebuild() -> None:
    for model in (Event, Mechanics, Environment, TaskSpec):
        model.model_rebuild(force=True)
