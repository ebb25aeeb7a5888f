"""The append-only event log: payload types, the log itself, and its text form (JSON lines)."""

from engine.events.log import Event, EventLog, decode, encode
from engine.events.payloads import PAYLOADS, Payload

__all__ = ["PAYLOADS", "Event", "EventLog", "Payload", "decode", "encode"]
