"""A server's settings as they were before the first of the episodes that are on it: kept once for all of them.

They are in a file of this machine, like slots. So they outlive a worker that was killed, and the last episode that
leaves the server puts them back, whichever had found them.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from pydantic import ValidationError

from engine.minecraft.commands import Commands
from engine.minecraft.own.locks import LockedFile, lock, path_of
from engine.minecraft.server_settings import Ask, ServerSettings, read_rules, read_settings
from engine.world.protocol import Waiting, undisturbed

PAUSE = 0.05
"""Seconds between two looks whether another episode is done with the file."""


class Originals:
    """What is kept of a server, while nobody else of this machine reads or changes it."""

    def __init__(self, file: LockedFile) -> None:
        self._file = file

    @property
    def settings(self) -> ServerSettings | None:
        """As they were before the first episode; None if there has been none since they were put back."""
        with suppress(ValidationError):
            return ServerSettings.model_validate_json(self._file.read())
        return None

    def keep(self, ask: Ask, commands: Commands, rules: Iterable[str]) -> ServerSettings:
        """Before an episode changes these rules, difficulty and time: read what no other episode has changed yet."""
        known = self.settings
        if known is None:
            known = read_settings(ask, commands, rules)
        else:
            more = read_rules(ask, commands, [rule for rule in rules if rule not in known.rules])
            known = known.model_copy(update={"rules": known.rules | more})
        self._file.write(known.model_dump_json())
        return known

    def forget(self) -> None:
        """They have been put back."""
        self._file.write("")


@contextmanager
def originals(
    address: str, waiting: Waiting = undisturbed, folder: Path | None = None
) -> Iterator[Originals]:
    """What is kept of the server at the address; waits until no other episode of this machine is busy with it."""
    path = path_of(address, "settings", folder)
    while (file := lock(path)) is None:
        waiting()
        time.sleep(PAUSE)
    try:
        yield Originals(file)
    finally:
        file.release()
