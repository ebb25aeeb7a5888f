"""300 spectators of one live episode, each with a socket of its own, in one process beside the dashboard."""

from __future__ import annotations

import asyncio
import base64
import os
import struct
import time
from collections.abc import Iterator

import msgspec

from tests.bench.watching.stage import Figure, Happened, launch, millisecond_text
from tests.support.stack import LiveStack

SPECTATORS = 300
PACE = 4.0
AT_ONCE = 20
"""Connections that are opened at the same time."""


class Numbered(msgspec.Struct):
    """Of an event, its number."""

    seq: int


class Frame(msgspec.Struct):
    """Of a message, what a spectator checks."""

    kind: str
    events: list[Numbered] = []


class Spectator:
    """One connection: notes when each event came, and whether every one came once and in order.

    Attributes:
        came: milliseconds since 1970, by sequence number.
        faults: what was lost or repeated.
        ended: whether the server said that nothing follows.
        since: when the connection was there.
    """

    def __init__(self) -> None:
        self.came: dict[int, float] = {}
        self.faults: list[str] = []
        self.ended = False
        self.since = 0.0
        self._decoder = msgspec.json.Decoder(Frame)

    async def watch(self, port: int, episode: int, gate: asyncio.Semaphore) -> None:
        """Stay until the server says that nothing follows, or closes the connection."""
        async with gate:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(handshake(port, f"/ws/episodes/{episode}/?after=0"))
            head = await reader.readuntil(b"\r\n\r\n")
            if b" 101 " not in head.splitlines()[0]:
                raise SystemExit(f"the server refused a spectator: {head.decode()}")
            self.since = time.time() * 1000
        try:
            while not self.ended and (message := await read_message(reader, writer)) is not None:
                self._take(self._decoder.decode(message))
        finally:
            writer.close()

    def _take(self, frame: Frame) -> None:
        now = time.time() * 1000
        for event in frame.events:
            wanted = len(self.came) + 1
            if event.seq != wanted:
                self.faults.append(f"{event.seq} instead of {wanted}")
            self.came[event.seq] = now
        self.ended = self.ended or frame.kind == "end"


def handshake(port: int, path: str) -> bytes:
    """The request that opens a WebSocket."""
    lines = [
        f"GET {path} HTTP/1.1",
        f"Host: 127.0.0.1:{port}",
        f"Origin: http://127.0.0.1:{port}",
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}",
    ]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


async def read_message(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes | None:
    """The next text message, pings answered; None when the connection is closed (RFC 6455, section 5.2)."""
    while True:
        head = await reader.readexactly(2)
        length = head[1] & 0x7F
        if length == 126:
            (length,) = struct.unpack(">H", await reader.readexactly(2))
        elif length == 127:
            (length,) = struct.unpack(">Q", await reader.readexactly(8))
        data = await reader.readexactly(length)
        kind = head[0] & 0x0F
        if kind == 8:
            return None
        if kind == 9:
            writer.write(
                bytes([0x8A, 0x80 | len(data), 0, 0, 0, 0]) + data
            )  # a mask of zeros changes nothing
        if kind == 1:
            return data


def measure(stack: LiveStack, slug: str, where: str) -> Iterator[Figure]:
    """What all spectators saw of one episode; what came while they were still connecting counts for loss only."""
    run = launch(stack, slug, pace=PACE)
    ((episode,),) = stack.query("SELECT id FROM runs_episode WHERE run_id = ?", run)
    crowd = asyncio.run(gather(stack.port, int(episode)))
    stack.wait_for(run, "finished", seconds=120)
    happened = Happened(stack, run, PACE)
    everybody = max(one.since for one in crowd)
    live = [seq for seq in happened.ticks if happened.at(seq) > everybody]
    late = [one.came[seq] - happened.at(seq) for one in crowd for seq in live if seq in one.came]
    faulty = [one for one in crowd if one.faults or not one.ended or len(one.came) != len(happened.ticks)]
    yield Figure(
        f"event to client, {SPECTATORS} spectators, 8 agents at 4×, {where}, {len(live):,} events each",
        millisecond_text(late),
        "p95 < 1 s",
    )
    yield Figure(f"spectators that lost or repeated an event, {where}", str(len(faulty)), "0")


async def gather(port: int, episode: int) -> list[Spectator]:
    """All spectators, once their connections are closed."""
    gate = asyncio.Semaphore(AT_ONCE)
    crowd = [Spectator() for _ in range(SPECTATORS)]
    await asyncio.gather(*(one.watch(port, episode, gate) for one in crowd))
    return crowd
