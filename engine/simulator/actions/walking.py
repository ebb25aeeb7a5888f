"""Walking into reach of something: what most actions begin with."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import TYPE_CHECKING

from engine.simulator.body import Body, Pause
from engine.world.geometry import Cell
from engine.world.paths import entry_cell, find_path
from engine.world.protocol import Reason

if TYPE_CHECKING:
    from engine.simulator.world import SimulatedWorld

Walk = Generator[Pause, None, Reason]
"""A part of an action that walks; returns why it stopped short, or nothing."""


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
        motion = world.walk(body, points)
        while world.tick < motion.arrival:
            seen = motion.first_tick_within(target, body.spec.capabilities.perception_range, world.tick + 1)
            until = motion.arrival if seen is None else min(seen, motion.arrival)
            yield Pause(until if not world.perceives(body, target) else motion.arrival, (target,))
            if reason := objection():
                world.stop(body)
                return reason
            if body.obstructed:
                break
        else:
            world.stop(body)
            return ""
        world.stop(body)
