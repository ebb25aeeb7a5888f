"""What a command says of a run: how far it is, and what it came to."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from django.core.management.base import OutputWrapper

from webapp.core.templatetags.ui import duration, percent, usd
from webapp.runs.forecast import forecast
from webapp.runs.models import Run, Status
from webapp.runs.spending import spent
from webapp.runs.summary import Tally, episodes, tallies
from webapp.runs.tables.chart import name
from webapp.runs.tables.files import TABLES
from webapp.runs.tables.success import success

BAR = 24
"""Characters of the progress bar."""
LINE_EVERY_S = 10.0
"""Seconds between two lines where there is no terminal to draw a bar on."""


class Progress:
    """A progress bar on a terminal; elsewhere a line now and then. `str` keeps it from being red as an error is."""

    def __init__(self, run: Run, out: OutputWrapper, now: Callable[[], float] = time.monotonic) -> None:
        self._run = run
        self._out = out
        self._now = now
        self._is_terminal = bool(out.isatty())
        self._said = ""
        self._at = float("-inf")

    def begin(self) -> None:
        """Name the run."""
        total = self._tally().total
        self._out.write(f"Run {self._run.pk} ({self._run.name}): {episodes(total)}", str)
        self.look()

    def look(self) -> None:
        """Say where the run stands, if there is news."""
        if not self._is_terminal and self._now() - self._at < LINE_EVERY_S:
            return
        self._say()

    def end(self) -> None:
        """Say where it stands for the last time."""
        self._say()
        if self._is_terminal:
            self._out.write("", str)

    def _say(self) -> None:
        text = self._text(self._tally())
        if text == self._said:
            return
        self._said, self._at = text, self._now()
        if self._is_terminal:
            self._out.write(f"\r\x1b[K{text}", str, ending="")
            self._out.flush()
        else:
            self._out.write(text, str)

    def _tally(self) -> Tally:
        return tallies([self._run.pk])[self._run.pk]

    def _text(self, tally: Tally) -> str:
        full = BAR * tally.done // tally.total if tally.total else BAR
        parts = [f"{tally.done} of {tally.total} done", f"{tally.successes} succeeded"]
        if tally.faults:
            parts.append(f"{tally.faults} errors")
        if cancelled := tally.counts[Status.CANCELLED]:
            parts.append(f"{cancelled} cancelled")
        ahead = forecast(self._run)
        if tally.active and ahead.left_s is not None:
            parts.append(f"about {duration(ahead.left_s)} left")
        if ahead.spent["usd"]:
            parts.append(f"{usd(ahead.spent['usd'])} spent")
        return f"[{'#' * full}{'-' * (BAR - full)}] {', '.join(parts)}"


def lines(run: Run) -> list[str]:
    """The success table as text, and where to look for more."""
    header = ("type of task", "condition", "succeeded", "rate", "95 %", "score", "not counted")
    table = [header]
    for row in success(run):
        low, high = row.interval or (None, None)
        score = "–" if row.partial_score is None else f"{row.partial_score:.2f}"
        spoilt = row.errors + row.lost + row.cancelled
        table.append(
            (
                row.task_type,
                name(row.condition),
                f"{row.successes} / {row.played}",
                percent(row.success_rate),
                f"{percent(low)} to {percent(high)}" if row.played else "–",
                score,
                str(spoilt),
            )
        )
    widths = [max(len(cells[place]) for cells in table) for place in range(len(header))]
    rows = [
        "  ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)) for cells in table
    ]
    return [*(row.rstrip() for row in rows), f"Run {run.pk}: the dashboard shows it at /runs/{run.pk}/"]


def document(run: Run, status: str) -> dict[str, Any]:
    """What a run came to, as one JSON document."""
    return {
        "status": status,
        "run": run.pk,
        "name": run.name,
        "settings": run.settings,
        "episodes": tallies([run.pk])[run.pk].counts,
        "spent": spent(run.pk),
        **{table: TABLES[table](run) for table in ("success", "steps", "costs")},
    }
