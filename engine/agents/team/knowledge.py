"""What agents have perceived, and when they last saw it: a fold over the log (SPEC section 5).

It looks at the state that the log tells, but only within its observers' perception ranges; what they see no more stays
as they last saw it, until one of them is near enough to see that it is gone.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from engine.episode.state import AgentState, WorldState
from engine.world.geometry import BLOCK_REACH, Cell, Position, distance

Key = TypeVar("Key", bound=Hashable)
Seen = TypeVar("Seen")


@dataclass(frozen=True, slots=True)
class SeenBlock:
    """A block as it was seen at a tick."""

    block: str
    tick: int


@dataclass(frozen=True, slots=True)
class SeenMob:
    """A mob as it was seen at a tick."""

    entity: str
    role: str
    position: Position
    health: float
    tick: int


@dataclass(frozen=True, slots=True)
class SeenAgent:
    """Another agent as it was seen at a tick."""

    position: Position
    alive: bool
    tick: int


@dataclass(frozen=True, slots=True)
class SeenChest:
    """What was in a chest when it was last looked into; the task tells what is in it at first (tick 0)."""

    items: dict[str, int]
    tick: int


class Knowledge:
    """What the observers know together: one agent its own, a master that of all its agents.

    Attributes:
        blocks: all but flat ground, by cell.
        mobs: by number.
        agents: those that are not observers, by name.
        chests: by cell.
    """

    def __init__(self, state: WorldState, observers: Sequence[str]) -> None:
        self._state = state
        self._observers = tuple(observers)
        self.blocks: dict[Cell, SeenBlock] = {}
        self.mobs: dict[int, SeenMob] = {}
        self.agents: dict[str, SeenAgent] = {}
        self.chests: dict[Cell, SeenChest] = {}

    def begin(self) -> None:
        """The task is known: where its chests are and what they hold at first."""
        self.chests = {cell: SeenChest(dict(items), 0) for cell, items in self._state.chests.items()}

    def look(self, tick: int) -> None:
        """All living observers look round."""
        for name in self._observers:
            self.look_as(name, tick)

    def look_as(self, name: str, tick: int) -> None:
        """One observer looks round, if it is one and lives."""
        observer = self._state.agents[name]
        if name not in self._observers or not observer.alive:
            return
        here = observer.at(tick)
        self._see_blocks(observer, here, tick)
        self._see_mobs(observer, here, tick)
        self._see_agents(observer, here, tick)

    def open_chests(self, name: str, tick: int) -> None:
        """An observer has ended an action: it has seen what is in the chests within its reach."""
        observer = self._state.agents[name]
        if name not in self._observers:
            return
        for cell, items in self._state.chests.items():
            if distance(observer.at(tick), cell) <= BLOCK_REACH:
                self.chests[cell] = SeenChest(dict(items), tick)

    def _see_blocks(self, observer: AgentState, here: Position, tick: int) -> None:
        kinds: dict[str, SeenBlock] = {}
        seen = {
            cell: kinds.get(block) or kinds.setdefault(block, SeenBlock(block, tick))
            for cell, block in self._state.terrain.changed_near(here, observer.perception_range)
        }
        _update(self.blocks, seen, lambda cell, _: distance(here, cell) <= observer.perception_range)

    def _see_mobs(self, observer: AgentState, here: Position, tick: int) -> None:
        seen = {
            mob.number: SeenMob(mob.entity, mob.role, mob.at(tick), mob.health, tick)
            for mob in self._state.mobs.values()
            if mob.alive and distance(here, mob.at(tick)) <= observer.perception_range
        }
        _update(self.mobs, seen, lambda _, mob: distance(here, mob.position) <= observer.perception_range)

    def _see_agents(self, observer: AgentState, here: Position, tick: int) -> None:
        for name, other in self._state.agents.items():
            if name in self._observers:
                continue
            there = other.at(tick)
            if distance(here, there) <= observer.perception_range:
                self.agents[name] = SeenAgent(there, other.alive, tick)


def _update(known: dict[Key, Seen], seen: dict[Key, Seen], in_sight: Callable[[Key, Seen], bool]) -> None:
    """What is seen is known; what would be in sight and is not seen is known to be gone."""
    for key in known.keys() - seen.keys():
        if in_sight(key, known[key]):
            del known[key]
    known.update(seen)
