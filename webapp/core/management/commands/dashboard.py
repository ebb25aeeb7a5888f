"""`python manage.py dashboard`: everything that the dashboard needs, on one machine, until Ctrl-C."""

from __future__ import annotations

import errno
import fcntl
import ipaddress
import os
import socket
import time
from pathlib import Path
from typing import IO, Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError, connections

from webapp.core.stack import Output, Stack, answers, describe, parts
from webapp.runs.reaper import mark_all_running

READY_SECONDS = 60.0


class Command(BaseCommand):
    """Prepare the database, then run web server, worker and reaper together."""

    help = "Prepare the database, then run web server, worker and reaper together, until Ctrl-C."

    def add_arguments(self, parser: CommandParser) -> None:
        """Where to listen, and how many episodes at once."""
        parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default 127.0.0.1)")
        parser.add_argument("--port", type=int, default=8000, help="port to listen on (default 8000)")
        parser.add_argument(
            "--workers", type=int, default=settings.WORKERS, help="episodes at once (default: one a core)"
        )

    def handle(self, *_args: Any, host: str, port: int, workers: int, **_options: Any) -> None:
        """Check, prepare, run."""
        check_exposure(host)
        address = f"http://{_in_address(host)}:{port}/"
        lock = None if settings.TEAM else take_data_folder(Path(settings.DATA_DIR), address)
        check_port(host, port)
        self._prepare()
        output = Output(self.stdout)
        stack = Stack(output, lambda: self._announce(address))
        os.environ["TICKING_WORKERS"] = str(max(1, workers))  # the launch form's estimates divide by it
        for part in parts(host, port, max(1, workers)):
            stack.add(part)
        self.stdout.write("Starting …")
        self.stdout.flush()
        try:
            stack.loop()
        finally:
            stack.kill()
            if lock is not None:
                mark_all_running()
                lock.close()
        if stack.fallen:
            raise CommandError(describe(output, stack.fallen))
        self.stdout.write("Stopped.")

    def _prepare(self) -> None:
        try:
            call_command("migrate", verbosity=0, interactive=False)
            call_command("load_samples", verbosity=0)
            if not settings.TEAM:
                mark_all_running()
        except DatabaseError as error:
            raise CommandError(f"The database cannot be used: {error}") from error
        connections.close_all()

    def _announce(self, address: str) -> None:
        deadline = time.monotonic() + READY_SECONDS
        while time.monotonic() < deadline:
            if answers(address):
                self.stdout.write(self.style.SUCCESS(f"TickingCollab is at {address} (Ctrl-C stops it)"))
                self.stdout.flush()
                return
            time.sleep(0.2)
        self.stdout.write(f"The web server has not answered at {address} for {READY_SECONDS:.0f} s.")
        self.stdout.flush()


def check_exposure(host: str) -> None:
    """Refuse to listen to other machines without login.

    Raises:
        CommandError: the host is not loopback, and login is off or no host name is allowed.
    """
    if is_loopback(host):
        return
    if not settings.LOGIN:
        raise CommandError(
            f"{host} can be reached from other machines, and anybody could then use this dashboard. "
            "Switch login on with TICKING_LOGIN=on, or listen on 127.0.0.1."
        )
    if set(settings.ALLOWED_HOSTS) <= set(settings.LOOPBACK):
        raise CommandError(
            f"To listen on {host}, say by which names browsers reach this machine: "
            "TICKING_HOSTS=name.example,192.0.2.1"
        )


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach the address."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def check_port(host: str, port: int) -> None:
    """Make sure that the port is free.

    Raises:
        CommandError: it is not, or the host is not this machine's.
    """
    if not 1 <= port <= 65535:
        raise CommandError(f"Port {port} does not exist: choose one from 1024 to 65535.")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                other = port + 1 if port < 65535 else 8000
                text = f"Port {port} is taken, perhaps by another dashboard. Try `make run PORT={other}`."
            elif error.errno == errno.EACCES:
                text = f"Port {port} is for the system alone. Try `make run PORT=8000`."
            else:
                text = f"This machine cannot listen on {host} ({error.strerror or error})."
            raise CommandError(text) from error


def take_data_folder(folder: Path, address: str) -> IO[str]:
    """Make sure that no other dashboard uses the data folder, for as long as the returned file is open.

    Args:
        folder: the data folder.
        address: where this dashboard will be, for the message to whoever starts another one.

    Raises:
        CommandError: another one uses the folder.
    """
    lock = (folder / "dashboard.lock").open("a+")
    lock.seek(0)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        other = lock.read()
        lock.close()
        who = f"The dashboard at {other}" if other else "Another dashboard"
        raise CommandError(
            f"{who} uses the data folder {folder}. Open it or stop it, or set TICKING_DATA to another folder."
        ) from error
    lock.truncate(0)
    lock.write(address)
    lock.flush()
    return lock


def _in_address(host: str) -> str:
    if host in ("0.0.0.0", "::"):  # noqa: S104 - only compared
        return "127.0.0.1"
    return f"[{host}]" if ":" in host else host
