"""Registers the app."""

from django.apps import AppConfig


class ServersConfig(AppConfig):
    """Minecraft servers of the users' own."""

    name = "webapp.servers"
