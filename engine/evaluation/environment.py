"""What the environment of a task does by itself, counted before any episode.

Nothing is drawn: a `probability` counts with its expectation, so numbers of blocks and mobs are fractional, and what
waits for a `when` condition does not happen.
"""

from __future__ import annotations

import heapq
import math
from collections import deque
from dataclasses import dataclass, field
from itertools import count, groupby

from engine.evaluation.abilities import MOB_HITS_PER_SECOND
from engine.spec.model import DespawnEntities, ProgressiveFill, SpawnBlocks, SpawnEntities, TaskSpec
from engine.spec.schedule import Firing, schedule
from engine.world import combat

_NOTHING = 1e-9
"""What is left of a sum of fractions that should be 0."""


@dataclass(frozen=True, slots=True)
class SpawnMoment:
    """A firing that spawns mobs.

    Attributes:
        chance: the probability that it happens.
        dps: damage a second of all enemies that are then alive if it happens and nobody has killed any.
    """

    chance: float
    dps: float


@dataclass(slots=True)
class Forecast:
    """The environment of a task from step 0 to `max_steps`.

    Attributes:
        changes: state changes that no agent causes: one for each block or mob spawned, one for each that vanishes or
            is despawned, one for each slice that a crisis fills (SPEC section 8).
        spawns: firings that spawn mobs, in order.
    """

    changes: float = 0.0
    spawns: list[SpawnMoment] = field(default_factory=list)


def forecast(spec: TaskSpec) -> Forecast:
    """Let the environment run without agents."""
    return _Run(spec).result


@dataclass(slots=True)
class _Kind:
    """Mobs of one entity and role, the oldest first, and how many there are."""

    total: float = 0.0
    groups: deque[_Mobs] = field(default_factory=deque)


@dataclass(slots=True)
class _Mobs:
    """Mobs that spawned together: how many are left, and the damage a second of each."""

    kind: _Kind
    count: float
    dps: float


class _Census:
    """Mobs alive. Every step costs the same, however many there are."""

    def __init__(self) -> None:
        self._kinds: dict[tuple[str, str], _Kind] = {}
        self._leaving: list[tuple[int, int, _Mobs]] = []
        self._added = count()
        self.dps = 0.0

    def add(self, entity: str, role: str, number: float, dps: float, leaves: int | None = None) -> None:
        kind = self._kinds.setdefault((entity, role), _Kind())
        mobs = _Mobs(kind, number, dps)
        kind.groups.append(mobs)
        kind.total += number
        self.dps += number * dps
        if leaves is not None:
            heapq.heappush(self._leaving, (leaves, next(self._added), mobs))

    def expire(self, step: int) -> float:
        """Let those go whose lifetime ends by the step; returns how many."""
        gone = 0.0
        while self._leaving and self._leaving[0][0] <= step:
            mobs = heapq.heappop(self._leaving)[2]
            gone += self._take(mobs, mobs.count)
        return gone

    def despawn(self, action: DespawnEntities, chance: float) -> float:
        """Remove mobs as the action says, weighed by the chance that it happens; returns how many."""
        gone = 0.0
        room = math.inf if action.count is None else action.count * chance
        for (entity, role), kind in self._kinds.items():
            if action.entity in (None, entity) and action.role in (None, role):
                gone += self._thin(kind, min(room - gone, chance * kind.total))
        return gone

    def _thin(self, kind: _Kind, wanted: float) -> float:
        gone = 0.0
        while kind.groups and wanted - gone > _NOTHING:
            gone += self._take(kind.groups[0], min(wanted - gone, kind.groups[0].count))
            if kind.groups[0].count <= _NOTHING:
                kind.groups.popleft()
        return gone

    def _take(self, mobs: _Mobs, number: float) -> float:
        mobs.count -= number
        mobs.kind.total -= number
        self.dps -= number * mobs.dps
        return number


class _Run:
    def __init__(self, spec: TaskSpec) -> None:
        self._spec = spec
        self._end = spec.environment.max_steps
        self._census = _Census()
        self.result = Forecast()
        for mob in spec.environment.entities.hostiles:
            self._census.add(mob.entity, mob.role, 1, self._dps(mob.entity, mob.damage))
        timed = [firing for firing in schedule(spec) if firing.step is not None and firing.probability > 0]
        for step, firings in groupby(timed, key=lambda firing: firing.step or 0):
            self.result.changes += self._census.expire(step)
            self._step(step, list(firings))
        self.result.changes += self._census.expire(self._end)

    def _dps(self, entity: str, damage: float | None) -> float:
        if damage is None:
            damage = combat.mob(entity, self._spec.environment.world.difficulty).damage
        return damage * MOB_HITS_PER_SECOND

    def _step(self, step: int, firings: list[Firing]) -> None:
        """Carry out all firings of a step, then look who is alive."""
        spawned: dict[int, tuple[float, float]] = {}
        for firing in firings:
            action = self._spec.events[firing.event_index].actions[firing.action_index]
            chance = firing.probability
            if isinstance(action, SpawnBlocks | SpawnEntities):
                vanishes = action.lifetime is not None and step + action.lifetime <= self._end
                blocks = isinstance(action, SpawnBlocks)
                self.result.changes += action.count * chance * (2 if blocks and vanishes else 1)
            if isinstance(action, SpawnEntities):
                each = self._dps(action.entity, action.damage)
                leaves = None if action.lifetime is None else step + action.lifetime
                self._census.add(action.entity, action.role, action.count * chance, each, leaves)
                before = spawned.get(firing.event_index, (chance, 0.0))[1]
                spawned[firing.event_index] = chance, before + action.count * each
            elif isinstance(action, DespawnEntities):
                self.result.changes += self._census.despawn(action, chance)
            elif isinstance(action, ProgressiveFill):
                self.result.changes += chance * _slices(self._spec, firing, action, step)
        for chance, own in spawned.values():
            dps = self._census.dps + (1 - chance) * own
            self.result.spawns.append(SpawnMoment(chance, 0.0 if dps < _NOTHING else dps))


def _slices(spec: TaskSpec, firing: Firing, fill: ProgressiveFill, start: int) -> int:
    """Slices filled by the end: the first at the start, then `speed_bps` a step, until the far side is reached."""
    axis = fill.axis
    end = spec.events[firing.event_index].trigger.end
    time = min(spec.environment.max_steps, spec.environment.max_steps if end is None else end) - start
    advanced = math.floor(time * fill.speed_bps + _NOTHING)
    return 1 + min(advanced, fill.area.max[axis] - fill.area.min[axis])
