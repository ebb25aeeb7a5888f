"""Walking into reach of something: what most actions begin with."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import TYPE_CHECKING

from engine.simulator.body import Body, Pause
from engine.world.geometry import Cell
from engine.world.motion import Motion
from engine.world.paths import entry_cell, find_path
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
    ends the walk. A way that becomes blocked is planned anew from where the body is.
    """
    while True:
        if reason := objection():
            return reason
        here = body.at(world.tick)
        path = find_path(world.terrain, entry_cell(world.terrain, here), target, reach)
        if path is None:
            return "unreachable"
        points = path if here == path[0] else [here, *path]
        if len(points) == 1:
            return ""
        world.walk(body, points)
        while (motion := body.motion) is not None and world.tick < motion.arrival:
            yield Pause(_until(world, body, motion, target), (target,))
            if reason := objection():
                world.stop(body)
                return reason
            if body.obstructed:
                break
        else:
            world.stop(body)
            return ""
        world.stop(body)


def _until(world: SimulatedWorld, body: Body, motion: Motion, target: Cell) -> int:
    """When to look again: on arrival, or on coming to perceive a target that is still out of sight."""
    if world.perceives(body, target):
        return motion.arrival
    seen = motion.first_tick_within(target, body.spec.capabilities.perception_range, world.tick + 1)
    return motion.arrival if seen is None else min(seen, motion.arrival)
