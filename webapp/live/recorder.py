"""The single writer of an episode's log, and its caller's hand on it.

One `Recorder` belongs to one attempt. Every write checks that the attempt still owns the episode.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils import timezone

from engine.episode.settings import Cancelled, OutOfBudget
from engine.events.log import Event
from webapp.live.models import EventSegment
from webapp.live.wake import wake
from webapp.runs.models import Episode, Status
from webapp.runs.spending import NO_LIMIT, Meter, exceeded, run_budget, stop_waiting

TICKS_PER_SECOND = 20
FLUSH_SECONDS = 0.1
"""Events wait at most this long for others to share their segment."""
PACED_FLUSH_SECONDS = 0.03
"""The same while the pace holds world time to the wall: there is time to write, and somebody may be watching."""
ORDERS_SECONDS = 0.25
"""How often the row is asked for another pace, or a request to stop."""
SEGMENT_BYTES = 256 * 1024


class Fenced(Cancelled):
    """Another attempt, or nobody, owns the episode now: this one has to stop, and must not write any more."""


@dataclass(frozen=True, slots=True)
class Clock:
    """Wall time: seconds that never go back, and waiting."""

    now: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep


class Recorder:
    """Stores events in segments, keeps the pace, shows signs of life, and passes on the request to stop.

    `record` is the engine's sink, and the recorder itself its control. It adds up what the episode spends on language
    models, and ends it when the run's budget is used up.

    Attributes:
        meter: what this execution has spent.
    """

    def __init__(self, episode: Episode, clock: Clock | None = None) -> None:
        self.episode_id = episode.pk
        self.attempt = episode.attempt
        self.meter = Meter()
        self._episode = episode
        self._limits = run_budget(episode.run)
        self._clock = clock or Clock()
        self._buffer: list[bytes] = []
        self._size = 0
        self._first = self._last = (0, 0)
        self._seq = 0
        self._tick = 0
        self._pace = episode.pace
        now = self._clock.now()
        self._flushed = self._asked = now
        self._anchor = (now, 0)

    # --- the engine's sink

    def record(self, event: Event, line: bytes) -> None:
        """Take one event; write those that have waited long enough, or have become many.

        Raises:
            Fenced: the episode is not this attempt's any more.
        """
        self.meter.take(event.payload)
        if self._size + len(line) >= SEGMENT_BYTES:
            self._write()
        if not self._buffer:
            self._first = (event.seq, event.world_time)
        self._buffer.append(line)
        self._size += len(line) + 1
        self._last = (event.seq, event.world_time)
        self._tick = max(self._tick, event.world_time)
        if self._clock.now() - self._flushed >= self._patience:
            self._write()

    # --- the engine's control

    def opened(self, address: str) -> None:
        """Let the pace count from here, and keep where the episode can be watched while it runs."""
        self._anchor = (self._clock.now(), 0)
        if address:
            self._write(address=address)

    def before(self, tick: int) -> None:
        """Wait until world time may move on to `tick` at the present pace.

        Raises:
            Cancelled: somebody asked for the episode to stop.
            Fenced: the episode is not this attempt's any more.
            OutOfBudget: the run's budget is used up.
        """
        while True:
            now = self._clock.now()
            if now - self._asked >= ORDERS_SECONDS:
                self._ask(now)
            wait = self._due(tick) - now
            if wait <= 0:
                break
            patience = self._patience if self._buffer else FLUSH_SECONDS
            if now - self._flushed >= patience or (self._buffer and wait >= patience):
                self._write()
            self._clock.sleep(min(wait, patience))
            self._tick = max(self._tick, min(self._world_tick(), tick - 1))
        self._tick = max(self._tick, tick)

    def waiting(self) -> None:
        """Show a sign of life while a model is asked, or a world opened or closed, and give way to a request to stop.

        Raises:
            Cancelled: somebody asked for the episode to stop.
            Fenced: the episode is not this attempt's any more.
            OutOfBudget: the run's budget is used up.
        """
        now = self._clock.now()
        if now - self._asked >= ORDERS_SECONDS:
            self._ask(now)

    @property
    def _patience(self) -> float:
        """Seconds that events may wait."""
        return PACED_FLUSH_SECONDS if self._pace else FLUSH_SECONDS

    def _due(self, tick: int) -> float:
        if not self._pace:
            return 0.0
        at, since = self._anchor
        return at + (tick - since) / TICKS_PER_SECOND / self._pace

    def _world_tick(self) -> int:
        at, since = self._anchor
        return since + int((self._clock.now() - at) * self._pace * TICKS_PER_SECOND)

    def _ask(self, now: float) -> None:
        self._asked = now
        row = self._row().values_list("cancel_requested", "pace").first()
        if row is None:
            raise Fenced
        cancelled, pace = row
        if now - self._flushed >= FLUSH_SECONDS:
            self._write()  # a sign of life also of what stops, which may have to be cleaned up
        if cancelled:
            raise Cancelled
        if pace != self._pace:
            self._pace = pace
            self._anchor = (now, self._tick)
        self._stop_if_spent()

    def _stop_if_spent(self) -> None:
        if self._limits != NO_LIMIT and (reason := exceeded(self._episode.run_id, self._limits)):
            stop_waiting(self._episode.run_id)
            raise OutOfBudget(reason)

    # --- the database

    def finish(self, **outcome: Any) -> None:
        """Write what is left, and what came of the episode, in one transaction.

        Args:
            **outcome: fields of `Episode`, among them the final `status`.

        Raises:
            Fenced: the episode is not this attempt's any more.
        """
        self._write(ended_at=timezone.now(), **outcome)

    def _row(self) -> Any:
        return Episode.objects.filter(pk=self.episode_id, attempt=self.attempt, status=Status.RUNNING)

    def _write(self, **more: Any) -> None:
        now = timezone.now()
        self._flushed = self._clock.now()
        seq = self._last[0] if self._buffer else self._seq
        with transaction.atomic():
            spent = self.meter.added_to(self._episode)
            if not self._row().update(last_seq=seq, world_tick=self._tick, heartbeat_at=now, **spent, **more):
                raise Fenced
            if self._buffer:
                EventSegment.objects.create(
                    episode_id=self.episode_id,
                    attempt=self.attempt,
                    first_seq=self._first[0],
                    last_seq=self._last[0],
                    first_tick=self._first[1],
                    last_tick=self._last[1],
                    body=b"\n".join(self._buffer).decode(),
                    wall_time=now,
                )
        self._seq = seq
        self._buffer.clear()
        self._size = 0
        wake(self.episode_id)
