"""Where on a server an episode may take place: slots side by side, each taken by one episode at a time.

A slot is held by the lock of a file of this machine, so it is free again when its holder ends, however it ends. The
file says which box has been built there and not been cleaned yet; when there is none it goes with its holder.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import tempfile
from collections.abc import Callable
from pathlib import Path

from engine.errors import InfrastructureError
from engine.world.geometry import Cell

SLOTS = 36
SPACING = 2_304
"""Blocks between the middles of two slots: a task reaches 1,000 to each side."""
LETTERS = "0123456789abcdefghijklmnopqrstuvwxyz"
Box = tuple[Cell, Cell]
"""The least and the greatest corner, as the server numbers cells."""


class Slot:
    """One slot that is ours until it is let go."""

    def __init__(self, number: int, file: int, path: Path) -> None:
        self.number = number
        self._file = file
        self._path = path

    @property
    def letter(self) -> str:
        """By which its bots' names end."""
        return LETTERS[self.number]

    def leftovers(self) -> Box | None:
        """The box that an earlier episode left behind."""
        text = os.pread(self._file, 1_024, 0)
        try:
            low, high = json.loads(text)
            return (low[0], low[1], low[2]), (high[0], high[1], high[2])
        except (ValueError, TypeError, LookupError):
            return None

    def note(self, box: Box | None) -> None:
        """Note what has been built here; None when it has been cleaned."""
        os.ftruncate(self._file, 0)
        if box:
            os.pwrite(self._file, json.dumps(box).encode(), 0)

    def release(self) -> None:
        """Let others have it."""
        if self.leftovers() is None:
            self._path.unlink(
                missing_ok=True
            )  # before the lock is gone, or it might be somebody else's by now
        os.close(self._file)


def take(address: str, is_used: Callable[[str], bool], folder: Path | None = None) -> Slot:
    """The first free slot of the server; `is_used` says whether bots with that letter are on it, from wherever.

    Raises:
        InfrastructureError: all are taken, or this machine lets no file be locked.
    """
    for number in range(SLOTS):
        slot = _try(address, number, folder)
        if slot is None:
            continue
        if not is_used(slot.letter):
            return slot
        slot.release()
    raise InfrastructureError(f"all {SLOTS} places for episodes on the Minecraft server {address} are taken")


def is_alone(address: str, mine: Slot, folder: Path | None = None) -> bool:
    """Whether no other slot of the server is held on this machine."""
    for number in range(SLOTS):
        if number == mine.number or not _path(address, number, folder).exists():
            continue
        slot = _try(address, number, folder)
        if slot is None:
            return False
        slot.release()
    return True


def _path(address: str, number: int, folder: Path | None) -> Path:
    name = hashlib.sha256(address.encode()).hexdigest()[:16]
    here = folder or Path(tempfile.gettempdir())
    return here / f"ticking-minecraft-{os.getuid()}-{name}-{number}.lock"


def _try(address: str, number: int, folder: Path | None) -> Slot | None:
    """The slot, if nobody has it."""
    path = _path(address, number, folder)
    try:
        while True:
            file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(file)
                return None
            if _is_at(file, path):
                return Slot(number, file, path)
            os.close(file)  # whoever had the slot has removed the file since it was opened
    except OSError as fault:
        raise InfrastructureError(
            f"the file {path}, which keeps episodes on one server apart, cannot be locked ({fault.strerror}); "
            "see that this user may write there"
        ) from None


def _is_at(file: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(file), path.stat())
    except FileNotFoundError:
        return False
