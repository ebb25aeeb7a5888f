"""Memories and knowledge of a team, kept up to date: what a prompt may draw on, and nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from engine.agents.team.knowledge import Knowledge
from engine.agents.team.memory import Memory
from engine.agents.team.observation import agent_state
from engine.episode.state import AgentState, WorldState
from engine.events.payloads import ActionEnded, EpisodeStarted, Payload
from engine.world.geometry import TICKS_PER_STEP


class Minds:
    """Everybody looks round at every step, and once more when an action of its own ends (SPEC section 13).

    Attributes:
        knowledge: one for each group of observers.
        memories: by agent.
        next_look: the tick at which they look round next.
    """

    def __init__(self, state: WorldState, groups: Iterable[Sequence[str]]) -> None:
        self.knowledge = [Knowledge(state, group) for group in groups]
        self.memories: dict[str, Memory] = {}
        self.next_look = 0

    def follow(self, tick: int, payload: Payload) -> None:
        """Take in what the log says."""
        if isinstance(payload, EpisodeStarted):
            self.memories = {agent.name: Memory(agent.name) for agent in payload.agents}
            for known in self.knowledge:
                known.begin()
        for memory in self.memories.values():
            memory.apply(tick, payload)
        if isinstance(payload, ActionEnded):
            for known in self.knowledge:
                known.look_as(payload.agent, tick)
                known.open_chests(payload.agent, tick)

    def look(self, tick: int) -> None:
        """Let everybody look round if a step has begun."""
        if tick < self.next_look:
            return
        self.next_look = (tick // TICKS_PER_STEP + 1) * TICKS_PER_STEP
        for known in self.knowledge:
            known.look(tick)

    def agents(self, agents: Mapping[str, AgentState], tick: int) -> dict[str, Any]:
        """How all agents are, for the one who sees them all."""
        return {name: agent_state(agent, self.memories[name], tick) for name, agent in agents.items()}
