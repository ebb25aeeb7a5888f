"""Kombu's message folder, made safe for readers that look while somebody writes.

Kombu's own transport lets a reader see a message before its text is written, and moves it through the system's
temporary folder. Here a message appears by a rename, complete, and whoever renames it first has it.
"""

from __future__ import annotations

import os
import time
import uuid
from pathlib import Path
from queue import Empty
from typing import Any

from kombu.transport import filesystem
from kombu.utils.json import dumps, loads

LONGEST_WAIT = 0.25


class Channel(filesystem.Channel):
    """A channel whose messages are files `<nanoseconds>_<unique>.<queue>.msg`, oldest first."""

    def __init__(self, connection: Any, **kwargs: Any) -> None:
        super().__init__(connection, **kwargs)
        self._messages = Path(self.data_folder_in)
        self._messages.mkdir(parents=True, exist_ok=True)
        self.control_folder.mkdir(parents=True, exist_ok=True)

    def _queue_bind(self, exchange: str, routing_key: str, pattern: str, queue: str) -> None:
        bound = filesystem.exchange_queue_t(routing_key or "", pattern or "", queue or "")
        table = self.get_table(exchange)
        if bound not in table:
            draft = self.control_folder / f"{uuid.uuid4().hex}.draft"
            draft.write_text(dumps([bound, *table]))
            draft.rename(self._exchange_file(exchange))

    def _put(  # type: ignore[override]  # kombu's own classes disagree
        self, queue: str, message: Any, **_kwargs: Any
    ) -> None:
        name = f"{time.time_ns():020d}_{uuid.uuid4().hex}"
        draft = self._messages / f"{name}.draft"
        draft.write_text(dumps(message))
        draft.rename(self._messages / f"{name}.{queue}.msg")

    def _get(self, queue: str, _timeout: float | None = None) -> Any:
        ending = f".{queue}.msg"
        with os.scandir(self._messages) as entries:
            names = sorted(entry.name for entry in entries if entry.name.endswith(ending))
        for name in names:
            taken = self._messages / f"{name}.taken"
            try:
                (self._messages / name).rename(taken)
            except FileNotFoundError:
                continue
            text = taken.read_text()
            taken.unlink()
            return loads(text)
        raise Empty


class Transport(filesystem.Transport):
    """The transport behind broker addresses `folder://`."""

    Channel = Channel

    def drain_events(self, connection: Any, timeout: float | None = None, **kwargs: Any) -> None:
        """Wait for messages, never for long: a worker looks between two waits whether it should stop."""
        super().drain_events(connection, timeout=min(timeout or LONGEST_WAIT, LONGEST_WAIT), **kwargs)
