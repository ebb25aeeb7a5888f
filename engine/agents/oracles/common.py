"""What the oracles share: walking times, plans, tools."""

from __future__ import annotations

from collections.abc import Mapping

from engine.agents.plans import Plan, Step
from engine.episode.state import AgentState, WorldState
from engine.world.geometry import BLOCK_REACH, TICKS_PER_STEP, Cell, Position
from engine.world.paths import entry_cell, find_path, path_length

COLLECT_REACH = 1.4
"""How near oracles count on coming to what a block drops: one cell beside it. Items are picked up from a little further
off, from diagonal cells too, so that who plans with this is never late for it."""


class Planner:
    """Makes plans with ids that never repeat."""

    def __init__(self) -> None:
        self._steps = 0

    def plan(self, agent: str, note: str, *actions: tuple[str, Mapping[str, object]]) -> Plan:
        """One action after the other, each only if the one before it did not fail."""
        steps: list[Step] = []
        for do, parameters in actions:
            self._steps += 1
            after = (steps[-1].id,) if steps else ()
            steps.append(Step(f"{agent}_task_{self._steps}", do, dict(parameters), after, note))
        return Plan(tuple(steps), note)


def walk_ticks(
    state: WorldState, agent: AgentState, here: Position, target: Cell, reach: float
) -> float | None:
    """Ticks that the agent takes from `here` to within reach of the target; None if there is no way."""
    path = find_path(state.terrain, entry_cell(state.terrain, here), target, reach)
    return None if path is None else _ticks(path, agent)


def fetch_ticks(
    state: WorldState, agent: AgentState, here: Position, block: Cell
) -> tuple[float, float] | None:
    """Ticks from `here` into reach of the block, and from there to what it drops; None if there is no way.

    The first way is the one that the agent will take, who looks for it again.
    """
    path = find_path(state.terrain, entry_cell(state.terrain, here), block, BLOCK_REACH)
    if path is None:
        return None
    collect = find_path(state.terrain, path[-1], block, COLLECT_REACH)
    return None if collect is None else (_ticks(path, agent), _ticks(collect, agent))


def _ticks(path: list[Cell], agent: AgentState) -> float:
    return path_length(path) / agent.speed_bps * TICKS_PER_STEP
