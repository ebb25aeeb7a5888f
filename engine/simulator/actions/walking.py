"""Walking into reach of something: what most actions begin with."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import TYPE_CHECKING

from engine.simulator.body import Body, Pause, Steps
from engine.world.geometry import Cell, nearest_cell
from engine.world.motion import Motion
from engine.world.paths import find_way
from engine.world.protocol import Reason
from engine.world.terrain import Terrain

if TYPE_CHECKING:
    from engine.simulator.world import SimulatedWorld

Walk = Generator[Pause, None, Reason]
"""A part of an action that walks; returns why it stopped short, or nothing."""


BESIDE = 1.5
"""How near to a position that nobody can stand in counts as being there."""
NEAR_LEVELS = 3
"""How far above or below a position its standing place may be."""


def standing_place(terrain: Terrain, target: Cell) -> tuple[Cell, float]:
    """Where to walk for somebody who is sent to the target, and how near is near enough.

    The target itself, or the nearest level in its column where one can stand; failing that, any cell beside it.
    """
    x, y, z = target
    levels = [floor for floor in terrain.floors(x, z) if abs(floor - y) <= NEAR_LEVELS]
    if levels:
        return (x, min(levels, key=lambda floor: (abs(floor - y), floor)), z), 0.0
    return target, BESIDE


def stand(world: SimulatedWorld, ticks: int) -> Steps:
    """Stand still for so long, whatever wakes the body meanwhile."""
    until = world.tick + ticks
    while world.tick < until:
        yield Pause(until)


def no_objection() -> Reason:
    """Nothing speaks against going on."""
    return ""


def approach(
    world: SimulatedWorld,
    body: Body,
    target: Cell,
    reach: float,
    objection: Callable[[], Reason] = no_objection,
) -> Walk:
    """Walk until the target is within reach.

    `objection` is asked at the start, when the target's cell changes, and when the body comes to perceive it; a reason
    ends the walk. Whoever is not there when the walk is over, since the way was blocked or the ground gave way, plans
    anew from where it is.
    """
    while True:
        if reason := objection():
            return reason
        points = find_way(world.terrain, body.at(world.tick), target, reach)
        if points is None:
            return "unreachable"
        if len(points) == 1:
            return ""
        world.walk(body, points)
        while (motion := body.walk_at(world.tick)) is not None:
            yield Pause(_until(world, body, motion, target), (target,))
            if reason := objection():
                world.stop(body)
                return reason
        world.stop(body)
        if body.position == points[-1] and world.terrain.can_stand(nearest_cell(points[-1])):
            return ""  # where the way ends is within reach


def _until(world: SimulatedWorld, body: Body, motion: Motion, target: Cell) -> int:
    """When to look again: on arrival, or on coming to perceive a target that is still out of sight."""
    if world.perceives(body, target):
        return motion.arrival
    seen = motion.first_tick_within(target, body.perception_range, world.tick + 1)
    return motion.arrival if seen is None else min(seen, motion.arrival)
