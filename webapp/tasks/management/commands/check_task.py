"""`python manage.py check_task FILE [--json]`: whether a task file is valid, how difficult it is, whether feasible."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from dataclasses import asdict
from pathlib import Path
from typing import Any

from engine.errors import EngineError, Fault
from engine.evaluation.difficulty import Metrics, metrics
from engine.evaluation.feasibility import Criterion, Feasibility, feasibility
from engine.spec.loader import Report, check_file
from webapp.core.commands import EXIT_BAD_INPUT, JsonCommand

Judgement = tuple[Metrics, Feasibility]


class Command(JsonCommand):
    """Check one task file. Needs neither the database nor a web server. Exit status: 0 valid, 2 not valid."""

    help = "Check a task file: one line for each fault, or with --json one document."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Define the command line."""
        parser.add_argument("file", metavar="FILE", help="a task file (YAML)")
        parser.add_argument("--json", action="store_true", help="print exactly one JSON document")

    def handle(self, *_args: Any, file: str, json: bool, **_options: Any) -> None:
        """Print the verdict and end with its exit status."""
        judgement: Judgement | None = None
        try:
            report = check_file(Path(file))
            if report.spec is not None:
                judgement = metrics(report.spec), feasibility(report.spec)
        except EngineError as error:
            report = Report(None, [Fault(None, "", str(error))])
        for line in [_document(report, judgement)] if json else _lines(report, judgement, file):
            self.stdout.write(line)
        if report.spec is None:
            sys.exit(EXIT_BAD_INPUT)

    def bad_usage(self, message: str) -> str:
        """The document for a faulty command line."""
        return _document(Report(None, [Fault(None, "", message)]), None)


def _document(report: Report, judgement: Judgement | None) -> str:
    return json.dumps(
        {
            "valid": report.spec is not None,
            "errors": [asdict(fault) for fault in report.errors],
            "warnings": [asdict(fault) for fault in report.warnings],
            "metrics": judgement and judgement[0].as_dict(),
            "feasibility": judgement and judgement[1].as_dict(),
        },
        indent=2,
        allow_nan=False,
    )


def _lines(report: Report, judgement: Judgement | None, file: str) -> list[str]:
    shown = file.encode(errors="backslashreplace").decode()
    lines = [_line(shown, fault) for fault in report.errors]
    lines += [_line(shown, fault, "warning: ") for fault in report.warnings]
    if judgement is None:
        return lines
    return [*lines, f"{shown}: valid", *_metric_lines(judgement[0]), *_verdict_lines(judgement[1])]


def _metric_lines(found: Metrics) -> list[str]:
    rows = [
        ("heterogeneity", found.heterogeneity, "", None),
        ("necessity", found.necessity, "", found.necessity_note),
        ("dynamicity", found.dynamicity, " changes a second", None),
        ("time to failure", found.time_to_failure, " s", found.time_to_failure_note),
    ]
    return [
        f"  {name:<16} {note if value is None else f'{value:.2f}{unit}'}" for name, value, unit, note in rows
    ]


def _verdict_lines(found: Feasibility) -> list[str]:
    if found.feasible is None:
        return [f"  feasibility      {found.note}"]
    margins = ", ".join(f"{name} {value:g}" for name, value in asdict(found.margins).items())
    verdict = "feasible" if found.feasible else "not feasible"
    return [f"  {verdict} with margins {margins}:", *map(_criterion_line, found.criteria)]


def _criterion_line(criterion: Criterion) -> str:
    right = "never enough" if criterion.right is None else _figure(criterion.right, criterion.unit)
    flips = "" if criterion.flips_at is None else f"; fails above {criterion.margin} {criterion.flips_at:.3g}"
    return (
        f"  {'ok  ' if criterion.holds else 'FAIL'} {criterion.name}: "
        f"{_figure(criterion.left, criterion.unit)} ({criterion.left_label}) {'>=' if criterion.holds else '<'} "
        f"{right} ({criterion.right_label}){flips}"
    )


def _figure(value: float, unit: str) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".") + (" s" if unit == "s" else "")


def _line(file: str, fault: Fault, kind: str = "") -> str:
    place = file if fault.line is None else f"{file}:{fault.line}"
    return (
        f"{place}: {kind}{fault.path}: {fault.message}" if fault.path else f"{place}: {kind}{fault.message}"
    )
