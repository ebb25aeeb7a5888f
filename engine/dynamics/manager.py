"""The dynamic environment manager: fires the task's events on time, and takes away what has had its lifetime.

It speaks to a world through the World protocol, and knows of it what the log says.
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Collection, Iterator
from operator import itemgetter

from engine.dynamics.actions import PERFORM, Occasion
from engine.dynamics.fill import Fill
from engine.dynamics.mechanics import mechanics_of
from engine.dynamics.randomness import generator
from engine.episode.state import WorldState
from engine.evaluation.conditions import all_hold
from engine.events.payloads import BlocksChanged, EventFired, Payload
from engine.spec.model import ProgressiveFill, TaskSpec
from engine.spec.schedule import Firing, schedule
from engine.world import combat
from engine.world.geometry import TICKS_PER_STEP, Cell
from engine.world.protocol import Emit, World
from engine.world.terrain import AIR


class DynamicsManager:
    """Everything that a task's `events` section makes happen."""

    def __init__(self, spec: TaskSpec, seed: int, world: World, state: WorldState, emit: Emit) -> None:
        self._spec = spec
        self._seed = seed
        self._world = world
        self._state = state
        self._emit = emit
        firings = schedule(spec)
        self._due = deque(_timed(firings))
        self._conditional = [firing for firing in firings if firing.step is None]
        self._expiries: list[tuple[int, int, BlocksChanged]] = []
        self._mortal: dict[Cell, int] = {}
        self._spawned = 0
        self._fills: dict[tuple[int, int], Fill] = {}
        self._flammable = {cell for cell, placed in state.placed.items() if combat.burns(placed.block)}
        self._mechanics = mechanics_of(spec, world, state)

    def next_tick(self) -> int | None:
        """The next tick at which something fires, advances or vanishes."""
        ticks = [queue[0][0] for queue in (self._due, self._expiries) if queue]
        if self._fills:
            ticks += [tick for fill in self._fills.values() if (tick := fill.next_tick()) is not None]
        return min(ticks) if ticks else None

    @property
    def hears(self) -> Collection[type[Payload]] | None:
        """The types of events that `follow` is to be told of; None for all, which mechanics may want."""
        return None if self._mechanics else (BlocksChanged,)

    def follow(self, payload: Payload) -> None:
        """Learn from the log which cells hold something that is to vanish, and what crises may take."""
        for mechanic in self._mechanics:
            mechanic.follow(payload)
        if not isinstance(payload, BlocksChanged):
            return
        if combat.burns(payload.block):
            self._flammable.update(payload.cells)
        else:
            self._flammable.difference_update(payload.cells)
        for fill in self._fills.values():
            fill.follow(payload)
        for cell in payload.cells:
            self._mortal.pop(cell, None)
        if payload.vanish_tick is not None:
            self._spawned += 1
            self._mortal.update(dict.fromkeys(payload.cells, self._spawned))
            heapq.heappush(self._expiries, (payload.vanish_tick, self._spawned, payload))

    # --- events

    def fire(self, tick: int) -> bool:
        """Do what is due at this tick, in YAML order; returns whether anything was."""
        due: list[tuple[tuple[int, int], Firing | Fill]] = []
        while self._due and self._due[0][0] <= tick:
            firing = self._due.popleft()[1]
            due.append(((firing.event_index, firing.action_index), firing))
        for place, fill in self._fills.items():
            slice_tick = fill.next_tick()
            if slice_tick is not None and slice_tick <= tick:
                due.append((place, fill))
        if not due:
            return False
        fired = False
        for _, what in sorted(due, key=itemgetter(0)):
            did = what.advance(self._world, tick) > 0 if isinstance(what, Fill) else self._perform(what, tick)
            fired = did or fired
        return fired

    def fire_conditional(self, tick: int) -> bool:
        """Fire the events whose `when` has become true; each fires once."""
        if not self._conditional:
            return False
        fired = False
        for event in dict.fromkeys(firing.event for firing in self._conditional):
            mine = [firing for firing in self._conditional if firing.event == event]
            when = self._spec.events[mine[0].event_index].trigger.when or []
            if all_hold(when, self._state, tick):
                self._conditional = [firing for firing in self._conditional if firing.event != event]
                for firing in mine:
                    fired = self._perform(firing, tick) or fired
        if fired:
            self.react()
        return fired

    def _perform(self, firing: Firing, tick: int) -> bool:
        key = (firing.event, firing.firing)
        if firing.probability < 1 and generator(self._seed, *key).random() >= firing.probability:
            return False
        event = self._spec.events[firing.event_index]
        action = event.actions[firing.action_index]
        if isinstance(action, ProgressiveFill):
            fill = Fill(event.id, action, tick, event.trigger.end, self._flammable)
            self._fills[firing.event_index, firing.action_index] = fill
            self._emit(
                EventFired(
                    event=event.id,
                    firing=firing.firing,
                    action=action.type,
                    subject=action.block,
                    wanted=fill.slices,
                    done=fill.advance(self._world, tick),
                )
            )
            return True
        living = tuple(agent.name for agent in self._state.agents.values() if agent.alive)
        random = generator(self._seed, *key, firing.action_index)
        occasion = Occasion(*key, tick, random, living, self._emit)
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

    def react(self) -> bool:
        """Let crises take what has become free in them, and burn what they touch; returns whether there are any."""
        for fill in self._fills.values():
            fill.react(self._world)
        return bool(self._fills)


def _timed(firings: list[Firing]) -> Iterator[tuple[int, Firing]]:
    for firing in firings:
        if firing.step is not None:
            yield firing.step * TICKS_PER_STEP, firing
