"""`python manage.py run_suite SOURCE…`: a whole run from the command line, kept where the dashboard shows it."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from typing import Any, NoReturn

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.core.management.base import CommandParser
from django.db import DatabaseError, connections

from engine.agents.policies import POLICIES
from engine.episode.settings import Budget
from engine.errors import EngineError, Fault
from webapp.core.commands import (
    EXIT_BAD_INPUT,
    EXIT_CANCELLED,
    EXIT_ERROR,
    Interrupt,
    JsonCommand,
    refusal,
)
from webapp.launch.actions import Grid, check, launch
from webapp.launch.forms import default_name
from webapp.launch.seeds import parse_seeds
from webapp.runs import providers, resume, spending
from webapp.runs.crew import play
from webapp.runs.models import Run, Status
from webapp.runs.options import add_budget, read_budget
from webapp.runs.report import Progress, document, lines
from webapp.runs.suites import as_faults, find_tasks
from webapp.runs.summary import episodes, tallies

MOST_WORKERS = 256
LONGEST_NUMBER = 10
"""Digits."""
AS_FAST_AS_POSSIBLE = 0.0
ARGUMENTS = {
    "tasks": "SOURCE", "policies": "--policy", "models": "--model", "modes": "--mode", "worlds": "--world",
    "seeds": "--seeds", "repeats": "--repeats", "server": "--server", "clock": "--clock",
}  # fmt: skip
"""Names of a launch's choices → options of this command."""
AXES = ("policy", "model", "mode", "world", "server", "clock", "seeds", "repeats", "name")
"""Options that say what to launch, and so make no sense with `--resume`."""


@dataclass(frozen=True, slots=True)
class Order:
    """What the command line asks for, checked."""

    grid: Grid
    name: str
    budget: Budget


class Refused(Exception):  # noqa: N818 - it carries the faults to where they are printed
    """The command line is wrong."""

    def __init__(self, faults: list[Fault]) -> None:
        self.faults = faults


