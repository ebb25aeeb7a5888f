"""The worlds that an episode can happen in, by name. Each is loaded when it is first wanted."""

from __future__ import annotations

from engine.episode.settings import EpisodeSettings
from engine.errors import SettingsError
from engine.minecraft.servers import Server, rcon_at
from engine.minecraft.versions import EMBEDDED
from engine.spec.model import TaskSpec
from engine.world.protocol import Emit, Waiting, World, undisturbed


def open_world(
    settings: EpisodeSettings,
    spec: TaskSpec,
    emit: Emit,
    server: Server | None = None,
    waiting: Waiting = undisturbed,
) -> World:
    """A world with the task's agents in it; whoever opens it closes it.

    While that takes its time, and wherever the world waits for something later on, `waiting` is called. What it raises
    is passed on, but when the world is being closed.

    Raises:
        SettingsError: the settings name a server, and none is given.
        InfrastructureError: it could not be started.
        MissingDataError: what it needs is not installed.
    """
    if settings.server:
        if server is None:
            raise SettingsError(f"no Minecraft server is known as {settings.server!r}")
        from engine.minecraft.own.stage import OwnStage
        from engine.minecraft.world import MinecraftWorld

        return MinecraftWorld(spec, emit, OwnStage(spec, server, waiting))
    if settings.world == "minecraft":
        from engine.minecraft.stage import EmbeddedStage
        from engine.minecraft.world import MinecraftWorld

        release = settings.release or EMBEDDED[0]
        rcon = rcon_at(settings.rcon_port) if settings.rcon_port is not None else None
        return MinecraftWorld(spec, emit, EmbeddedStage(spec, waiting=waiting, release=release, rcon=rcon))
    from engine.simulator.world import SimulatedWorld

    return SimulatedWorld(spec, emit)
