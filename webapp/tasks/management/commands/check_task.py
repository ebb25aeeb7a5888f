"""`python manage.py check_task FILE [--json]`: whether a task file is valid, and what is wrong with it."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from engine.errors import EngineError, Fault
from engine.spec.loader import Report, check_file


class Command(BaseCommand):
    """Check one task file. Needs neither the database nor a web server. Exit status: 0 valid, 2 not valid."""

    help = "Check a task file: one line for each fault, or with --json one document."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Define the command line."""
        parser.add_argument("file", metavar="FILE", help="a task file (YAML)")
        parser.add_argument("--json", action="store_true", help="print exactly one JSON document")

    def handle(self, *_args: Any, file: str, json: bool, **_options: Any) -> None:
        """Print the verdict and end with its exit status."""
        try:
            report = check_file(Path(file))
        except EngineError as error:
            report = Report(None, [Fault(None, "", str(error))])
        for line in [_document(report)] if json else _lines(report, file):
            self.stdout.write(line)
        if report.spec is None:
            sys.exit(2)


def _document(report: Report) -> str:
    return json.dumps(
        {
            "valid": report.spec is not None,
            "errors": [asdict(fault) for fault in report.errors],
            "warnings": [asdict(fault) for fault in report.warnings],
            "metrics": None,
            "feasibility": None,
        },
        indent=2,
        allow_nan=False,
    )


def _lines(report: Report, file: str) -> list[str]:
    shown = file.encode(errors="backslashreplace").decode()
    lines = [_line(shown, fault) for fault in report.errors]
    lines += [_line(shown, fault, "warning: ") for fault in report.warnings]
    return lines if report.spec is None else [*lines, f"{shown}: valid"]


def _line(file: str, fault: Fault, kind: str = "") -> str:
    place = file if fault.line is None else f"{file}:{fault.line}"
    return f"{place}: {kind}{fault.path}: {fault.message}" if fault.path else f"{place}: {kind}{fault.message}"
