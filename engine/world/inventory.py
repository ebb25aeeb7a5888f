"""Items in slots: what an agent carries, what a chest holds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from engine.world import rules

AGENT_SLOTS = 36
CHEST_SLOTS = 27


class Inventory:
    """Counts by item name, in the order in which they came, limited by slots and stack sizes."""

    def __init__(self, slots: int, items: Mapping[str, int] | None = None) -> None:
        self.slots = slots
        self._counts: dict[str, int] = dict(items or {})

    def __iter__(self) -> Iterator[str]:
        """Item names, first come first."""
        return iter(self._counts)

    def count(self, item: str) -> int:
        """How many of the item are here."""
        return self._counts.get(item, 0)

    def as_dict(self) -> dict[str, int]:
        """A copy of the counts."""
        return dict(self._counts)

    def room(self, item: str) -> int:
        """How many more of the item fit: the rest of its last stack, and all free slots."""
        size = rules.items()[item].stack_size
        used = sum([rules.stacks(name, count) for name, count in self._counts.items()])
        return (self.slots - used) * size + (-self.count(item) % size)

    def add(self, item: str, count: int) -> int:
        """Put in as many as fit; returns how many did."""
        added = min(count, self.room(item))
        if added > 0:
            self._counts[item] = self.count(item) + added
        return added

    def remove(self, item: str, count: int) -> int:
        """Take out as many as there are; returns how many there were."""
        removed = min(count, self.count(item))
        if removed:
            left = self.count(item) - removed
            if left:
                self._counts[item] = left
            else:
                del self._counts[item]
        return removed
