"""The bound for prepare_crisis: who can possibly be inside the area when the crisis has covered it."""

from __future__ import annotations

import math

from engine.evaluation.bounds.limits import SNAP, top_speed
from engine.evaluation.scores import covered_step, crisis
from engine.spec.model import Agent, TaskSpec
from engine.world.geometry import TICKS_PER_STEP, Cell


def prepare_bound(spec: TaskSpec) -> float:
    """The mean of everybody alive and the share of agents that can walk into the area in time.

    Nothing else binds. Whether there are blocks to stand on does not, since agents do not block one another, so that
    one block holds them all, and the ground gives that one everywhere, to bare hands and in less than a second
    (feasibility leaves the ground out, the world does not). Left out as well, and so in the agents' favour: that they
    can die, obstacles, how high one has to stand, and the time for digging and placing.
    """
    start, fill = crisis(spec)
    end = covered_step(start, fill) * TICKS_PER_STEP
    agents = spec.agents.spawn
    safe = sum(_comes_in_time(spec, agent, (fill.area.min, fill.area.max), end) for agent in agents)
    return (1 + safe / len(agents)) / 2


def _comes_in_time(spec: TaskSpec, agent: Agent, area: tuple[Cell, Cell], end: int) -> bool:
    """Whether a straight way into the area, at the agent's top speed, is short enough."""
    low, high = area
    here = agent.position
    way = math.hypot(*(max(low[axis] - here[axis], 0, here[axis] - high[axis]) for axis in (0, 2)))
    return way - SNAP <= end / TICKS_PER_STEP * top_speed(spec, agent)
