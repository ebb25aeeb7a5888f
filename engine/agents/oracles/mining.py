"""The greedy oracle for mine_vanishing_blocks.

Whoever is free gets the target that it can finish first, those that few can mine before those that many can; what is
carried goes to the chest when nothing is left to mine, time runs short, or it slows its carrier down. What stands
behind a wall is fetched by one agent, which breaks through.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from engine.agents.oracles.breaching import breach
from engine.agents.oracles.common import COLLECT_REACH, Planner, fetch_ticks
from engine.agents.oracles.places import Places
from engine.agents.plans import Plan
from engine.agents.policy import Call, Moment, Policy, Reply
from engine.episode.state import AgentState, WorldState
from engine.evaluation.scores import needed_items
from engine.events.payloads import BlocksChanged, ChestChanged, EpisodeStarted, InventoryChanged, Payload
from engine.spec.model import TaskSpec
from engine.world import rules
from engine.world.geometry import BLOCK_REACH, TICKS_PER_STEP, Cell, nearest_cell, octile
from engine.world.inventory import CHEST_SLOTS, Inventory

MARGIN_TICKS = 2 * TICKS_PER_STEP
"""Kept in hand before the end of the episode, for detours and queueing at the chest."""
CHEST_TICKS = 15
"""What a deposit of a few stacks takes."""
MAX_TRIES = 8
"""Targets that are looked at closely for one agent at a time; finding ways is what costs."""
LOADED = 0.25
"""Whoever loses this share of its speed to what it carries goes home first."""


class _Option(NamedTuple):
    """An agent could mine a block: how many can do it, and how long this one takes. The best option is the least."""

    rivals: int
    ticks: float
    cell: Cell
    agent: str
    item: str


@dataclass(slots=True)
class _Sharing:
    """How targets are shared out at one tick: what is still missing, who has tried and got what."""

    missing: dict[str, int]
    tries: dict[str, int] = field(default_factory=dict)
    plans: dict[str, Plan] = field(default_factory=dict)

    def concerns(self, agent: str, item: str) -> bool:
        """Whether the agent still needs something to do, and the item somebody to fetch it."""
        return agent not in self.plans and self.tries.get(agent, 0) < MAX_TRIES and self.missing[item] > 0

    def give(self, option: _Option, plan: Plan) -> None:
        """Let the option's agent fetch it by this plan."""
        self.missing[option.item] -= 1
        self.plans[option.agent] = plan


