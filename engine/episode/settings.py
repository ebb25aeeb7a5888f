"""How to run an episode, and how its caller stays in control of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

Mode = Literal["sync", "async"]
WorldName = Literal["simulator"]
MODES: tuple[Mode, ...] = ("sync", "async")
WORLDS: tuple[WorldName, ...] = ("simulator",)
MAX_SEED = 2**31 - 1


@dataclass(frozen=True, slots=True)
class EpisodeSettings:
    """Everything besides the task that an episode depends on.

    Attributes:
        policy: a name from `engine.agents.policies.POLICIES`.
        mode: whether world time stands still (`sync`) or goes on (`async`) while a policy decides.
        world: which world the episode happens in.
        seed: drives every random choice of the world.
    """

    policy: str = "oracle"
    mode: Mode = "sync"
    world: WorldName = "simulator"
    seed: int = 0


class Cancelled(Exception):  # noqa: N818 - a request, not an error
    """Raised by a `Control` to end the episode; the log closes with status `cancelled`."""


class Control(Protocol):
    """The caller's hand on a running episode. Called often, so it must be cheap."""

    def before(self, tick: int) -> None:
        """Called before world time moves on to `tick`: may wait (pace) or raise `Cancelled`."""


class Unhurried:
    """No pace and no cancelling: as fast as possible, to the end."""

    def before(self, tick: int) -> None:
        """Do nothing."""
