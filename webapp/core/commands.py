"""What commands that print JSON have in common."""

from __future__ import annotations

import sys
from abc import abstractmethod
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

EXIT_BAD_INPUT = 2


class JsonCommand(BaseCommand):
    """A command whose `--json` prints one document whatever is wrong, misspelt options included."""

    @abstractmethod
    def bad_usage(self, message: str) -> str:
        """The document that says what is wrong with the command line."""

    def run_from_argv(self, argv: list[str]) -> None:
        """Run as the command line asks. Only its own faults arrive here: Django prints all others."""
        self._json_asked = "--json" in argv
        try:
            super().run_from_argv(argv)
        except CommandError as error:
            self.stdout.write(self.bad_usage(str(error).removeprefix("Error: ")))
            sys.exit(EXIT_BAD_INPUT)

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> CommandParser:
        """The parser; with `--json` it raises instead of printing how the command is used."""
        parser = super().create_parser(prog_name, subcommand, **kwargs)
        if getattr(self, "_json_asked", False):
            parser.called_from_command_line = False
        return parser
