"""A small WebSocket client, so that streaming is tested without a browser and without our own code at this end."""

from __future__ import annotations

import base64
import json
import os
import socket
import struct
from typing import Any, Self


class SocketClient:
    """One connection to `ws://127.0.0.1:port/path`."""

    def __init__(self, port: int, path: str, timeout: float = 60.0) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=timeout)
        key = base64.b64encode(os.urandom(16)).decode()
        lines = [
            f"GET {path} HTTP/1.1",
            f"Host: 127.0.0.1:{port}",
            f"Origin: http://127.0.0.1:{port}",
            "Connection: Upgrade",
            "Upgrade: websocket",
            "Sec-WebSocket-Version: 13",
            f"Sec-WebSocket-Key: {key}",
        ]
        self._socket.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        self._stream = self._socket.makefile("rb")
        status = self._stream.readline()
        assert b" 101 " in status, status
        while self._stream.readline().strip():
            pass
        self.close_code: int | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self._stream.close()
        self._socket.close()

    def send(self, **message: Any) -> None:
        """Send one short text frame."""
        self._send(0x81, json.dumps(message).encode())

    def _send(self, head: int, data: bytes) -> None:
        mask = os.urandom(4)
        masked = bytes(byte ^ mask[place % 4] for place, byte in enumerate(data))
        assert len(data) < 126
        self._socket.sendall(bytes([head, 0x80 | len(data)]) + mask + masked)

    def receive(self) -> dict[str, Any] | None:
        """The next message; None when the server has closed the connection."""
        while True:
            head = self._stream.read(2)
            if len(head) < 2:
                return None
            length = head[1] & 0x7F
            if length == 126:
                (length,) = struct.unpack(">H", self._stream.read(2))
            elif length == 127:
                (length,) = struct.unpack(">Q", self._stream.read(8))
            data = self._stream.read(length)
            kind = head[0] & 0x0F
            if kind == 8:
                self.close_code = struct.unpack(">H", data[:2])[0]
                return None
            if kind == 9:
                self._send(0x8A, data)
            if kind == 1:
                message: dict[str, Any] = json.loads(data)
                return message
