"""What an episode's environment put into the world: a fold over its log, and what the task still has in store."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from engine.events.payloads import BlocksChanged, Payload
from engine.spec.model import SpawnBlocks, TaskSpec
from engine.spec.schedule import schedule
from engine.world.geometry import TICKS_PER_STEP, Cell
from engine.world.terrain import AIR


@dataclass(frozen=True, slots=True)
class Appeared:
    """A block that the environment placed: at which tick, and when it will vanish (None: it stays).

    Attributes:
        spread: how many blocks off `cell` it may be; 0 where the place is known.
    """

    block: str
    cell: Cell
    tick: int
    vanish_tick: int | None
    spread: float = 0.0


@dataclass(slots=True)
class Spawns:
    """All blocks that the environment placed in an episode, those of the task's beginning at tick 0.

    Attributes:
        tick: of the last event taken in; -1 before the first.
    """

    tick: int = -1
    blocks: list[Appeared] = field(default_factory=list)

    def take(self, tick: int, payload: Payload) -> None:
        """Take in an event of the log."""
        self.tick = tick
        if not isinstance(payload, BlocksChanged) or payload.cause == "agent" or payload.block == AIR:
            return
        self.blocks += [Appeared(payload.block, cell, tick, payload.vanish_tick) for cell in payload.cells]

    def to_come(self, spec: TaskSpec) -> Iterator[Appeared]:
        """What the task would have spawned after the last event: an episode that is over early does not show it.

        What comes by chance is taken as certain; what waits for a `when` condition is left out.
        """
        for firing in schedule(spec):
            action = spec.events[firing.event_index].actions[firing.action_index]
            tick = -1 if firing.step is None else firing.step * TICKS_PER_STEP
            if not isinstance(action, SpawnBlocks) or tick <= self.tick or not firing.probability:
                continue
            vanish = None if action.lifetime is None else tick + action.lifetime * TICKS_PER_STEP
            one = Appeared(action.block, action.center, tick, vanish, action.radius)
            yield from [one] * action.count
