"""The worlds that an episode can happen in, by name. Each is loaded when it is first wanted."""

from __future__ import annotations

from engine.episode.settings import WorldName
from engine.spec.model import TaskSpec
from engine.world.protocol import Emit, World


def open_world(name: WorldName, spec: TaskSpec, emit: Emit) -> World:
    """A world with the task's agents in it; whoever opens it closes it.

    Raises:
        InfrastructureError: it could not be started.
        MissingDataError: what it needs is not installed.
    """
    if name == "minecraft":
        from engine.minecraft.world import MinecraftWorld

        return MinecraftWorld(spec, emit)
    from engine.simulator.world import SimulatedWorld

    return SimulatedWorld(spec, emit)
