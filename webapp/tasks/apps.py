"""Registers the app."""

from django.apps import AppConfig


class TasksConfig(AppConfig):
    """The library of benchmark tasks."""

    name = "webapp.tasks"
