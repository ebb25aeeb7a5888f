"""`python manage.py run_episode FILE`: one episode from the command line, without database or server."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

from django.core.management.base import CommandParser

from engine.agents.policies import POLICIES
from engine.episode.result import Costs, EpisodeResult
from engine.episode.run import check, run_episode
from engine.episode.settings import MAX_SEED, Budget, Cancelled, EpisodeSettings
from engine.errors import EngineError, Fault, SettingsError
from engine.events.log import Event, Sink, decode
from engine.events.payloads import EpisodeStarted
from engine.llm.provider import Provider
from engine.llm.replay import LatencyChange, ReplayProvider, latency_change
from engine.minecraft import servers
from engine.minecraft.servers import Server
from engine.minecraft.versions import EMBEDDED
from engine.spec.loader import check_file
from engine.spec.model import TaskSpec
from webapp.core.commands import (
    EXIT_BAD_INPUT,
    EXIT_CANCELLED,
    EXIT_ERROR,
    Interrupt,
    JsonCommand,
    plain,
    refusal,
)
from webapp.runs import providers
from webapp.runs.options import add_budget, read_budget
from webapp.runs.tables import chart
from webapp.runs.tables.conditions import Condition

LONGEST_SEED = 20
DEFAULTS = {"policy": "oracle", "mode": "sync", "world": "simulator", "seed": "0"}
RECORDED = "with --replay as recorded"
EXITS = {"finished": 0, "budget": 0, "error": EXIT_ERROR, "cancelled": EXIT_CANCELLED}


class Stop:
    """The control of an episode that Ctrl-C ends. `say` takes what there is to know before its end."""

    def __init__(self, interrupt: Interrupt, say: Callable[[str], object]) -> None:
        self._interrupt = interrupt
        self._say = say

    def opened(self, address: str) -> None:
        """Tell where it can be watched."""
        if address:
            self._say(f"To watch, join {address} with Minecraft.")

    def before(self, _tick: int) -> None:
        """Give way to a request to stop."""
        if self._interrupt.asked:
            raise Cancelled

    def waiting(self) -> None:
        """Give way also while a model is asked."""
        self.before(0)


class LogFile:
    """The sink that writes a file. A fault of the disk is none of the episode's: it is raised after its end."""

    def __init__(self, file: BinaryIO, stack: ExitStack) -> None:
        self._file = file
        self._fault: OSError | None = None
        stack.callback(self._check)

    def __call__(self, _event: Event, line: bytes) -> None:
        """Write one event's line, unless a line could not be written before."""
        if self._fault is None:
            try:
                self._file.write(line + b"\n")
            except OSError as fault:
                self._fault = fault

    def _check(self) -> None:
        if self._fault is not None:
            raise self._fault


@dataclass(frozen=True, slots=True)
class Record:
    """An earlier episode's log, and what becomes of the latencies in it."""

    events: list[Event]
    change: LatencyChange

    @property
    def start(self) -> EpisodeStarted | None:
        """What the episode was; None if the log does not begin with it."""
        first = self.events[0].payload if self.events else None
        return first if isinstance(first, EpisodeStarted) else None


