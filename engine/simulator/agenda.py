"""What is due when: the simulator's queue of things to do, ordered by tick and, within a tick, by SPEC section 11."""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from heapq import heappop, heappush

import msgspec


class Phase(IntEnum):
    """Order within a tick; environment events come before all of these."""

    CONTACT = 0
    """Contact damage, burning, effects that work over time."""
    MOBS = 1
    AGENTS = 2
    DEATHS = 3


_PHASES = len(Phase)


class Ticket(msgspec.Struct):
    """A place in the queue; giving it back means that nothing happens when its time comes."""

    call: Callable[[], None] | None

    def cancel(self) -> None:
        """Give it back."""
        self.call = None


class Agenda:
    """Calls by tick, phase, order (an agent's or mob's number) and age."""

    def __init__(self) -> None:
        self._queue: list[tuple[int, int, int, Ticket]] = []
        self._numbers = 0

    def add(self, tick: int, phase: Phase, order: int, call: Callable[[], None]) -> Ticket:
        """Have something done at the tick."""
        self._numbers += 1
        ticket = Ticket(call)
        # Tick and phase as one number, which compares faster than two.
        heappush(self._queue, (tick * _PHASES + phase, order, self._numbers, ticket))
        return ticket

    def next_tick(self) -> int | None:
        """The tick of the first thing due."""
        queue = self._queue
        while queue and queue[0][3].call is None:
            heappop(queue)
        return queue[0][0] // _PHASES if queue else None

    def run(self, tick: int, last: Phase) -> None:
        """Do everything that is due by the tick, up to and including the phase, new entries included."""
        queue, rank = self._queue, tick * _PHASES + last
        while queue and queue[0][0] <= rank:
            call = heappop(queue)[3].call
            if call is not None:
                call()
