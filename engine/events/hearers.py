"""Who is told of which events."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TypeVar

from engine.events.payloads import Payload

T = TypeVar("T")


class Hearers(dict[type[Payload], list[Callable[[T], None]]]):
    """By type of event, whom to tell of it, in the order in which they were added; most hear of a few types only.

    A type's list is made when it is asked for first.
    """

    def __init__(self) -> None:
        super().__init__()
        self._all: list[tuple[Callable[[T], None], Collection[type[Payload]] | None]] = []

    def add(self, tell: Callable[[T], None], hears: Collection[type[Payload]] | None) -> None:
        """Let somebody be told of events of the types from now on; None for all types."""
        self._all.append((tell, hears))
        self.clear()

    def __missing__(self, kind: type[Payload]) -> list[Callable[[T], None]]:
        found = self[kind] = [tell for tell, hears in self._all if hears is None or kind in hears]
        return found
