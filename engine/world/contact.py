"""What touching a crisis does (SPEC section 3)."""

from __future__ import annotations

from dataclasses import dataclass

from engine.spec.model import ContactDamage, Direction
from engine.world import rules
from engine.world.geometry import TICKS_PER_STEP, Cell

BURNING_TICKS = 5 * TICKS_PER_STEP
"""How long one burns after leaving lava."""
BURN_INTERVAL = TICKS_PER_STEP
"""Burning hurts by 1 this often."""
PUSH_BPS = 1.0
"""How fast water carries whoever stands in it."""

TOWARDS: dict[Direction, Cell] = {
    "east": (1, 0, 0),
    "west": (-1, 0, 0),
    "up": (0, 1, 0),
    "down": (0, -1, 0),
    "south": (0, 0, 1),
    "north": (0, 0, -1),
}
"""Unit step by direction."""


@dataclass(frozen=True, slots=True)
class Contact:
    """What a cell does to whoever is in it.

    Attributes:
        cause: name of the block.
        amount: damage in half hearts, at the first touch and then every `every` ticks.
        burns: sets on fire; fire resistance protects from it and from the damage.
        slows: factor on speed.
        push: unit step in which it carries along; None if it does not.
    """

    cause: str
    amount: float
    every: int
    burns: bool = False
    slows: float = 1.0
    push: Cell | None = None


def contact_of(
    block: str, direction: Direction | None = None, damage: ContactDamage | None = None
) -> Contact | None:
    """What the block does on touch: the task's own figures, or by default the block's; None if it does nothing."""
    contact = _default(block, direction)
    if damage is None:
        return contact
    every = max(1, round(damage.every * TICKS_PER_STEP))
    base = contact or Contact(block, 0, 1)
    return Contact(block, damage.amount, every, base.burns, base.slows, base.push)


def _default(block: str, direction: Direction | None) -> Contact | None:
    if block == "lava":
        return Contact(block, 4, 10, burns=True)
    if block == "water":
        return Contact(block, 2, 20, push=TOWARDS[direction] if direction else None)
    if block == "powder_snow":
        return Contact(block, 1, 20, slows=0.5)
    if direction and rules.block(block).solid:
        # Minecraft: whoever is inside a solid block suffocates, by 1 each half second.
        return Contact(block, 1, 10)
    return None
