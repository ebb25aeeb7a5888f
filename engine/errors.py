"""Every error that the engine raises on purpose, in one tree.

    EngineError
    ├── TaskError            the task file is wrong (permanent)
    ├── SettingsError        the launch settings are wrong (permanent)
    ├── MissingDataError     set-up is incomplete: game data was not installed (permanent until mended)
    ├── RuleError            the engine was asked for something that the rules do not know (permanent; a defect)
    └── InfrastructureError  a server, an endpoint or a disk failed (worth a retry); never a task failure

`retryable` tells the caller whether the same call may succeed later without anybody changing anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


class EngineError(Exception):
    """Base of all engine errors: a message that says what, where, and what to do."""

    retryable = False


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong with a task file, or suspicious in it.

    Attributes:
        line: 1-based line in the YAML text; None when no line can be named.
        path: where in the document, as `agents.spawn[0].position`; empty for the whole document.
        message: what was found, what was expected and, for a misspelt name, the nearest right one.
    """

    line: int | None
    path: str
    message: str

    def __str__(self) -> str:
        """`line 12, agents.spawn[0].position: expected …`."""
        where = ", ".join(part for part in (f"line {self.line}" if self.line else "", self.path) if part)
        return f"{where}: {self.message}" if where else self.message


class TaskError(EngineError):
    """A task file is invalid. Carries all faults found, not only the first."""

    def __init__(self, faults: Sequence[Fault], source: str = "task") -> None:
        self.faults = list(faults)
        self.source = source
        super().__init__("\n".join(f"{source}: {fault}" for fault in self.faults))


class SettingsError(EngineError):
    """A launch setting (policy, mode, world, seed, pace) is unknown or out of range."""


class MissingDataError(EngineError):
    """Game data that set-up installs is not there."""


class RuleError(EngineError):
    """A name that no rule knows reached the engine's inside, past the task schema."""


class InfrastructureError(EngineError):
    """Something outside the benchmark failed; the episode is reported as `error`, never as a failure."""

    retryable = True
