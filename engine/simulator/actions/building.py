"""build_floor: a platform of layers, block by block, out of what the agent carries."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.agents.actions import BuildFloor
from engine.simulator.actions.walking import Walk, approach, stand
from engine.simulator.body import Body, Progress, Steps
from engine.world import combat, rules
from engine.world.geometry import BLOCK_REACH, Cell, distance, nearest_cell
from engine.world.inventory import Inventory
from engine.world.protocol import Reason

if TYPE_CHECKING:
    from engine.simulator.world import SimulatedWorld

PLACE_TICKS = 10
"""Placing a block (paper: 0.5 s)."""

_WHY: dict[Reason, str] = {
    "missing_items": "no more blocks to build with for",
    "unreachable": "there is no way to",
    "out_of_reach": "nothing to build against, or somebody in the way, at",
}


def build_floor(world: SimulatedWorld, body: Body, parameters: BuildFloor, progress: Progress) -> Steps:
    """Place what is missing of the platform, lowest layer first, in each layer what is nearest first.

    Cells that hold a solid block already count as built. A builder in the way stands up on the block that it places.
    """
    cells = list(parameters.cells())
    progress.wanted = len(cells)
    progress.detail = f"built {len(cells)} of {len(cells)} blocks"
    missing = [cell for cell in cells if not world.is_solid(cell)]
    progress.done = len(cells) - len(missing)
    while missing:
        cell = _next(world, body, missing)
        missing.remove(cell)
        reason = yield from _place(world, body, cell)
        if reason:
            progress.blame(reason, f"{_WHY[reason]} {list(cell)}")
        else:
            progress.done += 1
        if reason == "missing_items":
            return


def _next(world: SimulatedWorld, body: Body, missing: list[Cell]) -> Cell:
    """The nearest of the lowest layer; the builder's own cell comes last, so that it is lifted once."""
    here = body.at(world.tick)
    feet = nearest_cell(here)
    return min(missing, key=lambda cell: (cell[1], cell == feet, distance(here, cell), cell))


def _place(world: SimulatedWorld, body: Body, cell: Cell) -> Walk:
    if _material(body.inventory) is None:
        return "missing_items"
    if reason := (yield from approach(world, body, cell, BLOCK_REACH)):
        return reason
    yield from stand(world, PLACE_TICKS)
    if world.is_solid(cell):
        return ""
    material = _material(body.inventory)
    if material is None:
        return "missing_items"
    if not _has_support(world, cell) or not _make_room(world, body, cell):
        return "out_of_reach"
    world.carry(body, material, -1)
    world.set_blocks([cell], material, cause="agent", source=body.name)
    return ""


def _material(inventory: Inventory) -> str | None:
    """What to build with: the first solid block carried, those that do not burn before those that do."""
    blocks = [item for item in inventory if item in rules.blocks() and rules.block(item).solid]
    return min(blocks, key=combat.burns, default=None)


def _has_support(world: SimulatedWorld, cell: Cell) -> bool:
    x, y, z = cell
    around = ((x, y - 1, z), (x - 1, y, z), (x + 1, y, z), (x, y, z - 1), (x, y, z + 1), (x, y + 1, z))
    return any(world.is_solid(other) for other in around)


def _make_room(world: SimulatedWorld, body: Body, cell: Cell) -> bool:
    """Whether nobody stands in the cell; the builder itself steps up if there is room over its head."""
    occupants = world.occupants(cell)
    if not occupants:
        return True
    feet = nearest_cell(body.at(world.tick))
    above = (feet[0], feet[1] + 1, feet[2])
    if occupants != [body] or cell != feet or world.is_solid((feet[0], feet[1] + 2, feet[2])):
        return False
    world.put(body, above)
    return True