class Command(JsonCommand):
    """Launch a run, play it with worker processes of its own, and print what it came to."""

    help = (
        "Play tasks under policies, models, modes and seeds, with worker processes of its own. The run is kept in the "
        "dashboard's database. The same command again goes on with a run that was broken off. "
        "Exit status: 0 played, 1 error, 2 bad input, 3 cancelled."
    )
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        """What to run. Values are checked later, so that `--json` covers them too."""
        parser.add_argument(
            "sources", nargs="*", metavar="SOURCE", help="suite of the library, folder, or task file (YAML)"
        )
        many: dict[str, Any] = {"action": "append", "metavar": "NAME"}
        parser.add_argument("--policy", **many, help="who decides; may be repeated (default oracle)")
        parser.add_argument(
            "--model",
            **many,
            help="the language model that policies ask; may be repeated (default scripted, where one is asked)",
        )
        parser.add_argument("--mode", **many, help="sync or async; may be repeated (default sync)")
        parser.add_argument("--world", **many, help="where it happens; may be repeated (default simulator)")
        parser.add_argument(
            "--server", metavar="NAME", help="server of your own for the world minecraft (default: embedded)"
        )
        parser.add_argument(
            "--clock",
            metavar="NAME",
            help="in async mode, virtual: latency is added to world time; real: it passes on the wall "
            "(default virtual)",
        )
        parser.add_argument("--seeds", help="whole numbers and ranges, as 0-9 or 0,3,7 (default 0)")
        parser.add_argument("--repeats", help="episodes of each combination (default 1)")
        parser.add_argument("--workers", help="episodes at once (default: one a core)")
        add_budget(parser, "budget", "of the whole run")
        add_budget(parser, "episode-budget", "of each episode")
        parser.add_argument("--name", help="name of the run")
        parser.add_argument("--resume", metavar="RUN", help="go on with this run instead")
        parser.add_argument(
            "--new", action="store_true", help="launch anew even if a like run was broken off"
        )
        parser.add_argument("--json", action="store_true", help="print one JSON document")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Check, launch or resume, play, print, and exit with the status that fits."""
        self._json = options["json"]
        try:
            call_command("migrate", verbosity=0, interactive=False)
            call_command("load_samples", verbosity=0)
            faults: list[Fault] = []
            workers = _whole(options["workers"], "--workers", settings.WORKERS, MOST_WORKERS, faults)
            run = (
                self._resume(options, faults)
                if options["resume"] is not None
                else self._launch(options, workers, faults)
            )
            self._play(run, workers)
        except Refused as refused:
            self._refuse(refused.faults, EXIT_BAD_INPUT)
        except EngineError as error:
            self._refuse([Fault(None, "", str(error))], EXIT_BAD_INPUT)
        except DatabaseError as error:
            self._refuse([Fault(None, "", f"the database cannot be used: {error}")], EXIT_ERROR)

    # --- what to play

    def _resume(self, options: dict[str, Any], faults: list[Fault]) -> Run:
        given = [f"--{name}" for name in AXES if options[name] is not None]
        if options["sources"] or given:
            what = "SOURCE" if options["sources"] else given[0]
            faults.append(
                Fault(None, what, "cannot stand beside --resume, which takes a run as it was launched")
            )
        text = options["resume"]
        is_number = text.isascii() and text.isdigit() and len(text) < LONGEST_NUMBER
        run = Run.objects.filter(pk=int(text)).first() if is_number else None
        if run is None:
            faults.append(Fault(None, "--resume", f"there is no run {text[:40]!r}"))
            raise Refused(faults)
        run_budget, wrong = read_budget(options, "budget", spending.run_budget(run))
        if faults or wrong:
            raise Refused([*faults, *wrong])
        self._again(run, run_budget)
        return run

    def _launch(self, options: dict[str, Any], workers: int, faults: list[Fault]) -> Run:
        run_budget, wrong = read_budget(options, "budget", spending.NO_LIMIT)
        order = _order(options, [*faults, *wrong])
        like = None if options["new"] else resume.unfinished(order.grid, order.budget, options["name"])
        if like is not None:
            self._again(like, run_budget)
            return like
        try:
            return launch(
                order.grid,
                name=order.name,
                pace=AS_FAST_AS_POSSIBLE,
                budget=order.budget,
                run_budget=run_budget,
                workers=workers,
            )
        except ValidationError as error:
            raise Refused(_faults(error)) from error

    def _again(self, run: Run, run_budget: Budget) -> None:
        again = resume.start_over(run, run_budget)
        self.stderr.write(
            f"Going on with run {run.pk} ({run.name}): {episodes(again)} still to be played.", str
        )

    # --- playing

    def _play(self, run: Run, workers: int) -> None:
        progress = Progress(run, self.stderr)
        progress.begin()
        interrupt = Interrupt()
        connections.close_all()
        with interrupt.listening():
            play(run, workers, is_asked_to_stop=lambda: interrupt.asked, on_look=progress.look)
        progress.end()
        if interrupt.asked:
            self.stderr.write("Cancelled. The same command again plays what is left.", str)
        status = "cancelled" if interrupt.asked else _status(run)
        if self._json:
            self.stdout.write(json.dumps(document(run, status), allow_nan=False))
        else:
            for line in lines(run):
                self.stdout.write(line)
        sys.exit({"cancelled": EXIT_CANCELLED, "error": EXIT_ERROR}.get(status, 0))

    # --- printing

    def bad_usage(self, message: str) -> str:
        """The document for a faulty command line."""
        return json.dumps(refusal([Fault(None, "", message)], []))

    def _refuse(self, faults: list[Fault], status: int) -> NoReturn:
        if self._json:
            self.stdout.write(json.dumps(refusal(faults, [])))
        else:
            for fault in faults:
                self.stderr.write(str(fault))
        sys.exit(status)


def _status(run: Run) -> str:
    """How a run that was not interrupted ended: `finished`, `budget`, `cancelled` (elsewhere) or `error`."""
    tally = tallies([run.pk])[run.pk]
    if tally.faults or tally.active:
        return "error"
    if not tally.counts[Status.CANCELLED]:
        return "finished"
    return "budget" if spending.exceeded(run.pk, spending.run_budget(run)) else "cancelled"


def _order(options: dict[str, Any], faults: list[Fault]) -> Order:
    """What to launch.

    Raises:
        Refused: with everything that is wrong, `faults` before it included.
    """
    sources = options["sources"]
    tasks, wrong = find_tasks(sources)
    faults += (
        as_faults(wrong) if sources else [Fault(None, "SOURCE", "name a suite, a folder or a task file")]
    )
    seeds = [0]
    try:
        seeds = parse_seeds(options["seeds"] if options["seeds"] is not None else "0")
    except ValueError as error:
        faults.append(Fault(None, "--seeds", str(error)))
    policies = options["policy"] or [next(iter(POLICIES))]
    asked = any(providers.asks_model(policy) for policy in policies)
    if options["model"] and not asked:
        faults.append(Fault(None, "--model", f"none of the policies ({', '.join(policies)}) asks a model"))
    grid = Grid(
        tasks=tasks,
        policies=policies,
        models=(options["model"] or [providers.SCRIPTED]) if asked else [],
        modes=options["mode"] or ["sync"],
        worlds=options["world"] or ["simulator"],
        seeds=seeds,
        repeats=_whole(options["repeats"], "--repeats", 1, 10_000, faults),
        server=options["server"] or "",
        clock=options["clock"] or "virtual",
    )
    budget, wrong_budget = read_budget(options, "episode-budget", Budget())
    faults += wrong_budget
    try:
        check(grid, AS_FAST_AS_POSSIBLE)
    except ValidationError as error:
        faults += [fault for fault in _faults(error) if fault.path != "SOURCE"]
    if faults:
        raise Refused(faults)
    return Order(grid, options["name"] or default_name(grid), budget)


def _whole(text: str | None, path: str, default: int, most: int, faults: list[Fault]) -> int:
    if text is None:
        return default
    if text.isascii() and text.isdigit() and len(text) < LONGEST_NUMBER and 1 <= int(text) <= most:
        return int(text)
    faults.append(Fault(None, path, f"{text[:40]!r} is not a whole number from 1 to {most:,}"))
    return default


def _faults(error: ValidationError) -> list[Fault]:
    return [
        Fault(None, ARGUMENTS.get(name, name), " ".join(messages))
        for name, messages in error.message_dict.items()
    ]
