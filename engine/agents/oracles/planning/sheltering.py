"""The planning oracle for prepare_crisis.

The crisis is known from the start, and nothing else will come. So it is settled once, for the whole team, who fetches
how many blocks from which pile, who builds steps for others and where, and who had better climb those than build for
itself. If that does not bring everybody to safety, the greedy oracle's rules decide.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from engine.agents.oracles.breaching import breach
from engine.agents.oracles.common import COLLECT_REACH, walk_ticks
from engine.agents.oracles.planning.roles import Climb, Job, Roles, choose_roles
from engine.agents.oracles.sheltering import MARGIN_TICKS, GreedyBuilder
from engine.agents.plans import Plan
from engine.agents.policy import Moment
from engine.episode.state import AgentState, WorldState
from engine.evaluation.abilities import PLACE_SECONDS
from engine.spec.model import TaskSpec
from engine.world import rules
from engine.world.contact import TOWARDS
from engine.world.geometry import DIAGONAL, TICKS_PER_STEP, Cell, distance
from engine.world.terrain import GROUND_Y

EFFORT = 1.0
"""OR-Tools' deterministic seconds for the choice."""
HANDLING = 5
"""Ticks that each block takes beside digging: to step up to it and pick up what it drops."""
PLACE_TICKS = round(PLACE_SECONDS * TICKS_PER_STEP)
MAX_AGENTS = 16
MAX_PILES = 16
"""Larger problems are left to the greedy oracle."""

Pile = list[Cell]
Steps = list[Cell]


