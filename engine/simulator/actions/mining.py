"""mine_blocks_at: walk into reach, break with the best tool, collect the drop; block after block."""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING

from engine.agents.actions import MineBlocksAt
from engine.simulator.actions.walking import approach
from engine.simulator.body import Body, Pause, Progress, Steps
from engine.simulator.drops import PICKUP_RADIUS, Drop
from engine.world import combat, rules
from engine.world.geometry import BLOCK_REACH, Cell, distance
from engine.world.protocol import Reason
from engine.world.terrain import AIR

if TYPE_CHECKING:
    from engine.simulator.world import SimulatedWorld

UNMINABLE = frozenset({AIR, "water", "lava"})
"""What is no block to a tool."""

Part = Generator[Pause, None, tuple[Reason, str]]
"""A part of mining one block; returns why it failed and in which words (the place follows), or nothing twice."""
_DONE: tuple[Reason, str] = ("", "")


def mine_blocks_at(world: SimulatedWorld, body: Body, parameters: MineBlocksAt, progress: Progress) -> Steps:
    """Mine the blocks in the order given; one that cannot be mined is reported and left out."""
    progress.wanted = len(parameters.block_positions)
    progress.detail = f"mined {progress.wanted} of {progress.wanted}"
    for cell in parameters.block_positions:
        reason, what = yield from _mine(world, body, cell)
        if reason:
            progress.blame(reason, f"{what} {list(cell)}")
        else:
            progress.done += 1


def _mine(world: SimulatedWorld, body: Body, cell: Cell) -> Part:
    def missing() -> Reason:
        if world.block(cell) not in UNMINABLE:
            return ""
        return "vanished" if world.terrain.has_changed(cell) else "not_found"

    def seen_missing() -> Reason:
        return missing() if world.perceives(body, cell) else ""

    # Whoever stands within reach finds out, however short its sight.
    reason = (yield from approach(world, body, cell, BLOCK_REACH, seen_missing)) or missing()
    if reason == "unreachable":
        return reason, "there is no way to"
    if reason:
        return reason, "there is no block at"
    return (yield from _dig(world, body, cell))


def _dig(world: SimulatedWorld, body: Body, cell: Cell) -> Part:
    name = world.block(cell)
    target = rules.block(name)
    tool = rules.best_tool(body.inventory, name)
    if cell in world.chests:
        return "wrong_tool", "a chest of the task is not to be mined:"
    ticks = rules.break_ticks(tool, name, combat.mining_factor(body.amplifiers))
    if ticks is None or not rules.harvests(tool, target):
        return "wrong_tool", f"no tool carried harvests the {name} at"
    end = world.tick + ticks
    while world.tick < end:
        yield Pause(end, (cell,))
        if world.block(cell) != name:
            return "vanished", f"the {name} went away under the tool at"
    if distance(body.at(world.tick), cell) > BLOCK_REACH:
        return "out_of_reach", "was carried away from"
    world.set_blocks([cell], AIR, cause="agent", source=body.name)
    world.wear_out(body, tool, name)
    for drop in [world.drops.drop(item, 1, cell) for item in target.drops]:
        reason, what = yield from _collect(world, body, drop)
        if reason:
            return reason, what
    return _DONE


def _collect(world: SimulatedWorld, body: Body, drop: Drop) -> Part:
    if body.name in drop.taken:
        return _DONE
    if not body.inventory.room(drop.item):
        return "inventory_full", f"no room for the {drop.item} from"
    reason = yield from approach(world, body, drop.cell, PICKUP_RADIUS)
    if body.name in drop.taken:
        return _DONE
    if reason:
        return reason, f"there is no way to the {drop.item} from"
    return "vanished", f"somebody else took the {drop.item} from"
