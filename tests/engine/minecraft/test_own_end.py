"""Asking an episode on a Minecraft server to stop, at each stage; and what it leaves of the server's own settings."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from threading import Event as Signal
from typing import Any

import pytest

from engine.agents.policies import POLICIES
from engine.agents.policy import PolicyInfo
from engine.episode.result import EpisodeResult
from engine.episode.run import Episode
from engine.episode.settings import Cancelled, EpisodeSettings
from engine.events import Event
from engine.minecraft.own.originals import originals
from engine.minecraft.own.stage import OwnStage
from engine.minecraft.rcon import Rcon
from engine.minecraft.servers import Server
from engine.minecraft.status import ask_status
from engine.spec.model import TaskSpec
from tests.engine.build import Actors, custom, do
from tests.engine.minecraft.reach import ORIGIN, PASSWORD, Slow, holds
from tests.engine.minecraft.test_world import ROOT, wait_until

LONG = 30.0
"""Seconds that a test waits at most for what must come at once."""


class Canceller:
    """A control that asks to stop as soon as something is so, and does not cease to."""

    def __init__(self, when: Callable[[], bool]) -> None:
        self._when = when
        self.has_asked = False
        self.episode: Any = None

    def opened(self, address: str) -> None:
        pass

    def before(self, tick: int) -> None:
        """The loop's own question is not what is tested."""

    def waiting(self) -> None:
        self.has_asked = self.has_asked or self._when()
        if self.has_asked:
            raise Cancelled


def play(
    spec: TaskSpec, control: Canceller, server: Server | None, policy: Slow | None = None
) -> tuple[EpisodeResult, list[str]]:
    """The result of an episode, and the types of its events."""
    kinds: list[str] = []

    def take(event: Event, _line: bytes) -> None:
        kinds.append(event.type)

    where = server.address if server else ""
    settings = EpisodeSettings(policy="test", world="minecraft", server=where)
    POLICIES["test"] = PolicyInfo("test", "Test", "", lambda _setting: policy or Actors({}))
    try:
        control.episode = Episode(spec, settings, take, control, server=server)
        result = control.episode.run()
    finally:
        del POLICIES["test"]
    return result, kinds


def kept_files() -> list[str]:
    """Names of the files that say that something is to be tidied up."""
    found = Path(tempfile.gettempdir()).glob("ticking-minecraft-*")
    return [path.name for path in found if path.stat().st_size]


def settings_of(rcon: Rcon) -> list[str]:
    questions = [
        "gamerule randomTickSpeed", "gamerule doDaylightCycle", "gamerule doFireTick", "difficulty",
        "time query day", "time query daytime",
    ]  # fmt: skip
    return [rcon.ask(question).rsplit(" ", 1)[1] for question in questions]


OWN = ["7", "false", "true", "Hard", "5", "3000"]
"""What the server's owner has chosen."""


@pytest.fixture
def chosen(rcon: Rcon) -> Iterator[None]:
    for command in ("gamerule randomTickSpeed 7", "gamerule doDaylightCycle false", "time set 123000"):
        rcon.ask(command)
    rcon.ask("difficulty hard")
    assert settings_of(rcon) == OWN
    yield
    assert settings_of(rcon) == OWN
    assert kept_files() == []


# --- a request to stop


def building(_rcon: Rcon) -> bool:
    return any(name.endswith("-0.lock") for name in kept_files())


def joining(rcon: Rcon) -> bool:
    return "Ada_0" in rcon.ask("list")


@pytest.mark.usefixtures("chosen")
@pytest.mark.parametrize("stage", [building, joining])
def test_an_episode_can_be_cancelled_before_it_has_begun(
    server: Server, rcon: Rcon, stage: Callable[[Rcon], bool]
) -> None:
    result, kinds = play(custom(), Canceller(lambda: stage(rcon)), server)
    assert (result.status, kinds) == ("cancelled", ["episode_started", "episode_ended"])
    wait_until(lambda: ask_status(server.host, server.port).online == 0)


def test_an_episode_can_be_cancelled_while_another_one_is_busy_with_the_servers_settings(
    server: Server,
) -> None:
    looks = count()
    with ExitStack() as busy:
        busy.enter_context(originals(server.address))

        def is_waiting() -> bool:
            if next(looks) < 10:  # fewer commands come before
                return False
            busy.close()
            return True

        result, _ = play(custom(), Canceller(is_waiting), server)
    assert result.status == "cancelled"
    assert kept_files() == []


