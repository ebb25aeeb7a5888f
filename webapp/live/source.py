"""What the hub reads out of the database."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from channels.db import database_sync_to_async

from webapp.live import log
from webapp.live.frames import State
from webapp.live.log import Segment
from webapp.runs.models import Episode

FRAME_BYTES = 256 * 1024


class DatabaseSource:
    """Asynchronous reads of progress and segments."""

    async def states(self, episodes: Sequence[int]) -> dict[int, State]:
        """The progress of these episodes, in one query; those that do not exist are left out."""
        return await database_sync_to_async(self._states)(episodes)

    async def segments(self, episode: int, attempt: int, after: int) -> list[Segment]:
        """Segments behind `after`, about as many as one frame may hold."""
        return await database_sync_to_async(log.segments)(episode, attempt, after, FRAME_BYTES)

    @staticmethod
    def _states(episodes: Sequence[int]) -> dict[int, State]:
        rows = Episode.objects.filter(pk__in=episodes).values_list(
            "pk", "attempt", "status", "last_seq", "world_tick", "pace", "heartbeat_at"
        )
        return {row[0]: State(*row[:6], heard_at=_second(row[6])) for row in rows}


def _second(moment: datetime | None) -> int:
    return int(moment.timestamp()) if moment else 0
