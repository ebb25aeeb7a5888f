"""The log of one episode: numbered, in time order, written by one writer, as JSON lines.

An event is `{"seq", "world_time", "type", "version", "payload"}` with `world_time` in ticks. There is no wall time in
it, so the same task, settings, seed and replies give the same bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import msgspec

from engine.errors import RuleError
from engine.events.payloads import PAYLOADS, Payload


class Event(msgspec.Struct, frozen=True, gc=False):
    """One numbered event."""

    seq: int
    world_time: int
    type: str
    version: int
    payload: Any


class _Envelope(msgspec.Struct, frozen=True):
    seq: int
    world_time: int
    type: str
    version: int
    payload: msgspec.Raw


_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(_Envelope)
Sink = Callable[[Event, bytes], None]
"""Receives each event and its line (without the newline) as it is appended."""


def encode(event: Event) -> bytes:
    """The event's line, without the newline."""
    return _encoder.encode(event)


def decode(lines: Iterable[bytes | str]) -> Iterator[Event]:
    """Events from their lines, payloads typed.

    Raises:
        RuleError: a type or version that this engine does not know.
    """
    for line in lines:
        if not line.strip():
            continue
        raw = _decoder.decode(line)
        kind = PAYLOADS.get(raw.type)
        if kind is None or kind.version != raw.version:
            raise RuleError(f"event {raw.seq}: unknown type {raw.type!r} version {raw.version}")
        payload = msgspec.json.decode(raw.payload, type=kind)
        yield Event(raw.seq, raw.world_time, raw.type, raw.version, payload)


class EventLog:
    """Appends events: gives them their numbers, encodes them once, and hands them to the sink."""

    def __init__(self, sink: Sink) -> None:
        self.count = 0
        self._sink = sink

    def append(self, world_time: int, payload: Payload) -> Event:
        """Number, encode and pass on one event."""
        self.count += 1
        event = Event(self.count, world_time, payload.type, payload.version, payload)
        self._sink(event, _encoder.encode(event))
        return event
