"""The environment's mobs on a server of the user's own."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, cast
from uuid import UUID, uuid4

from engine.minecraft.answers import says
from engine.minecraft.arguments import Target, tagged
from engine.minecraft.commands import Attribute
from engine.minecraft.own.arena import Arena
from engine.minecraft.own.operator import Operator
from engine.world.combat import Difficulty
from engine.world.geometry import TICKS_PER_STEP, Position, distance

SIGHT = 32
"""Blocks within which mobs hunt (SPEC section 3)."""
FRICTION = 0.546
"""Of a tick's speed on the ground this is left at the next ("Block", slipperiness 0.6, times 0.91)."""
BURN_BY_DAY = frozenset(("zombie", "zombie_villager", "skeleton", "stray", "drowned", "phantom"))
"""Undead mobs that sunlight kills; here they are proof against fire."""
LOOK_TICKS = 10
"""A mob's way is logged so late: a server tells where it is, not where it goes."""
STILL = 0.1


def pace_attribute(speed_bps: float) -> float:
    """The attribute of a mob that walks so fast.

    It is multiplied by itself, since it is both the mob's speed and how hard it pushes forward, and friction sums that
    up: speed = 20 × a² / (1 − 0.546). A zombie's 0.23 gives 2.3 blocks a second, as the wiki's page "Zombie" has it.
    """
    return math.sqrt(speed_bps * (1 - FRICTION) / TICKS_PER_STEP)


def blow_attribute(damage: float, difficulty: Difficulty) -> float:
    """The attribute of a mob that hits for so much; the difficulty changes it on the way ("Difficulty")."""
    if difficulty == "hard":
        return damage / 1.5
    if difficulty == "easy":
        return damage if damage <= 2 else 2 * (damage - 1)
    return damage


@dataclass(slots=True)
class Mob:
    """One mob: how commands find it, and where the log says that it is."""

    target: Target
    position: Position
    logged: Position
    is_moving: bool = False


class Mobs:
    """All mobs of an episode; each has the slot's tag, and one of its own."""

    def __init__(self, operator: Operator, arena: Arena, tag: str, difficulty: Difficulty) -> None:
        self._operator, self._arena, self._tag, self._difficulty = operator, arena, tag, difficulty
        self._mobs: dict[int, Mob] = {}
        self.are_held = False

    @property
    def all(self) -> Target:
        """Every mob of the episode."""
        return tagged(self._tag)

    def announce(self, command: dict[str, Any]) -> dict[str, Any]:
        """What bots must know before the mob is there: by which UUID it will be known."""
        return command | {"uuid": str(uuid4())}

    def summon(self, command: dict[str, Any]) -> None:
        """Let a mob be there, which has been announced."""
        number, entity, position = command["number"], command["entity"], tuple(command["position"])
        own = f"{self._tag}_{number}"
        commands = self._operator.commands
        attributes: dict[Attribute, float] = {
            "movement_speed": pace_attribute(command["speed"]),
            "attack_damage": blow_attribute(command["damage"], self._difficulty),
            "follow_range": SIGHT,
        }
        summon = commands.summon(
            entity,
            self._arena.middle(cast("Position", position)),
            self._tag,
            own,
            health=command["health"],
            attributes=attributes,
            ai=not self.are_held,
            uuid=UUID(command["uuid"]),
        )
        self._operator.do(summon, holds=says("Summoned"))
        if entity in BURN_BY_DAY:
            self._operator.do(commands.give_effect(tagged(own, one=True), "fire_resistance", None))
        self._mobs[number] = Mob(tagged(own), position, position)

    def remove(self, number: int) -> None:
        """Take a mob away."""
        mob = self._mobs.pop(number, None)
        if mob:
            self._operator.do(self._operator.commands.kill(mob.target))

    def follow(self, answer: dict[str, Any], tick: int) -> list[dict[str, Any]]:
        """Learn where mobs are and which are dead; returns events: the ways of the last half second."""
        for number, (x, y, z) in answer["mobs"].items():
            if int(number) in self._mobs:
                self._mobs[int(number)].position = x, y, z
        for event in answer["events"]:
            if event["type"] == "mob_died":
                self._mobs.pop(event["payload"]["mob"], None)
        if tick % LOOK_TICKS:
            return []
        return [event for number, mob in self._mobs.items() for event in _way(number, mob)]


def _way(number: int, mob: Mob) -> list[dict[str, Any]]:
    length = distance(mob.logged, mob.position)
    if length > STILL:
        points = [mob.logged, mob.position]
        mob.logged, mob.is_moving = mob.position, True
        speed = length * TICKS_PER_STEP / LOOK_TICKS
        return [_event("mob_moved", mob=number, points=points, speed_bps=round(speed, 4))]
    if mob.is_moving:
        mob.is_moving = False
        return [_event("mob_stopped", mob=number, position=mob.logged)]
    return []


def _event(kind: str, **payload: Any) -> dict[str, Any]:
    return {"type": kind, "payload": payload}
