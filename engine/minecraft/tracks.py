"""Movement as the log has it, paths at constant speed, out of positions that come tick by tick.

A walk is logged when it begins; as long as the walker keeps to it nothing more need be said.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from engine.events import payloads
from engine.world.geometry import Position, distance
from engine.world.motion import Motion
from engine.world.protocol import Emit

DRIFT = 0.6
"""Blocks by which a walker may be off its logged way before the log is put right."""
LEAP = 1.5
"""Blocks up or down that are no jump any more."""
NEAR = 0.05
"""Blocks that do not count."""


@dataclass(slots=True)
class Track:
    """Where an agent is, and where the log says that it is."""

    name: str
    position: Position
    logged: Position
    motion: Motion | None = None
    walking: bool = False
    moved: bool = False
    settled: bool = False

    def logged_at(self, tick: int) -> Position:
        """Where readers of the log believe the agent to be."""
        return self.motion.at(tick) if self.motion else self.logged

    def walk(self, tick: int, points: list[Position], speed: float, emit: Emit) -> None:
        """A walk has begun, at most a tick ago: log it from where the walker is by now."""
        self.walking = True
        rest = points[1:]
        if len(rest) > 1 and distance(self.position, rest[0]) < speed / 20:
            rest = rest[1:]
        self._log(tick, [self.position, *rest], speed, emit)

    def _log(self, tick: int, points: list[Position], speed: float, emit: Emit) -> None:
        self.motion = Motion(tick, points, speed)
        emit(payloads.AgentMoved(agent=self.name, points=points, speed_bps=speed))

    def settle(self) -> None:
        """An action is over: where it has brought the agent must be right to a hair."""
        self.settled = True

    def halt(self) -> None:
        """The walk is over, wherever."""
        self.walking = False

    def review(self, tick: int, emit: Emit) -> None:
        """Once a tick: put the log right where it is wrong."""
        logged = self.logged_at(tick)
        is_off = (
            math.dist(self.position[::2], logged[::2]) > DRIFT or abs(self.position[1] - logged[1]) > LEAP
        )
        if self.walking and self.motion:
            if is_off:
                self._log(tick, [self.position, *self.motion.rest(tick)[1:]], self.motion.speed, emit)
        elif (
            is_off
            or ((self.settled or not self.moved) and distance(self.position, logged) > NEAR)
            or (self.motion and tick < self.motion.arrival)
        ):
            self.stop(emit)
        self.moved = self.settled = False

    def stop(self, emit: Emit) -> None:
        """Log that the agent stands where it is."""
        self.motion, self.logged = None, self.position
        emit(payloads.AgentStopped(agent=self.name, position=self.position))
