"""What the agents are like on a server of the user's own: names, attributes, items, effects, regions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.minecraft.arguments import Target, player
from engine.minecraft.own.arena import Arena
from engine.minecraft.own.harm import Harm
from engine.minecraft.own.operator import Operator
from engine.spec.model import Agent, TaskSpec
from engine.world.geometry import TICKS_PER_STEP, Cell, Position, nearest_cell

NAME_LENGTH = 16
WALK_BPS, WALK_ATTRIBUTE = 4.317, 0.1
"""A player's pace, and the attribute that gives it (the Minecraft Wiki, "Attribute")."""
HUNGRY_SECONDS = 30
"""At most, until somebody who has just joined has room for something to eat."""
HUNGER = 127
"""An amplifier that makes it so within two seconds ("Hunger"); a greater one does not fit the packet's signed byte."""
HEALING = 8
"""Amplifier of instant health that heals 1,024: as much as anybody can have."""


def usernames(names: Sequence[str], letter: str) -> dict[str, str]:
    """The names of bots by those of agents: unique on the server, since each ends with its slot's letter."""
    suffix = f"_{letter}"
    given: dict[str, str] = {}
    for number, name in enumerate(names):
        short = name[: NAME_LENGTH - len(suffix)] + suffix
        if short in given.values():
            digits = str(number)
            short = name[: NAME_LENGTH - len(suffix) - len(digits)] + digits + suffix
        given[name] = short
    return given


@dataclass(slots=True)
class Body:
    """One agent's, as the server is to have it."""

    spec: Agent
    target: Target
    position: Position
    is_alive: bool = True
    factors: dict[str, float] = field(default_factory=dict)
    multiplier: float = 1.0
    within: set[str] = field(default_factory=set)

    @property
    def pace(self) -> float:
        """The attribute that gives the agent its speed, effects aside."""
        factor = math.prod(self.factors.values())
        return self.spec.capabilities.speed_bps * factor / WALK_BPS * WALK_ATTRIBUTE


@dataclass(frozen=True, slots=True)
class Zone:
    """A region as it is now; its effects are (effect, amplifier, ticks or None)."""

    active: bool
    low: Cell
    high: Cell
    effects: tuple[tuple[str, int, int | None], ...]

    def holds(self, position: Position) -> bool:
        """Whether somebody there is in it."""
        cell = nearest_cell(position)
        ranges = zip(self.low, cell, self.high, strict=True)
        return self.active and all(least <= at <= most for least, at, most in ranges)


class Bodies:
    """All agents' bodies, kept by commands."""

    def __init__(self, spec: TaskSpec, operator: Operator, arena: Arena, names: dict[str, str]) -> None:
        self._operator, self._arena = operator, arena
        self._bodies = {
            agent.name: Body(agent, player(names[agent.name]), agent.position) for agent in spec.agents.spawn
        }
        self._zones: dict[str, Zone] = {}
        self.harm = Harm(operator)

    def prepare(self) -> None:
        """Make players that have just joined what the task says."""
        commands = self._operator.commands
        for body in self._bodies.values():
            who, able = body.target, body.spec.capabilities
            self._operator.do(
                commands.gamemode(who, "survival"),
                commands.clear(who),
                commands.clear_effect(who),
                commands.unscale_attribute(who, "attack_damage"),
                commands.set_attribute(who, "attack_damage", 1),
                commands.set_attribute(who, "max_health", able.max_health),
                commands.set_attribute(who, "movement_speed", body.pace),
                commands.give_effect(who, "instant_health", 1, HEALING),
                commands.give_effect(who, "hunger", HUNGRY_SECONDS, HUNGER),
                *(
                    commands.give(who, item, stack.count, unbreakable=stack.unbreakable)
                    for item, stack in body.spec.inventory.items()
                ),
            )
        self.home()

    def satisfy(self) -> None:
        """Take the hunger away again that made room for something to eat."""
        for body in self._bodies.values():
            self._operator.do(self._operator.commands.clear_effect(body.target, "hunger"))

    def home(self) -> None:
        """Put everybody where the task lets it start."""
        for body in self._bodies.values():
            there = self._arena.middle(body.spec.position)
            self._operator.do(self._operator.commands.teleport(body.target, there))

    def follow(self, answer: dict[str, Any]) -> None:
        """Learn from what the bots have heard who is where and who is dead."""
        for name, (x, y, z) in answer["agents"].items():
            self._bodies[name].position = x, y, z
        for event in answer["events"]:
            if event["type"] == "agent_died":
                self._bodies[event["payload"]["agent"]].is_alive = False

    def watch(self, on: bool) -> None:
        """Make everybody who lives a spectator, out of harm's way, or an agent again."""
        commands = self._operator.commands
        for body in self._living():
            self._operator.do(commands.gamemode(body.target, "spectator" if on else "survival"))

    def _living(self) -> list[Body]:
        return [body for body in self._bodies.values() if body.is_alive]

    # --- what the environment does to them

    def give_effect(self, agent: str, effect: str, amplifier: int, ticks: int | None) -> None:
        """Give an effect; without ticks for good. A server counts in whole seconds."""
        seconds = None if ticks is None else max(1, math.ceil(ticks / TICKS_PER_STEP))
        commands = self._operator.commands
        self._operator.do(commands.give_effect(self._bodies[agent].target, effect, seconds, amplifier))

    def set_factor(self, agent: str, source: str, factor: float) -> None:
        """Let an agent be slower or faster for a reason; the factors of all reasons multiply."""
        body = self._bodies[agent]
        before = body.pace
        body.factors[source] = factor
        if body.pace != before:
            commands = self._operator.commands
            self._operator.do(commands.set_attribute(body.target, "movement_speed", body.pace))

    def aim(self, agent: str, entity: str) -> None:
        """The agent is about to attack mobs of a type: let its blows be as hard as its multiplier says."""
        body = self._bodies[agent]
        wanted = body.spec.capabilities.damage_multipliers.get(entity, 1.0)
        if wanted == body.multiplier:
            return
        commands = self._operator.commands
        self._operator.do(commands.unscale_attribute(body.target, "attack_damage"))
        if wanted != 1:
            self._operator.do(commands.scale_attribute(body.target, "attack_damage", wanted))
        body.multiplier = wanted

    def hurt(self, agent: str, amount: float) -> None:
        """Hurt an agent."""
        self.harm.deal(self._bodies[agent].target, amount)

    def set_zone(self, name: str, zone: Zone) -> None:
        """Switch a region on or off, or move it."""
        self._zones[name] = zone

    def review(self, tick: int) -> list[tuple[str, str]]:
        """What regions and blocks do to whoever is in them at this tick; returns who is hurt, and by what."""
        for body in self._living():
            for name, zone in self._zones.items():
                self._pass(body, name, zone)
        touched = {
            body.spec.name: self.harm.touch(body.target, body.position, tick) for body in self._living()
        }
        return [(agent, cause) for agent, cause in touched.items() if cause]

    def _pass(self, body: Body, name: str, zone: Zone) -> None:
        is_in = zone.holds(body.position)
        if is_in == (name in body.within):
            return
        commands = self._operator.commands
        if is_in:
            body.within.add(name)
            for effect, amplifier, ticks in zone.effects:
                self.give_effect(body.spec.name, effect, amplifier, ticks)
        else:
            body.within.discard(name)
            for effect, _, _ in zone.effects:
                self._operator.do(commands.clear_effect(body.target, effect))
