"""One reader a process: reads each new segment once and shares its frame with all who watch the episode.

Watchers join here first and then replay from the database what came before; so nothing falls between the two.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Protocol
from weakref import WeakKeyDictionary

from channels.layers import get_channel_layer
from django.conf import settings
from redis.exceptions import RedisError

from webapp.live.frames import Events, State, events
from webapp.live.log import Segment
from webapp.live.source import DatabaseSource
from webapp.live.wake import PATIENCE_SECONDS, group

logger = logging.getLogger(__name__)

POLL_SECONDS = 0.025
"""Between two looks at the database, while few watch."""
POLL_SECONDS_A_WATCHER = 0.0005
"""What each watcher adds: sending to many takes its time, and larger batches make that less."""
TIMER_SECONDS = 1.0
"""Longest wait for a wake-up where they come through Redis: what a lost one may cost."""
NO_REDIS = "Redis cannot be reached; watchers see news up to %g s later"
BACKLOG = 200
"""Frames that wait for one watcher; one that falls further behind has to connect again."""
MAX_SOCKETS = 1000
"""Watchers a process takes."""


class Source(Protocol):
    """Where the hub reads."""

    async def states(self, episodes: Sequence[int]) -> dict[int, State]:
        """Progress by episode."""

    async def segments(self, episode: int, attempt: int, after: int) -> list[Segment]:
        """Segments behind a sequence number."""


class Subscription:
    """One watcher's mailbox: frames in order, and the newest state."""

    def __init__(self, state: State) -> None:
        self.frames: deque[Events] = deque()
        self.state = state
        self.overrun = False
        self.gone = False
        self._news = asyncio.Event()

    def notify(self, state: State, frame: Events | None = None) -> None:
        """Put something in; a full mailbox takes no more and says so."""
        if frame is not None and not self.overrun:
            self.overrun = len(self.frames) >= BACKLOG
            self.frames.append(frame)
        self.state = state
        self._news.set()

    def poke(self) -> None:
        """Wake the watcher without news from the episode."""
        self._news.set()

    def leave(self) -> None:
        """Tell the watcher that the episode does not exist any more."""
        self.gone = True
        self._news.set()

    async def wait(self) -> None:
        """Wait for the next news."""
        await self._news.wait()
        self._news.clear()


class Feed:
    """One watched episode: how far its log has been shared, and with whom."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.cursor = state.last_seq
        self.watchers: set[Subscription] = set()

    def share(self, frame: Events | None = None) -> None:
        """Tell all watchers."""
        for watcher in self.watchers:
            watcher.notify(self.state, frame)


class Hub:
    """All feeds of this process, and the one task that reads for them."""

    def __init__(self, source: Source | None = None, *, team: bool | None = None) -> None:
        self.source = source or DatabaseSource()
        self._team = settings.TEAM if team is None else team
        self._feeds: dict[int, Feed] = {}
        self._joining = asyncio.Lock()
        self._reader: asyncio.Task[None] | None = None
        self._ear: asyncio.Task[None] | None = None
        self._channel = ""
        self._wake = asyncio.Event()

    @property
    def size(self) -> int:
        """Number of watchers."""
        return sum(len(feed.watchers) for feed in self._feeds.values())

    async def join(self, episode: int) -> Subscription | None:
        """Begin to watch; None if there is no such episode."""
        async with self._joining:
            feed = self._feeds.get(episode)
            if feed is None:
                await self._listen(episode)
                state = (await self.source.states([episode])).get(episode)
                if state is None:
                    await self._unlisten(episode)
                    return None
                feed = self._feeds[episode] = Feed(state)
            subscription = Subscription(feed.state)
            feed.watchers.add(subscription)
            if self._reader is None or self._reader.done():
                self._reader = asyncio.create_task(self._read())
        return subscription

    async def leave(self, episode: int, subscription: Subscription) -> None:
        """Stop watching. The last watcher switches off the light."""
        async with self._joining:
            feed = self._feeds.get(episode)
            if feed is None:
                return
            feed.watchers.discard(subscription)
            if not feed.watchers:
                del self._feeds[episode]
                await self._unlisten(episode)
            if not self._feeds:
                await self._stop()

    async def _stop(self) -> None:
        for task in (self._reader, self._ear):
            if task is not None:
                task.cancel()
                with suppress(asyncio.CancelledError):
                    await task
        self._reader = self._ear = None
        self._channel = ""  # the layer forgets a channel that nobody listens to

    # --- reading

    async def _read(self) -> None:
        while True:
            await asyncio.sleep(POLL_SECONDS + self.size * POLL_SECONDS_A_WATCHER)
            if self._team:
                with suppress(TimeoutError):
                    async with asyncio.timeout(TIMER_SECONDS):
                        await self._wake.wait()
            self._wake.clear()
            try:
                await self._look()
            except Exception:
                logger.exception("Reading for watchers failed; trying again")
                await asyncio.sleep(TIMER_SECONDS)

    async def _look(self) -> None:
        feeds = dict(self._feeds)
        states = await self.source.states(list(feeds))
        for episode, feed in feeds.items():
            state = states.get(episode)
            if state is None:
                for watcher in feed.watchers:
                    watcher.leave()
            elif state != feed.state:
                await self._follow(feed, state)

    async def _follow(self, feed: Feed, state: State) -> None:
        if state.attempt != feed.state.attempt:
            feed.cursor = 0
        if state.last_seq > feed.cursor:
            await self._pass_on(feed, state)
        feed.state = state
        feed.share()

    async def _pass_on(self, feed: Feed, state: State) -> None:
        while parts := await self.source.segments(state.episode, state.attempt, feed.cursor):
            reached = parts[-1].last_seq >= state.last_seq and not state.ended
            frame = events(parts, state if reached else None)
            feed.cursor = frame.last_seq
            feed.share(frame)
            if feed.cursor >= state.last_seq:
                break

    # --- wake-ups through the channel layer

    async def _listen(self, episode: int) -> None:
        if not self._team:
            return
        layer = get_channel_layer()
        async with _briefly():
            if not self._channel:
                self._channel = await layer.new_channel()
            await layer.group_add(group(episode), self._channel)
        if self._channel and (self._ear is None or self._ear.done()):
            self._ear = asyncio.create_task(self._hear())

    async def _unlisten(self, episode: int) -> None:
        if self._channel:
            async with _briefly():
                await get_channel_layer().group_discard(group(episode), self._channel)

    async def _hear(self) -> None:
        layer = get_channel_layer()
        while True:
            try:
                await layer.receive(self._channel)
            except (OSError, RedisError):
                logger.warning(NO_REDIS, TIMER_SECONDS)
                await asyncio.sleep(TIMER_SECONDS)
            self._wake.set()


@asynccontextmanager
async def _briefly() -> AsyncIterator[None]:
    """Ask Redis for something without which watchers are only told a little later, so nobody waits long for it."""
    try:
        async with asyncio.timeout(PATIENCE_SECONDS):
            yield
    except (OSError, RedisError):
        logger.warning(NO_REDIS, TIMER_SECONDS)


_hubs: WeakKeyDictionary[asyncio.AbstractEventLoop, Hub] = WeakKeyDictionary()


def hub() -> Hub:
    """This process's hub."""
    return _hubs.setdefault(asyncio.get_running_loop(), Hub())
