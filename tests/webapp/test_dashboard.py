from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from honcho.printer import Message

from tests.support.stack import PATIENCE_SECONDS, free_port, until
from webapp.core.management.commands import dashboard
from webapp.core.stack import Output, answers, describe, parts


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.8.8", "::1", "localhost"])
def test_loopback_needs_no_login(host: str) -> None:
    dashboard.check_exposure(host)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.7", "name.example"])
def test_anything_else_refuses_to_start_without_login(host: str, settings: Any) -> None:
    with pytest.raises(CommandError, match="TICKING_LOGIN=on"):
        dashboard.check_exposure(host)
    settings.LOGIN = True
    settings.ALLOWED_HOSTS = settings.LOOPBACK
    with pytest.raises(CommandError, match="TICKING_HOSTS"):
        dashboard.check_exposure(host)
    settings.ALLOWED_HOSTS = [*settings.LOOPBACK, "name.example"]
    dashboard.check_exposure(host)


def test_a_taken_port_is_named_with_another_one_to_try() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(CommandError, match=rf"Port {port} is taken.*`make run PORT={port + 1}`"):
            dashboard.check_port("127.0.0.1", port)


@pytest.mark.parametrize("port", [0, -1, 65536])
def test_a_port_that_does_not_exist_is_refused(port: int) -> None:
    with pytest.raises(CommandError, match="does not exist"):
        dashboard.check_port("127.0.0.1", port)


def test_an_address_of_another_machine_is_refused() -> None:
    with pytest.raises(CommandError, match=r"cannot listen on 192\.0\.2\.7"):
        dashboard.check_port("192.0.2.7", free_port())


def test_two_dashboards_do_not_share_a_data_folder(tmp_path: Path) -> None:
    first, second = "http://127.0.0.1:8000/", "http://127.0.0.1:8001/"
    lock = dashboard.take_data_folder(tmp_path, first)
    with pytest.raises(CommandError, match=f"The dashboard at {first} uses the data folder"):
        dashboard.take_data_folder(tmp_path, second)
    lock.close()
    lock = dashboard.take_data_folder(tmp_path, second)
    with pytest.raises(CommandError, match=f"The dashboard at {second} uses"):
        dashboard.take_data_folder(tmp_path, first)
    lock.close()


def test_output_is_printed_under_its_process_and_its_last_lines_kept() -> None:
    out = StringIO()
    output = Output(out)
    output.width = 6
    output.write(Message(type="line", data=b"one\ntwo\n", time=None, name="web", colour=None))
    output.write(Message(type="line", data="web started", time=None, name="system", colour=None))
    assert out.getvalue() == "web    | one\nweb    | two\n"

    output.closing = True
    output.write(Message(type="line", data=b"three", time=None, name="web", colour=None))
    assert "three" not in out.getvalue()
    assert describe(output, ("web", 3)) == (
        "The web process ended with status 3, so everything was stopped. Its last lines:\n    one\n    two\n    three"
    )
    assert "was ended by signal 9" in describe(output, ("worker", -9))
    assert "(it printed nothing)" in describe(output, ("worker", -9))


def test_the_dashboard_is_three_processes() -> None:
    assert [part.name for part in parts("127.0.0.1", 8000, 2)] == ["web", "worker", "reaper"]


@pytest.mark.django_db
def test_samples_are_loaded_once_however_often(capsys: pytest.CaptureFixture[str]) -> None:
    from webapp.tasks.models import Task

    call_command("load_samples")
    first = dict(Task.objects.values_list("slug", "pk"))
    call_command("load_samples")
    assert "gold-rush" in first
    assert dict(Task.objects.values_list("slug", "pk")) == first
    assert set(Task.objects.values_list("suite__slug", "source")) == {("samples", "sample")}


class Dashboard:
    """`manage.py dashboard` as a process."""

    def __init__(self, root: Path, folder: Path) -> None:
        self.port = free_port()
        self.log = folder / "output"
        command = [sys.executable, "manage.py", "dashboard", "--port", str(self.port), "--workers", "1"]
        env = {**os.environ, "TICKING_DATA": str(folder / "data")}
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(command, cwd=root, env=env, stdout=log, stderr=subprocess.STDOUT)
        until("the dashboard is announced", lambda: "TickingCollab is at" in self.output)

    @property
    def output(self) -> str:
        """What it has printed."""
        return self.log.read_text()

    def children(self) -> dict[str, int]:
        """Process ids of its parts, once all three are there, by a word of their commands."""
        found: dict[str, int] = until("the parts are there", self._children)
        return found

    def _children(self) -> dict[str, int] | None:
        listed = subprocess.run(
            ["ps", "-ww", "-eo", "pid,ppid,args"], capture_output=True, text=True, check=True
        ).stdout
        rows = [line.split(None, 2) for line in listed.splitlines()[1:]]
        runners = {pid for pid, parent, _ in rows if parent == str(self.process.pid)}
        found = {
            word: int(pid)
            for pid, parent, command in rows
            for word in ("daphne", "celery", "reap")
            if parent in runners and f" {word}" in command
        }
        return found if len(found) == 3 else None


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_everything(root: Path, tmp_path: Path, number: signal.Signals) -> None:
    running = Dashboard(root, tmp_path)
    children = running.children()
    running.process.send_signal(number)
    assert running.process.wait(PATIENCE_SECONDS) == 0
    assert running.output.rstrip().endswith("Stopped.")
    assert "Traceback" not in running.output
    assert not answers(f"http://127.0.0.1:{running.port}/")
    for pid in children.values():
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


def test_if_one_process_dies_all_stop_and_it_is_named(root: Path, tmp_path: Path) -> None:
    running = Dashboard(root, tmp_path)
    os.kill(running.children()["celery"], signal.SIGKILL)
    assert running.process.wait(PATIENCE_SECONDS) == 1
    assert "The worker process was ended by signal 9, so everything was stopped." in running.output
    assert "Traceback" not in running.output


def test_nothing_outlives_a_dashboard_that_is_killed(root: Path, tmp_path: Path) -> None:
    running = Dashboard(root, tmp_path)
    children = running.children()
    running.process.kill()
    running.process.wait(PATIENCE_SECONDS)
    until("all processes are gone", lambda: not any(alive(pid) for pid in children.values()))
    until("the data folder is free", lambda: free(tmp_path / "data"))


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def free(folder: Path) -> bool:
    try:
        dashboard.take_data_folder(folder, "").close()
    except CommandError:
        return False
    return True
