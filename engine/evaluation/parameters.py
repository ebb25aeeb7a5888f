"""The parameter spaces of the task types, from `tasks/specifications`: what may vary, and between which bounds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Annotated, Literal, Self, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from engine.errors import Fault, TaskError
from engine.spec import document
from engine.spec.explain import explain
from engine.spec.model import TaskType

FOLDER = Path(__file__).resolve().parents[2] / "tasks" / "specifications"

DescribedType = Literal["prepare_crisis", "mine_vanishing_blocks", "raid_boss"]
"""Task types with a parameter space; `custom` has none."""
DESCRIBED: tuple[DescribedType, ...] = get_args(DescribedType)

_CAPABILITIES = "agents.spawn.capabilities."

Number = Annotated[float, Field(allow_inf_nan=False)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Parameter(_Strict):
    """One thing that varies from task to task.

    Attributes:
        description: what it means, with its unit.
        range: least and greatest value, both included.
        allowed: the values to choose from.
        match: what the bounds apply to if not the value itself: a mapping's keys, or the length of a list.
    """

    description: Annotated[str, Field(min_length=1)]
    range: Annotated[list[Number], Field(min_length=2, max_length=2)] | None = None
    allowed: Annotated[list[str], Field(min_length=1)] | None = None
    match: Literal["keys", "count"] | None = None

    @model_validator(mode="after")
    def _one_of_both(self) -> Self:
        if (self.range is None) == (self.allowed is None):
            raise ValueError("expected either range or allowed")
        if self.range is not None and self.range[0] > self.range[1]:
            raise ValueError("the range's least value is above its greatest")
        return self


class Specification(_Strict):
    """The space of one task type. Parameters are named by their path in the task file, without list indices."""

    task_type: DescribedType
    description: Annotated[str, Field(min_length=1)]
    variable_parameters: dict[str, Parameter]


@dataclass(frozen=True, slots=True)
class Range:
    """Least and greatest value of a parameter."""

    low: float
    high: float

    def distance(self, a: float, b: float) -> float:
        """How far two values are apart, as a share of the range, at most 1."""
        width = self.high - self.low
        return min(1.0, abs(a - b) / width) if width > 0 else float(a != b)


@dataclass(frozen=True, slots=True)
class Bounds:
    """Ranges of an agent's capabilities: half hearts, blocks a second, blocks, and a factor on damage."""

    max_health: Range
    speed_bps: Range
    perception_range: Range
    damage_multiplier: Range


@cache
def bounds(task_type: TaskType) -> Bounds:
    """The ranges of agents' capabilities in the type's space; for `custom` the widest of all spaces.

    Raises:
        TaskError: a specification file is missing or wrong.
    """
    types = DESCRIBED if task_type == "custom" else (task_type,)
    return Bounds(
        max_health=_widest(types, "max_health"),
        speed_bps=_widest(types, "speed_bps"),
        perception_range=_widest(types, "perception_range"),
        damage_multiplier=_widest(types, "damage_multipliers"),
    )


def _widest(types: tuple[DescribedType, ...], capability: str) -> Range:
    ranges = [_range(specification(kind), _CAPABILITIES + capability) for kind in types]
    return Range(min(one.low for one in ranges), max(one.high for one in ranges))


def _range(space: Specification, name: str) -> Range:
    parameter = space.variable_parameters.get(name)
    if parameter is None or parameter.range is None:
        fault = Fault(None, "variable_parameters", f"expected {name} with a range; metrics need it")
        raise TaskError([fault], f"{space.task_type}.yaml")
    return Range(*parameter.range)


@cache
def specification(task_type: DescribedType) -> Specification:
    """The parameter space of a task type.

    Raises:
        TaskError: its file is missing or wrong.
    """
    path = FOLDER / f"{task_type}.yaml"
    try:
        text = path.read_bytes()
    except OSError as error:
        raise TaskError([Fault(None, "", f"cannot be read: {error.strerror}")], path.name) from error
    return parse(text, path.name)


def parse(text: str | bytes, name: str) -> Specification:
    """Read a parameter space from its text; `name` is the file's.

    Raises:
        TaskError: the text is wrong, with all its faults.
    """
    read = document.read(text)
    if read.faults:
        raise TaskError(read.faults, name)
    try:
        return Specification.model_validate(read.data)
    except ValidationError as error:
        raise TaskError(list(_faults(error, read)), name) from error


def _faults(error: ValidationError, read: document.Document) -> Iterator[Fault]:
    for path, message in explain(error, Specification):
        yield Fault(document.line_of(read.data, path), document.show(path), message)
