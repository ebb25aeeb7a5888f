"""`python manage.py scripted_llm`: the scripted planner as an OpenAI-compatible endpoint on this machine."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from engine.llm.server import ScriptedServer


class Command(BaseCommand):
    """Serves until Ctrl-C."""

    help = "Serve the scripted planner (no language model) as an OpenAI-compatible endpoint, for trying the HTTP path."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Where to listen."""
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=int, default=8011)

    def handle(self, *_args: Any, **options: Any) -> None:
        """Serve."""
        try:
            server = ScriptedServer((options["host"], options["port"]))
        except (OSError, OverflowError) as error:
            where = f"{options['host']}:{options['port']}"
            raise CommandError(f"Cannot listen on {where}: {error}. Choose another --port.") from error
        with server:
            self.stdout.write(
                f"The scripted planner is at {server.base_url}, model `scripted` (Ctrl-C stops it)."
            )
            try:
                server.serve_forever()
            except KeyboardInterrupt:
                self.stdout.write("Stopped.")
