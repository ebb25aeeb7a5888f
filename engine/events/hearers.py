"""Who is told of which events."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Generic, TypeVar

from engine.events.payloads import Payload

T = TypeVar("T")


class Hearers(Generic[T]):
    """Those who are told of events, in the order in which they were added; most hear of a few types only."""

    def __init__(self) -> None:
        self._all: list[tuple[Callable[[T], None], Collection[type[Payload]] | None]] = []
        self._by_kind: dict[type[Payload], list[Callable[[T], None]]] = {}

    def add(self, tell: Callable[[T], None], hears: Collection[type[Payload]] | None) -> None:
        """Let somebody be told of events of the types from now on; None for all types."""
        self._all.append((tell, hears))
        self._by_kind.clear()

    def of(self, kind: type[Payload]) -> list[Callable[[T], None]]:
        """Whom to tell of an event of the type."""
        found = self._by_kind.get(kind)
        if found is None:
            found = self._by_kind[kind] = [
                tell for tell, hears in self._all if hears is None or kind in hears
            ]
        return found
