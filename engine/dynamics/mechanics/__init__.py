"""Rules that Minecraft does not have, one file each, switched on by `environment.mechanics`.

A mechanic hears of what happens and changes the world through the World protocol, so it works in every world.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from engine.episode.state import WorldState
from engine.events.payloads import Payload
from engine.spec.model import TaskSpec
from engine.world.protocol import World


class Mechanic(Protocol):
    """One rule at work in one episode."""

    def follow(self, payload: Payload) -> None:
        """Hear of what just happened; the state has taken it in already."""


Build = Callable[[Any, World, WorldState], Mechanic]
"""Makes a mechanic from its settings in the task, the world and the state that the log tells."""

MECHANICS: dict[str, Build] = {}
"""By the name that tasks use."""


def mechanic(name: str) -> Callable[[Build], Build]:
    """Register a class as what a key of `environment.mechanics` switches on."""

    def register(build: Build) -> Build:
        MECHANICS[name] = build
        return build

    return register


def mechanics_of(spec: TaskSpec, world: World, state: WorldState) -> list[Mechanic]:
    """The mechanics that the task switches on, in the order of registration."""
    settings = spec.environment.mechanics
    chosen = ((build, getattr(settings, name, None)) for name, build in MECHANICS.items())
    return [build(value, world, state) for build, value in chosen if value is not None]


from engine.dynamics.mechanics import inventory_weight  # noqa: E402 - it registers itself here

__all__ = ["MECHANICS", "Build", "Mechanic", "inventory_weight", "mechanic", "mechanics_of"]
