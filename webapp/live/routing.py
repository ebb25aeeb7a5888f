"""Addresses of WebSockets."""

from __future__ import annotations

from channels.routing import URLRouter
from django.urls import re_path

from webapp.live.consumer import EpisodeConsumer, UnknownAddress

router = URLRouter(
    [
        re_path(r"^ws/episodes/(?P<episode>\d{1,18})/$", EpisodeConsumer.as_asgi()),
        re_path(r"", UnknownAddress.as_asgi()),
    ]
)
