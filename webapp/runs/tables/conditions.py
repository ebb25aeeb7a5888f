"""What episodes are compared by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from webapp.runs.providers import is_scripted

AXES = ("policy", "model", "mode", "world")
"""Columns of an episode that make up its condition."""


@dataclass(frozen=True, slots=True)
class Condition:
    """Who decided, and how the world waited for it."""

    policy: str
    model: str
    mode: str
    world: str

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> Condition:
        """The condition of a row that holds the columns of `AXES`."""
        return cls(*(row[axis] for axis in AXES))

    @property
    def is_scripted(self) -> bool:
        """A script answered where a language model would."""
        return bool(self.model) and is_scripted(self.model)

    @property
    def query(self) -> str:
        """The part of an address that narrows a list of episodes to this condition."""
        return urlencode({axis: getattr(self, axis) for axis in AXES})

    def plain(self) -> dict[str, Any]:
        """As files hold it: an empty model is none, and scripted ones are marked."""
        return {
            "policy": self.policy,
            "model": self.model or None,
            "is_scripted": self.is_scripted,
            "mode": self.mode,
            "world": self.world,
        }
