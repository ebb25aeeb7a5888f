"""The scripted planner in prepare_crisis: a pillar for everyone, of blocks that no crisis destroys.

Who has a tool for such blocks gathers them, also for those who have none: their share goes into the chest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Set

from engine.llm.scripted.situation import Member, Sighting, Situation, shelters
from engine.llm.scripted.tasks import Task, deposit, fetch, look_elsewhere, mine, wait
from engine.world import rules
from engine.world.geometry import Cell, octile
from engine.world.terrain import GROUND_Y

ALL_SAFE = 20
"""Steps that somebody waits who is safe, where nobody else is known to be in danger."""
EARLY_SHARE = 0.2
"""Share of the time in which somebody looks for more blocks before it builds."""
STAGGER = 3
"""By how many columns what is one member's moves on from row to row, so that each has some close by."""
PATIENCE = 3
"""Steps that somebody who cannot do anything waits before it looks again."""


def plan(situation: Situation, taken: Set[Cell], given: Collection[Cell] = ()) -> dict[str, list[Task]]:
    """Tasks for each member; blocks that others have claimed are left alone, what they left to one is taken first."""
    open_blocks = [
        one for one in situation.blocks if one.cell not in taken and one.cell not in situation.unreachable
    ]
    open_blocks.sort(key=lambda one: one.cell not in given)
    shares = _shares(situation)
    stock = _stock(situation)
    plans: dict[str, list[Task]] = {}
    for member in situation.members:
        plans[member.name] = _tasks(situation, member, open_blocks, stock, shares.get(member.name, 0))
    return plans


def _is_anybody_in_danger(situation: Situation) -> bool:
    return any(member.position[1] <= situation.area[1][1] for member in situation.members)


def _is_any_block(item: str) -> bool:
    """Whether the item can be placed and stood on, if only where nothing burns."""
    return item in rules.blocks() and rules.block(item).solid


def layers(situation: Situation) -> int:
    """How high one must stand."""
    return situation.area[1][1] - GROUND_Y


def _is_able(situation: Situation, name: str) -> bool:
    """Whether the agent begins with a tool for stone, or with blocks: what everybody in the team knows of it."""
    carried = situation.facts["team"][name]["starts_with"]
    tool = rules.best_tool(carried, "stone")
    return rules.harvests(tool, rules.block("stone")) or any(map(shelters, carried))


def _shares(situation: Situation) -> dict[str, int]:
    """Blocks that each able agent gathers for those who cannot, dealt out in YAML order."""
    able = [name for name in situation.team if _is_able(situation, name)]
    helpless = [name for name in situation.team if name not in able]
    shares: Counter[str] = Counter()
    for number, _ in enumerate(helpless):
        if able:
            shares[able[number % len(able)]] += layers(situation)
    return dict(shares)


def _stock(situation: Situation) -> Counter[str]:
    """Blocks to build with that lie in chests, as far as is known."""
    stock: Counter[str] = Counter()
    for items in situation.chests.values():
        stock.update({item: count for item, count in items.items() if shelters(item)})
    return stock


def _tasks(
    situation: Situation, member: Member, open_blocks: list[Sighting], stock: Counter[str], share: int
) -> list[Task]:
    if member.position[1] > situation.area[1][1]:
        return [wait(PATIENCE if _is_anybody_in_danger(situation) else ALL_SAFE, "stay above the flood")]
    own = _carried(member, shelters)
    need = layers(situation)
    if not _is_able(situation, member.name):
        return _helpless(situation, member, open_blocks, stock)
    delivered = _delivered(situation, member)
    missing = max(0, need + max(0, share - delivered) - sum(own.values()))
    tasks: list[Task] = []
    if missing:
        cells = _nearest(member, open_blocks, missing, shelters)
        if not cells and sum(own.values()) < need:
            return [look_elsewhere(situation, member)]
        if cells:
            own.update(rules.block(block).drops[0] for block, _ in cells)
            tasks.append(mine([cell for _, cell in cells], "fetch blocks that stand the crisis"))
        if len(cells) < missing and situation.step < EARLY_SHARE * situation.max_steps:
            return [*tasks, look_elsewhere(situation, member)]
    spare = _take(own, min(max(0, share - delivered), max(0, sum(own.values()) - need)))
    chest = min(situation.chests, key=lambda cell: _way(member, cell), default=None)
    if spare and chest is not None:
        tasks.append(deposit(chest, spare, "for those who have no tool"))
    return [*tasks, *_pillar(situation, member, need)]


