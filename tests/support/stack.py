"""The real dashboard for tests: the processes that `make run` starts, on a free port, with data of its own."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import Any, Self
from urllib.request import Request, urlopen

from tests.support.browser import missing
from webapp.core.stack import answers, parts

ROOT = Path(__file__).parents[2]
PATIENCE_SECONDS = 60.0
"""How long anything may take: what comes at once costs nothing, and a machine may be busy."""
PORTS = range(20_000, 30_000)
"""Systems give higher ones to whoever asks for any, so that one of those may be taken before a server listens there."""


def free_ports(count: int) -> list[int]:
    """Ports of the loopback interface that nothing listens on."""
    with ExitStack() as held:
        found: list[int] = []
        for port in random.sample(PORTS, len(PORTS)):
            if len(found) == count:
                break
            with suppress(OSError):
                held.enter_context(socket.socket()).bind(("127.0.0.1", port))
                found.append(port)
    return found


def free_port() -> int:
    """One of them."""
    return free_ports(1)[0]


def until(what: str, ready: Callable[[], Any], seconds: float = PATIENCE_SECONDS) -> Any:
    """Ask until the answer is true, and return it.

    Raises:
        AssertionError: it has not become true in time.
    """
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if answer := ready():
            return answer
        time.sleep(0.05)
    raise AssertionError(f"waited {seconds:g} s in vain: {what}")


class Redis:
    """A Redis server on a free port that stores nothing."""

    def __init__(self) -> None:
        program = shutil.which("redis-server")
        if program is None:
            missing("redis-server")
        self.port = free_port()
        self._command = [
            str(program),
            "--port",
            str(self.port),
            "--bind",
            "127.0.0.1",
            "--save",
            "",
            "--dir",
            "/tmp",
        ]

    @property
    def url(self) -> str:
        """Its address."""
        return f"redis://127.0.0.1:{self.port}/0"

    def __enter__(self) -> Self:
        self._process = subprocess.Popen(self._command, stdout=subprocess.DEVNULL)
        until("Redis answers", self._answers)
        return self

    def __exit__(self, *_error: object) -> None:
        self._process.terminate()
        self._process.wait(PATIENCE_SECONDS)

    def _answers(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=1) as connection:
                connection.sendall(b"PING\r\n")
                return connection.recv(16).startswith(b"+PONG")
        except OSError:
            return False


class LiveStack:
    """Web server, worker and reaper as real processes.

    Attributes:
        url: address of the first page, with a slash at its end.
        port: the web server's port on 127.0.0.1.
        env: the processes' environment.
        processes: by the names of `webapp.core.stack.parts`.
    """

    def __init__(self, folder: Path, redis: Redis | None = None, workers: int = 2) -> None:
        self.folder = folder
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}/"
        self.env = {name: value for name, value in os.environ.items() if not name.startswith("TICKING")}
        self.env |= {"TICKING_DATA": str(folder), "REMAP_SIGTERM": "SIGQUIT"}
        self.env |= {"TICKING_ALLOW_LOOPBACK": "1"}  # for the tests' own model endpoints
        if redis is not None:
            self.env |= {
                "DATABASE_URL": f"sqlite:///{folder / 'db.sqlite3'}",
                "REDIS_URL": redis.url,
                "SECRET_KEY": "only-for-tests-" * 5,
            }
        self._parts = {part.name: part for part in parts("127.0.0.1", self.port, workers)}
        self.processes: dict[str, subprocess.Popen[bytes]] = {}

    def __enter__(self) -> Self:
        self.manage("migrate", "--verbosity", "0")
        self.manage("load_samples")
        try:
            for name in self._parts:
                self.start(name)
            until(f"the dashboard answers at {self.url}", self._is_ready)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_error: object) -> None:
        for name in list(self.processes):
            self.stop(name)

    def start(self, name: str) -> None:
        """Start one process; its output goes to `<name>.log` in the data folder."""
        with (self.folder / f"{name}.log").open("ab") as log:
            self.processes[name] = subprocess.Popen(
                self._parts[name].command,
                cwd=ROOT,
                env=self.env,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def stop(self, name: str, how: signal.Signals = signal.SIGTERM) -> None:
        """End one process and its children, by its process group."""
        process = self.processes.pop(name)
        if process.poll() is None:
            os.killpg(process.pid, how)
        try:
            process.wait(PATIENCE_SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    def signal(self, name: str, how: signal.Signals) -> None:
        """Send one process and its children a signal that does not end them."""
        os.killpg(self.processes[name].pid, how)

    def manage(self, *arguments: str) -> str:
        """Run a management command; its output."""
        command = [sys.executable, str(ROOT / "manage.py"), *arguments]
        done = subprocess.run(command, cwd=ROOT, env=self.env, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def output(self, name: str) -> str:
        """What a process has printed."""
        return (self.folder / f"{name}.log").read_text()

    def launch(self, *, task: str = "gold-rush", seeds: tuple[int, ...] = (0,), pace: float = 0.0) -> int:
        """Launch a sample under the oracle, without a browser; the run's number."""
        code = (
            "from webapp.launch.actions import Grid, launch; from webapp.tasks.models import Task; "
            f"print(launch(Grid(tasks=[Task.objects.get(slug={task!r})], policies=['oracle'], "
            f"modes=['sync'], worlds=['simulator'], seeds={list(seeds)}), name='A run', pace={pace}).pk)"
        )
        return int(self.manage("shell", "--no-imports", "-c", code))

    def query(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """Rows straight from the database file, without Django."""
        database = sqlite3.connect(self.folder / "db.sqlite3", timeout=PATIENCE_SECONDS)
        with closing(database), database as connection:
            return connection.execute(sql, values).fetchall()

    def get(self, path: str) -> bytes:
        """The body of a page, by its address without the first slash."""
        with urlopen(Request(self.url + path), timeout=PATIENCE_SECONDS) as answer:
            body: bytes = answer.read()
        return body

    def get_json(self, path: str) -> Any:
        """The same, decoded."""
        return json.loads(self.get(path))

    def wait_for(
        self, run: int, *statuses: str, index: int | None = None, seconds: float = PATIENCE_SECONDS
    ) -> str:
        """Wait until an episode of a run, or each that it has, has one of these statuses; which (the last one's)."""

        def status() -> str:
            sql = 'SELECT status FROM runs_episode WHERE run_id = ? AND "index" = ifnull(?, "index") ORDER BY "index"'
            now = [row[0] for row in self.query(sql, run, index)]
            return now[-1] if set(now) <= set(statuses) else ""

        which = "each episode" if index is None else f"episode {index}"
        found: str = until(f"{which} of run {run} is {' or '.join(statuses)}", status, seconds)
        return found

    def _is_ready(self) -> bool:
        for name, process in self.processes.items():
            assert process.poll() is None, f"{name} ended:\n{self.output(name)[-2000:]}"
        return answers(self.url)
