"""The planning oracle for mine_vanishing_blocks.

Whenever blocks appear or vanish it plans routes for the whole team over all that is known: who mines what, in which
order, so that as much as possible is in time. Until the next news everyone follows its route. What no route covers, as
blocks behind walls, is left to the greedy oracle's rules.
"""

from __future__ import annotations

import heapq
import math
from collections import Counter
from collections.abc import Iterator

from engine.agents.oracles.common import COLLECT_REACH
from engine.agents.oracles.mining import MARGIN_TICKS, GreedyMiner, _Option, _Sharing
from engine.agents.oracles.planning.ground import reachable
from engine.agents.oracles.planning.routes import Place, RouteProblem, Stop, Traveller, plan_routes
from engine.episode.state import AgentState, WorldState
from engine.events.payloads import AgentDied, AgentMoved, BlocksChanged, Payload
from engine.spec.model import TaskSpec
from engine.world.geometry import BLOCK_REACH, TICKS_PER_STEP, Cell, nearest_cell, octile

EFFORT = 20_000
"""Branches after which the solver's search for one plan is broken off; it rarely comes to that."""
HANDLING = 1
"""Ticks that each block takes beside walking and digging, since ticks are whole."""
SLACK = TICKS_PER_STEP // 2
"""How long before a block vanishes the plan wants it collected: ways are not quite as long as they are reckoned."""
MAX_STOPS = 160
MAX_TRAVELLERS = 16
"""Larger problems are left to the greedy oracle."""