class Command(JsonCommand):
    """Run one episode and print what it came to."""

    help = (
        "Run one episode of a task file and print its result. "
        "Exit status: 0 finished or out of budget, 1 error, 2 bad input, 3 cancelled."
    )
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        """What to run and where the log goes. Values are checked later, so that `--json` covers them too."""
        parser.add_argument("file", metavar="FILE", help="task file (YAML)")
        parser.add_argument("--policy", help=f"who decides (default oracle; {RECORDED})")
        parser.add_argument(
            "--model",
            help=f"the language model that the policy asks (default scripted, where it asks one; {RECORDED})",
        )
        parser.add_argument(
            "--mode",
            help=f"sync: the world waits for decisions; async: it goes on (default sync; {RECORDED})",
        )
        parser.add_argument("--world", help=f"where it happens (default simulator; {RECORDED})")
        parser.add_argument(
            "--server",
            metavar="HOST:PORT",
            help="in the world minecraft, your own server (default: the one that TICKING_MINECRAFT_HOST names, "
            "else the embedded one); its RCON password is read from TICKING_RCON_PASSWORD",
        )
        parser.add_argument(
            "--release",
            help="in the world minecraft, of the embedded server: "
            f"{', '.join(EMBEDDED)} (default {EMBEDDED[0]})",
        )
        parser.add_argument(
            "--rcon-port",
            help="in the world minecraft, where the embedded server can be looked at over RCON from this machine "
            "(default nowhere); its password is read from TICKING_RCON_PASSWORD",
        )
        parser.add_argument("--seed", help=f"drives every random choice (default 0; {RECORDED})")
        parser.add_argument(
            "--clock",
            default="virtual",
            help="in async mode, virtual: latency is added to world time; real: it passes on the wall "
            "(default virtual)",
        )
        add_budget(parser, "budget", "of the episode")
        parser.add_argument(
            "--replay",
            metavar="LOG.jsonl",
            help="answer with the replies recorded there, as long as the questions are the same",
        )
        parser.add_argument(
            "--latency",
            metavar="CHANGE",
            help="of replayed and of new replies: a factor, as x0.5, or seconds, as 5 (default x1; only with --replay)",
        )
        parser.add_argument("--log", metavar="FILE.jsonl", help="write the event log there")
        parser.add_argument("--json", action="store_true", help="print one JSON document")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Check the input, run, print, and exit with the status that fits."""
        self._json = options["json"]
        report = check_file(Path(options["file"]))
        record, unreadable = _record(options)
        filled = _filled(options, record)
        server, no_server = _server(filled)
        settings, faults = _settings(filled, server, record is not None)
        errors = [*report.errors, *unreadable, *no_server, *faults]
        if report.spec is None or settings is None or errors:
            self._refuse(options["file"], errors, report.warnings)
        if not self._json:
            for warning in report.warnings:
                self.stderr.write(f"{options['file']}: warning: {warning}")
        self._keep_apart(options["file"], options["log"])
        try:
            with ExitStack() as stack:
                sink = self._open_log(options["log"], stack)
                result = self._run(report.spec, settings, sink, record, server)
        except EngineError as error:
            self._refuse(options["file"], [Fault(None, "", str(error))], report.warnings)
        except OSError as error:  # only the log is written: a disk that filled up, say
            self._refuse(options["log"], [_unwritable(error)], report.warnings, EXIT_ERROR)
        self._print(result, settings, report.warnings)
        sys.exit(EXITS[result.status])

    def _run(
        self,
        spec: TaskSpec,
        settings: EpisodeSettings,
        sink: Sink,
        record: Record | None,
        server: Server | None,
    ) -> EpisodeResult:
        interrupt = Interrupt()
        with ExitStack() as closing:
            provider: Provider | None = None
            if settings.model:
                provider = providers.open_model(settings.model, settings.seed)
                if record is not None:
                    provider = ReplayProvider(record.events, record.change, provider)
                closing.callback(provider.close)
            closing.enter_context(interrupt.listening())
            return run_episode(spec, settings, sink, Stop(interrupt, self.stderr.write), provider, server)

    def _keep_apart(self, task: str, log: str | None) -> None:
        if log is not None and Path(log).exists() and Path(log).samefile(task):
            fault = "is the task file, which the log would replace; choose another name"
            self._refuse(log, [Fault(None, "--log", fault)], [])

    def _open_log(self, name: str | None, stack: ExitStack) -> Sink:
        if name is None:
            return lambda _event, _line: None
        try:
            file = stack.enter_context(Path(name).open("wb"))  # noqa: SIM115 - the stack closes it
        except OSError as error:
            self._refuse(name, [_unwritable(error)], [])

        return LogFile(file, stack)

    # --- printing

    def bad_usage(self, message: str) -> str:
        """The document for a faulty command line."""
        return _line(refusal([Fault(None, "", message)], []))

    def _refuse(
        self, source: str, errors: list[Fault], warnings: list[Fault], status: int = EXIT_BAD_INPUT
    ) -> NoReturn:
        if self._json:
            self.stdout.write(_line(refusal(errors, warnings)))
        else:
            for fault in errors:
                self.stderr.write(f"{source}: {fault}")
        sys.exit(status)

    def _print(self, result: EpisodeResult, settings: EpisodeSettings, warnings: list[Fault]) -> None:
        condition = Condition(settings.policy, settings.model, settings.mode, settings.world)
        if self._json:
            where = {name: value for name in ("server", "release") if (value := getattr(settings, name))}
            document = condition.plain() | where | {"seed": settings.seed} | result.to_dict()
            self.stdout.write(_line(document | ({"warnings": plain(warnings)} if warnings else {})))
            return
        self.stdout.write(f"{chart.name(condition)} · seed {settings.seed}")
        self.stdout.write(_verdict(result))
        for point in result.checkpoints:
            self.stdout.write(f"  {point.name}: {point.have:g} of {point.need:g}")
        self.stdout.write(
            f"{result.steps:g} steps, {result.events} events, {result.wall_seconds:.2f} s of wall time"
        )
        if settings.model:
            self.stdout.write(_spent(result.costs))
        for agent, spent in result.breakdown.items():
            self.stdout.write(
                f"  {agent:<16} planning {spent.planning:7.2f}  action {spent.action:7.2f}  "
                f"idle {spent.idle:7.2f}  dead {spent.dead:7.2f}"
            )
        if result.error:
            self.stderr.write(result.error)


def _record(options: dict[str, Any]) -> tuple[Record | None, list[Fault]]:
    """What is to be replayed, and what is wrong with it."""
    name, latency = options["replay"], options["latency"]
    if name is None:
        return None, [] if latency is None else [Fault(None, "--latency", "goes only with --replay")]
    try:
        change = latency_change(latency or "x1")
    except SettingsError as error:
        return None, [Fault(None, "--latency", str(error))]
    try:
        with Path(name).open("rb") as file:
            record = Record(list(decode(file)), change)
    except OSError as error:
        return None, [Fault(None, "--replay", f"{name} cannot be read: {error.strerror}")]
    except (EngineError, ValueError) as error:
        return None, [Fault(None, "--replay", f"{name} is not an event log of this version: {error}")]
    if record.start is None:
        return None, [Fault(None, "--replay", f"{name} does not hold an episode from its beginning")]
    return record, []


def _filled(options: dict[str, Any], record: Record | None) -> dict[str, Any]:
    """The options, with what was left out as the episode that is replayed had it, else by default."""
    start = record.start if record else None
    if start is None:
        usual: dict[str, Any] = DEFAULTS
    else:
        usual = {name: str(getattr(start, name)) for name in DEFAULTS}
        if options["policy"] in (None, start.policy):
            usual["model"] = start.model
    return options | {name: value for name, value in usual.items() if options[name] is None}


def _server(options: dict[str, Any]) -> tuple[Server | None, list[Fault]]:
    """The user's own Minecraft server to play on, if it is to be one, and what is wrong with it."""
    try:
        if options["server"] is not None:
            return servers.at(options["server"]), []
        return servers.from_environment() if options["world"] == "minecraft" else None, []
    except SettingsError as error:
        return None, [Fault(None, "--server", str(error))]


