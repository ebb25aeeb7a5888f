"""Ways through walls: what an agent must break to get at something that it cannot walk to."""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterator
from dataclasses import dataclass

from engine.episode.state import AgentState, WorldState
from engine.world import rules
from engine.world.geometry import TICKS_PER_STEP, Cell, Position, distance
from engine.world.paths import entry_cell
from engine.world.search import search_area

_STRAIGHT = ((1, 0), (-1, 0), (0, 1), (0, -1))


@dataclass(frozen=True, slots=True)
class Breach:
    """A way through walls.

    Attributes:
        blocks: what to break, in this order.
        ticks: what walking and breaking take.
    """

    blocks: tuple[Cell, ...]
    ticks: float


def breach(state: WorldState, agent: AgentState, here: Position, target: Cell, reach: float) -> Breach | None:
    """The quickest way on the agent's own level to within reach of the target, if need be through blocks.

    None if what stands in the way cannot be broken with what the agent carries. Diagonal steps are left out, so that a
    gap of one block is always enough.
    """
    start = entry_cell(state.terrain, here)
    area = search_area(state.terrain, start, target, 0)
    ticks_by_cell = {start: 0.0}
    came: dict[Cell, Cell] = {}
    queue = [(0.0, start)]
    done: set[Cell] = set()
    while queue:
        ticks, cell = heapq.heappop(queue)
        if cell in done:
            continue
        done.add(cell)
        if distance(cell, target) <= reach:
            return Breach(_blocks(state, came, cell), ticks)
        for other in _neighbours(state, area, cell):
            total = ticks + _toll(state, agent, other)
            if total < ticks_by_cell.get(other, math.inf):
                ticks_by_cell[other] = total
                came[other] = cell
                heapq.heappush(queue, (total, other))
    return None


def _neighbours(state: WorldState, area: tuple[int, int, int, int], cell: Cell) -> Iterator[Cell]:
    """The four cells beside this one that have ground, within the area."""
    low_x, low_z, high_x, high_z = area
    x, y, z = cell
    for dx, dz in _STRAIGHT:
        inside = low_x <= x + dx <= high_x and low_z <= z + dz <= high_z
        if inside and state.terrain.is_solid((x + dx, y - 1, z + dz)):
            yield x + dx, y, z + dz


def _toll(state: WorldState, agent: AgentState, cell: Cell) -> float:
    """Ticks to break what stands in the cell and to step into it."""
    ticks = TICKS_PER_STEP / agent.speed_bps
    for other in _standing(state, cell):
        dig = None if other in state.chests else rules.dig_ticks(agent.inventory, state.terrain.block(other))
        ticks += math.inf if dig is None else dig
    return ticks


def _standing(state: WorldState, cell: Cell) -> list[Cell]:
    """Solid blocks at the height of feet and head."""
    x, y, z = cell
    return [(x, level, z) for level in (y, y + 1) if state.terrain.is_solid((x, level, z))]


def _blocks(state: WorldState, came: dict[Cell, Cell], cell: Cell) -> tuple[Cell, ...]:
    way = [cell]
    while way[-1] in came:
        way.append(came[way[-1]])
    return tuple(block for step in reversed(way[:-1]) for block in _standing(state, step))
