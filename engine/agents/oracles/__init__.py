"""Oracles: no language model, but the ground truth, which is what the log says as it is written (SPEC section 5).

They know each spawn with its place and lifetime as it happens and never before, and from the start what the task says
about its crisis. They show what was possible.
"""

from __future__ import annotations

from engine.agents.oracles.mining import GreedyMiner
from engine.agents.oracles.raiding import GreedyRaider
from engine.agents.oracles.sheltering import GreedyBuilder
from engine.agents.policy import Call, Moment, Policy, Setting
from engine.spec.model import ProgressiveFill


class Idler(Policy):
    """Does nothing: what is left where a task gives an oracle nothing to go by."""

    def calls(self, moment: Moment) -> list[Call]:  # noqa: ARG002 - of all policies
        """Nothing to decide."""
        return []


def greedy(setting: Setting) -> Policy:
    """The greedy oracle for the task: by its type, and for custom tasks by what there is to do in it."""
    spec, state = setting.spec, setting.state
    if spec.task.targets:
        return GreedyMiner(spec, state)
    if spec.task.type == "raid_boss" or spec.environment.entities.hostiles:
        return GreedyRaider(spec, state)
    if any(isinstance(action, ProgressiveFill) for event in spec.events for action in event.actions):
        return GreedyBuilder(spec, state)
    return Idler()
