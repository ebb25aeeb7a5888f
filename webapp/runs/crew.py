"""Worker processes of a command, that play a run without the dashboard's."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess

from django.utils import timezone

from webapp.runs.actions import cancel_run
from webapp.runs.models import Run, Status
from webapp.runs.reaper import mark_silent
from webapp.runs.worker import work

LOOK_SECONDS = 0.5
"""How often the run is looked at while it is played."""
SPARE_A_WORKER = 3
"""How many times each worker's place is filled again after a sudden death."""


def play(
    run: Run, workers: int, *, is_asked_to_stop: Callable[[], bool], on_look: Callable[[], None]
) -> None:
    """Play all of a run's waiting episodes, and return when none waits or runs any more.

    Safe beside a dashboard and beside another command on the same run, since each episode is claimed once.

    Args:
        run: the run.
        workers: how many episodes at once.
        is_asked_to_stop: once it is true the run is cancelled; what runs ends properly within about half a second.
        on_look: called at each look, for showing progress.
    """
    crew = Crew(run.pk, min(workers, _count(run, Status.QUEUED)))
    stopping = False
    try:
        while crew.is_alive or _count(run, Status.RUNNING):
            crew.wait(LOOK_SECONDS)
            mark_silent(timezone.now())
            if not stopping and is_asked_to_stop():
                stopping = True
                cancel_run(run)
            if not stopping and _count(run, Status.QUEUED):
                crew.replace_fallen()
            on_look()
    finally:
        crew.end()


def _count(run: Run, status: Status) -> int:
    return run.episodes.filter(status=status).count()


class Crew:
    """Processes that each play one waiting episode after another until none waits."""

    def __init__(self, run_id: int, size: int) -> None:
        self._run_id = run_id
        self._spare = size * SPARE_A_WORKER
        self._members = [self._start() for _ in range(size)]

    @property
    def is_alive(self) -> bool:
        """Anybody still works."""
        return any(member.is_alive() for member in self._members)

    def wait(self, seconds: float) -> None:
        """Until somebody's work has ended, but no longer than so."""
        wait([member.sentinel for member in self._members if member.is_alive()], seconds)

    def replace_fallen(self) -> None:
        """Fill the places of those that ended otherwise than by having nothing left to do."""
        for place, member in enumerate(self._members):
            if member.exitcode and self._spare:
                self._spare -= 1
                self._members[place] = self._start()

    def end(self) -> None:
        """Stop whoever still works, at once."""
        for member in self._members:
            member.terminate()
        for member in self._members:
            member.join()

    def _start(self) -> BaseProcess:
        """A process that Ctrl-C in the terminal does not reach: it is stopped through the database."""
        member = multiprocessing.get_context("spawn").Process(target=work, args=(self._run_id,), daemon=True)
        old = signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            member.start()
        finally:
            signal.signal(signal.SIGINT, old)
        return member
