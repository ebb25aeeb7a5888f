"""`python manage.py check_minecraft`: whether a Minecraft server of the user's own does what it will be asked."""

from __future__ import annotations

import json
import os
import sys
from argparse import ArgumentParser, ArgumentTypeError
from dataclasses import asdict
from typing import Any

from django.core.management.base import CommandError

from engine.errors import EngineError
from engine.minecraft.arguments import FAR, player
from engine.minecraft.selftest import SIDE, Place, Row, check
from engine.minecraft.servers import PASSWORD_VARIABLE, PORT, RCON_PORT
from engine.minecraft.versions import number
from webapp.core.commands import EXIT_BAD_INPUT, EXIT_ERROR, JsonCommand, port_number

CORNER = (1_000, 200, 1_000)
"""High in the air, where a world is empty."""
LOWEST, HIGHEST = -64, 320 - SIDE


class Command(JsonCommand):
    """Try a server. Exit status: 0 all works that the version has, 1 something fails, 2 wrong usage."""

    help = "Try whether a Minecraft server of your own does what episodes will ask of it, and print a table."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Define the command line."""
        parser.add_argument("--host", default="127.0.0.1", help="the server's (default %(default)s)")
        parser.add_argument(
            "--port", type=port_number, default=PORT, help="for players (default %(default)s)"
        )
        parser.add_argument(
            "--rcon-port", type=port_number, default=RCON_PORT, help="for RCON (default %(default)s)"
        )
        parser.add_argument(
            "--expect", metavar="VERSION", help="the release that the server should be, as 1.20.4"
        )
        parser.add_argument(
            "--at",
            type=_cell,
            default=CORNER,
            metavar="X,Y,Z",
            help="the least corner of an empty box of 3 × 3 × 3 blocks (default 1000,200,1000)",
        )
        parser.add_argument(
            "--player", help="somebody who is online, to be given items and to have them taken again"
        )
        parser.add_argument("--json", action="store_true", help="print exactly one JSON document")

    def handle(self, *_args: Any, json: bool, **options: Any) -> None:
        """Print what works and end with its exit status."""
        password = os.environ.get(PASSWORD_VARIABLE, "")
        if fault := _fault(password, options["expect"], options["player"]):
            if not json:
                raise CommandError(fault, returncode=EXIT_BAD_INPUT)
            self.stdout.write(self.bad_usage(fault))
            sys.exit(EXIT_BAD_INPUT)
        place = Place(
            options["host"],
            options["port"],
            options["rcon_port"],
            options["at"],
            options["expect"],
            options["player"],
        )
        rows = check(place, password)
        works = not any(row.state == "fails" for row in rows)
        self.stdout.write(_document(works, rows, []) if json else _table(works, rows))
        if not works:
            sys.exit(EXIT_ERROR)

    def bad_usage(self, message: str) -> str:
        """The document for a faulty command line."""
        return _document(False, [], [message])


def _fault(password: str, expected: str | None, name: str | None) -> str:
    """What is wrong with the settings; empty if nothing."""
    if not password:
        return f"Set {PASSWORD_VARIABLE} to the RCON password of the server."
    try:
        if expected:
            number(expected)
        if name:
            player(name)
    except EngineError as error:
        return str(error)
    return ""


def _document(works: bool, rows: list[Row], errors: list[str]) -> str:
    return json.dumps(
        {"works": works, "rows": [asdict(row) for row in rows], "errors": errors},
        indent=2,
        ensure_ascii=False,
    )


def _table(works: bool, rows: list[Row]) -> str:
    width = max(len(row.what) for row in rows)
    lines = [f"{row.state:<8} {row.what:<{width}}  {row.detail}".rstrip() for row in rows]
    states = [row.state for row in rows]
    counts = ", ".join(f"{states.count(state)} {state}" for state in dict.fromkeys(states))
    return "\n".join([*lines, "", f"{'Works' if works else 'Does not work'}: {counts}."])


def _cell(text: str) -> tuple[int, int, int]:
    try:
        x, y, z = map(int, text.split(","))
    except ValueError:
        raise ArgumentTypeError(f"{text!r} is no position; give it as 1000,200,1000") from None
    if max(abs(x), abs(z)) > FAR - SIDE or not LOWEST <= y <= HIGHEST:
        raise ArgumentTypeError(f"{text} is outside the world; y is from {LOWEST} to {HIGHEST}")
    return x, y, z
