"""The servers that the rest of the program can name."""

from __future__ import annotations

from ipaddress import ip_address

from django.conf import settings

from engine.addresses import AddressPolicy
from engine.errors import InfrastructureError, SettingsError
from engine.minecraft.servers import Server
from engine.spec.names import nearest
from webapp.core import encryption
from webapp.servers.models import MinecraftServer


def known_servers() -> list[str]:
    """The names of all servers."""
    return list(MinecraftServer.objects.values_list("name", flat=True))


def check_server(name: str) -> None:
    """Make sure that a server has this name.

    Raises:
        SettingsError: none has; the message names the nearest that is known.
    """
    known = known_servers()
    if name not in known:
        listed = f" (known: {', '.join(known)})" if known else ""
        raise SettingsError(f"unknown Minecraft server {name!r}{nearest(name, known)}{listed}")


def server_for(name: str) -> Server | None:
    """The server of that name, to be connected to now; None for the empty name, which is the embedded one.

    Raises:
        SettingsError: no server has this name, or it may not be asked, or its password cannot be had.
        InfrastructureError: its host cannot be looked up.
    """
    if not name:
        return None
    check_server(name)
    return server_of(MinecraftServer.objects.get(name=name))


def server_of(stored: MinecraftServer) -> Server:
    """The stored server as the engine takes it, its host given as the address that was checked.

    Raises:
        SettingsError: it may not be asked, or its password cannot be had.
        InfrastructureError: its host cannot be looked up.
    """
    return Server.model_validate(
        {
            "host": checked_address(stored),
            "port": stored.port,
            "rcon_port": stored.rcon_port,
            "rcon_password": encryption.decrypt(stored.password_token),
            "version": stored.version,
            "origin": (stored.origin_x, stored.origin_z),
        }
    )


def checked_address(stored: MinecraftServer) -> str:
    """The address to connect to: Minecraft listens on IPv4 unless told otherwise, so that one is preferred.

    Raises:
        AddressError: the host, or what it stands for, may not be asked.
        InfrastructureError: it cannot be looked up.
    """
    try:
        found = address_policy().resolve(stored.host, stored.port)
    except OSError as fault:
        raise InfrastructureError(
            f"the host {stored.host} of the Minecraft server {stored.name} cannot be looked up ({fault.strerror})"
        ) from None
    return min(found, key=lambda address: ip_address(address.partition("%")[0]).version)


def address_policy() -> AddressPolicy:
    """Which hosts the operator allows."""
    policy: AddressPolicy = settings.MINECRAFT_ADDRESSES
    return policy
