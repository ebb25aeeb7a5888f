"""A task file's text → a valid task, or all that is wrong with it.

Reading goes through four sieves, each with its own module: YAML (`document`), older spellings (`legacy`), the
schema (`model`, put into words by `explain`), and rules across fields (`checks`). Every fault names its line, its
path, what was found and what was expected.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from pydantic import ValidationError

from engine.errors import Fault, TaskError
from engine.extensions import load_extensions
from engine.spec import checks, document
from engine.spec.document import Document, line_of, show
from engine.spec.explain import Problem, explain
from engine.spec.legacy import Legacy
from engine.spec.model import TaskSpec

MAX_FAULTS = 100
"""Faults that are listed. Looking for the nearest name takes milliseconds, so this limits time as well."""
_MORE = Fault(None, "", "… and more; mend these first")


@dataclass(frozen=True, slots=True)
class Loaded:
    """A valid task.

    Attributes:
        spec: the task, normalised.
        warnings: older spellings, and what is valid but hardly meant.
    """

    spec: TaskSpec
    warnings: list[Fault] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Report:
    """What there is to say about a task text. `spec` is None if and only if there are errors."""

    spec: TaskSpec | None
    errors: list[Fault] = field(default_factory=list)
    warnings: list[Fault] = field(default_factory=list)


def load_task(path: Path) -> Loaded:
    """Read a task file; its id is the file's name unless it names its own.

    Raises:
        TaskError: the file cannot be read, or the task is invalid.
        MissingDataError: the game data is not installed.
    """
    return _loaded(check_file(path), str(path))


def load_task_text(text: str | bytes, name: str) -> Loaded:
    """Read a task from its text. `name` stands for the file's name.

    Raises:
        TaskError: the task is invalid.
        MissingDataError: the game data is not installed.
    """
    return _loaded(check_text(text, name), name)


def check_file(path: Path) -> Report:
    """Like `load_task`, with the faults in the report instead of a `TaskError`."""
    try:
        if not path.exists():
            return _refused("there is no such file")
        if not path.is_file():
            return _refused("this is not a file")
        with path.open("rb") as file:
            return check_text(file.read(document.MAX_BYTES + 1), path.name)
    except OSError as error:
        return _refused(f"the file cannot be read: {error.strerror}")


def check_text(text: str | bytes, name: str) -> Report:
    """Like `load_task_text`, with the faults in the report instead of a `TaskError`."""
    load_extensions()
    read = document.read(text)
    legacy = Legacy(read)
    legacy.rewrite()
    faults = [*read.faults, *legacy.faults]
    spec = None
    if read.readable:
        spec, problems = _validate(read, name)
        spoiled = [*read.spoiled, *legacy.spoiled]
        faults += _placed(_outside(problems, spoiled), read)
    if faults or spec is None:
        return Report(None, _listed(faults), _listed(legacy.warnings))
    return Report(spec, [], _listed([*legacy.warnings, *_placed(checks.warnings(spec), read)]))


def digest(spec: TaskSpec) -> str:
    """SHA-256 of the task's normalised form, in hexadecimal.

    Fields come in the order of the models and absent ones with their defaults. Mappings keep their own order, which
    matters (the first item of an inventory is held).
    """
    plain = spec.model_dump(mode="json", by_alias=True)
    text = json.dumps(plain, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _loaded(report: Report, source: str) -> Loaded:
    if report.spec is None:
        raise TaskError(report.errors, source)
    return Loaded(report.spec, report.warnings)


def _refused(message: str) -> Report:
    return Report(None, [Fault(None, "", message)])


def _validate(read: Document, name: str) -> tuple[TaskSpec | None, Iterator[Problem]]:
    """The task if its fields are right, and what is wrong with it."""
    if read.data is None:
        return None, iter(
            [((), "the text is empty; expected a mapping with task, events, agents, environment")]
        )
    try:
        spec = TaskSpec.model_validate(read.data)
    except ValidationError as error:
        return None, explain(error, TaskSpec)
    if spec.task.id is None:
        spec = spec.model_copy(update={"task": spec.task.model_copy(update={"id": _id_from(name)})})
    return spec, checks.errors(spec)


def _id_from(name: str) -> str:
    stem = name.rsplit("/", 1)[-1].removesuffix(".yaml").removesuffix(".yml")
    return re.sub(r"[^A-Za-z0-9_.-]+", "_", stem)[:64].strip("_") or "task"


def _outside(problems: Iterable[Problem], spoiled: list[document.Path]) -> Iterator[Problem]:
    """Problems that are not the consequence of a fault already reported at or above their place."""
    return (
        (path, message)
        for path, message in problems
        if not any(path[: len(place)] == place for place in spoiled)
    )


def _placed(problems: Iterator[Problem], read: Document) -> list[Fault]:
    """Problems with their lines, as many as can be read; a text can hold more than there is time to explain."""
    faults = [
        Fault(line_of(read.data, path), show(path), message) for path, message in islice(problems, MAX_FAULTS)
    ]
    return faults if next(problems, None) is None else [*faults, _MORE]


def _listed(faults: list[Fault]) -> list[Fault]:
    """In the order of lines, those without one at the end, as many as can be read."""
    ordered = sorted(faults, key=lambda fault: (fault.line is None, fault.line or 0))
    return ordered if len(ordered) <= MAX_FAULTS + 1 else [*ordered[:MAX_FAULTS], _MORE]