def test_an_episode_can_be_cancelled_while_bots_join_the_embedded_server() -> None:
    result, kinds = play(custom(), Canceller(lambda: True), None)
    assert (result.status, kinds) == ("cancelled", ["episode_started", "episode_ended"])


@pytest.mark.parametrize("breaks", [False, True], ids=["by itself", "and the connection breaks"])
def test_an_episode_can_be_cancelled_while_its_world_stands(freezing: Server, breaks: bool) -> None:
    is_thinking, may_answer = Signal(), Signal()

    def think() -> None:
        is_thinking.set()
        assert may_answer.wait(LONG)

    def stands() -> bool:
        if not is_thinking.is_set() or rcon.ask("tick query") != "The game is frozen":
            return False
        if breaks:
            control.episode._world._stage._operator.close()
        return True

    control = Canceller(stands)
    with Rcon(freezing.host, freezing.rcon_port, PASSWORD) as rcon:
        try:
            result, _ = play(custom(), control, freezing, Slow(Actors({"Ada": [do("wait", steps=1)]}), think))
        finally:
            may_answer.set()
        assert (result.status, result.error) == ("cancelled", "")
        assert rcon.ask("tick query") == "The game runs normally"
    assert kept_files() == []


def test_nothing_stops_the_cleaning_and_it_shows_signs_of_life(server: Server, rcon: Rcon) -> None:
    signs: list[bool] = []
    is_over = False

    def waiting() -> None:
        if is_over:
            signs.append(holds(rcon, server, (60, 64, 0), "stone"))
            raise Cancelled

    stage = OwnStage(custom(blocks={(60, 64, 0): "stone"}), server, waiting)
    stage.exchange([{"do": "blocks", "block": "stone", "cells": [(60, 64, 0)], "contact": None}], 0)
    is_over = True
    stage.close()
    assert (signs[0], signs[-1]) == (True, False)  # before the cleaning, and up to its end
    assert kept_files() == []


# --- the server's own settings


@pytest.mark.usefixtures("chosen")
def test_the_last_episode_to_leave_puts_back_what_the_first_one_found(server: Server, rcon: Rcon) -> None:
    task = ["0", "false", "true", "Hard", "0", "1000"]
    first = OwnStage(custom(), server)
    assert settings_of(rcon) == task
    second = OwnStage(custom(gamerules={"doFireTick": False}, difficulty="easy"), server)
    first.close()
    assert settings_of(rcon) == ["0", "false", "false", "Easy", "0", "1000"]
    second.close()


@pytest.mark.usefixtures("chosen")
def test_what_a_killed_worker_leaves_is_tidied_up_by_the_next(server: Server, rcon: Rcon) -> None:
    script = (
        "import sys; from pydantic import SecretStr; from engine.minecraft.servers import Server;"
        "from engine.minecraft.own.stage import OwnStage; from tests.engine.build import custom;"
        "place, port, rcon_port = sys.argv[1:];"
        "import tempfile; tempfile.tempdir = place;"
        f"server = Server(host='127.0.0.1', port=port, rcon_port=rcon_port, origin={ORIGIN},"
        f" rcon_password=SecretStr('{PASSWORD}'));"
        "stage = OwnStage(custom(blocks={(60, 64, 0): 'stone'}), server);"
        "blocks = {'do': 'blocks', 'block': 'stone', 'cells': [(60, 64, 0)], 'contact': None};"
        "stage.exchange([blocks], 0); print('ready', flush=True); sys.stdin.read()"
    )
    place = [tempfile.gettempdir(), str(server.port), str(server.rcon_port)]
    worker = subprocess.Popen(
        [sys.executable, "-c", script, *place],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert worker.stdout is not None
    assert worker.stdout.readline() == "ready\n"
    assert holds(rcon, server, (60, 64, 0), "stone")
    worker.kill()
    worker.communicate()
    wait_until(lambda: ask_status(server.host, server.port).online == 0)
    assert settings_of(rcon)[0] == "0"
    OwnStage(custom(), server).close()  # its own arena does not reach that far
    assert holds(rcon, server, (60, 64, 0), "air")
