"""An agent's body in the simulator, and the coroutines that move it."""

from __future__ import annotations

import math
from collections.abc import Generator, Mapping
from dataclasses import dataclass, field

import msgspec

from engine.simulator.agenda import Ticket
from engine.spec.model import Agent, counts
from engine.world.contact import Contact
from engine.world.geometry import Cell, Position
from engine.world.inventory import AGENT_SLOTS, Inventory
from engine.world.motion import Extent, Motion, extent
from engine.world.protocol import ActionReport, Reason

_NOTHING: Mapping[str, int] = {}


class Pause(msgspec.Struct, frozen=True, gc=False):
    """What an action yields: wake me at `until`, or earlier when one of the cells in `watch` changes."""

    until: int
    watch: tuple[Cell, ...] = ()


@dataclass(slots=True)
class Progress:
    """How far an action has come; kept outside the coroutine, so that an interrupted one still has exact counts."""

    done: int = 0
    wanted: int = 1
    reason: Reason = ""
    detail: str = ""

    def blame(self, reason: Reason, detail: str) -> None:
        """Note what went wrong; the first reason stays."""
        if not self.reason:
            self.reason, self.detail = reason, detail


Steps = Generator[Pause, None, None]
"""An action at work: yields pauses, keeps its `Progress`, and returns when it is over."""


@dataclass(slots=True)
class Running:
    """The action that an agent is carrying out."""

    steps: Steps
    progress: Progress
    began: int
    deadline: int
    over: ActionReport | None = None


@dataclass(frozen=True, slots=True)
class Grant:
    """A status effect that something gave: `source` is a region's id, or empty. `until` is None if it stays."""

    source: str
    amplifier: int
    until: int | None

    @property
    def strength(self) -> tuple[int, float]:
        """By which of several grants of one effect is at work: the level first, then how long it lasts."""
        return self.amplifier, math.inf if self.until is None else self.until


@dataclass(slots=True)
class ActiveEffect:
    """A status effect at work: the strongest of all grants. `beat` is when it next does what it does over time."""

    grant: Grant
    end_ticket: Ticket | None = None
    beat_ticket: Ticket | None = None
    beat: int | None = None

    def cancel(self) -> None:
        """Nothing more comes of it."""
        for ticket in (self.end_ticket, self.beat_ticket):
            if ticket is not None:
                ticket.cancel()


@dataclass(slots=True, eq=False)
class Body:
    """One agent: where it is, what it carries, how it is, what it is doing.

    Attributes:
        index: its place in the YAML.
        perception_range: how far it sees, in blocks.
        extent: between which x and z it is, now and on its present way.
    """

    index: int
    name: str
    spec: Agent
    perception_range: float
    inventory: Inventory
    position: Position
    extent: Extent
    health: float
    held: str | None
    motion: Motion | None = None
    is_carried: bool = False
    obstructed: bool = False
    running: Running | None = None
    watched: tuple[Cell, ...] = ()
    wake: Ticket | None = None
    alive: bool = True
    wear: dict[str, int] = field(default_factory=dict)
    grants: dict[str, list[Grant]] = field(default_factory=dict)
    effects: dict[str, ActiveEffect] = field(default_factory=dict)
    absorption: float = 0.0
    speed_factors: dict[str, float] = field(default_factory=dict)
    contact: Contact | None = None
    contact_ticket: Ticket | None = None
    regions: frozenset[str] = frozenset()
    review_ticket: Ticket | None = None
    burning_until: int = 0
    burn_ticket: Ticket | None = None

    @classmethod
    def from_spec(cls, index: int, spec: Agent) -> Body:
        """The body at the episode's start; the first item listed is held."""
        items = counts(spec.inventory)
        return cls(
            index=index,
            name=spec.name,
            spec=spec,
            perception_range=spec.capabilities.perception_range,
            inventory=Inventory(AGENT_SLOTS, items),
            position=spec.position,
            extent=extent([spec.position]),
            health=spec.capabilities.max_health,
            held=next(iter(items), None),
        )

    @property
    def max_health(self) -> float:
        """Half hearts at full health."""
        return self.spec.capabilities.max_health

    @property
    def amplifiers(self) -> Mapping[str, int]:
        """The effects at work, 0 for level I."""
        if not self.effects:
            return _NOTHING
        return {effect: active.grant.amplifier for effect, active in self.effects.items()}

    def is_unbreakable(self, item: str) -> bool:
        """Whether the task says that this item does not wear out."""
        stack = self.spec.inventory.get(item)
        return stack is not None and stack.unbreakable

    def set_out(self, motion: Motion, *, is_carried: bool) -> None:
        """Be on this way from now on; `is_carried` if something carries the body along."""
        self.motion, self.extent = motion, motion.extent
        self.is_carried, self.obstructed = is_carried, False

    def stand_at(self, position: Position) -> None:
        """Be here from now on, and nowhere else."""
        x, _, z = position
        self.motion, self.position, self.extent = None, position, (x, x, z, z)

    def is_moving(self, tick: int) -> bool:
        """Whether the body is on its way at the tick."""
        return self.motion is not None and tick < self.motion.arrival

    def walk_at(self, tick: int) -> Motion | None:
        """The walk that the body is on at the tick; None if it stands, is carried along, or cannot go on."""
        return self.motion if self.is_moving(tick) and not (self.is_carried or self.obstructed) else None

    def at(self, tick: int) -> Position:
        """Where the body is at the tick (now or later on its present way)."""
        return self.motion.at(tick) if self.motion else self.position
