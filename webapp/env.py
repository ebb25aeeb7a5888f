"""Reading settings from the environment. A value that cannot be understood stops the start and says so."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterable, Mapping
from pathlib import Path
from tempfile import TemporaryFile

from cryptography.fernet import Fernet
from django.core.exceptions import ImproperlyConfigured

from engine.addresses import (
    ENDPOINTS_VARIABLE,
    LOOPBACK_VARIABLE,
    MINECRAFT_VARIABLE,
    PUBLIC_HOSTS,
    AddressPolicy,
)
from engine.errors import SettingsError

ON = ("on", "true", "yes", "1")
MOST = 10_000
OFF = ("off", "false", "no", "0", "")
KEYS_VARIABLE = "TICKING_KEYS"
DEFAULT_HOSTS = "default"
"""Stands for the well-known public services in the list of endpoint hosts."""


def flag(name: str, env: Mapping[str, str] = os.environ) -> bool:
    """An on/off setting; off when it is not set.

    Raises:
        ImproperlyConfigured: any other word.
    """
    value = env.get(name, "").strip().lower()
    if value in ON:
        return True
    if value in OFF:
        return False
    raise ImproperlyConfigured(f"{name} is {env[name]!r}; use `on` or `off`.")


def words(name: str, env: Mapping[str, str] = os.environ) -> list[str]:
    """A comma-separated list; empty when it is not set.

    Raises:
        ImproperlyConfigured: an empty place in the list.
    """
    value = env.get(name, "").strip()
    parts = [part.strip() for part in value.split(",")] if value else []
    if not all(parts):
        raise ImproperlyConfigured(f"{name} is {value!r}: there is nothing between two of its commas.")
    return parts


def count(name: str, default: int, env: Mapping[str, str] = os.environ) -> int:
    """A whole number from 1.

    Raises:
        ImproperlyConfigured: anything else.
    """
    value = env.get(name, "").strip() or str(default)
    if not (value.isascii() and value.isdigit() and 1 <= int(value) <= MOST):
        raise ImproperlyConfigured(f"{name} is {value!r}; use a whole number from 1 to {MOST:,}.")
    return int(value)


def url(name: str, schemes: tuple[str, ...], env: Mapping[str, str] = os.environ) -> str:
    """An address with one of the schemes; empty when it is not set.

    Raises:
        ImproperlyConfigured: another scheme. The message leaves the value out, since it may hold a password.
    """
    value = env.get(name, "").strip()
    if value and value.partition("://")[0] not in schemes:
        forms = " or ".join(f"{scheme}://…" for scheme in schemes)
        raise ImproperlyConfigured(f"{name} must have the form {forms}.")
    return value


def data_folder(default: Path, env: Mapping[str, str] = os.environ) -> Path:
    """The folder for everything that the dashboard writes, made if it is missing.

    Raises:
        ImproperlyConfigured: it cannot be made, or not be written.
    """
    folder = Path(env.get("TICKING_DATA", "").strip() or default).expanduser().absolute()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise ImproperlyConfigured(
            f"The data folder {folder} cannot be used ({error.strerror}). "
            "Set TICKING_DATA to a folder that can be written."
        ) from error
    return folder


def secret_key(folder: Path, *, team: bool, env: Mapping[str, str] = os.environ) -> str:
    """`SECRET_KEY`, else one that is made once and kept in the data folder, readable by its owner alone.

    Raises:
        ImproperlyConfigured: it is too short, or missing where several machines must share it.
    """
    if key := env.get("SECRET_KEY", ""):
        if len(key) < 50:
            raise ImproperlyConfigured("SECRET_KEY is shorter than 50 characters. Use a long random one.")
        return key
    if team:
        raise ImproperlyConfigured(
            "SECRET_KEY is not set. With DATABASE_URL and REDIS_URL every machine needs the same one: "
            "make it with `python3 -c 'import secrets; print(secrets.token_urlsafe(64))'`."
        )
    path = folder / "secret_key"
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return path.read_text()
    with os.fdopen(handle, "w") as file:
        file.write(key := secrets.token_urlsafe(64))
    return key


def endpoint_addresses(env: Mapping[str, str] = os.environ) -> AddressPolicy:
    """Where model endpoints may be: the well-known public services unless the operator lists others.

    Raises:
        ImproperlyConfigured: an entry cannot be read.
    """
    hosts: list[str] = []
    for entry in words(ENDPOINTS_VARIABLE, env) or [DEFAULT_HOSTS]:
        hosts += PUBLIC_HOSTS if entry == DEFAULT_HOSTS else [entry]
    return _addresses(hosts, ENDPOINTS_VARIABLE, env)


def minecraft_addresses(env: Mapping[str, str] = os.environ) -> AddressPolicy:
    """Where Minecraft servers may be: nowhere unless the operator lists hosts.

    Raises:
        ImproperlyConfigured: an entry cannot be read.
    """
    return _addresses(words(MINECRAFT_VARIABLE, env), MINECRAFT_VARIABLE, env)


def _addresses(hosts: Iterable[str], variable: str, env: Mapping[str, str]) -> AddressPolicy:
    try:
        return AddressPolicy(tuple(hosts), flag(LOOPBACK_VARIABLE, env), variable)
    except SettingsError as error:
        raise ImproperlyConfigured(str(error)) from error


def model_keys(env: Mapping[str, str] = os.environ) -> list[str]:
    """The keys under which API keys and passwords are stored, the first of which encrypts; empty if there are none.

    Raises:
        ImproperlyConfigured: one is no such key. The message leaves the value out.
    """
    found = words(KEYS_VARIABLE, env)
    for place, key in enumerate(found, start=1):
        try:
            Fernet(key)
        except ValueError:
            raise ImproperlyConfigured(
                f"Key {place} in {KEYS_VARIABLE} is not one. Make it with `python3 -c 'import base64, secrets; "
                "print(base64.urlsafe_b64encode(secrets.token_bytes(32)).decode())'`."
            ) from None
    return found