def _helpless(
    situation: Situation, member: Member, open_blocks: list[Sighting], stock: Counter[str]
) -> list[Task]:
    """Wait at the chest for what others bring; where there is none, build of what can be had, even of wood."""
    need = layers(situation)
    own = _carried(member, _is_any_block)
    chest = min(situation.chests, key=lambda cell: _way(member, cell), default=None)
    if sum(own.values()) >= need:
        return _pillar(situation, member, need)
    if chest is None:
        cells = _nearest(member, open_blocks, need - sum(own.values()), _is_any_block)
        if not cells:
            return [look_elsewhere(situation, member)]
        fetched = mine([cell for _, cell in cells], "the only blocks to be had")
        return [fetched, *_pillar(situation, member, need)]
    if sum(stock.values()) < need:
        x, _, z = chest
        near = ("move_to", {"target_pos": [x + 1, GROUND_Y + 1, z + 1]}, "be at the chest")
        return [near, wait(PATIENCE, "until there is something to build with")]
    got = _take(stock, need)
    return [fetch(chest, got, "blocks to build with"), *_pillar(situation, member, need)]


def _pillar(situation: Situation, member: Member, height: int) -> list[Task]:
    place = list(_place(situation, member))
    return [
        ("move_to", {"target_pos": place}, "to where the pillar will stand"),
        (
            "build_floor",
            {"center_pos": place, "width": 1, "depth": 1, "height": height},
            "stand above the flood",
        ),
    ]


def _place(situation: Situation, member: Member) -> Cell:
    """Inside the area, near where the agent is now; every column is one member's, so that no two build on one spot."""
    low, high = situation.area
    team = len(situation.team)
    number = situation.team.index(member.name)
    x, z = (min(max(member.cell[axis], low[axis] + 1), high[axis] - 1) for axis in (0, 2))
    columns = [
        (east, south)
        for east in range(max(low[0] + 1, x - team), min(high[0] - 1, x + team) + 1)
        for south in range(max(low[2] + 1, z - team), min(high[2] - 1, z + team) + 1)
        if (east + STAGGER * south) % team == number
    ]
    east, south = min(
        columns, key=lambda column: (octile(column[0] - x, column[1] - z), column), default=(x, z)
    )
    return east, GROUND_Y + 1, south


def _carried(member: Member, is_fit: Callable[[str], bool]) -> Counter[str]:
    return Counter({item: count for item, count in member.inventory.items() if is_fit(item)})


def _delivered(situation: Situation, member: Member) -> int:
    """Blocks that the agent has put into chests by its history."""
    return sum(
        sum(entry["with"].get("quantities", []))
        for entry in situation.history
        if entry.get("agent") == member.name
        and entry.get("do") == "deposit_to_chest"
        and entry.get("outcome") == "ok"
    )


def _take(store: Counter[str], count: int) -> dict[str, int]:
    """Take so many items out of the store, by name; what there is if there are fewer."""
    taken: dict[str, int] = {}
    for item in sorted(store):
        number = min(store[item], count - sum(taken.values()))
        if number > 0:
            taken[item] = number
    store.subtract(taken)
    return taken


def _nearest(
    member: Member, open_blocks: list[Sighting], count: int, is_fit: Callable[[str], bool]
) -> list[tuple[str, Cell]]:
    """The nearest blocks that the agent's tools harvest, with fit drops; they are taken off the list."""
    able = [
        one
        for one in open_blocks
        if one.block != "chest"
        and member.dig_seconds(one.block) is not None
        and is_fit(rules.block(one.block).drops[0])
    ]
    chosen = sorted(able, key=lambda one: (_way(member, one.cell), one.cell))[:count]
    for one in chosen:
        open_blocks.remove(one)
    return [(one.block, one.cell) for one in chosen]


def _way(member: Member, cell: Cell) -> float:
    return octile(round(cell[0] - member.position[0]), round(cell[2] - member.position[2]))
