"""What tests need to know of a stand-alone server, and of where on it an episode takes place."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

from pydantic import SecretStr

from engine.agents.policy import Call, Moment, Policy, Reply
from engine.minecraft.commands import Commands
from engine.minecraft.own import slots
from engine.minecraft.rcon import Rcon
from engine.minecraft.servers import Server
from engine.minecraft.standalone import StandAlone

PASSWORD = "correct horse"
COMMANDS = Commands("1.19")
ORIGIN = (160, -320)


def reached(running: StandAlone) -> Server:
    """The running server as a server of the user's own."""
    return Server(
        host="127.0.0.1",
        port=running.port,
        rcon_port=running.rcon_port,
        rcon_password=SecretStr(PASSWORD),
        origin=ORIGIN,
    )


def on(server: Server, cell: tuple[int, int, int], slot: int = 0) -> tuple[int, int, int]:
    """Where on the server a cell of the task is."""
    return cell[0] + server.origin[0] + slot * slots.SPACING, cell[1], cell[2] + server.origin[1]


def holds(rcon: Rcon, server: Server, cell: tuple[int, int, int], block: str) -> bool:
    """Whether a cell of the task in the first slot holds the block."""
    rcon.ask(COMMANDS.forceload(on(server, cell), on(server, cell)))
    return rcon.ask(COMMANDS.is_block(on(server, cell), block)) == "Test passed"


class Slow(Policy):
    """Decides as another policy does, after thinking for a while."""

    def __init__(self, policy: Policy, think: Callable[[], object]) -> None:
        self._policy, self._think = policy, think

    @classmethod
    def by(cls, seconds: float, policy: Policy) -> Slow:
        """Thinks for so many seconds."""
        return cls(policy, partial(time.sleep, seconds))

    def calls(self, moment: Moment) -> list[Call]:
        """As the other policy's."""
        return [Call(call.agents, partial(self._decide, call)) for call in self._policy.calls(moment)]

    def _decide(self, call: Call) -> Reply:
        self._think()
        return call.decide()