class GreedyMiner(Policy):
    """Whoever is free gets the target that it can finish first."""

    hears = frozenset({BlocksChanged, ChestChanged, EpisodeStarted, InventoryChanged})

    def __init__(self, spec: TaskSpec, state: WorldState) -> None:
        self._state = state
        self._needed = needed_items(spec)
        self._targets = {target.block: rules.block(target.block).drops[0] for target in spec.task.targets}
        self._end = spec.environment.max_steps * TICKS_PER_STEP
        self._digging = {
            (agent.name, block): rules.dig_ticks(agent.inventory, block)
            for agent in spec.agents.spawn
            for block in self._targets
        }
        self._able = {
            block: sum(self._digging[agent.name, block] is not None for agent in spec.agents.spawn)
            for block in self._targets
        }
        self._claims: dict[str, tuple[Cell, str]] = {}
        self._claimed: set[Cell] = set()
        self._kinds: dict[Cell, str] = {}
        self._unclaimed = {block: Places() for block in self._targets}
        self._held: Counter[tuple[str | Cell, str]] = Counter()
        self._stock: Counter[str] = Counter()
        self._weight = spec.environment.mechanics.inventory_weight
        self._walled: set[tuple[str, Cell]] = set()
        self._breacher: str | None = None
        self._planner = Planner()

    def follow(self, tick: int, payload: Payload) -> None:  # noqa: ARG002 - of all policies
        """Keep at hand what is to be mined and what there is of it already."""
        match payload:
            case BlocksChanged():
                self._look_again(payload)
            case EpisodeStarted():
                for agent in payload.agents:
                    self._count_all(agent.name, agent.inventory)
                for chest in payload.chests:
                    self._count_all(chest.position, chest.items)
            case InventoryChanged():
                self._count(payload.agent, payload.item, payload.count)
            case ChestChanged():
                self._count(payload.chest, payload.item, payload.count)
            case _:
                pass

    def _look_again(self, change: BlocksChanged) -> None:
        """Note which blocks are targets, and try again what could not be reached when others than agents build."""
        if change.cause != "agent":
            self._walled.clear()
        for cell in change.cells:
            if cell in self._kinds:
                self._set_free(cell, is_free=False)
                del self._kinds[cell]
            if change.block in self._targets:
                self._kinds[cell] = change.block
                self._set_free(cell, is_free=cell not in self._claimed)

    def _count_all(self, owner: str | Cell, items: Mapping[str, int]) -> None:
        for item, count in items.items():
            self._count(owner, item, count)

    def _count(self, owner: str | Cell, item: str, count: int) -> None:
        """Note what an agent carries or a chest holds; the dead let fall what they carried."""
        self._stock[item] += count - self._held[owner, item]
        self._held[owner, item] = count

    def _set_free(self, cell: Cell, *, is_free: bool) -> None:
        """Let a target that stands be free for the taking, or not; nothing if it is so already, or there is none."""
        if (block := self._kinds.get(cell)) is None:
            return
        places = self._unclaimed[block]
        if is_free and cell not in places:
            places.add(cell)
        elif not is_free and cell in places:
            places.remove(cell)

    def _give_up_claim(self, agent: str) -> None:
        if agent in self._claims:
            cell, _ = self._claims.pop(agent)
            self._claimed.discard(cell)
            self._set_free(cell, is_free=True)

    def calls(self, moment: Moment) -> list[Call]:
        """Decide for whoever is free, without taking any time."""
        if not moment.idle:
            return []
        return [Call(moment.idle, lambda: Reply(self._decide(moment)))]

    def _decide(self, moment: Moment) -> dict[str, Plan]:
        for name in moment.idle:
            self._give_up_claim(name)
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
        plans |= self._assign(moment.tick, free)
        for agent in free:
            if agent.name not in plans and (plan := self._deposit(agent)):
                plans[agent.name] = plan
        return plans

    def _assign(self, tick: int, free: list[AgentState]) -> dict[str, Plan]:
        """Targets for whoever is free, as far as there are any."""
        sharing = _Sharing(self._missing())
        for option in self._offers(tick, free, sharing):
            if option.cell in self._claimed or not sharing.concerns(option.agent, option.item):
                continue
            sharing.tries[option.agent] = sharing.tries.get(option.agent, 0) + 1
            if plan := self._fetch(tick, option):
                self._claims[option.agent] = (option.cell, option.item)
                self._claimed.add(option.cell)
                sharing.give(option, plan)
                if len(sharing.plans) == len(free):
                    break
        for agent in sharing.plans:
            self._set_free(self._claims[agent][0], is_free=False)
        return sharing.plans

    def _offers(self, tick: int, free: list[AgentState], sharing: _Sharing) -> Iterator[_Option]:
        """What those who are free could mine, the best first: what few can mine before anything that more can."""
        for rivals in sorted({*self._able.values()}):
            blocks = [block for block in self._targets if self._able[block] == rivals]
            yield from heapq.merge(
                *[self._options(tick, agent, block, sharing) for block in blocks for agent in free]
            )

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
        missing = {item: count - self._stock[item] for item, count in self._needed.items()}
        for _, item in self._claims.values():
            missing[item] -= 1
        return missing

    def _options(self, tick: int, agent: AgentState, block: str, sharing: _Sharing) -> Iterator[_Option]:
        """Blocks of the kind that the agent could mine in time, the soonest first, as long as it needs one."""
        dig = self._digging[agent.name, block]
        if dig is None:
            return
        item = self._targets[block]
        if not self._unclaimed[block] or not sharing.concerns(agent.name, item):
            return
        x, _, z = nearest_cell(agent.at(tick))
        ticks_a_block = TICKS_PER_STEP / agent.speed_bps
        for way, cell in self._unclaimed[block].nearest(x, z):
            mined = tick + max(0.0, way - BLOCK_REACH) * ticks_a_block + dig
            too_late = mined + CHEST_TICKS + MARGIN_TICKS > self._end  # and so are all that are further off
            if too_late or not sharing.concerns(agent.name, item):
                return
            if self._is_possible(mined, agent, cell):
                yield _Option(self._able[block], way * ticks_a_block + dig, cell, agent.name, item)

    def _is_possible(self, mined: float, agent: AgentState, cell: Cell) -> bool:
        """Whether a block that is mined at that tick still stands then, and its drop can be brought home."""
        vanish_tick = self._state.placed[cell].vanish_tick
        return (vanish_tick is None or mined < vanish_tick) and self._gets_home(mined, agent, cell)

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
        chest = self._nearest_chest(agent, carried)
        if not carried or chest is None:
            return None
        parameters = {"chest_pos": list(chest), "items": list(carried), "quantities": list(carried.values())}
        return self._planner.plan(agent.name, "bring home what was mined", ("deposit_to_chest", parameters))

    def _nearest_chest(self, agent: AgentState, carried: Mapping[str, int]) -> Cell | None:
        """The nearest of the chests that have room for any of it."""
        x, _, z = nearest_cell(agent.position if agent.motion is None else agent.motion.points[-1])
        fitting = (
            chest
            for chest, items in self._state.chests.items()
            if any(Inventory(CHEST_SLOTS, items).room(item) for item in carried)
        )
        return min(fitting, key=lambda chest: (octile(chest[0] - x, chest[2] - z), chest), default=None)
