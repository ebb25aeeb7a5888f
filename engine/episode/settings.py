"""How to run an episode, and how its caller stays in control of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, Protocol

Mode = Literal["sync", "async"]
WorldName = Literal["simulator", "minecraft"]
MODES: tuple[Mode, ...] = ("sync", "async")
WORLDS: tuple[WorldName, ...] = ("simulator", "minecraft")
ClockName = Literal["virtual", "real"]
CLOCKS: tuple[ClockName, ...] = ("virtual", "real")
MAX_SEED = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Budget:
    """What an episode may spend on language models; None: as much as it takes.

    Attributes:
        inference_s: seconds during which at least one call is on its way (default: 40 minutes, as in the paper).
        tokens: of prompts and completions together.
        usd: money, by the price table.
    """

    inference_s: float | None = 2_400.0
    inferences: int | None = None
    tokens: int | None = None
    usd: float | None = None


@dataclass(frozen=True, slots=True)
class EpisodeSettings:
    """Everything besides the task that an episode depends on.

    Attributes:
        policy: a name from `engine.agents.policies.POLICIES`.
        mode: whether world time stands still (`sync`) or goes on (`async`) while a policy decides.
        world: which world the episode happens in.
        seed: drives every random choice of the world, and of the scripted planner.
        model: name of the language model, as it is logged; empty for policies that ask none.
        budget: a reached budget ends the episode.
        clock: in async mode, whether a reply's latency is added to world time (`virtual`), or world time keeps to the
            wall clock while the model thinks (`real`).
        server: in the world `minecraft`, the name or the address of the user's own server that it happens on; empty
            for the embedded one. World time keeps to the wall clock there by itself, whatever `clock` says.
        release: in the world `minecraft`, of Minecraft, as `1.20.4`, for the embedded server; empty for the one whose
            rules the benchmark has.
        rcon_port: at which the embedded server can be looked at over RCON from this machine, with the password of the
            environment; None: not at all.
    """

    policy: str = "oracle"
    mode: Mode = "sync"
    world: WorldName = "simulator"
    seed: int = 0
    model: str = ""
    budget: Budget = field(default_factory=Budget)
    clock: ClockName = "virtual"
    server: str = ""
    release: str = ""
    rcon_port: int | None = None

    @property
    def is_real_time(self) -> bool:
        """Whether world time keeps to the wall clock: on a user's own server always.

        In sync mode it stands while a policy decides, so that elsewhere it is no matter how fast it passes otherwise.
        """
        return bool(self.server) or (self.clock == "real" and self.mode == "async")


class Cancelled(Exception):  # noqa: N818 - a request, not an error
    """Raised by a `Control` to end the episode; the log closes with status `cancelled`."""


class OutOfBudget(Exception):  # noqa: N818 - an end, not an error
    """Ends the episode with status `budget`; its text says which budget was reached."""


class Control(Protocol):
    """The caller's hand on a running episode. Called often, so it must be cheap."""

    def opened(self, address: str) -> None:
        """Called when the world is there: where a Minecraft client can join and watch; empty if nowhere."""

    def before(self, tick: int) -> None:
        """Called before world time moves on to `tick`: may wait (pace), or raise `Cancelled` or `OutOfBudget`."""

    def waiting(self) -> None:
        """Called several times a second while something takes its time, as a model or a Minecraft server.

        May raise `Cancelled` or `OutOfBudget`; while a world is being closed, that is not heard.
        """


class Unhurried:
    """No pace and no cancelling: as fast as possible, to the end."""

    def opened(self, address: str) -> None:
        """Do nothing."""

    def before(self, tick: int) -> None:
        """Do nothing."""

    def waiting(self) -> None:
        """Do nothing."""
