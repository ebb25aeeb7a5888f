"""A client of RCON, by which a Minecraft server takes commands.

The protocol is Valve's "Source RCON Protocol" as Minecraft speaks it (the Minecraft Wiki, "RCON"): a packet is its
length, a number, a type, text and two zero bytes; integers have 32 bits, little-endian. An answer comes in as many
packets as it needs, and none says that it is the last; so after the first one the client asks something that the
server does not know, and what answers that is behind the end. Minecraft reads one packet at a time and closes the
connection when two arrive together; so nothing is asked before something has been answered.
"""

from __future__ import annotations

import socket
import struct
import time
from contextlib import suppress
from typing import Self

from engine.errors import InfrastructureError
from engine.world.protocol import Waiting, undisturbed

LOGIN, COMMAND, ANSWER, UNKNOWN = 3, 2, 0, 200
REFUSED = -1
COMMAND_BYTES = 1_446
"""Minecraft reads 1,460 bytes at once; 14 of them are not the command's."""
PACKET_BYTES = 64 * 1_024
"""No server's packet is longer; Minecraft's hold 4,096 characters."""
ANSWER_BYTES = 8 * 1_024 * 1_024
SECONDS = 10.0
MOMENT = 0.2
"""Seconds after which, while an answer is waited for, others get a word in."""


class RconError(InfrastructureError):
    """RCON failed, for one of the reasons below."""


class RconUnreachable(RconError):  # noqa: N818 - a state of the server
    """Nothing answers at the address, or the connection was closed."""


class RconTimeout(RconError):  # noqa: N818
    """The server did not answer in time."""


class RconRefused(RconError):  # noqa: N818
    """The password is wrong."""

    retryable = False


class RconGarbled(RconError):  # noqa: N818
    """What answered does not speak RCON."""

    retryable = False


class RconTooLong(RconError):  # noqa: N818
    """The command is longer than the server reads."""

    retryable = False


class Rcon:
    """A connection that has logged in. After an error it is closed; make a new one.

    Args:
        host: the server's.
        port: its port for RCON, not the one for players.
        password: never part of a message.
        seconds: for everything that one call does.
        waiting: is called now and then while an answer is waited for; what it raises ends the connection.
    """

    def __init__(
        self,
        host: str,
        port: int,
        password: str,
        seconds: float = SECONDS,
        waiting: Waiting = undisturbed,
    ) -> None:
        self._where = f"{host}:{port}"
        self._waiting = waiting
        self._seconds = seconds
        self._number = 0
        self._end = time.monotonic() + seconds
        try:
            self._socket = socket.create_connection((host, port), timeout=seconds)
        except TimeoutError:
            raise RconTimeout(f"RCON at {self._where} does not answer within {seconds:g} s") from None
        except OSError as fault:
            raise RconUnreachable(
                f"no RCON at {self._where} ({fault.strerror or fault}); is enable-rcon on, and the port right?"
            ) from None
        try:
            self._log_in(password)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_fault: object) -> None:
        self.close()

    def close(self) -> None:
        """End the connection."""
        with suppress(OSError):
            self._socket.close()

    def ask(self, command: str) -> str:
        """Send a command and return the whole answer.

        Raises:
            RconError: as the class of the error says.
        """
        size = len(command.encode())
        if size > COMMAND_BYTES:
            raise RconTooLong(f"a command of {size} bytes is too long for RCON, which takes {COMMAND_BYTES}")
        try:
            return self._ask(command)
        except BaseException:
            self.close()
            raise

    def _ask(self, command: str) -> str:
        self._end = time.monotonic() + self._seconds
        asked = self._send(COMMAND, command)
        number, body = self._receive()
        parts = [self._expect(number, asked, body)]
        behind = self._send(UNKNOWN, "")
        while True:
            number, body = self._receive()
            if number == behind:
                return b"".join(parts).decode(errors="replace")
            parts.append(self._expect(number, asked, body))
            if sum(map(len, parts)) > ANSWER_BYTES:
                raise RconGarbled(f"the answer of {self._where} does not end")

    def _expect(self, number: int, wanted: int, body: bytes) -> bytes:
        if number == REFUSED:
            raise RconRefused(f"{self._where} wants the password again; log in anew")
        if number != wanted:
            raise RconGarbled(f"{self._where} answered {number} when asked {wanted}")
        return body

    def _log_in(self, password: str) -> None:
        if len(password.encode()) > COMMAND_BYTES:
            raise RconTooLong("the RCON password is too long")
        asked = self._send(LOGIN, password)
        number, body = self._receive()
        if number == asked and not body and self._kind == ANSWER:
            number, _ = self._receive()  # other servers than Minecraft's send an empty answer first
        if number == REFUSED:
            raise RconRefused(f"{self._where} refuses the RCON password")
        if number != asked:
            raise RconGarbled(
                f"what listens at {self._where} does not speak RCON; is that the port for players?"
            )

    def _send(self, kind: int, text: str) -> int:
        self._number += 1
        body = text.encode()
        packet = struct.pack("<iii", len(body) + 10, self._number, kind) + body + b"\0\0"
        try:
            self._socket.settimeout(self._left())
            self._socket.sendall(packet)
        except OSError as fault:
            raise self._lost(fault) from None
        return self._number

    def _receive(self) -> tuple[int, bytes]:
        """The number and the text of the next packet."""
        (length,) = struct.unpack("<i", self._read(4))
        if not 10 <= length <= PACKET_BYTES:
            raise RconGarbled(
                f"what listens at {self._where} does not speak RCON; is that the port for players?"
            )
        packet = self._read(length)
        number, self._kind = struct.unpack("<ii", packet[:8])
        if packet[-2:] != b"\0\0":
            raise RconGarbled(f"a packet from {self._where} has no end")
        return number, packet[8:-2]

    def _read(self, size: int) -> bytes:
        data = b""
        while len(data) < size:
            try:
                more = self._some(size - len(data))
            except OSError as fault:
                raise self._lost(fault) from None
            if not more:
                raise RconUnreachable(f"{self._where} closed the RCON connection")
            data += more
        return data

    def _some(self, size: int) -> bytes:
        """What has come, at most so many bytes; empty if the connection was closed."""
        while True:
            left = self._left()
            self._socket.settimeout(min(left, MOMENT))
            try:
                return self._socket.recv(size)
            except TimeoutError:
                if left <= MOMENT:
                    raise
            self._waiting()

    def _left(self) -> float:
        left = self._end - time.monotonic()
        if left <= 0:
            raise TimeoutError
        return left

    def _lost(self, fault: OSError) -> RconError:
        if isinstance(fault, TimeoutError):
            return RconTimeout(f"RCON at {self._where} did not answer within {self._seconds:g} s")
        return RconUnreachable(f"the RCON connection to {self._where} was lost ({fault.strerror or fault})")
