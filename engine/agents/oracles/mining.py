"""The greedy oracle for mine_vanishing_blocks.

Whoever is free gets the target that it can finish first, those that few can mine before those that many can; what is
carried goes to the chest when nothing is left to mine, time runs short, or it slows its carrier down. What stands
behind a wall is fetched by one agent, which breaks through.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from engine.agents.oracles.breaching import breach
from engine.agents.oracles.common import COLLECT_REACH, Planner, dig_ticks, fetch_ticks
from engine.agents.plans import Plan
from engine.agents.policy import Call, Moment, Policy, Reply
from engine.episode.state import AgentState, WorldState
from engine.evaluation.scores import needed_items
from engine.events.payloads import BlocksChanged, Payload
from engine.spec.model import TaskSpec
from engine.world import rules
from engine.world.geometry import BLOCK_REACH, TICKS_PER_STEP, Cell, nearest_cell, octile

MARGIN_TICKS = 2 * TICKS_PER_STEP
"""Kept in hand before the end of the episode, for detours and queueing at the chest."""
CHEST_TICKS = 15
"""What a deposit of a few stacks takes."""
MAX_TRIES = 8
"""Targets that are looked at closely for one agent at a time; finding ways is what costs."""
LOADED = 0.25
"""Whoever loses this share of its speed to what it carries goes home first."""


@dataclass(frozen=True, slots=True)
class _Option:
    """An agent could mine a block: how many can do it, and how long this one takes."""

    rivals: int
    ticks: float
    agent: str
    cell: Cell
    item: str


class GreedyMiner(Policy):
    """Whoever is free gets the target that it can finish first."""

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
        self._standing: dict[Cell, str] = {}
        self._weight = spec.environment.mechanics.inventory_weight
        self._walled: set[tuple[str, Cell]] = set()
        self._breacher: str | None = None
        self._planner = Planner()

    def follow(self, tick: int, payload: Payload) -> None:  # noqa: ARG002 - of all policies
        """Keep at hand which blocks are targets, and look again at what could not be reached when blocks change."""
        if not isinstance(payload, BlocksChanged):
            return
        if payload.cause != "agent":
            self._walled.clear()
        for cell in payload.cells:
            if payload.block in self._targets:
                self._standing[cell] = payload.block
            else:
                self._standing.pop(cell, None)

    def calls(self, moment: Moment) -> list[Call]:
        """Decide for whoever is free, without taking any time."""
        if not moment.idle:
            return []
        return [Call(moment.idle, lambda: Reply(self._decide(moment)))]

    def _decide(self, moment: Moment) -> dict[str, Plan]:
        for name in moment.idle:
            self._claims.pop(name, None)
        if self._breacher in moment.idle or not self._breacher_lives():
            self._breacher = None
            self._walled.clear()
        plans = {}
        for name in moment.idle:
            if self._is_loaded(self._state.agents[name]) and (
                plan := self._deposit(self._state.agents[name])
            ):
                plans[name] = plan
        free = [self._state.agents[name] for name in moment.idle if name not in plans]
        missing = self._missing()
        tries: Counter[str] = Counter()
        for option in self._options(moment.tick, free, missing):
            if option.agent in plans or missing[option.item] <= 0 or self._is_claimed(option.cell):
                continue
            tries[option.agent] += 1
            if tries[option.agent] <= MAX_TRIES and (plan := self._fetch(moment.tick, option)):
                self._claims[option.agent] = (option.cell, option.item)
                missing[option.item] -= 1
                plans[option.agent] = plan
        for agent in free:
            if agent.name not in plans and (plan := self._deposit(agent)):
                plans[agent.name] = plan
        return plans

    def _breacher_lives(self) -> bool:
        return self._breacher is None or self._state.agents[self._breacher].alive

    def _is_loaded(self, agent: AgentState) -> bool:
        """Whether what the agent carries slows it down so much that it had better bring it home."""
        if self._weight is None:
            return False
        excess = sum(agent.inventory.values()) - self._weight.free_items
        return excess * self._weight.slowdown_per_item >= LOADED

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
        claimed = {cell for cell, _ in self._claims.values()}
        options = [
            option
            for cell, block in self._standing.items()
            if missing[self._targets[block]] > 0 and cell not in claimed
            for agent in free
            if (option := self._option(tick, agent, cell, block))
        ]
        return sorted(options, key=lambda option: (option.rivals, option.ticks, option.cell))

    def _option(self, tick: int, agent: AgentState, cell: Cell, block: str) -> _Option | None:
        dig = self._digging[agent.name, block]
        if dig is None:
            return None
        here = agent.at(tick)
        vanish_tick = self._state.placed[cell].vanish_tick
        way = octile(round(cell[0] - here[0]), round(cell[2] - here[2]))
        arrive = max(0.0, way - BLOCK_REACH) / agent.speed_bps * TICKS_PER_STEP
        if vanish_tick is not None and tick + arrive + dig >= vanish_tick:
            return None
        if not self._gets_home(tick + arrive + dig, agent, cell):
            return None
        return _Option(
            self._able[block],
            way / agent.speed_bps * TICKS_PER_STEP + dig,
            agent.name,
            cell,
            self._targets[block],
        )

    def _fetch(self, tick: int, option: _Option) -> Plan | None:
        """A plan to mine the block, if it can be done in time for it and for bringing its drop home."""
        if (option.agent, option.cell) in self._walled:
            return None
        agent = self._state.agents[option.agent]
        here = agent.at(tick)
        ways = fetch_ticks(self._state, agent, here, option.cell)
        if ways is not None:
            return self._mine(option) if self._is_in_time(tick, option, *ways) else None
        self._walled.add((option.agent, option.cell))
        if self._breacher is not None:
            return None
        way = breach(self._state, agent, here, option.cell, COLLECT_REACH)
        if way is None:
            return None
        near = min(way.ticks, (BLOCK_REACH - COLLECT_REACH) / agent.speed_bps * TICKS_PER_STEP)
        if not self._is_in_time(tick, option, way.ticks - near, near):
            return None
        self._breacher = agent.name
        return self._mine(option, *way.blocks)

    def _is_in_time(self, tick: int, option: _Option, reach: float, collect: float) -> bool:
        """Whether the block stands until the agent has come into reach and mined it, and there is time to go home."""
        agent = self._state.agents[option.agent]
        placed = self._state.placed[option.cell]
        dig = self._digging[agent.name, placed.block] or 0
        if placed.vanish_tick is not None and tick + reach + dig >= placed.vanish_tick:
            return False
        return self._gets_home(tick + reach + dig + collect, agent, option.cell)

    def _gets_home(self, tick: float, agent: AgentState, cell: Cell) -> bool:
        """Whether an agent that is beside the block at the tick can still bring its drop to a chest."""
        home = min(self._way_home(agent, cell), default=None)
        return home is not None and tick + home + MARGIN_TICKS <= self._end

    def _way_home(self, agent: AgentState, cell: Cell) -> Iterator[float]:
        for chest in self._state.chests:
            yield (
                octile(cell[0] - chest[0], cell[2] - chest[2]) / agent.speed_bps * TICKS_PER_STEP
                + CHEST_TICKS
            )

    def _mine(self, option: _Option, *before: Cell) -> Plan:
        positions = [list(cell) for cell in (*before, option.cell)]
        mine = ("mine_blocks_at", {"block_positions": positions})
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
