"""A Minecraft server of the user's own: where it is, and what is needed to be its operator."""

from __future__ import annotations

import os
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError, field_validator

from engine.errors import SettingsError
from engine.minecraft.versions import FIRST, LAST, is_known

PORT, RCON_PORT = 25_565, 25_575
"""Minecraft's usual ports, for players and for RCON."""
FARTHEST = 1_000_000
"""Blocks from the middle of the world within which arenas may lie."""
PREFIX = "TICKING_MINECRAFT_"
PASSWORD_VARIABLE = "TICKING_RCON_PASSWORD"  # noqa: S105 - a name, not a password

Port = Annotated[int, Field(ge=1, le=65_535)]
Offset = Annotated[int, Field(ge=-FARTHEST, le=FARTHEST)]


class Server(BaseModel):
    """One Minecraft server of the user's own.

    Attributes:
        host: its name or address.
        port: for players.
        rcon_port: for RCON.
        rcon_password: never logged, never part of settings or results.
        version: the release that it must be, as `1.20.4`; empty for the one that its status names.
        origin: x and z where the first arena's [0, 0] is; further arenas lie beside it.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    host: Annotated[str, Field(min_length=1, max_length=253)]
    port: Port = PORT
    rcon_port: Port = RCON_PORT
    rcon_password: SecretStr
    version: str = ""
    origin: tuple[Offset, Offset] = (0, 0)

    @field_validator("version")
    @classmethod
    def _known(cls, version: str) -> str:
        try:
            known = not version or is_known(version)
        except SettingsError as error:
            raise ValueError(str(error)) from None
        if not known:
            raise ValueError(f"{version} is not known; use a release from {FIRST} to {LAST}")
        return version

    @property
    def address(self) -> str:
        """Host and port for players: what the server is called where it has no name."""
        return f"{self.host}:{self.port}"


class RconPort(BaseModel):
    """Where RCON is to listen, on the loopback interface, and what it is to ask for."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    port: Port
    password: SecretStr


def rcon_at(port: int | str) -> RconPort:
    """RCON at that port, with the password that the environment has.

    Raises:
        SettingsError: it has none, or that is no port.
    """
    password = os.environ.get(PASSWORD_VARIABLE, "")
    if not password:
        raise SettingsError(f"set {PASSWORD_VARIABLE} to the RCON password that the server is to have")
    try:
        return RconPort.model_validate({"port": port, "password": password})
    except ValidationError:
        raise SettingsError(f"{port} is not a port; use one from 1 to 65535") from None


def from_environment() -> Server | None:
    """The server that the environment describes; None if it names no host.

    The variables are `TICKING_MINECRAFT_HOST`, `…_PORT`, `…_RCON_PORT`, `…_VERSION` and `TICKING_RCON_PASSWORD`.

    Raises:
        SettingsError: a variable's value will not do; its message names the variable, and no value of the password.
    """
    host = os.environ.get(f"{PREFIX}HOST", "")
    return _read(host, os.environ.get(f"{PREFIX}PORT", "")) if host else None


def at(address: str) -> Server:
    """The server at `host:port` or `host`; the rest is as the environment has it.

    Raises:
        SettingsError: the address or a variable will not do.
    """
    host, _, port = address.rpartition(":") if ":" in address else (address, "", "")
    return _read(host, port, "the port")


def _read(host: str, port: str, port_name: str = f"{PREFIX}PORT") -> Server:
    environment = {
        "host": (host, f"{PREFIX}HOST"),
        "port": (port, port_name),
        "rcon_port": (os.environ.get(f"{PREFIX}RCON_PORT", ""), f"{PREFIX}RCON_PORT"),
        "version": (os.environ.get(f"{PREFIX}VERSION", ""), f"{PREFIX}VERSION"),
        "rcon_password": (os.environ.get(PASSWORD_VARIABLE, ""), PASSWORD_VARIABLE),
    }
    given = {field: value for field, (value, _) in environment.items() if value}
    if "rcon_password" not in given:
        raise SettingsError(f"set {PASSWORD_VARIABLE} to the RCON password of the Minecraft server at {host}")
    try:
        return Server.model_validate(given)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        raise SettingsError(f"{environment[str(first['loc'][0])][1]}: {first['msg']}") from None
