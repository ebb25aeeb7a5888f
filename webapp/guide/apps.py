"""Registers the app."""

from django.apps import AppConfig


class GuideConfig(AppConfig):
    """The user guide."""

    name = "webapp.guide"
