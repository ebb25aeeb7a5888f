"""What the environment does by itself, step by step: the data of the animation on a task's page.

The real dynamics are at work on a simulated world in which nobody is: nothing is mined, nobody is hurt, and mobs stand
where they appear. What waits for a condition (`when`) is only listed, since nobody knows its time.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterable, Sequence
from typing import Any

from engine.dynamics.manager import DynamicsManager
from engine.episode.state import WorldState
from engine.events.payloads import (
    BlocksChanged,
    EventFired,
    MessageSent,
    MobDespawned,
    MobSpawned,
    Payload,
    RegionChanged,
)
from engine.simulator.world import SimulatedWorld
from engine.spec.model import TaskSpec
from engine.world.geometry import TICKS_PER_STEP, Cell
from engine.world.protocol import Emit
from webapp.tasks.agenda import when

SEED = 0
"""The seed whose spawn places are shown."""
MOST_MARKS = 2_000
"""Boxes of blocks, mobs and other changes shown at most."""
MOST_LOOKS = 300_000
"""Cells looked at or changed at most (about a second's work), so that no task keeps the server busy."""

Box = tuple[int, int, int, int, int, int]
"""Least and greatest cell, both included."""


def rehearse(spec: TaskSpec) -> dict[str, Any]:
    """All that the environment does under seed 0, as plain data.

    Returns:
        `steps` is the last step that is told, `max_steps` the task's own; `steps` is less where the task has more to
        tell than the limits allow. `changes` come in order, each with its `step` and a `kind`: `fired`, `blocks`,
        `mob`, `gone`, `region`, `message`. Mobs are numbered from 1, those of the task's beginning first.
        `open` lists what waits for a condition.
    """
    rehearsal = _Rehearsal(spec)
    steps = rehearsal.run()
    return {
        "seed": SEED,
        "steps": steps,
        "max_steps": spec.environment.max_steps,
        "changes": rehearsal.changes,
        "open": [
            {"event": event.id, "when": when(event, event.actions[0])}
            for event in spec.events
            if event.trigger.when
        ],
    }


class _LimitError(Exception):
    """The rehearsal has looked at or changed as many cells as it may."""


class _Stage(SimulatedWorld):
    """A world without agents that counts the cells at work. Nothing spawns where agents stand at first."""

    def __init__(self, spec: TaskSpec, emit: Emit) -> None:
        self._looks = -math.inf  # the beginning has limits of its own
        self._taken = {agent.position for agent in spec.agents.spawn}
        nobody = spec.agents.model_copy(update={"spawn": []})
        super().__init__(spec.model_copy(update={"agents": nobody}), emit)
        self._looks = 0

    def _look(self, cells: int = 1) -> None:
        self._looks += cells
        if self._looks > MOST_LOOKS:
            raise _LimitError

    def block(self, cell: Cell) -> str:
        self._look()
        return super().block(cell)

    def is_solid(self, cell: Cell) -> bool:
        self._look()
        return super().is_solid(cell)

    def is_free(self, cell: Cell) -> bool:
        self._look()
        return cell not in self._taken and super().is_free(cell)

    def set_blocks(self, cells: Sequence[Cell], block: str, **details: Any) -> None:
        self._look(len(cells))
        super().set_blocks(cells, block, **details)


class _Rehearsal:
    """One rehearsal on its way. `changes` holds those of the steps that are over."""

    def __init__(self, spec: TaskSpec) -> None:
        self.changes: list[dict[str, Any]] = []
        self._last = spec.environment.max_steps
        self._step = 0
        self._marks = 0
        self._now: list[dict[str, Any]] = []
        self._leaving: list[tuple[int, int]] = []
        self._dynamics: DynamicsManager | None = None
        self._stage = _Stage(spec, self._hear)
        self._dynamics = DynamicsManager(spec, SEED, self._stage, WorldState(), self._hear)

    def run(self) -> int:
        """Go through the steps; returns the last one that is told whole."""
        while (tick := self._next_tick()) is not None and tick <= self._last * TICKS_PER_STEP:
            self._step = tick // TICKS_PER_STEP
            self._now = []
            try:
                self._play(tick)
            except _LimitError:
                return max(0, self._step - 1)
            self._marks += sum(len(change.get("boxes", "1")) for change in self._now)
            if self._marks > MOST_MARKS:
                return max(0, self._step - 1)
            self.changes += self._now
        return self._last

    def _next_tick(self) -> int | None:
        assert self._dynamics is not None  # noqa: S101 - made before anything runs
        ticks = (self._dynamics.next_tick(), *(tick for tick, _ in self._leaving[:1]))
        return min((tick for tick in ticks if tick is not None), default=None)

    def _play(self, tick: int) -> None:
        """One tick in the order of an episode, but for agents and mobs, who do not act."""
        assert self._dynamics is not None  # noqa: S101 - made before anything runs
        self._stage.advance(tick)
        self._dynamics.fire(tick)
        while self._leaving and self._leaving[0][0] <= tick:
            _, mob = heapq.heappop(self._leaving)
            if mob in self._stage.mobs.living:
                self._stage.despawn_mob(mob, "lifetime")
        self._dynamics.expire(tick)
        self._dynamics.react()

    def _hear(self, payload: Payload) -> None:
        if self._dynamics is None:
            return  # the task's beginning is on the map already
        self._dynamics.follow(payload)
        if isinstance(payload, MobSpawned) and payload.vanish_tick is not None:
            heapq.heappush(self._leaving, (payload.vanish_tick, payload.mob))
        told = _told(payload)
        if told:
            self._now.append({"step": self._step, **told})


def _told(payload: Payload) -> dict[str, Any] | None:
    """A change as the page draws and words it; None for what it does not show."""
    match payload:
        case EventFired():
            return {
                "kind": "fired",
                "event": payload.event,
                "action": payload.action,
                "subject": payload.subject,
                "wanted": payload.wanted,
                "done": payload.done,
            }
        case BlocksChanged():
            return {
                "kind": "blocks",
                "event": payload.source,
                "cause": payload.cause,
                "block": payload.block,
                "boxes": boxes(payload.cells),
                "until": _step_of(payload.vanish_tick),
            }
        case MobSpawned():
            return {
                "kind": "mob",
                "event": payload.source,
                "mob": payload.mob,
                "entity": payload.entity,
                "role": payload.role,
                "position": payload.position,
                "until": _step_of(payload.vanish_tick),
            }
        case MobDespawned():
            return {"kind": "gone", "mob": payload.mob, "cause": payload.cause}
        case RegionChanged():
            return {
                "kind": "region",
                "id": payload.region,
                "active": payload.active,
                "min": payload.low,
                "max": payload.high,
            }
        case MessageSent():
            return {"kind": "message", "event": payload.sender, "text": payload.text}
    return None


def _step_of(tick: int | None) -> int | None:
    return None if tick is None else tick // TICKS_PER_STEP


def boxes(cells: Iterable[Cell]) -> list[Box]:
    """The cells as few boxes that do not overlap: runs along z, joined along y, then along x."""
    found: Sequence[Box] = [(*cell, *cell) for cell in dict.fromkeys(cells)]
    for axis in (2, 1, 0):
        found = _joined(found, axis)
    return list(found)


def _joined(found: Sequence[Box], axis: int) -> list[Box]:
    """Neighbours along the axis that are alike in all else become one."""

    def rest(box: Box) -> tuple[int, ...]:
        return tuple(value for place, value in enumerate(box) if place % 3 != axis)

    joined: list[Box] = []
    for box in sorted(found, key=lambda one: (rest(one), one[axis])):
        last = joined[-1] if joined else None
        if last and rest(last) == rest(box) and last[axis + 3] + 1 == box[axis]:
            joined[-1] = (*last[:3], *box[3:])
        else:
            joined.append(box)
    return joined
