"""inventory_weight: whoever carries much walks slowly (paper, section 3.2)."""

from __future__ import annotations

from engine.dynamics.mechanics import mechanic
from engine.episode.state import WorldState
from engine.events.payloads import InventoryChanged, Payload
from engine.spec.model import InventoryWeight
from engine.world.protocol import World

LEAST_FACTOR = 0.1
"""What always remains of the speed."""


@mechanic("inventory_weight")
class Weight:
    """Each item beyond `free_items` takes `slowdown_per_item` of the carrier's speed."""

    def __init__(self, settings: InventoryWeight, world: World, state: WorldState) -> None:
        self._settings = settings
        self._world = world
        self._state = state
        for agent in state.agents:
            self._weigh(agent)

    def follow(self, payload: Payload) -> None:
        """Weigh whoever took or gave something."""
        if isinstance(payload, InventoryChanged):
            self._weigh(payload.agent)

    def _weigh(self, agent: str) -> None:
        excess = max(0, sum(self._state.agents[agent].inventory.values()) - self._settings.free_items)
        factor = max(LEAST_FACTOR, 1 - self._settings.slowdown_per_item * excess)
        self._world.set_speed_factor(agent, "inventory_weight", factor)
