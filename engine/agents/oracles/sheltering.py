"""The greedy oracle for prepare_crisis.

An agent is safe on a pillar of its own as high as the crisis fills. Whoever can mine blocks that the crisis does not
destroy fetches as many as it needs and builds where it stands when it has them. For those who cannot, one of the others
builds a flight of steps as high, and they climb it together: agents do not block one another.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.agents.oracles.breaching import breach
from engine.agents.oracles.common import COLLECT_REACH, Planner, walk_ticks
from engine.agents.plans import Plan
from engine.agents.policy import Call, Moment, Policy, Reply
from engine.episode.state import AgentState, WorldState
from engine.evaluation.scores import crisis
from engine.spec.model import TaskSpec
from engine.world import combat, rules
from engine.world.contact import TOWARDS
from engine.world.geometry import TICKS_PER_STEP, Cell, Position, distance, nearest_cell
from engine.world.terrain import GROUND_Y

MARGIN_TICKS = 2 * TICKS_PER_STEP
"""How long before the crisis reaches a place the oracle wants to be done there."""
BATCH = 3
"""Blocks that are mined in one go, so that plans stay short."""
GIVE_UP = 3
"""So many nearest blocks that nobody can walk to are enough to see that there is a wall to break through."""
SEARCHED = 12
"""Nearest blocks, or places to build, that are looked at closely."""


class GreedyBuilder(Policy):
    """Whoever can gather blocks builds a pillar of its own; one of them steps for all who cannot."""

    hears = ()

    def __init__(self, spec: TaskSpec, state: WorldState) -> None:
        self._state = state
        self._planner = Planner()
        self._start, self._fill = crisis(spec)
        self._layers = self._fill.area.max[1] - GROUND_Y
        self._usable = {
            item for item in rules.blocks() if rules.block(item).solid and self._survives(item)
        } & rules.items().keys()
        self._tools = {agent.name: tuple(agent.inventory) for agent in spec.agents.spawn}
        self._able: list[str] = []
        self._host: str | None = None
        self._claims: dict[str, list[Cell]] = {}
        self._stairs: list[Cell] | None = None
        self._stairs_built = False

    def calls(self, moment: Moment) -> list[Call]:
        """Decide for whoever is free, without taking any time."""
        if not moment.idle:
            return []
        return [Call(moment.idle, lambda: Reply(self._decide(moment)))]

    def _decide(self, moment: Moment) -> dict[str, Plan]:
        if not self._able:
            self._able = [name for name in self._tools if self._can_gather(name)]
            self._host = self._choose_host()
        for name in moment.idle:
            self._claims.pop(name, None)
        plans = {}
        for name in moment.idle:
            agent = self._state.agents[name]
            plan = self._next(agent, moment.tick)
            if plan is not None:
                plans[name] = plan
        return plans

    def _next(self, agent: AgentState, tick: int) -> Plan | None:
        if self._is_safe(agent, tick):
            return None
        if agent.name not in self._able:
            return self._climb(agent, tick)
        if self._carried(agent) < self._wanted(agent):
            plan = self._gather(agent, tick)
            if plan is not None:
                return plan
        if agent.name == self._host and not self._stairs_built:
            return self._build_stairs(agent, tick)
        return self._build_pillar(agent, tick)

    # --- what is known

    def _survives(self, block: str) -> bool:
        return self._fill.block != "lava" or not combat.burns(block)

    def _can_gather(self, name: str) -> bool:
        """Whether the agent carries enough, or has a tool for some block that stands in the world."""
        return any(self._yields(placed, name) for placed in self._kinds()) or any(
            item in self._usable for item in self._tools[name]
        )

    def _kinds(self) -> set[str]:
        """Kinds of blocks that stand in the world and may be taken; chests may not."""
        return {placed.block for placed in self._state.placed.values()} - {"chest"}

    def _yields(self, block: str, name: str) -> bool:
        """Whether the agent gets something to build with from the block."""
        drops = rules.block(block).drops
        return (
            bool(drops) and drops[0] in self._usable and rules.dig_ticks(self._tools[name], block) is not None
        )

    def _choose_host(self) -> str | None:
        """Who builds steps for those who cannot build: the first of those who can."""
        return self._able[0] if self._able and len(self._able) < len(self._tools) else None

    def _wanted(self, agent: AgentState) -> int:
        if agent.name == self._host and not self._stairs_built:
            return self._layers * (self._layers + 1) // 2
        return self._layers

    def _carried(self, agent: AgentState) -> int:
        return sum(count for item, count in agent.inventory.items() if item in self._usable)

    def _is_safe(self, agent: AgentState, tick: int) -> bool:
        x, y, z = nearest_cell(agent.at(tick))
        return (
            y > self._fill.area.max[1] and (x, y - 1, z) in self._state.built and self._is_inside((x, y, z))
        )

    def _is_inside(self, cell: Cell) -> bool:
        low, high = self._fill.area.min, self._fill.area.max
        return low[0] <= cell[0] <= high[0] and low[2] <= cell[2] <= high[2]

    def _front_tick(self, cell: Cell) -> float:
        """When the crisis reaches the cell's slice."""
        step = TOWARDS[self._fill.direction]
        axis = self._fill.axis
        low, high = self._fill.area.min[axis], self._fill.area.max[axis]
        way = cell[axis] - low if step[axis] > 0 else high - cell[axis]
        return (self._start + max(0, way) / self._fill.speed_bps) * TICKS_PER_STEP

    # --- what to do

    def _gather(self, agent: AgentState, tick: int) -> Plan | None:
        here = agent.at(tick)
        taken = {cell for cells in self._claims.values() for cell in cells}
        found = sorted(
            (distance(here, cell), cell)
            for cell, placed in self._state.placed.items()
            if cell not in taken
            and cell not in self._state.built
            and placed.block != "chest"
            and self._yields(placed.block, agent.name)
        )
        missing = self._wanted(agent) - self._carried(agent)
        walled: list[Cell] = []
        for _, cell in found[:SEARCHED]:
            walk = walk_ticks(self._state, agent, here, cell, COLLECT_REACH)
            if walk is None:
                walled.append(cell)
                if len(walled) == GIVE_UP:
                    break
            elif self._is_in_time(agent, tick + walk, cell):
                near = sorted(found, key=lambda one: (distance(cell, one[1]), one[1]))
                return self._fetch(agent, [other for _, other in near[: min(missing, BATCH)]])
        for cell in walled[:1]:
            way = breach(self._state, agent, here, cell, COLLECT_REACH)
            if way is not None and self._is_in_time(agent, tick + way.ticks, cell):
                return self._fetch(agent, [*way.blocks, *([] if cell in way.blocks else [cell])])
        return None

    def _is_in_time(self, agent: AgentState, tick: float, cell: Cell) -> bool:
        """Whether the agent, if it is at the block at the tick, has it before the crisis."""
        dig = rules.dig_ticks(self._tools[agent.name], self._state.placed[cell].block) or 0
        return tick + dig + MARGIN_TICKS < self._front_tick(cell)

    def _fetch(self, agent: AgentState, batch: list[Cell]) -> Plan:
        self._claims[agent.name] = batch
        mine = ("mine_blocks_at", {"block_positions": [list(cell) for cell in batch]})
        return self._planner.plan(agent.name, "fetch blocks to build with", mine)

    def _build_pillar(self, agent: AgentState, tick: int) -> Plan | None:
        """Stand still where the crisis comes late enough, and build under one's own feet."""
        height = min(self._layers, self._carried(agent))
        place = self._place_for(agent, tick, height)
        if place is None or not height:
            return None
        floor = {"center_pos": list(place), "width": 1, "depth": 1, "height": self._layers}
        return self._planner.plan(
            agent.name,
            "stand above the crisis",
            ("move_to", {"target_pos": list(place)}),
            ("build_floor", floor),
        )

    def _place_for(self, agent: AgentState, tick: int, blocks: int) -> Cell | None:
        """The nearest cell inside the area that can be reached and built on in time; else the one with most time."""
        here = agent.at(tick)
        late: list[tuple[float, Cell]] = []
        for cell in self._free_cells(here):
            walk = walk_ticks(self._state, agent, here, cell, 0)
            if walk is None:
                continue
            slack = self._front_tick(cell) - (tick + walk + 10 * blocks + MARGIN_TICKS)
            if slack >= 0:
                return cell
            late.append((slack, cell))
        return max(late)[1] if late else None

    def _free_cells(self, here: tuple[float, float, float]) -> Iterator[Cell]:
        """Free cells on the ground inside the area: the nearest ones, then along the last slices."""
        low, high = self._fill.area.min, self._fill.area.max
        x, _, z = nearest_cell(here)
        nearest = (min(max(x, low[0]), high[0]), GROUND_Y + 1, min(max(z, low[2]), high[2]))
        step = TOWARDS[self._fill.direction]
        last = (
            high[0] if step[0] > 0 else low[0] if step[0] < 0 else nearest[0],
            GROUND_Y + 1,
            high[2] if step[2] > 0 else low[2] if step[2] < 0 else nearest[2],
        )
        for centre in (nearest, last):
            around = sorted(
                (abs(dx) + abs(dz), (centre[0] + dx, centre[1], centre[2] + dz))
                for dx in range(-2, 3)
                for dz in range(-2, 3)
            )
            for _, cell in around:
                if self._is_inside(cell) and self._is_open(cell):
                    yield cell

    def _is_open(self, cell: Cell) -> bool:
        """Whether the cell is free ground with nothing over it that a pillar would run into."""
        x, y, z = cell
        return self._state.terrain.can_stand(cell) and not any(
            self._state.terrain.is_solid((x, level, z)) for level in range(y, y + self._layers + 2)
        )

    # --- steps for those who cannot build

    def _build_stairs(self, agent: AgentState, tick: int) -> Plan | None:
        """A row of pillars 1, 2, … as high as the crisis; the builder climbs it last."""
        if self._stairs is None:
            self._stairs = self._choose_stairs(agent.at(tick))
        if self._stairs is None:
            return self._build_pillar(agent, tick)
        self._stairs_built = True
        x, y, z = self._stairs[0]
        beside = (x - 1, y, z)
        actions: list[tuple[str, dict[str, object]]] = [("move_to", {"target_pos": list(beside)})]
        for height, cell in enumerate(self._stairs, 1):
            actions.append(
                ("build_floor", {"center_pos": list(cell), "width": 1, "depth": 1, "height": height})
            )
        top = self._stairs[-1]
        actions.append(("move_to", {"target_pos": [top[0], top[1] + self._layers, top[2]]}))
        return self._planner.plan(agent.name, "build steps for all who cannot build", *actions)

    def _choose_stairs(self, here: Position) -> list[Cell] | None:
        for cell in self._free_cells(here):
            row = [(cell[0] + i, cell[1], cell[2]) for i in range(self._layers)]
            beside = (cell[0] - 1, cell[1], cell[2])
            if all(map(self._is_open, [beside, *row])) and all(map(self._is_inside, row)):
                return row
        return None

    def _climb(self, agent: AgentState, tick: int) -> Plan | None:
        """Wait for the steps at their foot, and climb them when they are there."""
        if self._stairs is None:
            return None
        x, y, z = self._stairs[-1]
        built = all(
            (cell[0], cell[1] + level, cell[2]) in self._state.built
            for height, cell in enumerate(self._stairs, 1)
            for level in range(height)
        )
        foot = self._stairs[0]
        target = (x, y + self._layers, z) if built else (foot[0] - 2, foot[1], foot[2])
        if not built and distance(agent.at(tick), target) < 1:
            return self._planner.plan(agent.name, "wait for the steps", ("wait", {"duration": 1}))
        return self._planner.plan(agent.name, "climb the steps", ("move_to", {"target_pos": list(target)}))
