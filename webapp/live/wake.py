"""Telling the web servers that an episode has news.

Only a wake-up: it carries no data, and one that gets lost costs its watchers at most a second.
"""

from __future__ import annotations

import logging

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.conf import settings
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)


def group(episode_id: int) -> str:
    """Name of the channel group of one episode's watchers."""
    return f"episode.{episode_id}"


def wake(episode_id: int) -> None:
    """Wake the web servers that watch this episode. On one machine they look by themselves, so nothing is sent."""
    if not settings.TEAM:
        return
    message = {"type": "wake", "episode": episode_id}
    try:
        async_to_sync(get_channel_layer().group_send)(group(episode_id), message)
    except (OSError, RedisError):
        logger.warning("Redis cannot be reached; watchers see news of episode %s a little later", episode_id)