def _settings(
    options: dict[str, Any], server: Server | None, replays: bool
) -> tuple[EpisodeSettings | None, list[Fault]]:
    faults: list[Fault] = []
    chosen: dict[str, Any] = {name: options[name] for name in ("policy", "mode", "world", "clock")}
    seed: str = options["seed"]
    if seed.isascii() and seed.isdigit() and len(seed) <= LONGEST_SEED:
        chosen["seed"] = int(seed)
    else:
        faults.append(Fault(None, "--seed", f"{seed[:40]!r} is not a whole number from 0 to {MAX_SEED}"))
    for name, value in chosen.items():
        try:
            check(EpisodeSettings(**{name: value}))
        except SettingsError as error:
            faults.append(Fault(None, f"--{name}", str(error)))
    if server is not None:
        chosen["server"] = server.address
        if options["world"] != "minecraft":
            faults.append(Fault(None, "--server", "goes only with --world minecraft"))
    if not faults:
        faults += _embedded(options, chosen)
    chosen["model"], fault = _model(options["policy"], options["model"])
    if fault:
        faults.append(Fault(None, "--model", fault))
    elif replays and not faults and not chosen["model"]:
        fault = f"goes only with a policy that asks a model: {options['policy']} asks none"
        faults.append(Fault(None, "--replay", fault))
    chosen["budget"], wrong = read_budget(options, "budget", Budget())
    faults += wrong
    return (None if faults else EpisodeSettings(**chosen)), faults


def _embedded(options: dict[str, Any], chosen: dict[str, Any]) -> list[Fault]:
    """Choose what is the embedded server's alone; what is wrong with it."""
    where = {name: chosen[name] for name in ("world", "server") if name in chosen}
    faults: list[Fault] = []
    if options["release"] is not None:
        chosen["release"] = options["release"]
        try:
            check(EpisodeSettings(release=options["release"], **where))
        except SettingsError as error:
            faults.append(Fault(None, "--release", str(error)))
    if (port := options["rcon_port"]) is not None:
        try:
            check(EpisodeSettings(rcon_port=0, **where))  # the embedded server comes before its password
            chosen["rcon_port"] = servers.rcon_at(port).port
        except SettingsError as error:
            faults.append(Fault(None, "--rcon-port", str(error)))
    return faults


def _model(policy: str, model: str | None) -> tuple[str, str]:
    """The model to ask, empty for none, and what is wrong with it."""
    if not providers.asks_model(policy):
        return "", f"policy {policy} asks no model" if model and policy in POLICIES else ""
    name = model or providers.SCRIPTED
    try:
        providers.check_model(name)
    except SettingsError as error:
        return name, str(error)
    return name, ""


def _unwritable(error: OSError) -> Fault:
    return Fault(None, "--log", f"cannot be written: {error.strerror or error}")


def _line(document: dict[str, Any]) -> str:
    return json.dumps(document, allow_nan=False)


def _spent(costs: Costs) -> str:
    text = (
        f"{costs.inferences} inferences, {costs.prompt_tokens + costs.completion_tokens} tokens, "
        f"{costs.latency_s.total:g} s of inference"
    )
    return f"{text}, {costs.replayed} of the replies from the record" if costs.replayed else text


def _verdict(result: EpisodeResult) -> str:
    if result.success is None:
        return result.status
    outcome = "success" if result.success else "failure"
    return f"{result.status}: {outcome}, partial score {result.partial_score:.3f}"
