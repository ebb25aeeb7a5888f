"""Who is there? The status that a Minecraft server gives to its list of servers, before anybody logs in.

The protocol is that of the Java Edition since 1.7 (the Minecraft Wiki, "Java Edition protocol/Server List Ping").
"""

from __future__ import annotations

import json
import re
import socket
import struct
import time
from dataclasses import dataclass

from engine.errors import InfrastructureError
from engine.minecraft.versions import FIRST, LAST, is_known, protocols, releases

STATUS = 1
STATUS_BYTES = 4 * 1_024 * 1_024
SECONDS = 10.0


class StatusError(InfrastructureError):
    """No Minecraft server answers at the address."""


@dataclass(frozen=True, slots=True)
class Status:
    """What a server says of itself.

    Attributes:
        where: its address, host and port.
        name: its version as it names it, as `1.19.4` or `Paper 1.20.4`.
        protocol: the number of the protocol that it speaks.
        online, most: players, and how many it admits.
    """

    where: str
    name: str
    protocol: int
    online: int
    most: int

    @property
    def version(self) -> str | None:
        """The release that answered: the one in its name if that speaks the protocol, else the newest that does."""
        candidates = releases(self.protocol)
        named = [version for version in re.findall(r"\d+\.\d+(?:\.\d+)?", self.name) if version in candidates]
        return named[0] if named else candidates[-1] if candidates else None

    def misfit(self, wanted: str | None = None) -> str | None:
        """In plain words, why a server of this version will not do; None if it will.

        Args:
            wanted: the release that is expected; any known one if absent.
        """
        answered = f"{self.where} answered as {self.name!r}, protocol {self.protocol}"
        if self.version is None:
            return (
                f"{answered}, which no known release of Minecraft speaks; use a server from {FIRST} to {LAST}"
            )
        if not is_known(self.version):
            return f"{answered}, that is Minecraft {self.version}; use a server from {FIRST} to {LAST}"
        if wanted is not None and protocols().get(wanted) != self.protocol:
            return (
                f"{answered}, that is Minecraft {self.version}; expected was {wanted}, "
                f"protocol {protocols().get(wanted, 'unknown')}"
            )
        return None


def ask_status(host: str, port: int, seconds: float = SECONDS) -> Status:
    """Ask a server for its status.

    Raises:
        StatusError: nothing answers within the seconds, or no Minecraft server does.
    """
    where = f"{host}:{port}"
    end = time.monotonic() + seconds
    try:
        with socket.create_connection((host, port), timeout=seconds) as connection:
            connection.sendall(
                _packet(0, _varint(0) + _text(host) + struct.pack(">H", port) + _varint(STATUS))
            )
            connection.sendall(_packet(0, b""))
            answer = _Reader(connection, end).packet()
    except TimeoutError:
        raise StatusError(f"{where} does not answer within {seconds:g} s") from None
    except OSError as fault:
        raise StatusError(f"no Minecraft server answers at {where} ({fault.strerror or fault})") from None
    return _status(where, answer)


def _status(where: str, answer: bytes) -> Status:
    try:
        document = json.loads(answer)
        version, players = document["version"], document.get("players") or {}
        return Status(
            where,
            str(version["name"]),
            int(version["protocol"]),
            int(players.get("online", 0)),
            int(players.get("max", 0)),
        )
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise StatusError(f"{where} answers, but with no status of a Minecraft server") from None


class _Reader:
    """Reads one packet from a connection, within the time."""

    def __init__(self, connection: socket.socket, end: float) -> None:
        self._connection = connection
        self._end = end

    def packet(self) -> bytes:
        """The text of the status packet; empty if it is another one."""
        length = self._number()
        if not 0 < length <= STATUS_BYTES:
            return b""
        kind, size = self._number(), self._number()
        return self._bytes(size) if kind == 0 and 0 <= size <= length else b""

    def _number(self) -> int:
        value = 0
        for place in range(5):
            byte = self._bytes(1)[0]
            value |= (byte & 0x7F) << 7 * place
            if byte < 0x80:
                return value
        return -1

    def _bytes(self, size: int) -> bytes:
        data = b""
        while len(data) < size:
            left = self._end - time.monotonic()
            if left <= 0:
                raise TimeoutError
            self._connection.settimeout(left)
            more = self._connection.recv(size - len(data))
            if not more:
                raise ConnectionError("it closed the connection without a status")
            data += more
        return data


def _packet(kind: int, body: bytes) -> bytes:
    data = _varint(kind) + body
    return _varint(len(data)) + data


def _text(text: str) -> bytes:
    data = text.encode()
    return _varint(len(data)) + data


def _varint(value: int) -> bytes:
    data = b""
    while value >= 0x80:
        data += bytes([value & 0x7F | 0x80])
        value >>= 7
    return data + bytes([value])
