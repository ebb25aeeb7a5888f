"""Which oracle plays which task."""

from __future__ import annotations

from engine.agents.oracle import GreedyMiner
from engine.agents.policy import Call, Moment, Policy
from engine.episode.state import WorldState
from engine.events.payloads import Payload
from engine.spec.model import TaskSpec


class Idler:
    """Does nothing: what is left where a task gives an oracle nothing to go by."""

    def follow(self, tick: int, payload: Payload) -> None:
        """Nothing to hear."""

    def calls(self, moment: Moment) -> list[Call]:  # noqa: ARG002 - of all policies
        """Nothing to decide."""
        return []


def greedy(spec: TaskSpec, state: WorldState) -> Policy:
    """The greedy oracle for the task."""
    if spec.task.targets:
        return GreedyMiner(spec, state)
    return Idler()
