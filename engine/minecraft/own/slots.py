"""Where on a server an episode may take place: slots side by side, each taken by one episode at a time.

A slot is held by the lock of a file of this machine, so it is free again when its holder ends, however it ends. The
file says which box has been built there and not been cleaned yet.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from engine.errors import InfrastructureError
from engine.minecraft.own.locks import LockedFile, lock, path_of
from engine.world.geometry import Cell

SLOTS = 36
SPACING = 2_304
"""Blocks between the middles of two slots: a task reaches 1,000 to each side."""
LETTERS = "0123456789abcdefghijklmnopqrstuvwxyz"
Box = tuple[Cell, Cell]
"""The least and the greatest corner, as the server numbers cells."""


class Slot:
    """One slot that is ours until it is let go."""

    def __init__(self, number: int, file: LockedFile) -> None:
        self.number = number
        self._file = file

    @property
    def letter(self) -> str:
        """By which its bots' names end."""
        return LETTERS[self.number]

    def leftovers(self) -> Box | None:
        """The box that an earlier episode left behind."""
        try:
            low, high = json.loads(self._file.read())
            return (low[0], low[1], low[2]), (high[0], high[1], high[2])
        except (ValueError, TypeError, LookupError):
            return None

    def note(self, box: Box | None) -> None:
        """Note what has been built here; None when it has been cleaned."""
        self._file.write(json.dumps(box) if box else "")

    def release(self) -> None:
        """Let others have it."""
        self._file.release()


def take(address: str, is_used: Callable[[str], bool], folder: Path | None = None) -> Slot:
    """The first free slot of the server; `is_used` says whether bots with that letter are on it, from wherever.

    Raises:
        InfrastructureError: all are taken, or this machine lets no file be locked.
    """
    for number in range(SLOTS):
        file = lock(path_of(address, number, folder))
        if file is None:
            continue
        if not is_used(LETTERS[number]):
            return Slot(number, file)
        file.release()
    raise InfrastructureError(f"all {SLOTS} places for episodes on the Minecraft server {address} are taken")


def is_alone(address: str, mine: Slot, folder: Path | None = None) -> bool:
    """Whether no other slot of the server is held on this machine."""
    for number in range(SLOTS):
        path = path_of(address, number, folder)
        if number == mine.number or not path.exists():
            continue
        file = lock(path)
        if file is None:
            return False
        file.release()
    return True
