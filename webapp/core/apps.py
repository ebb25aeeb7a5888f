"""Registers the app."""

from django.apps import AppConfig

from engine.extensions import load_extensions


class CoreConfig(AppConfig):
    """What all pages share: the dashboard command, middleware, error pages."""

    name = "webapp.core"

    def ready(self) -> None:
        """Know the policies, event actions and mechanics of `engine/extensions/` in every process."""
        load_extensions()
