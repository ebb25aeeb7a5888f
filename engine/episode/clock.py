"""Holding world time to the wall clock."""

from __future__ import annotations

import time

from engine.episode.settings import Control
from engine.world.geometry import TICKS_PER_STEP

LONGEST_NAP = 0.1
"""Seconds at most between two looks at whether the episode shall stop."""


class WallClock:
    """A control that lets no tick begin before its time has come on the wall, counted from the first one."""

    def __init__(self, control: Control) -> None:
        self._control = control
        self._began: float | None = None

    def opened(self, address: str) -> None:
        """As the control that is held back."""
        self._control.opened(address)

    def before(self, tick: int) -> None:
        """Wait until the tick is due."""
        if self._began is None:
            self._began = time.monotonic()
        due = self._began + tick / TICKS_PER_STEP
        while (left := due - time.monotonic()) > 0:
            self._control.waiting()
            time.sleep(min(left, LONGEST_NAP))
        self._control.before(tick)

    def waiting(self) -> None:
        """As the control that is held back."""
        self._control.waiting()
