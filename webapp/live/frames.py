"""The text frames of the WebSocket, server to client. The JSON of events is passed on as the engine wrote it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from webapp.live.log import Segment
from webapp.runs.models import ACTIVE, Status


@dataclass(frozen=True, slots=True)
class State:
    """What an episode's row says of its progress.

    Attributes:
        heard_at: when its execution last showed a sign of life, in whole seconds of Unix time, so that watchers are
            told of one each second; 0 before the first.
    """

    episode: int
    attempt: int
    status: str
    last_seq: int
    tick: int
    pace: float
    heard_at: int = 0

    @property
    def ended(self) -> bool:
        """Whether nothing will follow by itself."""
        return self.status not in ACTIVE

    @property
    def silent_s(self) -> int:
        """Seconds since a running episode's last sign of life, as this machine's clock has it."""
        if self.status != Status.RUNNING or not self.heard_at:
            return 0
        return max(0, int(time.time()) - self.heard_at)


@dataclass(frozen=True, slots=True)
class Events:
    """An encoded batch of events, shared by all watchers.

    Attributes:
        state: the progress that the frame tells along with its events, if it does.
    """

    attempt: int
    first_seq: int
    last_seq: int
    text: str
    state: State | None = None


def events(parts: Sequence[Segment], state: State | None = None) -> Events:
    """One frame out of consecutive segments; with world time, so that it need not be sent on its own."""
    first, last = parts[0], parts[-1]
    body = ",".join(part.body.replace("\n", ",") for part in parts)
    now = f',"clock":{clock(state)}' if state else ""
    text = (
        f'{{"kind":"events","attempt":{first.attempt},"first_seq":{first.first_seq},'
        f'"last_seq":{last.last_seq},"events":[{body}]{now}}}'
    )
    return Events(first.attempt, first.first_seq, last.last_seq, text, state)


def hello(state: State) -> str:
    """The first frame: where the episode stands, and for how long nothing has been heard of it."""
    return _encode(
        kind="hello",
        episode=state.episode,
        attempt=state.attempt,
        status=state.status,
        last_seq=state.last_seq,
        tick=state.tick,
        pace=state.pace,
        silent_s=state.silent_s,
    )


def clock(state: State) -> str:
    """World time now, and by coming at all a sign of life."""
    return _encode(kind="clock", tick=state.tick, status=state.status, pace=state.pace)


def reset(attempt: int) -> str:
    """The episode started over: what was sent before is void."""
    return _encode(kind="reset", attempt=attempt)


def end(state: State) -> str:
    """Nothing will follow."""
    return _encode(kind="end", status=state.status, last_seq=state.last_seq)


def _encode(**fields: object) -> str:
    return msgspec.json.encode(fields).decode()
