"""An agent's body in the simulator, and the coroutines that move it."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, field

from engine.spec.model import Agent
from engine.world.geometry import Cell, Position
from engine.world.inventory import AGENT_SLOTS, Inventory
from engine.world.motion import Motion
from engine.world.protocol import ActionReport, Reason


@dataclass(frozen=True, slots=True)
class Pause:
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


@dataclass(slots=True, eq=False)
class Body:
    """One agent: where it is, what it carries, what it is doing. `index` is its place in the YAML."""

    index: int
    spec: Agent
    inventory: Inventory
    position: Position
    motion: Motion | None = None
    obstructed: bool = False
    running: Running | None = None
    watched: tuple[Cell, ...] = ()
    wake_ticket: int = 0
    alive: bool = True
    speed: float = field(default=0.0)
    wear: dict[str, int] = field(default_factory=dict)

    @classmethod
    def from_spec(cls, index: int, spec: Agent) -> Body:
        """The body at the episode's start."""
        items = {item: stack.count for item, stack in spec.inventory.items()}
        return cls(
            index, spec, Inventory(AGENT_SLOTS, items), spec.position, speed=spec.capabilities.speed_bps
        )

    @property
    def name(self) -> str:
        """The agent's name."""
        return self.spec.name

    def is_unbreakable(self, item: str) -> bool:
        """Whether the task says that this item does not wear out."""
        stack = self.spec.inventory.get(item)
        return stack is not None and stack.unbreakable

    def at(self, tick: int) -> Position:
        """Where the body is at the tick (now or later on its present way)."""
        return self.motion.at(tick) if self.motion else self.position
