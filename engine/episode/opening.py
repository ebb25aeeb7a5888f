"""Who and what is there when an episode begins, as its first event tells it."""

from __future__ import annotations

from engine.events.payloads import AgentStart, ChestStart
from engine.spec.model import TaskSpec, counts


def agent_starts(spec: TaskSpec) -> list[AgentStart]:
    """The team, in the order of the file."""
    return [
        AgentStart(
            name=agent.name,
            position=agent.position,
            max_health=agent.capabilities.max_health,
            speed_bps=agent.capabilities.speed_bps,
            perception_range=agent.capabilities.perception_range,
            damage_multipliers=dict(agent.capabilities.damage_multipliers),
            inventory=counts(agent.inventory),
            effects=[effect.type for effect in agent.effects],
        )
        for agent in spec.agents.spawn
    ]


def chest_starts(spec: TaskSpec) -> list[ChestStart]:
    """The chests and what lies in them, in the order of the file."""
    return [ChestStart(position=chest.position, items=counts(chest.items)) for chest in spec.all_chests]
