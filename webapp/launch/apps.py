"""Registers the app."""

from django.apps import AppConfig


class LaunchConfig(AppConfig):
    """Turning a choice of tasks and settings into a run."""

    name = "webapp.launch"
