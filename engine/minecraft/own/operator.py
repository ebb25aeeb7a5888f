"""The environment manager as the server's operator: commands over RCON, and plain words for what is wrong."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from contextlib import suppress

from engine.errors import InfrastructureError
from engine.minecraft.answers import Holds, is_no_refusal, says, without_colours
from engine.minecraft.commands import Commands
from engine.minecraft.rcon import Rcon, RconError
from engine.minecraft.servers import Server
from engine.minecraft.status import ask_status
from engine.world.protocol import Waiting, undisturbed

LOOKS, PAUSE = 100, 0.1
"""How often to look whether something has come to be, and seconds between two looks."""


class Operator:
    """A connection as operator, and the builders of commands for the server's version.

    Args:
        server: where it is.
        waiting: is called before each command and while an answer is waited for; what it raises is passed on.

    Raises:
        InfrastructureError: nothing answers, the version is another one or not known, the password is wrong, or RCON
            may not do what operators may.
    """

    def __init__(self, server: Server, waiting: Waiting = undisturbed) -> None:
        self._server = server
        self._waiting = waiting
        status = ask_status(server.host, server.port)
        misfit = status.misfit(server.version or None)
        if misfit or status.version is None:
            raise InfrastructureError(misfit or f"{server.address} names no version")
        self.version = status.version
        self.commands = Commands(status.version)
        self._rcon = self._log_in()
        try:
            self._check_rights()
        except BaseException:
            self.close()
            raise

    def _check_rights(self) -> None:
        answer = self.ask(self.commands.difficulty())
        if not says("The difficulty is")(answer):
            where = f"{self._server.host}:{self._server.rcon_port}"
            raise InfrastructureError(
                f"RCON at {where} lacks the rights of an operator: `difficulty` was answered {answer!r}"
            )

    def _log_in(self) -> Rcon:
        server = self._server
        return Rcon(
            server.host, server.rcon_port, server.rcon_password.get_secret_value(), waiting=self._waiting
        )

    def reconnect(self) -> None:
        """Log in anew, when the connection may have broken."""
        self.close()
        self._rcon = self._log_in()

    def close(self) -> None:
        """End the connection."""
        with suppress(RconError):
            self._rcon.close()

    def ask(self, command: str) -> str:
        """Give a command; its answer, without colours."""
        self._waiting()
        return without_colours(self._rcon.ask(command))

    def do(self, *commands: str, holds: Holds = is_no_refusal) -> None:
        """Give commands, each of which must be answered as it should.

        Raises:
            InfrastructureError: one was not; its message quotes both.
        """
        for command in commands:
            answer = self.ask(command)
            if not holds(answer):
                raise InfrastructureError(
                    f"the Minecraft server {self._server.address} answered `{command}` with {answer!r}"
                )

    def wait_for(
        self, command: str, holds: Holds, what: str, pause: Callable[[float], None] = time.sleep
    ) -> None:
        """Ask until the answer is as it should be.

        Raises:
            InfrastructureError: it never was; the message says what did not come to be.
        """
        answer = ""
        for _ in range(LOOKS):
            answer = self.ask(command)
            if holds(answer):
                return
            pause(PAUSE)
        raise InfrastructureError(f"{what}: `{command}` was answered {answer!r}")


HINTS = {
    r"not_whitelisted|white-?list": "turn the server's whitelist off, or put the bots on it",
    r"unverified_username|verify username|invalid_session|online server|not authenticated": (
        "bots have no accounts: set online-mode=false in server.properties"
    ),
    r"server_full|server is full": "raise max-players in server.properties",
    r"\bban(ned)?\b": "pardon the bot on the server",
    r"flying": "set allow-flight=true in server.properties",
    r"duplicate_login|another location|name_taken": "another client has joined under the bot's name",
    r"outdated_(client|server)|incompatible": "the server's version is another one than its status says",
    r"fabric|forge|\bmods?\b|registry": "the server has mods that players need as well; bots have none, so remove them",
    r"ECONNREFUSED|ECONNRESET|socketClosed": "the server closed the connection; its own log says why",
}
"""What to do about the words with which servers turn players away."""


def explain(text: str) -> str:
    """The text, and what to do about it if that is known."""
    hint = next((hint for pattern, hint in HINTS.items() if re.search(pattern, text, re.IGNORECASE)), None)
    return f"{text} ({hint})" if hint else text
