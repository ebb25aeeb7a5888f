"""deposit_to_chest: walk to the chest and put items in, as many as there are and as fit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.agents.actions import ChestTransfer
from engine.events import payloads
from engine.simulator.actions.walking import approach
from engine.simulator.body import Body, Pause, Progress, Steps
from engine.world import rules
from engine.world.geometry import BLOCK_REACH

if TYPE_CHECKING:
    from engine.simulator.world import SimulatedWorld

OPEN_TICKS = 5
"""Opening and closing a chest (SPEC section 11)."""
STACK_TICKS = 2
"""Moving one stack (SPEC section 11)."""


def deposit_to_chest(
    world: SimulatedWorld, body: Body, parameters: ChestTransfer, progress: Progress
) -> Steps:
    """Put the items into the chest; what is not carried or finds no room is reported, with exact counts."""
    chest = parameters.chest_pos
    progress.wanted = sum(parameters.quantities)
    progress.detail = f"deposited {progress.wanted} items"
    if chest not in world.chests:
        yield Pause(world.tick + OPEN_TICKS)
        progress.blame("no_chest", f"there is no chest at {list(chest)}")
        return
    if reason := (yield from approach(world, body, chest, BLOCK_REACH)):
        progress.blame(reason, f"there is no way to the chest at {list(chest)}")
        return
    orders = list(zip(parameters.items, parameters.quantities, strict=True))
    moved = sum(rules.stacks(item, min(count, body.inventory.count(item))) for item, count in orders)
    yield Pause(world.tick + OPEN_TICKS + STACK_TICKS * moved)
    for item, count in orders:
        _deposit(world, body, parameters, progress, item, count)


def _deposit(
    world: SimulatedWorld, body: Body, parameters: ChestTransfer, progress: Progress, item: str, count: int
) -> None:
    store = world.chests[parameters.chest_pos]
    carried = min(count, body.inventory.count(item))
    added = store.add(item, carried)
    progress.done += added
    if added:
        world.carry(body, item, -added)
        world.emit(
            payloads.ChestChanged(
                chest=parameters.chest_pos,
                item=item,
                delta=added,
                count=store.count(item),
                agent=body.name,
            )
        )
    if carried < count:
        progress.blame("missing_items", f"had only {carried} of {count} {item}")
    elif added < carried:
        progress.blame("inventory_full", f"the chest had room for only {added} of {carried} {item}")
