"""The dynamic environment manager: fires the task's events on time and takes away what has had its lifetime.

It speaks to a world through the World protocol alone.
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Iterator

from engine.dynamics.actions import PERFORM, Occasion
from engine.dynamics.randomness import generator
from engine.events.payloads import BlocksChanged, Payload
from engine.spec.model import TaskSpec
from engine.spec.schedule import Firing, schedule
from engine.world.geometry import TICKS_PER_STEP, Cell
from engine.world.protocol import Emit, World
from engine.world.terrain import AIR


class DynamicsManager:
    """Everything that a task's `events` section makes happen."""

    def __init__(self, spec: TaskSpec, seed: int, world: World, emit: Emit) -> None:
        self._spec = spec
        self._seed = seed
        self._world = world
        self._emit = emit
        self._due = deque(_timed(schedule(spec)))
        self._expiries: list[tuple[int, int, BlocksChanged]] = []
        self._mortal: dict[Cell, int] = {}
        self._spawned = 0

    def next_tick(self) -> int | None:
        """The next tick at which something fires or vanishes."""
        ticks = [self._due[0][0]] if self._due else []
        if self._expiries:
            ticks.append(self._expiries[0][0])
        return min(ticks, default=None)

    def follow(self, payload: Payload) -> None:
        """Learn from the log which cells hold something that is to vanish."""
        if not isinstance(payload, BlocksChanged):
            return
        for cell in payload.cells:
            self._mortal.pop(cell, None)
        if payload.vanish_tick is not None:
            self._spawned += 1
            self._mortal.update(dict.fromkeys(payload.cells, self._spawned))
            heapq.heappush(self._expiries, (payload.vanish_tick, self._spawned, payload))

    def fire(self, tick: int) -> bool:
        """Do what is due at this tick, in YAML order; returns whether anything was."""
        fired = False
        while self._due and self._due[0][0] <= tick:
            fired = self._perform(self._due.popleft()[1], tick) or fired
        return fired

    def _perform(self, firing: Firing, tick: int) -> bool:
        key = (firing.event, firing.firing)
        if firing.probability < 1 and generator(self._seed, *key).random() >= firing.probability:
            return False
        action = self._spec.events[firing.event_index].actions[firing.action_index]
        occasion = Occasion(*key, tick, generator(self._seed, *key, firing.action_index))
        self._emit(PERFORM[action.type](self._world, action, occasion))
        return True

    def expire(self, tick: int) -> bool:
        """Let vanish what has had its lifetime and is still there; returns whether anything did."""
        expired = False
        while self._expiries and self._expiries[0][0] <= tick:
            _, number, spawn = heapq.heappop(self._expiries)
            cells = [cell for cell in spawn.cells if self._mortal.get(cell) == number]
            if cells:
                self._world.set_blocks(cells, AIR, cause="lifetime", source=spawn.source)
                expired = True
        return expired


def _timed(firings: list[Firing]) -> Iterator[tuple[int, Firing]]:
    for firing in firings:
        if firing.step is not None:
            yield firing.step * TICKS_PER_STEP, firing
