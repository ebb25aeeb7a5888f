"""`python manage.py serve_minecraft`: the embedded Minecraft server without an episode, for trying and for tests."""

from __future__ import annotations

import os
import signal
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from engine.errors import EngineError
from engine.minecraft.servers import PASSWORD_VARIABLE, PORT, RCON_PORT
from engine.minecraft.standalone import StandAlone
from engine.minecraft.versions import EMBEDDED
from webapp.core.commands import port_number


class Command(BaseCommand):
    """Serves until Ctrl-C."""

    help = "Serve the embedded Minecraft server, with RCON and without an episode, as if it were one of your own."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Where to listen."""
        parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default %(default)s)")
        parser.add_argument(
            "--port", type=port_number, default=PORT, help="for players (default %(default)s)"
        )
        parser.add_argument(
            "--rcon-port", type=port_number, default=RCON_PORT, help="for RCON (default %(default)s)"
        )

        parser.add_argument(
            "--release",
            choices=EMBEDDED,
            default=EMBEDDED[0],
            help="of Minecraft: %(choices)s (default %(default)s)",
        )

    def handle(
        self, *_args: Any, host: str, port: int, rcon_port: int, release: str, **_options: Any
    ) -> None:
        """Serve."""
        password = os.environ.get(PASSWORD_VARIABLE, "")
        if not password:
            raise CommandError(f"Set {PASSWORD_VARIABLE} to the RCON password that the server is to have.")
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        try:
            with StandAlone(password, host, port, rcon_port, release) as server:
                self.stdout.write(
                    f"A Minecraft {release} server is at {host}:{server.port}, "
                    f"its RCON at {host}:{server.rcon_port} (Ctrl-C stops it)."
                )
                self.stdout.flush()
                status = server.wait()
        except KeyboardInterrupt:
            self.stdout.write("Stopped.")
        except EngineError as error:
            raise CommandError(str(error)) from None
        else:
            raise CommandError(f"The server ended by itself, with status {status}.")
