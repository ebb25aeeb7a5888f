"""The WebSocket of one watcher: join, replay, forward."""

from __future__ import annotations

import asyncio
import logging
import time
from contextlib import suppress
from typing import Any
from urllib.parse import parse_qs

import msgspec
from channels.generic.websocket import AsyncWebsocketConsumer

from webapp.access import may_stay
from webapp.live import frames
from webapp.live.frames import State
from webapp.live.hub import MAX_SOCKETS, Subscription, hub

logger = logging.getLogger(__name__)

CLOSE_DONE = 1000
CLOSE_FAULT = 1011
CLOSE_BUSY = 1013
CLOSE_FORBIDDEN = 4403
CLOSE_UNKNOWN = 4404
CLOSE_SLOW = 4408
CLOSE_RATE = 4429

CLOCK_SECONDS = 0.08
"""Least time between two tellings of world time while nothing happens."""
LINGER_SECONDS = 15.0
"""How long a watcher who has been sent everything may take to read it and to close the connection."""
ACCESS_SECONDS = 30.0
"""How often it is asked whether the user is still logged in."""
RATE, BURST = 5.0, 20.0
"""Messages a second that a client may send in the long run, and at once."""


class Resend(msgspec.Struct, tag_field="kind", tag="resend"):
    """The client missed something: send everything behind `after` again."""

    after: int


class EpisodeConsumer(AsyncWebsocketConsumer):
    """Sends an episode's log from `after` on and then what follows, each event at least once and in order."""

    async def connect(self) -> None:
        """Accept, so that a refusal can carry its reason, and start to stream."""
        self._stream_task: asyncio.Task[None] | None = None
        self._subscription: Subscription | None = None
        self._resend: int | None = None
        self._tokens, self._refilled = BURST, time.monotonic()
        self._episode = int(self.scope["url_route"]["kwargs"]["episode"])
        await self.accept()
        if not await may_stay(self.scope):
            await self.close(CLOSE_FORBIDDEN)
        elif hub().size >= MAX_SOCKETS:
            await self.close(CLOSE_BUSY)
        else:
            self._stream_task = asyncio.create_task(self._stream())

    async def disconnect(self, _code: int) -> None:
        """Stop streaming, and leave the hub."""
        if self._stream_task is not None:
            self._stream_task.cancel()
            await asyncio.gather(self._stream_task, return_exceptions=True)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:  # noqa: ARG002 - Channels names it
        """Take `resend`; ignore whatever else comes, but not without end."""
        if not self._take_token():
            await self.close(CLOSE_RATE)
            return
        try:
            request = msgspec.json.decode(text_data or "", type=Resend)
        except msgspec.MsgspecError:
            return
        self._resend = max(0, request.after)
        if self._subscription is not None:
            self._subscription.poke()

    def _take_token(self) -> bool:
        now = time.monotonic()
        self._tokens = min(BURST, self._tokens + (now - self._refilled) * RATE)
        self._refilled = now
        self._tokens -= 1
        return self._tokens >= 0

    # --- streaming

    async def _stream(self) -> None:
        try:
            self._subscription = await hub().join(self._episode)
            code = await self._serve(self._subscription) if self._subscription else CLOSE_UNKNOWN
        except Exception:
            logger.exception("Serving a watcher of episode %s failed", self._episode)
            code = CLOSE_FAULT
        finally:
            if self._subscription:
                await hub().leave(self._episode, self._subscription)
        if code == CLOSE_DONE:
            # Once we have closed, the web server waits a second and then throws away what has not been read yet.
            await asyncio.sleep(LINGER_SECONDS)
        await self.close(code)

    async def _serve(self, subscription: Subscription) -> int:
        """Send until there is nothing more to send; the code to close with."""
        shown, self._cursor = subscription.state, self._asked_after()
        if self._cursor > shown.last_seq:
            shown = (await hub().source.states([self._episode])).get(self._episode, shown)
        self._attempt = shown.attempt
        await self.send(frames.hello(shown))
        if self._cursor > shown.last_seq:
            await self._start_over(shown.attempt)
        await self._replay(shown.last_seq)
        self._told(shown)
        asked = time.monotonic()
        while True:
            if subscription.gone:
                return CLOSE_UNKNOWN
            if subscription.overrun:
                return CLOSE_SLOW
            state = subscription.state
            await self._forward(subscription, state)
            if state.ended and self._cursor >= state.last_seq and not subscription.frames:
                await self.send(frames.end(state))
                return CLOSE_DONE
            now = time.monotonic()
            is_due = now - self._clocked >= CLOCK_SECONDS or state.status != self._shown.status
            if state != self._shown and is_due:
                await self.send(frames.clock(state))
                self._told(state)
            patience = ACCESS_SECONDS if state == self._shown else CLOCK_SECONDS
            if now - asked >= ACCESS_SECONDS:
                if not await may_stay(self.scope):
                    return CLOSE_FORBIDDEN
                asked = now
            await self._wait(subscription, patience)

    def _told(self, state: State) -> None:
        """The watcher knows of this progress."""
        self._shown, self._clocked = state, time.monotonic()

    async def _wait(self, subscription: Subscription, seconds: float) -> None:
        with suppress(TimeoutError):  # `wait_for` would lose a cancellation that comes with the news
            async with asyncio.timeout(seconds):
                await subscription.wait()

    async def _forward(self, subscription: Subscription, state: State) -> None:
        """Send what waits in the mailbox, out of the database where the mailbox does not fit."""
        if self._resend is not None:
            sent = self._cursor
            self._cursor, self._resend = min(self._cursor, self._resend), None
            await self._replay(sent)
        while subscription.frames:
            frame = subscription.frames.popleft()
            if frame.attempt < self._attempt or (
                frame.attempt == self._attempt and frame.last_seq <= self._cursor
            ):
                continue
            if frame.attempt > self._attempt:
                await self._start_over(frame.attempt)
            if frame.first_seq == self._cursor + 1:
                await self.send(frame.text)
                self._cursor = frame.last_seq
                if frame.state:
                    self._told(frame.state)
            else:
                await self._replay(frame.last_seq)
        if state.attempt > self._attempt:
            await self._start_over(state.attempt)
        if state.attempt == self._attempt and self._cursor < state.last_seq:
            await self._replay(state.last_seq)

    async def _start_over(self, attempt: int) -> None:
        self._attempt, self._cursor = attempt, 0
        await self.send(frames.reset(self._attempt))

    async def _replay(self, last_seq: int) -> None:
        """Send what the database holds behind the cursor, page by page, up to the end of a segment.

        Not further: what follows comes through the mailbox, and one who was ahead of it would have to read each
        segment again.
        """
        while self._cursor < last_seq:
            stored = await hub().source.segments(self._episode, self._attempt, self._cursor)
            parts = [part for part in stored if part.last_seq <= last_seq]
            if not parts:
                break
            frame = frames.events(parts)
            await self.send(frame.text)
            self._cursor = frame.last_seq

    def _asked_after(self) -> int:
        query = parse_qs(self.scope["query_string"].decode("ascii", "replace"))
        text: Any = query.get("after", ["0"])[0]
        return int(text) if text.isascii() and text.isdigit() and len(text) <= 9 else 0


class UnknownAddress(AsyncWebsocketConsumer):
    """Any other WebSocket address: says so, instead of a fault in the server's output."""

    async def connect(self) -> None:
        """Accept, so that the refusal can carry its reason, and close."""
        await self.accept()
        await self.close(CLOSE_UNKNOWN)
