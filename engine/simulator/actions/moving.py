"""move_to and wait."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.agents.actions import MoveTo, Wait
from engine.simulator.actions.walking import approach, stand, standing_place
from engine.simulator.body import Body, Progress, Steps
from engine.world.geometry import TICKS_PER_STEP

if TYPE_CHECKING:
    from engine.simulator.world import SimulatedWorld


def move_to(world: SimulatedWorld, body: Body, parameters: MoveTo, progress: Progress) -> Steps:
    """Walk to the position; if nobody can stand in it, to where one stands above or below it, or else beside it."""
    place, reach = standing_place(world.terrain, parameters.target_pos)
    if reason := (yield from approach(world, body, place, reach)):
        progress.blame(reason, f"there is no way to {list(parameters.target_pos)}")
        return
    progress.done = 1
    progress.detail = f"moved to {list(parameters.target_pos)}"


def wait(world: SimulatedWorld, body: Body, parameters: Wait, progress: Progress) -> Steps:  # noqa: ARG001
    """Stand still for `duration` steps."""
    progress.wanted = parameters.duration
    progress.detail = f"waited {parameters.duration} steps"
    yield from stand(world, parameters.duration * TICKS_PER_STEP)
    progress.done = parameters.duration
