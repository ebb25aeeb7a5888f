"""Registers the app."""

from django.apps import AppConfig


class CoreConfig(AppConfig):
    """What all pages share: the dashboard command, middleware, error pages."""

    name = "webapp.core"
