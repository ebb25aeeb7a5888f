"""What only the Minecraft world has: a server, a clock that stands, and processes that must not be left behind."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from engine.agents.actions import Refusal, parse
from engine.episode.settings import Unhurried
from engine.errors import InfrastructureError
from engine.events.payloads import Payload
from engine.minecraft.rcon import Rcon
from engine.minecraft.servers import rcon_at
from engine.minecraft.stage import HOST, EmbeddedStage
from engine.minecraft.world import MinecraftWorld
from engine.world.protocol import ActionReport
from tests.engine.build import Actors, Played, agent, custom, do, mob
from tests.engine.minecraft.beside import Beside
from tests.support.stack import free_port, until

ROOT = Path(__file__).resolve().parents[3]
LOOKS = {
    "list": "There are 1 of a max of 200 players online: Ada",
    "execute if block 1 64 0 minecraft:gold_ore": "Test passed",
    "execute if entity @e[type=player,x=0,y=64,z=6,dx=1,dy=2,dz=4]": "Test passed, count: 1",
    "data get entity @e[type=zombie,limit=1] Health": "Zombie has the following entity data: 7.0f",
    "kill @e[type=zombie]": "An episode can only be looked at: list, data get, execute if, execute unless, and "
    "clear … 0, which counts.",
    "execute if entity Ada run kill Ada": "An episode can only be looked at: list, data get, execute if, execute "
    "unless, and clear … 0, which counts.",
    "clear Ada iron_pickaxe 0": "No items were found on player Ada",
}
"""What is asked of an episode's server, and what it answers."""


class Live:
    """A Minecraft world without an episode around it."""

    def __init__(self, digging_factor: float = 1.0) -> None:
        spec = custom(agent("Ada", tools=["iron_pickaxe"]), blocks={(1, 64, 0): "gold_ore"}, max_steps=60)
        self.payloads: list[Payload] = []
        self.ended: dict[str, tuple[int, ActionReport]] = {}
        self.stage = EmbeddedStage(spec, digging_factor)
        self.world = MinecraftWorld(spec, self.payloads.append, self.stage)

    def begin(self, name: str, action: str, **parameters: Any) -> None:
        parsed = parse("custom", action, parameters)
        assert not isinstance(parsed, Refusal), parsed
        self.world.begin(name, parsed)

    def step(self) -> None:
        self.world.advance(self.world.tick + 1)
        self.world.settle_contact()
        self.world.settle(lambda name, ended: self.ended.__setitem__(name, (self.world.tick, ended)))

    def finish(self, name: str, limit: int = 400) -> tuple[int, ActionReport]:
        while name not in self.ended and self.world.tick < limit:
            self.step()
        return self.ended.pop(name)


@contextmanager
def live(digging_factor: float = 1.0) -> Iterator[Live]:
    stage = Live(digging_factor)
    with closing(stage.world):
        yield stage


def wait_until(holds: Callable[[], bool]) -> None:
    until("it comes to be", holds)


def listens(port: int) -> bool:
    with closing(socket.socket()) as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_digging_takes_as_long_as_the_server_says() -> None:
    # Gold ore with an iron pickaxe: 1 / (6 / 3 / 30) = 15 ticks. A server that is twice as slow takes 30.
    with live(digging_factor=2.0) as stage:
        stage.begin("Ada", "mine_blocks_at", block_positions=[[1, 64, 0]])
        tick, ended = stage.finish("Ada")
    assert ended == ActionReport("ok", "", 1, 1, "mined 1 of 1")
    assert 30 <= tick <= 32


def test_between_two_ticks_nothing_moves() -> None:
    with live() as stage:
        stage.begin("Ada", "move_to", target_pos=[0, 64, 30])
        for _ in range(20):
            stage.step()
        before = stage.world.position("Ada")
        assert 3.5 < before[2] < 4.5  # 4 blocks a second
        time.sleep(0.5)  # of real time, while the virtual clock stands
        stage.world.advance(stage.world.tick)
        stage.world._exchange(0)
        assert stage.world.position("Ada") == before
        tick, ended = stage.finish("Ada")
    assert ended.outcome == "ok"
    assert 150 <= tick <= 165  # 30 blocks


def test_a_world_that_stands_is_looked_at_over_rcon_and_not_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TICKING_RCON_PASSWORD", "correct horse")
    port = free_port()
    seen: list[str] = []

    class Onlooker(Unhurried):
        episode: Any = None

        def before(self, tick: int) -> None:
            if tick == 40:  # two seconds after the start Ada has gone 8 blocks
                with Rcon(HOST, port, "correct horse") as rcon:
                    seen.extend(rcon.ask(command) for command in LOOKS)

    spec = custom(
        agent("Ada"), blocks={(1, 64, 0): "gold_ore"}, hostiles=[mob((20, 64, 20), health=7)], max_steps=3
    )
    lines = {"Ada": [do("move_to", target_pos=[0, 64, 30])]}
    alone = Played(spec, Actors(lines), world="minecraft")
    watched = Played(spec, Actors(lines), world="minecraft", control=Onlooker(), rcon_port=port)
    assert watched.lines == alone.lines
    assert seen == list(LOOKS.values())
    assert not listens(port)


def test_a_taken_port_for_rcon_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TICKING_RCON_PASSWORD", "correct horse")
    with socket.create_server((HOST, 0)) as other:
        port = other.getsockname()[1]
        words = f"address already in use {HOST}:{port}"
        with pytest.raises(
            InfrastructureError, match=f"^the Minecraft world failed: RCON needs another port: .*{words}$"
        ):
            EmbeddedStage(custom(), rcon=rcon_at(port))


def test_what_nobody_catches_on_the_other_side_is_an_error_and_no_failure(tmp_path: Path) -> None:
    with Beside(tmp_path, "fault.cjs") as beside:
        beside.start()
        status, result = beside.finish()
    assert (status, result["status"], result["success"]) == (1, "error", None)
    assert "the Minecraft thread ended" in result["error"]
    assert "TypeError: Cannot read properties of undefined (reading 'at')" in result["error"]


def test_a_killed_worker_leaves_neither_process_nor_port() -> None:
    script = (
        "import sys; from engine.minecraft.stage import EmbeddedStage; from tests.engine.build import custom;"
        "stage = EmbeddedStage(custom());"
        "from javascript import connection; print(stage.port, connection.proc.pid, flush=True); sys.stdin.read()"
    )
    worker = subprocess.Popen(
        [sys.executable, "-c", script], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert worker.stdout is not None
    port, node = map(int, worker.stdout.readline().split())
    assert listens(port)
    assert is_running(node)
    os.kill(worker.pid, signal.SIGKILL)
    worker.communicate()
    wait_until(lambda: not is_running(node))
    assert not listens(port)


def test_a_world_that_is_closed_answers_with_an_error_and_not_with_silence() -> None:
    with live() as stage:
        port = stage.stage.port
    wait_until(lambda: not listens(port))
    with pytest.raises(InfrastructureError, match="ended"):
        stage.world.advance(1)
