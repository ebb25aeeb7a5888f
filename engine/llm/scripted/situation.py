"""What a prompt says, as typed values: the facts of its briefing and the state of its last question."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from engine.llm.provider import Turn
from engine.world import combat, rules
from engine.world.geometry import TICKS_PER_STEP, Cell, Position, nearest_cell

FORGETTING_STEPS = 10
"""The history has a window; so many steps count as one look that has dropped out of it."""
_CELL = re.compile(r"\[(-?\d+), (-?\d+), (-?\d+)\]")
_STEP = re.compile(r"## Step ([\d.]+) of (\d+)")


@dataclass(frozen=True, slots=True)
class Target:
    """A quota of the task."""

    block: str
    count: int
    drops: str


@dataclass(frozen=True, slots=True)
class Member:
    """An agent of whom the prompt tells how it is."""

    name: str
    position: Position
    health: float
    max_health: float
    speed_bps: float
    perception_range: float
    damage_multipliers: dict[str, float]
    inventory: dict[str, int]
    held: str | None

    @property
    def cell(self) -> Cell:
        """Where it stands."""
        return nearest_cell(self.position)

    def dig_seconds(self, block: str) -> float | None:
        """Seconds to break the block so that it drops something; None if no tool that it carries does that."""
        if not rules.block(block).drops:
            return None
        ticks = rules.dig_ticks(self.inventory, block)
        return None if ticks is None else ticks / TICKS_PER_STEP


@dataclass(frozen=True, slots=True)
class Sighting:
    """A block that was seen at a step."""

    block: str
    cell: Cell
    seen: float


@dataclass(frozen=True, slots=True)
class Enemy:
    """A mob that was seen at a step."""

    kind: str
    role: str
    position: Position
    health: float
    seen: float


@dataclass(frozen=True, slots=True)
class Said:
    """A message that the one who is asked sent or was sent."""

    step: float
    sender: str
    to: tuple[str, ...]
    text: str


class Situation:
    """Everything that the scripted planner knows.

    Attributes:
        me: name of the agent that decides for itself; empty where a master decides for all.
        step: now; `max_steps` is the end.
        members: the living agents of whom the prompt tells, in YAML order: all of them, or just me.
    """

    def __init__(self, turns: Sequence[Turn]) -> None:
        self.facts = _json(turns[0].text)
        self.state = _json(turns[1].text)
        found = _STEP.search(turns[1].text)
        self.step, self.max_steps = (float(found[1]), int(found[2])) if found else (0.0, 0)
        self.me: str = self.state.get("you", {}).get("name", "")
        told = {self.me: self.state["you"]} if self.me else self.state["agents"]
        self.members = [
            self._member(name, told[name]) for name in self.team if told.get(name, {}).get("alive")
        ]

    @property
    def team(self) -> list[str]:
        """All agents' names, in YAML order."""
        return list(self.facts["team"])

    def _member(self, name: str, state: dict[str, Any]) -> Member:
        able = self.facts["team"][name]
        x, y, z = state["position"]
        return Member(
            name=name,
            position=(x, y, z),
            health=state["health"],
            max_health=able["max_health"],
            speed_bps=able["speed_bps"],
            perception_range=able["perception_range"],
            damage_multipliers=able["damage_multipliers"],
            inventory=state["inventory"],
            held=state["held"],
        )

    @cached_property
    def targets(self) -> list[Target]:
        """The quotas of the task."""
        return [Target(one["block"], one["count"], one["drops"]) for one in self.facts.get("targets", [])]

    @cached_property
    def blocks(self) -> list[Sighting]:
        """Blocks that are listed one by one."""
        return [
            Sighting(block, (x, y, z), seen)
            for block, told in self.state["blocks"].items()
            for x, y, z, seen in told["nearest"]
        ]

    @cached_property
    def enemies(self) -> list[Enemy]:
        """Mobs, the nearest first."""
        return [
            Enemy(one["type"], one["role"], tuple(one["position"]), one["health"], one["seen"])
            for one in self.state["mobs"]
        ]

    @cached_property
    def chests(self) -> dict[Cell, dict[str, int]]:
        """Chests and what was in them when they were last looked into."""
        return {_cell(one["position"]): one["items"] for one in self.state["chests"]}

    @cached_property
    def area(self) -> tuple[Cell, Cell]:
        """The corners of the threatened area."""
        area = self.facts["threatened_area"]
        return _cell(area["min"]), _cell(area["max"])

    @cached_property
    def messages(self) -> list[Said]:
        """What was said, oldest first."""
        return [
            Said(one["step"], one["from"], tuple(one["to"]), one["text"])
            for one in self.state.get("messages", [])
        ]

    @property
    def history(self) -> list[dict[str, Any]]:
        """What the agents did, oldest first."""
        told: list[dict[str, Any]] = self.state["history"]
        return told

    def looks(self, agent: str) -> int:
        """How many places the agent has looked at lately, and a little more as time goes by: a number for the next."""
        mine = [
            entry
            for entry in self.history
            if entry["agent"] == agent and entry.get("do") == "scout_blocks_at"
        ]
        return int(self.step // FORGETTING_STEPS) + len(mine)

    def has_failed(self, agent: str, do: str, parameters: dict[str, Any], since: float) -> bool:
        """Whether the agent has failed at just this after a step."""
        return any(
            entry["agent"] == agent
            and entry.get("do") == do
            and entry.get("with") == parameters
            and entry["outcome"] == "failed"
            and entry["step"] > since
            for entry in self.history
        )

    @cached_property
    def unreachable(self) -> set[Cell]:
        """Blocks to which somebody has found no way, by the words of the history."""
        return {
            (int(found[1]), int(found[2]), int(found[3]))
            for entry in self.history
            if entry.get("reason") == "unreachable" and (found := _CELL.search(entry["detail"]))
        }


def shelters(item: str) -> bool:
    """Whether the item can be placed as a block that no crisis destroys."""
    return item in rules.blocks() and rules.block(item).solid and not combat.burns(item)


def _json(text: str) -> dict[str, Any]:
    """The last fenced JSON of a turn; what comes before may hold fences of its own."""
    value: dict[str, Any] = json.loads(text.rpartition("```json\n")[2].partition("\n```")[0])
    return value


def _cell(point: Iterable[int]) -> Cell:
    x, y, z = point
    return int(x), int(y), int(z)
