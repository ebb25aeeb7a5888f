"""equip_item and use_item."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.agents.actions import OneItem
from engine.events import payloads
from engine.simulator.actions.walking import stand
from engine.simulator.body import Body, Progress, Steps
from engine.world import combat, rules

if TYPE_CHECKING:
    from engine.simulator.world import SimulatedWorld

EQUIP_TICKS = 5
"""Changing what one holds (SPEC section 11)."""
USE_TICKS = 32
"""Eating and drinking (SPEC section 11, as in Minecraft)."""


def equip_item(world: SimulatedWorld, body: Body, parameters: OneItem, progress: Progress) -> Steps:
    """Take an item in hand."""
    yield from stand(world, EQUIP_TICKS)
    if not body.inventory.count(parameters.item):
        progress.blame("missing_items", f"there is no {parameters.item} in the inventory")
        return
    body.held = parameters.item
    world.emit(payloads.ItemHeld(agent=body.name, item=parameters.item))
    progress.done = 1
    progress.detail = f"holds {parameters.item}"


def use_item(world: SimulatedWorld, body: Body, parameters: OneItem, progress: Progress) -> Steps:
    """Eat or drink an item."""
    item = parameters.item
    if item not in combat.CONSUMABLES and item not in rules.foods():
        yield from stand(world, 1)
        progress.blame("bad_parameters", f"{item} can be neither eaten nor drunk")
        return
    yield from stand(world, USE_TICKS)
    if not body.inventory.count(item):
        progress.blame("missing_items", f"there is no {item} in the inventory")
        return
    world.carry(body, item, -1)
    for dose in combat.doses(item):
        world.vitals.give(body, dose.effect, dose.amplifier, dose.ticks)
    progress.done = 1
    progress.detail = f"used {item}"
