"""Telling the web servers that an episode has news.

Only a wake-up: it carries no data, and one that gets lost costs its watchers at most a second.
"""

from __future__ import annotations

import asyncio
import logging
import time
from typing import Any

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.conf import settings
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)

PATIENCE_SECONDS = 0.5
"""How long whoever plays or watches an episode waits for Redis."""
PAUSE_SECONDS = 5.0
"""How long it is not tried again when Redis has not answered."""

_tried_again_at = 0.0


def group(episode_id: int) -> str:
    """Name of the channel group of one episode's watchers."""
    return f"episode.{episode_id}"


def wake(episode_id: int) -> None:
    """Wake the web servers that watch this episode. On one machine they look by themselves, so nothing is sent.

    A Redis that does not answer must not hold up the episode: it is left alone for a while.
    """
    global _tried_again_at
    if not settings.TEAM or time.monotonic() < _tried_again_at:
        return
    try:
        async_to_sync(_send)(group(episode_id), {"type": "wake", "episode": episode_id})
    except (OSError, RedisError):
        _tried_again_at = time.monotonic() + PAUSE_SECONDS
        logger.warning("Redis cannot be reached; watchers see news of episode %s a little later", episode_id)


async def _send(name: str, message: dict[str, Any]) -> None:
    async with asyncio.timeout(PATIENCE_SECONDS):
        await get_channel_layer().group_send(name, message)
