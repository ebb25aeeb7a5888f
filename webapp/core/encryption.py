"""Keeps API keys and passwords encrypted in the database, under keys that the database does not hold."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings

from engine.errors import SettingsError
from webapp.env import KEYS_VARIABLE

FILE = "model_keys"
"""In the data folder: one key a line, the first of which encrypts."""


def encrypt(secret: str) -> str:
    """The secret as the database may hold it.

    Raises:
        SettingsError: there is nothing to encrypt it with.
    """
    return _fernet().encrypt(secret.encode()).decode()


def decrypt(token: str) -> str:
    """The secret behind what the database holds.

    Raises:
        SettingsError: it was encrypted under a key that is not there any more.
    """
    try:
        return _fernet().decrypt(token.encode()).decode()
    except InvalidToken:
        raise SettingsError(
            "The stored key or password cannot be decrypted: it was stored under another encryption key. "
            "Type it in again."
        ) from None


def _fernet() -> MultiFernet:
    if settings.MODEL_KEYS:
        return MultiFernet([Fernet(key) for key in settings.MODEL_KEYS])
    if settings.TEAM:
        raise SettingsError(
            f"{KEYS_VARIABLE} is not set, and without it every machine would encrypt differently. Set it to the "
            "same value on every machine; the guide's page Models says how to make one."
        )
    return MultiFernet([Fernet(key) for key in _of_the_data_folder()])


def _of_the_data_folder() -> list[str]:
    path = Path(settings.DATA_DIR) / FILE
    if not path.exists():
        _make(path)
    return path.read_text().split()


def _make(path: Path) -> None:
    """Written apart and then linked, so that another process sees the whole file or none; the first one stays."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=FILE)  # for the owner alone (mode 600)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(Fernet.generate_key() + b"\n")
        with contextlib.suppress(FileExistsError):
            os.link(name, path)
    finally:
        Path(name).unlink()
