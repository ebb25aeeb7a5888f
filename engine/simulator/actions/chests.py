"""deposit_to_chest and get_from_chest: walk to the chest and move items, as many as there are and as fit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.agents.actions import ChestTransfer
from engine.events import payloads
from engine.simulator.actions.walking import approach, stand
from engine.simulator.body import Body, Progress, Steps
from engine.world import rules
from engine.world.geometry import BLOCK_REACH, Cell

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
    progress.detail = f"deposited {sum(parameters.quantities)} items"
    yield from _transfer(world, body, parameters, progress, deposit=True)


def get_from_chest(world: SimulatedWorld, body: Body, parameters: ChestTransfer, progress: Progress) -> Steps:
    """Take the items out of the chest; what is not there or finds no room is reported, with exact counts."""
    progress.detail = f"took {sum(parameters.quantities)} items"
    yield from _transfer(world, body, parameters, progress, deposit=False)


def _transfer(
    world: SimulatedWorld, body: Body, parameters: ChestTransfer, progress: Progress, *, deposit: bool
) -> Steps:
    chest = parameters.chest_pos
    progress.wanted = sum(parameters.quantities)
    if chest not in world.chests:
        yield from stand(world, OPEN_TICKS)
        progress.blame("no_chest", f"there is no chest at {list(chest)}")
        return
    if reason := (yield from approach(world, body, chest, BLOCK_REACH)):
        progress.blame(reason, f"there is no way to the chest at {list(chest)}")
        return
    giver, taker = world.chests[chest], body.inventory
    if deposit:
        giver, taker = taker, giver
    orders = list(zip(parameters.items, parameters.quantities, strict=True))
    moved = sum(rules.stacks(item, min(count, giver.count(item))) for item, count in orders)
    yield from stand(world, OPEN_TICKS + STACK_TICKS * moved)
    for item, count in orders:
        there = min(count, giver.count(item))
        fitting = min(there, taker.room(item))
        progress.done += fitting
        _move(world, body, chest, item, fitting if deposit else -fitting)
        if there < count:
            progress.blame("missing_items", f"there were only {there} of {count} {item}")
        elif fitting < there:
            progress.blame("inventory_full", f"there was room for only {fitting} of {there} {item}")


def _move(world: SimulatedWorld, body: Body, chest: Cell, item: str, into_chest: int) -> None:
    if not into_chest:
        return
    store = world.chests[chest]
    if into_chest > 0:
        store.add(item, into_chest)
    else:
        store.remove(item, -into_chest)
    world.carry(body, item, -into_chest)
    world.emit(
        payloads.ChestChanged(
            chest=chest, item=item, delta=into_chest, count=store.count(item), agent=body.name
        )
    )
