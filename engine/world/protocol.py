"""What a world must offer; the simulator and Minecraft both do. Nothing outside a world may ask it for more.

A world reports all that happens in it as event payloads through the `emit` callable that it is built with; what it
returns from calls is only what the caller cannot know otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Literal, Protocol

import msgspec

from engine.events.payloads import Payload
from engine.world.contact import Contact
from engine.world.geometry import Cell, Position

Emit = Callable[[Payload], None]
"""Takes what just happened; the episode numbers it, logs it and hands it to everyone who follows."""
Waiting = Callable[[], object]
"""Called several times a second by a world that waits for something; may raise to end it, as `Control.waiting` does."""

Outcome = Literal["ok", "partial", "failed"]
Reason = Literal[
    "",
    "bad_parameters",
    "unknown_action",
    "not_offered",
    "unreachable",
    "out_of_reach",
    "not_found",
    "vanished",
    "wrong_tool",
    "missing_items",
    "inventory_full",
    "no_chest",
    "timeout",
    "interrupted",
    "dead",
]


def undisturbed() -> None:
    """Nobody wants a word while a world waits."""


class ActionReport(msgspec.Struct, frozen=True):
    """How an action ended.

    Attributes:
        outcome: `ok` if all was done, `partial` if some, `failed` if nothing.
        reason: the first thing that went wrong; empty when ok.
        done, wanted: exact counts of what the action is about.
        detail: one sentence.
    """

    outcome: Outcome
    reason: Reason
    done: int
    wanted: int
    detail: str


def report(done: int, wanted: int, reason: Reason, detail: str) -> ActionReport:
    """A report whose outcome follows from the counts: short of `wanted` is partial, nothing is failed."""
    if done >= wanted and not reason:
        return ActionReport("ok", "", done, wanted, detail)
    return ActionReport("partial" if done else "failed", reason, done, wanted, detail)


class Action(msgspec.Struct, frozen=True):
    """One action to carry out: its name and its checked parameters (a model of `engine.agents.actions`)."""

    name: str
    parameters: object


class Sighting(msgspec.Struct, frozen=True):
    """A block that an agent perceives."""

    cell: Cell
    block: str


class MobSighting(msgspec.Struct, frozen=True):
    """A mob as one perceives it."""

    number: int
    entity: str
    role: str
    position: Position
    health: float


OnActionEnd = Callable[[str, ActionReport], None]
"""Called with the agent's name at the tick at which its action ended; may begin its next one at once."""


class World(Protocol):
    """One world with the task's agents in it."""

    @property
    def tick(self) -> int:
        """World time now."""

    def next_tick(self) -> int | None:
        """The next tick at which the world itself has something to do; None if never."""

    def advance(self, tick: int) -> None:
        """Let world time come to `tick`, which is not beyond `next_tick`."""

    @property
    def address(self) -> str:
        """Where a Minecraft client can join and watch, as `127.0.0.1:25565`; empty if nowhere."""

    def hold(self) -> AbstractContextManager[None]:
        """While a policy decides in sync mode: let nothing happen, as far as the world can help it."""

    def settle_contact(self) -> None:
        """Do what touching a crisis, burning and effects do at this tick."""

    def settle(self, on_end: OnActionEnd) -> None:
        """Let mobs act, then agents in YAML order; then whoever has no health left dies."""

    def begin(self, agent: str, action: Action) -> None:
        """Start an action of an agent that has none running. It ends at a later tick, never at this one."""

    def interrupt(self, agent: str) -> ActionReport | None:
        """Stop the agent's running action here and now; None if it had none."""

    def close(self) -> None:
        """Let go of processes and connections; nothing may be asked of the world afterwards."""

    def position(self, agent: str) -> Position:
        """Where the agent is."""

    def block(self, cell: Cell) -> str:
        """What is in the cell."""

    def is_solid(self, cell: Cell) -> bool:
        """Whether the cell holds something that one cannot walk through."""

    def is_free(self, cell: Cell) -> bool:
        """Whether something may be spawned in the cell: nothing solid or living in it, solid ground under it."""

    def set_blocks(
        self,
        cells: Sequence[Cell],
        block: str,
        *,
        cause: str,
        source: str,
        vanish_tick: int | None = None,
        contact: Contact | None = None,
    ) -> None:
        """Change blocks on behalf of the environment, at this tick; `contact` is what touching them does."""

    def spawn_mob(
        self,
        entity: str,
        role: str,
        position: Cell,
        *,
        health: float | None,
        damage: float | None,
        speed: float,
        source: str,
        vanish_tick: int | None = None,
    ) -> None:
        """Let a mob be there; absent health and damage are the vanilla mob's."""

    def living_mobs(self) -> list[MobSighting]:
        """All living mobs, oldest first."""

    def despawn_mob(self, mob: int, cause: str) -> None:
        """Take a mob away."""

    def give_effect(self, agent: str, effect: str, amplifier: int, seconds: float | None) -> None:
        """Give an agent a status effect; without seconds for good."""

    def set_speed_factor(self, agent: str, source: str, factor: float) -> None:
        """Let an agent be slower or faster for a reason of somebody's; the factors of all reasons multiply."""

    def hurt(self, agent: str, amount: float) -> None:
        """Hurt an agent."""

    def set_region(self, region: str, active: bool, area: tuple[Cell, Cell] | None) -> None:
        """Switch a region on or off, or move it."""

    def sense(self, agent: str, radius: float) -> list[Sighting]:
        """The blocks, flat ground left out, that the agent perceives within the radius and its own range."""

    def sense_mobs(self, agent: str, radius: float) -> list[MobSighting]:
        """The living mobs that the agent perceives within the radius and its own range; nearest first."""