class PlanningMiner(GreedyMiner):
    """Plans routes for the whole team."""

    hears = GreedyMiner.hears | {AgentDied, AgentMoved}

    def __init__(self, spec: TaskSpec, state: WorldState) -> None:
        super().__init__(spec, state)
        self._names = [agent.name for agent in spec.agents.spawn]
        self._has_walls = bool(spec.environment.materials.grid)
        self._speeds = {agent.name: agent.capabilities.speed_bps for agent in spec.agents.spawn}
        self._routes: dict[str, list[Cell]] = {}
        self._open: set[Cell] = set()
        self._is_stale = True

    def follow(self, tick: int, payload: Payload) -> None:
        """Note what makes the routes out of date, and how fast everybody really walks."""
        super().follow(tick, payload)
        if isinstance(payload, AgentMoved):
            self._speeds[payload.agent] = payload.speed_bps
        self._is_stale |= isinstance(payload, AgentDied) or (
            isinstance(payload, BlocksChanged) and payload.cause != "agent"
        )

    def _offers(self, tick: int, free: list[AgentState], sharing: _Sharing) -> Iterator[_Option]:
        """What the routes say; for whom they say nothing, and for blocks behind walls, what the greedy oracle says."""
        if self._is_stale or any(self._is_off_route(tick, agent) for agent in free):
            self._plan(tick, free, sharing.missing)
        planned = {agent.name: self._next(tick, agent) for agent in free}
        taken = {cell for route in self._routes.values() for cell in route}
        spare = Counter(sharing.missing)
        spare.subtract(self._targets[self._kinds[cell]] for cell in taken if cell in self._kinds)
        others = [
            option
            for option in super()._offers(tick, free, sharing)
            if option.cell not in taken
            and spare[option.item] > 0
            and (planned[option.agent] is None or option.cell not in self._open)
        ]
        routed = sorted(option for option in planned.values() if option is not None)
        return heapq.merge(routed, others, key=lambda option: option.rivals)

    def _next(self, tick: int, agent: AgentState) -> _Option | None:
        """The first block of the agent's route that still stands."""
        route = self._routes.get(agent.name, [])
        while route and (route[0] not in self._kinds or route[0] in self._claimed):
            del route[0]
        return self._option(tick, agent, route[0]) if route else None

    def _option(self, tick: int, agent: AgentState, cell: Cell) -> _Option | None:
        """The agent's option to mine just this block, if it can be in time."""
        block = self._kinds[cell]
        dig = self._digging[agent.name, block]
        if dig is None:
            return None
        x, _, z = nearest_cell(agent.at(tick))
        way = octile(cell[0] - x, cell[2] - z)
        ticks_a_block = TICKS_PER_STEP / agent.speed_bps
        if not self._is_possible(tick + max(0.0, way - BLOCK_REACH) * ticks_a_block + dig, agent, cell):
            return None
        return _Option(self._able[block], way * ticks_a_block + dig, cell, agent.name, self._targets[block])

    def _is_off_route(self, tick: int, agent: AgentState) -> bool:
        """Whether the agent can no longer be in time for the next block of its route, or has no way to it."""
        option = self._next(tick, agent)
        route = self._routes.get(agent.name)
        return bool(route) and (option is None or (agent.name, option.cell) in self._walled)

    def _plan(self, tick: int, free: list[AgentState], missing: dict[str, int]) -> None:
        self._is_stale = False
        self._routes = {}
        self._open = self._reachable(free)
        cells = sorted(
            cell
            for cell in self._open
            if cell not in self._claimed and missing[self._targets[self._kinds[cell]]] > 0
        )
        living = [self._state.agents[name] for name in self._names if self._state.agents[name].alive]
        if not cells or len(cells) > MAX_STOPS or len(living) > MAX_TRAVELLERS:
            return
        problem = RouteProblem(
            travellers=[self._traveller(tick, agent, cells, agent in free) for agent in living],
            stops=[Stop((cell[0], cell[2]), self._targets[self._kinds[cell]]) for cell in cells],
            wanted={item: count for item, count in missing.items() if count > 0},
            short=COLLECT_REACH,
            on=COLLECT_REACH / 2,
        )
        routes = plan_routes(problem, EFFORT)
        for agent, route in zip(living, routes or [], strict=bool(routes)):
            self._routes[agent.name] = [cells[stop] for stop in route]

    def _reachable(self, free: list[AgentState]) -> set[Cell]:
        """The targets that one can walk to; all of them where there are no walls."""
        if not self._has_walls or not free:
            return set(self._kinds)
        return reachable(self._state.terrain, free[0].position, self._kinds)

    def _traveller(self, tick: int, agent: AgentState, cells: list[Cell], is_free: bool) -> Traveller:
        pace = TICKS_PER_STEP / self._speeds[agent.name]
        place, ready = self._place(tick, agent, pace, is_free)
        service, latest = {}, {}
        for number, cell in enumerate(cells):
            dig = self._digging[agent.name, self._kinds[cell]]
            if dig is not None and (agent.name, cell) not in self._walled:
                service[number] = dig + HANDLING
                latest[number] = math.floor(min(self._deadlines(agent, cell))) - tick
        return Traveller(place, ready, pace, service, latest)

    def _deadlines(self, agent: AgentState, cell: Cell) -> Iterator[float]:
        """When the agent must have the drop: before the block vanishes, and in time to bring it home."""
        home = min(self._way_home(agent, cell), default=math.inf)
        yield self._end - MARGIN_TICKS - home if home < math.inf else 0.0
        vanish_tick = self._state.placed[cell].vanish_tick
        if vanish_tick is not None:
            yield vanish_tick - SLACK

    def _place(self, tick: int, agent: AgentState, pace: float, is_free: bool) -> tuple[Place, int]:
        """Where the agent is when it next has nothing to do, and in how many ticks that is."""
        x, _, z = agent.at(tick)
        if is_free:
            return (x, z), 0
        claim = self._claims.get(agent.name)
        if claim is None or claim[0] not in self._kinds:
            end = agent.motion.points[-1] if agent.motion else agent.position
            left = max(0, agent.motion.arrival - tick) if agent.motion else 0
            return (end[0], end[2]), left
        cell = claim[0]
        way = math.dist((x, z), (cell[0], cell[2]))
        dig = self._digging[agent.name, self._kinds[cell]] or 0
        return (cell[0], cell[2]), math.ceil(max(0.0, way - COLLECT_REACH) * pace) + dig
