"""What commands that print JSON have in common."""

from __future__ import annotations

import signal
import sys
from abc import abstractmethod
from argparse import ArgumentTypeError
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from engine.errors import Fault

EXIT_ERROR, EXIT_BAD_INPUT, EXIT_CANCELLED = 1, 2, 3


class Interrupt:
    """Ctrl-C as a request: the first time properly, with what was reached; the second time at once.

    Attributes:
        asked: somebody has asked.
    """

    def __init__(self) -> None:
        self.asked = False

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Take SIGINT and SIGTERM as requests to stop; a second one stops at once."""
        old = {number: signal.signal(number, self._ask) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in old.items():
                signal.signal(number, handler)

    def _ask(self, _number: int, _frame: object) -> None:
        if self.asked:
            sys.exit(EXIT_CANCELLED)
        self.asked = True


def port_number(text: str) -> int:
    """A port from the command line."""
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= 65_535):
        raise ArgumentTypeError(f"{text!r} is no port; use a number from 1 to 65535")
    return int(text)


def plain(faults: list[Fault]) -> list[dict[str, Any]]:
    """Faults as JSON documents list them."""
    return [{"line": fault.line, "path": fault.path, "message": fault.message} for fault in faults]


def refusal(errors: list[Fault], warnings: list[Fault]) -> dict[str, Any]:
    """The document of a command that was given bad input."""
    return {"status": "error", "success": None, "errors": plain(errors), "warnings": plain(warnings)}


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
