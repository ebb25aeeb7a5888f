"""The scripted planner in mine_vanishing_blocks: near blocks first, several on one way, then home."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Set
from dataclasses import dataclass, field

from engine.llm.scripted.situation import Member, Sighting, Situation
from engine.llm.scripted.tasks import Task, deposit, look_elsewhere, mine
from engine.world.geometry import Cell, Position, octile

HORIZON_S = 15.0
"""How far a plan reaches: nobody gets more to mine than takes this long."""
STALE_STEPS = 25
"""A block that was not seen for so long counts as gone."""
HOME_S = 8.0
"""Seconds in hand for the way home before the end."""


@dataclass(slots=True)
class _Round:
    """What one agent is to mine."""

    member: Member
    here: Position
    seconds: float = 0.0
    cells: list[Cell] = field(default_factory=list)
    mined: Counter[str] = field(default_factory=Counter)


def plan(situation: Situation, taken: Set[Cell], given: Collection[Cell] = ()) -> dict[str, list[Task]]:
    """Tasks for each member; blocks that others have claimed are left alone, what they left to one is taken first."""
    rounds = [_Round(member, member.position) for member in situation.members]
    items = {target.block: target.drops for target in situation.targets}
    missing = _missing(situation)
    open_blocks = [
        sighting
        for sighting in situation.blocks
        if sighting.block in items
        and sighting.cell not in taken
        and sighting.cell not in situation.unreachable
        and situation.step - sighting.seen <= STALE_STEPS
    ]
    first = [sighting for sighting in open_blocks if sighting.cell in given]
    for candidates in (first, open_blocks):
        while choice := _next(rounds, candidates, items, missing, situation):
            one, sighting, seconds = choice
            candidates.remove(sighting)
            if sighting.cell in one.cells:
                continue
            one.cells.append(sighting.cell)
            one.mined[items[sighting.block]] += 1
            one.seconds += seconds
            one.here = sighting.cell
            missing[items[sighting.block]] -= 1
    return {one.member.name: _tasks(situation, one, set(items.values())) for one in rounds}


def _missing(situation: Situation) -> Counter[str]:
    """Items wanted, less what is in chests or carried as far as is known."""
    missing: Counter[str] = Counter()
    for target in situation.targets:
        missing[target.drops] += target.count
    for items in [*situation.chests.values(), *(member.inventory for member in situation.members)]:
        for item in missing:
            missing[item] -= items.get(item, 0)
    return missing


def _next(
    rounds: list[_Round],
    open_blocks: list[Sighting],
    items: dict[str, str],
    missing: Counter[str],
    situation: Situation,
) -> tuple[_Round, Sighting, float] | None:
    """The block that somebody could have soonest: the agent, the block and the seconds that it adds."""
    left = situation.max_steps - situation.step
    best: tuple[float, str, Cell] | None = None
    chosen: tuple[_Round, Sighting, float] | None = None
    for one in rounds:
        for sighting in open_blocks:
            dig = one.member.dig_seconds(sighting.block)
            if dig is None or missing[items[sighting.block]] <= 0:
                continue
            seconds = _walk(one.member, one.here, sighting.cell) + dig
            end = one.seconds + seconds
            home = _home(situation, one.member, sighting.cell)
            if end > HORIZON_S or end + home > left:
                continue
            rank = (end, one.member.name, sighting.cell)
            if best is None or rank < best:
                best, chosen = rank, (one, sighting, seconds)
    return chosen


def _walk(member: Member, here: Position, there: Position) -> float:
    return octile(round(there[0] - here[0]), round(there[2] - here[2])) / member.speed_bps


def _home(situation: Situation, member: Member, cell: Cell) -> float:
    return min((_walk(member, cell, chest) for chest in situation.chests), default=0.0) + HOME_S / 4


def _tasks(situation: Situation, one: _Round, wanted: set[str]) -> list[Task]:
    carried = Counter({item: one.member.inventory.get(item, 0) for item in wanted}) + one.mined
    chest = min(situation.chests, key=lambda cell: _walk(one.member, one.here, cell), default=None)
    tasks: list[Task] = []
    if one.cells:
        tasks.append(mine(one.cells, "fetch what is wanted"))
    if carried and chest is not None:
        tasks.append(deposit(chest, dict(sorted(carried.items())), "bring it home"))
    left = situation.max_steps - situation.step
    if not tasks and left > HOME_S:
        tasks.append(look_elsewhere(situation, one.member))
    return tasks
