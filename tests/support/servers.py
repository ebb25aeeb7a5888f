"""Stored Minecraft servers for tests."""

from __future__ import annotations

from typing import Any

from engine.minecraft.selftest import Place
from tests.support.minecraft_server import PASSWORD
from webapp.servers.models import MinecraftServer


def stored_at(place: Place, **changes: Any) -> MinecraftServer:
    """A stored server that the stub is."""
    server = MinecraftServer(
        **{"name": "home", "host": "127.0.0.1", "port": place.port, "rcon_port": place.rcon_port} | changes
    )
    server.store_password(PASSWORD)
    server.save()
    return server