class PlanningBuilder(GreedyBuilder):
    """Settles for the whole team who builds for whom."""

    def __init__(self, spec: TaskSpec, state: WorldState) -> None:
        super().__init__(spec, state)
        self._piles: list[Pile] = []
        self._own_piles: dict[str, set[Cell]] = {}
        self._is_planned = False

    def _decide(self, moment: Moment) -> dict[str, Plan]:
        if not self._is_planned:
            self._is_planned = True
            self._plan(moment.tick)
        return super()._decide(moment)

    def _gather(self, agent: AgentState, tick: int) -> Plan | None:
        """From the piles that the plan gives to the agent; from any if that is not possible."""
        own = self._own_piles.get(agent.name)
        if own is not None:
            self._claims["plan"] = [cell for cell in self._state.placed if cell not in own]
            plan = super()._gather(agent, tick)
            del self._claims["plan"]
            if plan is not None:
                return plan
        return super()._gather(agent, tick)

    # --- the plan

    def _plan(self, tick: int) -> None:
        agents = list(self._state.agents.values())
        self._piles = _piles(self._state)
        if len(agents) > MAX_AGENTS or len(self._piles) > MAX_PILES:
            return
        sites = self._sites(agents, tick)
        jobs = [job for agent in agents for job in self._jobs(agent, tick, sites) if job.done <= job.latest]
        climbs = [
            climb
            for agent in agents
            for number, steps in enumerate(sites)
            if (climb := self._climb_of(agent, tick, number, steps))
        ]
        names = [agent.name for agent in agents]
        roles = choose_roles(names, jobs, climbs, [len(pile) for pile in self._piles], EFFORT)
        if roles is not None and len(roles.jobs) + len(roles.climbers) == len(agents):
            self._adopt(roles, sites)

    def _adopt(self, roles: Roles, sites: list[Steps]) -> None:
        self._able = [job.agent for job in roles.jobs]
        self._own_piles = {
            job.agent: {cell for pile in job.takes for cell in self._piles[pile]} for job in roles.jobs
        }
        for job in roles.jobs:
            if job.site is not None:
                self._host = job.agent
                self._stairs = sites[job.site]

    def _sites(self, agents: list[AgentState], tick: int) -> list[Steps]:
        """Where steps could be built: near each pile, near each agent, and where the crisis comes last."""
        low, high = self._fill.area.min, self._fill.area.max
        towards = TOWARDS[self._fill.direction]
        places = [pile[0] for pile in self._piles] + [agent.at(tick) for agent in agents]
        ends = [
            tuple(
                last if way > 0 else first if way < 0 else here
                for here, first, last, way in zip(place, low, high, towards, strict=True)
            )
            for place in places
        ]
        found = [self._choose_stairs((x, y, z)) for x, y, z in (*places, *ends)]
        return [list(row) for row in dict.fromkeys(tuple(row) for row in found if row)]

    def _jobs(self, agent: AgentState, tick: int, sites: list[Steps]) -> Iterator[Job]:
        pillar, steps = self._layers, self._layers * (self._layers + 1) // 2
        for takes, ready, here in self._fetches(agent, tick, pillar):
            yield self._pillar_job(agent, takes, ready, here)
        for takes, ready, here in self._fetches(agent, tick, steps):
            for number, row in enumerate(sites):
                done = ready + _walk(agent, here, row[0]) + PLACE_TICKS * steps + self._up(agent)
                yield Job(agent.name, takes, math.ceil(done), self._latest(row), number)

    def _pillar_job(self, agent: AgentState, takes: dict[int, int], ready: float, here: Cell) -> Job:
        """Built at the place inside the area, near where the agent is then, that leaves most time."""
        options = [
            (self._latest([cell]), math.ceil(ready + _walk(agent, here, cell) + PLACE_TICKS * self._layers))
            for cell in self._free_cells(here)
        ]
        latest, done = max(options, key=lambda option: option[0] - option[1], default=(0, 1))
        return Job(agent.name, takes, done, latest)

    def _fetches(
        self, agent: AgentState, tick: int, wanted: int
    ) -> Iterator[tuple[dict[int, int], float, Cell]]:
        """Ways to come by so many blocks: what is taken from which piles, when it is all there, and where one is."""
        here = agent.at(tick)
        missing = wanted - self._carried(agent)
        if missing <= 0:
            yield {}, tick, (round(here[0]), GROUND_Y + 1, round(here[2]))
            return
        for first, pile in enumerate(self._piles):
            reached = self._reach(agent, tick, pile)
            if reached is None:
                continue
            got = min(missing, len(pile))
            ready = reached + got * self._each(agent, pile)
            if ready > self._latest(pile):
                continue
            if got == missing:
                yield {first: got}, ready, pile[0]
                continue
            for second, other in enumerate(self._piles):
                rest = missing - got
                if second == first or len(other) < rest or self._dig(agent, other) is None:
                    continue
                later = ready + _walk(agent, pile[0], other[0]) + rest * self._each(agent, other)
                if later <= self._latest(other):
                    yield {first: got, second: rest}, later, other[0]

    def _reach(self, agent: AgentState, tick: int, pile: Pile) -> float | None:
        """When the agent is at the pile; None if it can make nothing of it, or there is no way."""
        if self._dig(agent, pile) is None:
            return None
        here = agent.at(tick)
        nearest = min(pile, key=lambda cell: (distance(here, cell), cell))
        walk = walk_ticks(self._state, agent, here, nearest, COLLECT_REACH)
        if walk is None:
            way = breach(self._state, agent, here, nearest, COLLECT_REACH)
            walk = None if way is None else way.ticks
        return None if walk is None else tick + walk

    def _dig(self, agent: AgentState, pile: Pile) -> int | None:
        block = self._state.placed[pile[0]].block
        return rules.dig_ticks(agent.inventory, block) if self._yields(block, agent.name) else None

    def _each(self, agent: AgentState, pile: Pile) -> int:
        """Ticks for one block of the pile."""
        return (self._dig(agent, pile) or 0) + HANDLING

    def _climb_of(self, agent: AgentState, tick: int, number: int, row: Steps) -> Climb | None:
        walk = walk_ticks(self._state, agent, agent.at(tick), (row[0][0] - 2, *row[0][1:]), 1.0)
        if walk is None:
            return None
        up = math.ceil(self._up(agent))
        climb = Climb(agent.name, number, math.ceil(tick + walk), up, self._latest(row))
        return climb if climb.arrive + up <= climb.latest else None

    def _up(self, agent: AgentState) -> float:
        """Ticks from beside the steps to their top, and a second for looking whether they are there."""
        return (self._layers * DIAGONAL + 2) / agent.speed_bps * TICKS_PER_STEP + TICKS_PER_STEP

    def _latest(self, cells: list[Cell]) -> int:
        """When one must be done with these cells."""
        return math.floor(min(map(self._front_tick, cells))) - MARGIN_TICKS


def _walk(agent: AgentState, here: Cell, there: Cell) -> float:
    return distance(here, there) / agent.speed_bps * TICKS_PER_STEP


def _piles(state: WorldState) -> list[Pile]:
    """Blocks of a kind that touch one another."""
    left = {cell: placed.block for cell, placed in sorted(state.placed.items()) if placed.block != "chest"}
    piles = []
    while left:
        cell, block = next(iter(left.items()))
        del left[cell]
        pile = [cell]
        for x, y, z in pile:
            for other in (
                (x + 1, y, z),
                (x - 1, y, z),
                (x, y + 1, z),
                (x, y - 1, z),
                (x, y, z + 1),
                (x, y, z - 1),
            ):
                if left.get(other) == block:
                    del left[other]
                    pile.append(other)
        piles.append(pile)
    return piles
