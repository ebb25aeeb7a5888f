"""Where a Minecraft episode takes place: on the embedded server, or on one of the user's own."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import Any, Protocol

from engine.minecraft.bridge import OPEN_SECONDS, Thread
from engine.minecraft.servers import RconPort
from engine.minecraft.setup import settings
from engine.minecraft.versions import EMBEDDED
from engine.spec.model import TaskSpec
from engine.world.protocol import Waiting, undisturbed

HOST = "127.0.0.1"
Command = dict[str, Any]
"""What the world wants done: `do` names it, the rest are its parameters."""


class Stage(Protocol):
    """A server with the task's bots on it.

    Attributes:
        where: what it is, in words for the worker's log.
        address: host and port at which players join.
    """

    where: str
    address: str

    def exchange(self, commands: list[Command], ticks: int) -> dict[str, Any]:
        """Carry out the commands, let so many ticks pass, and return what happened and who is where."""

    def interrupt(self, agent: str, reason: str, detail: str) -> dict[str, Any] | None:
        """Break off the agent's action; what it has come to, or None if it had none."""

    def hold(self) -> AbstractContextManager[None]:
        """Let nothing happen meanwhile, as far as that can be helped."""

    def close(self) -> None:
        """Let go of everything, whatever has happened."""


class EmbeddedStage:
    """The embedded server and its bots, on one virtual clock that stands between two exchanges."""

    def __init__(
        self,
        spec: TaskSpec,
        digging_factor: float = 1.0,
        waiting: Waiting = undisturbed,
        release: str = EMBEDDED[0],
        rcon: RconPort | None = None,
    ) -> None:
        self._thread = Thread(waiting)
        try:
            seconds = OPEN_SECONDS * (1 + len(spec.agents.spawn))
            given = settings(spec, digging_factor, release)
            if rcon:
                password = rcon.password.get_secret_value()
                given["rcon"] = {"host": HOST, "port": rcon.port, "password": password}
            self.port: int = self._thread.ask("open", given, seconds)["port"]
        except BaseException:
            self.close()
            raise
        self.address = f"{HOST}:{self.port}"
        self.where = f"embedded Minecraft server on {self.address}"

    def exchange(self, commands: list[Command], ticks: int) -> dict[str, Any]:
        """All of it is the other side's to do."""
        answer: dict[str, Any] = self._thread.ask("exchange", {"commands": commands, "ticks": ticks})
        return answer

    def interrupt(self, agent: str, reason: str, detail: str) -> dict[str, Any] | None:
        """As the protocol says."""
        answer: dict[str, Any] | None = self._thread.ask(
            "interrupt", {"agent": agent, "reason": reason, "detail": detail}
        )
        return answer

    def hold(self) -> AbstractContextManager[None]:
        """Nothing happens anyway."""
        return nullcontext()

    def close(self) -> None:
        """End the server and the bots."""
        self._thread.close()
