"""Registers the app."""

from django.apps import AppConfig


class RunsConfig(AppConfig):
    """Runs and their episodes: execution, pages, exports."""

    name = "webapp.runs"
