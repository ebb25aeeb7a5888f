"""Success and partial score (SPEC section 7), one class for each task type, registered by its name.

A score is a fold over events: it keeps checkpoints, says when the task is won or lost for good, and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from engine.events.payloads import Checkpoint, ChestChanged, Payload
from engine.spec.model import TaskSpec
from engine.world import rules


class Score(Protocol):
    """What a task counts."""

    @property
    def checkpoints(self) -> list[Checkpoint]:
        """The figures now, in a fixed order."""

    def follow(self, payload: Payload) -> None:
        """Take in what happened."""

    @property
    def succeeded(self) -> bool:
        """Whether the task is won, as things stand."""


def partial_score(checkpoints: list[Checkpoint]) -> float:
    """Mean completion over the checkpoints, each capped at 1 (SPEC section 7)."""
    return sum(min(1.0, point.have / point.need) for point in checkpoints) / len(checkpoints)


def needed_items(spec: TaskSpec) -> dict[str, int]:
    """Items that the targets ask for: blocks wanted times the block's drop, added up by item (SPEC section 11)."""
    needed: dict[str, int] = {}
    for target in spec.task.targets:
        for item in rules.block(target.block).drops[:1]:
            needed[item] = needed.get(item, 0) + target.count
    return needed


class MineScore:
    """mine_vanishing_blocks: the chests hold the drops of every target in its count."""

    def __init__(self, spec: TaskSpec) -> None:
        self._needed = needed_items(spec)
        self._held = {
            chest.position: {item: stack.count for item, stack in chest.items.items()}
            for chest in spec.all_chests
        }

    @property
    def checkpoints(self) -> list[Checkpoint]:
        """One for each item: how many lie in chests, of how many wanted."""
        return [
            Checkpoint(name=f"deposit {item}", have=self._count(item), need=need)
            for item, need in self._needed.items()
        ]

    def _count(self, item: str) -> int:
        return sum(held.get(item, 0) for held in self._held.values())

    def follow(self, payload: Payload) -> None:
        """Keep what each chest holds."""
        if isinstance(payload, ChestChanged):
            self._held[payload.chest][payload.item] = payload.count

    @property
    def succeeded(self) -> bool:
        """Whether every quota is met."""
        return all(self._count(item) >= need for item, need in self._needed.items())


SCORES: dict[str, Callable[[TaskSpec], Score]] = {"mine_vanishing_blocks": MineScore}
"""The score by task type."""
