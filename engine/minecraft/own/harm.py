"""Hurting agents on a server of the user's own, and the blocks that hurt by the task's rules but not by Minecraft's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.minecraft.arguments import Target
from engine.minecraft.own.operator import Operator
from engine.world import rules
from engine.world.contact import Contact
from engine.world.geometry import Cell, Position, nearest_cell

HURTS_BY_ITSELF: Mapping[str, str] = {
    "lava": "lava",
    "lava_cauldron": "lava",
    "fire": "in_fire",
    "soul_fire": "in_fire",
    "campfire": "campfire",
    "soul_campfire": "campfire",
    "magma_block": "hot_floor",
    "powder_snow": "freeze",
    "cactus": "cactus",
    "sweet_berry_bush": "sweet_berry_bush",
    "wither_rose": "wither",
}
"""Blocks of whose touch Minecraft takes care, with their type of damage ("Damage type"; campfires' is one of its own
since 1.21). It does so of solid ones, in which one suffocates, as well."""
IGNITES = frozenset(("lava", "lava_cauldron", "fire", "soul_fire"))
"""Those after whose touch one burns ("Fire")."""
PORTION = 6.0
"""What instant damage deals at its lowest level ("Instant Damage"): how versions without `damage` can hurt."""


class Harm:
    """Who is hurt by what the environment has put somewhere, and what is owed."""

    def __init__(self, operator: Operator) -> None:
        self._operator = operator
        self._cells: dict[Cell, Contact] = {}
        self._due: dict[str, int] = {}
        self._owed: dict[str, float] = {}

    def place(self, cells: Sequence[Cell], contact: Contact | None) -> None:
        """From now on these cells do that to whoever touches them."""
        for cell in cells:
            if contact is None or not contact.amount or _is_vanilla(contact.cause):
                self._cells.pop(cell, None)
            else:
                self._cells[cell] = contact

    def touch(self, target: Target, position: Position, tick: int) -> str:
        """Hurt whoever touches something, at first touch and then in its rhythm; by what, empty if by nothing."""
        x, y, z = nearest_cell(position)
        contact = self._cells.get((x, y, z)) or self._cells.get((x, y + 1, z))
        if contact is None:
            self._due.pop(target.text, None)
            return ""
        if tick < self._due.get(target.text, tick):
            return ""
        self._due[target.text] = tick + contact.every
        self.deal(target, contact.amount)
        return contact.cause

    def deal(self, target: Target, amount: float) -> None:
        """Hurt somebody; before 1.19.4 in portions of 6, the rest being owed until the next time."""
        commands = self._operator.commands
        if commands.has("damage"):
            self._operator.do(commands.damage(target, amount))
            return
        owed = self._owed.get(target.text, 0.0) + amount
        while owed >= PORTION:
            owed -= PORTION
            self._operator.do(commands.give_effect(target, "instant_damage", 1))
        self._owed[target.text] = owed


def _is_vanilla(block: str) -> bool:
    return block in HURTS_BY_ITSELF or rules.block(block).solid
