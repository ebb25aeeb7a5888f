"""The bound for mine_vanishing_blocks: which blocks can be dug in time, by how few hands, and brought to a chest."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.evaluation.bounds.limits import SNUG, dig_ticks, gap, relay, tools_of, top_speed, walk_ticks
from engine.evaluation.bounds.spawns import Appeared, Spawns
from engine.evaluation.scores import needed_items
from engine.spec.model import TaskSpec
from engine.world import rules
from engine.world.geometry import BLOCK_REACH, TICKS_PER_STEP

if TYPE_CHECKING:
    from ortools.sat.python.cp_model import CpModel, IntVar

GROUND = ("grass_block", "dirt", "bedrock")
"""What the world is made of, everywhere."""
DEPOSIT_TICKS = 7
"""Putting one stack into a chest (SPEC section 11)."""
SCALE = 1_000_000
"""A full checkpoint, to the solver; what one item counts is rounded up."""
EFFORT = 2.0
"""OR-Tools' deterministic seconds; its bound holds however far it comes."""
MOMENTS = 12
"""Of the moments from which on, and until which, hands are counted, so many each are looked at."""


@dataclass(frozen=True, slots=True)
class Chance:
    """An agent could dig a block: how long that takes, and between which ticks it must lie."""

    agent: str
    block: int
    dig: int
    since: int
    until: int


def mine_bound(spec: TaskSpec, spawns: Spawns) -> float:
    """The mean over the items of the share of what is wanted that can be dug in time and brought home.

    A block can be dug once, by an agent that harvests it, not before the agent can have come within reach of it and not
    after it vanishes, nor so late that nobody could bring its drop to a chest by the end. What an agent digs between
    two moments takes no longer than there is time between them. Left out, and so in the agents' favour: ways from block
    to block, obstacles, who carries what home and how much he can carry, and that agents can die; effects are at their
    best all the time, and tools change hands freely wherever anything can hurt anybody.
    """
    needed = {item: need for item, need in needed_items(spec).items() if need > 0}
    have = _at_hand(spec, needed)
    blocks = [
        one
        for one in (*spawns.blocks, *spawns.to_come(spec))
        if any(drop in needed for drop in rules.block(one.block).drops)
    ]
    chances = list(_chances(spec, blocks))
    best = _solve(blocks, chances, needed, have)
    return min(1.0, (best / SCALE + len(needed_items(spec)) - len(needed)) / len(needed_items(spec)))


def _at_hand(spec: TaskSpec, needed: Iterable[str]) -> Counter[str]:
    """Items that need not be dug: in chests, in bags, and without end in the ground if anybody can harvest it."""
    have: Counter[str] = Counter()
    for holder in (*(a.inventory for a in spec.agents.spawn), *(c.items for c in spec.all_chests)):
        for item, stack in holder.items():
            have[item] += stack.count
    for block in GROUND:
        if any(dig_ticks(spec, tools_of(spec, agent), block) is not None for agent in spec.agents.spawn):
            have.update(dict.fromkeys(rules.block(block).drops, SCALE))
    return Counter({item: have[item] for item in needed})


def _chances(spec: TaskSpec, blocks: list[Appeared]) -> Iterator[Chance]:
    end = spec.environment.max_steps * TICKS_PER_STEP
    fastest = max(top_speed(spec, agent) for agent in spec.agents.spawn)
    for agent in spec.agents.spawn:
        tools, speed = tools_of(spec, agent), top_speed(spec, agent)
        digs = {block: dig_ticks(spec, tools, block) for block in {one.block for one in blocks}}
        for number, one in enumerate(blocks):
            dig = digs[one.block]
            if dig is None:
                continue
            since = max(one.tick, walk_ticks(gap(agent.position, one.cell, BLOCK_REACH + one.spread), speed))
            until = end - _way_home(spec, one, fastest)
            until = until if one.vanish_tick is None else min(until, one.vanish_tick)
            if since + dig <= until:
                yield Chance(agent.name, number, dig, since, until)


def _way_home(spec: TaskSpec, one: Appeared, speed: float) -> int:
    """Ticks before what the block drops can be in a chest."""
    within = BLOCK_REACH + SNUG + one.spread + relay(spec)
    ways = [gap(one.cell, chest.position, within) for chest in spec.all_chests]
    return walk_ticks(min(ways, default=math.inf), speed) + DEPOSIT_TICKS if ways else SCALE


def _solve(
    blocks: list[Appeared], chances: list[Chance], needed: dict[str, int], have: Counter[str]
) -> float:
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    taken = [model.new_bool_var("") for _ in chances]
    by_block: dict[int, list[IntVar]] = defaultdict(list)
    for chance, x in zip(chances, taken, strict=True):
        by_block[chance.block].append(x)
    for choices in by_block.values():
        model.add_at_most_one(choices)
    _limit_hands(model, chances, taken)
    gains = []
    for item, need in needed.items():
        got = model.new_int_var(0, need, "")
        dug = [
            x for block, xs in by_block.items() if item in rules.block(blocks[block].block).drops for x in xs
        ]
        model.add(got <= have[item] + sum(dug))
        gains.append(-(-SCALE // need) * got)
    model.maximize(sum(gains))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.max_deterministic_time = EFFORT
    if solver.solve(model) not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return SCALE * len(needed)
    return min(solver.best_objective_bound, SCALE * len(needed))


def _limit_hands(model: CpModel, chances: list[Chance], taken: list[IntVar]) -> None:
    """What must lie between two moments takes no longer than there is time between them, for every agent."""
    by_agent: dict[str, list[tuple[Chance, IntVar]]] = defaultdict(list)
    for chance, x in zip(chances, taken, strict=True):
        by_agent[chance.agent].append((chance, x))
    for own in by_agent.values():
        for begin in _some(chance.since for chance, _ in own):
            for end in _some(chance.until for chance, _ in own):
                inside = [(c, x) for c, x in own if c.since >= begin and c.until <= end]
                if inside and sum(c.dig for c, _ in inside) > end - begin:
                    model.add(sum(c.dig * x for c, x in inside) <= end - begin)


def _some(moments: Iterable[int]) -> list[int]:
    """The moments, thinned out evenly; the first and the last stay."""
    ordered = sorted(set(moments))
    if len(ordered) <= MOMENTS:
        return ordered
    step = (len(ordered) - 1) / (MOMENTS - 1)
    return sorted({ordered[round(step * number)] for number in range(MOMENTS)})
