"""wait: let time pass."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.agents.actions import Wait
from engine.simulator.body import Body, Pause, Progress, Steps
from engine.world.geometry import TICKS_PER_STEP

if TYPE_CHECKING:
    from engine.simulator.world import SimulatedWorld


def wait(world: SimulatedWorld, body: Body, parameters: Wait, progress: Progress) -> Steps:  # noqa: ARG001
    """Stand still for `duration` steps."""
    progress.wanted = parameters.duration
    progress.detail = f"waited {parameters.duration} steps"
    yield Pause(world.tick + parameters.duration * TICKS_PER_STEP)
    progress.done = parameters.duration
