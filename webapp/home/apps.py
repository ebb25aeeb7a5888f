"""Registers the app."""

from django.apps import AppConfig


class HomeConfig(AppConfig):
    """The first page."""

    name = "webapp.home"
