"""The greedy oracle for mine_vanishing_blocks.

Whoever is free gets the target that it can finish first, those that few can mine before those that many can; what is
carried goes to the chest when nothing is left to mine or time runs short.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from engine.agents.oracles.common import Planner, dig_ticks, walk_ticks
from engine.agents.plans import Plan
from engine.agents.policy import Call, Moment, Reply
from engine.episode.state import AgentState, WorldState
from engine.evaluation.scores import needed_items
from engine.events.payloads import Payload
from engine.spec.model import TaskSpec
from engine.world import rules
from engine.world.geometry import BLOCK_REACH, TICKS_PER_STEP, Cell, nearest_cell, octile

MARGIN_TICKS = 2 * TICKS_PER_STEP
"""Kept in hand before the end of the episode, for detours and queueing at the chest."""
CHEST_TICKS = 15
"""What a deposit of a few stacks takes."""


@dataclass(frozen=True, slots=True)
class _Option:
    """An agent could mine a block: how many can do it, and how long this one takes."""

    rivals: int
    ticks: float
    agent: str
    cell: Cell
    item: str


class GreedyMiner:
    """Implements `engine.agents.policy.Policy`."""

    def __init__(self, spec: TaskSpec, state: WorldState) -> None:
        self._state = state
        self._needed = needed_items(spec)
        self._targets = {target.block: rules.block(target.block).drops[0] for target in spec.task.targets}
        self._end = spec.environment.max_steps * TICKS_PER_STEP
        self._digging = {
            (agent.name, block): dig_ticks(agent.inventory, block)
            for agent in spec.agents.spawn
            for block in self._targets
        }
        self._able = {
            block: sum(self._digging[agent.name, block] is not None for agent in spec.agents.spawn)
            for block in self._targets
        }
        self._claims: dict[str, tuple[Cell, str]] = {}
        self._planner = Planner()

    def follow(self, tick: int, payload: Payload) -> None:
        """Nothing: the state that it reads is kept by the episode."""

    def calls(self, moment: Moment) -> list[Call]:
        """Decide for whoever is free, without taking any time."""
        if not moment.idle:
            return []
        return [Call(moment.idle, lambda: Reply(self._decide(moment)))]

    def _decide(self, moment: Moment) -> dict[str, Plan]:
        for name in moment.idle:
            self._claims.pop(name, None)
        free = [self._state.agents[name] for name in moment.idle]
        plans = {}
        missing = self._missing()
        for option in self._options(moment.tick, free, missing):
            if option.agent in plans or missing[option.item] <= 0 or self._is_claimed(option.cell):
                continue
            if self._can_finish(moment.tick, option):
                self._claims[option.agent] = (option.cell, option.item)
                missing[option.item] -= 1
                plans[option.agent] = self._mine(option)
        for agent in free:
            if agent.name not in plans and (plan := self._deposit(agent)):
                plans[agent.name] = plan
        return plans

    def _missing(self) -> dict[str, int]:
        """Items still to be mined: wanted, less what chests hold, agents carry and others are on their way to."""
        missing = dict(self._needed)
        carried = (agent.inventory for agent in self._state.agents.values() if agent.alive)
        stores = [*self._state.chests.values(), *carried]
        for item in missing:
            missing[item] -= sum(store.get(item, 0) for store in stores)
        for _, item in self._claims.values():
            missing[item] -= 1
        return missing

    def _is_claimed(self, cell: Cell) -> bool:
        return any(claimed == cell for claimed, _ in self._claims.values())

    def _options(self, tick: int, free: list[AgentState], missing: dict[str, int]) -> list[_Option]:
        options = [
            option
            for cell, placed in self._state.placed.items()
            if missing.get(self._targets.get(placed.block, ""), 0) > 0 and not self._is_claimed(cell)
            for agent in free
            if (option := self._option(tick, agent, cell, placed.block, placed.vanish_tick))
        ]
        return sorted(options, key=lambda option: (option.rivals, option.ticks, option.cell))

    def _option(
        self, tick: int, agent: AgentState, cell: Cell, block: str, vanish_tick: int | None
    ) -> _Option | None:
        dig = self._digging[agent.name, block]
        if dig is None:
            return None
        here = agent.at(tick)
        way = octile(round(cell[0] - here[0]), round(cell[2] - here[2]))
        arrive = max(0.0, way - BLOCK_REACH) / agent.speed_bps * TICKS_PER_STEP
        if vanish_tick is not None and tick + arrive + dig >= vanish_tick:
            return None
        return _Option(
            self._able[block],
            way / agent.speed_bps * TICKS_PER_STEP + dig,
            agent.name,
            cell,
            self._targets[block],
        )

    def _can_finish(self, tick: int, option: _Option) -> bool:
        """Whether there is a way to the block, in time for it and for bringing its drop home."""
        agent = self._state.agents[option.agent]
        placed = self._state.placed[option.cell]
        dig = self._digging[agent.name, placed.block] or 0
        arrive = walk_ticks(self._state, agent, agent.at(tick), option.cell, BLOCK_REACH)
        if arrive is None:
            return False
        if placed.vanish_tick is not None and tick + arrive + dig >= placed.vanish_tick:
            return False
        home = min(self._way_home(agent, option.cell), default=None)
        collect = BLOCK_REACH / agent.speed_bps * TICKS_PER_STEP
        return home is not None and tick + arrive + dig + collect + home + MARGIN_TICKS <= self._end

    def _way_home(self, agent: AgentState, cell: Cell) -> Iterator[float]:
        for chest in self._state.chests:
            yield (
                octile(cell[0] - chest[0], cell[2] - chest[2]) / agent.speed_bps * TICKS_PER_STEP
                + CHEST_TICKS
            )

    def _mine(self, option: _Option) -> Plan:
        mine = ("mine_blocks_at", {"block_positions": [list(option.cell)]})
        return self._planner.plan(option.agent, f"fetch {option.item}", mine)

    def _deposit(self, agent: AgentState) -> Plan | None:
        carried = {item: agent.inventory[item] for item in self._needed if agent.inventory.get(item)}
        chest = self._nearest_chest(agent)
        if not carried or chest is None:
            return None
        parameters = {"chest_pos": list(chest), "items": list(carried), "quantities": list(carried.values())}
        return self._planner.plan(agent.name, "bring home what was mined", ("deposit_to_chest", parameters))

    def _nearest_chest(self, agent: AgentState) -> Cell | None:
        x, _, z = nearest_cell(agent.position if agent.motion is None else agent.motion.points[-1])
        return min(
            self._state.chests, key=lambda chest: (octile(chest[0] - x, chest[2] - z), chest), default=None
        )
