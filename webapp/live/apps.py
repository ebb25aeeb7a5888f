"""Registers the app."""

from django.apps import AppConfig


class LiveConfig(AppConfig):
    """The stored event log, and showing it to watchers as it grows."""

    name = "webapp.live"
