"""The oracle that plans ahead, with OR-Tools.

It knows what the greedy oracle knows (SPEC section 5) and falls back to its rules wherever a plan says nothing: the
solver found none in its allotted work, or the problem is too large for it.
"""

from __future__ import annotations

from engine.agents.oracles import greedy
from engine.agents.oracles.planning.mining import PlanningMiner
from engine.agents.oracles.planning.raiding import PlanningRaider
from engine.agents.oracles.planning.sheltering import PlanningBuilder
from engine.agents.policy import Policy, Setting


def planning(setting: Setting) -> Policy:
    """The planning oracle for the task, by its type as `greedy` has it."""
    spec, state = setting.spec, setting.state
    if spec.task.targets:
        return PlanningMiner(spec, state)
    if spec.task.type == "prepare_crisis":
        return PlanningBuilder(spec, state)
    if spec.task.type == "raid_boss" or spec.environment.entities.hostiles:
        return PlanningRaider(spec, state)
    return greedy(setting)
