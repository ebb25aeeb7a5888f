"""The processes that make up the dashboard on one machine, and the runner that keeps them together."""

from __future__ import annotations

import multiprocessing
import os
import shlex
import signal
import sys
import threading
from collections import defaultdict, deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from io import TextIOBase
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import urlopen

from django.conf import settings
from honcho.manager import SYSTEM_PRINTER_NAME, Manager
from honcho.printer import Message
from honcho.process import Popen, Process

LAST_LINES = 15


@dataclass(frozen=True, slots=True)
class Part:
    """One process: its name for people, and its command."""

    name: str
    command: list[str]


def parts(host: str, port: int, workers: int) -> list[Part]:
    """The dashboard's processes.

    Args:
        host: address that the web server binds.
        port: its port.
        workers: how many episodes may run at the same time.
    """
    python = sys.executable
    manage = str(Path(settings.BASE_DIR) / "manage.py")
    web = [python, "-m", "daphne", "-v", "0", "-b", host, "-p", str(port), "--no-server-name"]
    pings = [
        "--ping-interval",
        "10",
        "--ping-timeout",
        "15",
    ]  # a stalled watcher's backlog must not grow for long
    celery = [
        python,
        "-m",
        "celery",
        "-A",
        "webapp",
        "-q",
        "worker",
        "--pool",
        "prefork",
        "--loglevel",
        "WARNING",
    ]
    alone = ["--without-gossip", "--without-mingle", "--without-heartbeat"]
    return [
        Part("web", [*web, *pings, "webapp.asgi:application"]),
        Part("worker", [*celery, *alone, "--concurrency", str(workers)]),
        Part("reaper", [python, manage, "reap"]),
    ]


class Output:
    """Prints each line under its process's name, and remembers the last ones.

    Attributes:
        width: of the column of names; honcho sets it.
        closing: from here on lines are remembered but not printed: processes that are being stopped complain.
    """

    def __init__(self, out: TextIOBase) -> None:
        self.width = 0
        self.closing = False
        self.last: defaultdict[str, deque[str]] = defaultdict(lambda: deque(maxlen=LAST_LINES))
        self._out = out

    def write(self, message: Message) -> None:
        """Take one line from honcho; its own about starting and stopping are left out."""
        if message.name == SYSTEM_PRINTER_NAME:
            return
        data = message.data.decode(errors="replace") if isinstance(message.data, bytes) else message.data
        for line in data.splitlines():
            self.last[message.name].append(line)
            if not self.closing:
                self._out.write(f"{message.name:<{self.width}} | {line}\n")
        self._out.flush()


class LeashedChild(Popen):
    """A child that ends with the dashboard, even where that was ended by a signal nobody can catch."""

    def __init__(self, command: str, **options: Any) -> None:
        super().__init__(command, **options)
        threading.Thread(target=self._follow, daemon=True).start()

    def _follow(self) -> None:
        dashboard = multiprocessing.parent_process()
        if dashboard is None:
            return
        dashboard.join()
        with suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)


class LeashedProcess(Process):
    """One of the stack's processes, on a leash."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._child_ctor = LeashedChild


class Stack(Manager):
    """Starts all processes, and stops all when one ends or a signal arrives.

    Attributes:
        fallen: name and exit status of the process that ended by itself; None after a signal.
    """

    def __init__(self, output: Output, on_start: Callable[[], None]) -> None:
        super().__init__(printer=output)
        self._process_ctor = LeashedProcess
        self._output = output
        self.fallen: tuple[str, int] | None = None
        self._on_start = on_start

    def add(self, part: Part) -> None:
        """Add a process."""
        env = {
            **os.environ,
            "PYTHONUNBUFFERED": "1",
            "REMAP_SIGTERM": "SIGQUIT",
        }  # Celery: start nothing any more
        self.add_process(part.name, f"exec {shlex.join(part.command)}", env=env, cwd=str(settings.BASE_DIR))

    def terminate(self) -> None:
        """Stop all processes, noting which one brought this about."""
        ended = {
            name: state["returncode"] for name, state in self._processes.items() if "returncode" in state
        }
        if not self._terminating and ended:
            self.fallen = next(iter(ended.items()))
        self._output.closing = True
        super().terminate()

    def _start(self) -> None:
        super()._start()
        threading.Thread(target=self._on_start, daemon=True).start()


def answers(address: str, timeout: float = 2.0) -> bool:
    """Whether a web server answers there, with whatever status."""
    try:
        with urlopen(address, timeout=timeout):  # noqa: S310 - our own address
            return True
    except HTTPError:
        return True
    except OSError:
        return False


def describe(output: Output, fallen: tuple[str, int]) -> str:
    """What to tell people about a process that ended by itself."""
    name, status = fallen
    lines = "\n".join(f"    {line}" for line in output.last[name]) or "    (it printed nothing)"
    how = f"was ended by signal {-status}" if status < 0 else f"ended with status {status}"
    return f"The {name} process {how}, so everything was stopped. Its last lines:\n{lines}"
