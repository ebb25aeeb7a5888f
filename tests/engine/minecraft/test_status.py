from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from engine.minecraft.status import Status, StatusError, ask_status
from engine.minecraft.versions import protocols, releases
from tests.support.endpoint import dead_port
from tests.support.minecraft_server import listening, named, status

ROOT = Path(__file__).resolve().parents[3]
NODE = Path(sys.executable).parent / "node"


@contextmanager
def real_server(version: str) -> Iterator[int]:
    """A server of `minecraft-protocol`, the library under the embedded one; others wrote both ends of it."""
    script = [str(NODE), "tests/js/status.cjs", version]
    with subprocess.Popen(script, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        yield int(process.stdout.readline())
        process.stdin.close()


def ask(document: object) -> Status:
    with listening(status(document)) as port:
        return ask_status("127.0.0.1", port)


def test_a_server_names_itself() -> None:
    found = ask(named("Paper 1.20.4", 765, online=3))
    assert (found.name, found.protocol, found.online, found.most) == ("Paper 1.20.4", 765, 3, 20)
    assert found.version == "1.20.4"
    assert found.misfit() is None
    assert found.misfit("1.20.4") is None
    assert found.misfit("1.20.3") is None  # the same protocol


def test_a_long_status_is_read() -> None:
    assert ask(named("1.19", 759) | {"favicon": "x" * 70_000}).version == "1.19"


def test_another_version_than_expected_is_named_with_both() -> None:
    words = ask(named("1.20.4", 765)).misfit("1.19")
    assert words is not None
    assert words.endswith(
        "answered as '1.20.4', protocol 765, that is Minecraft 1.20.4; expected was 1.19, protocol 759"
    )


def test_a_version_whose_commands_are_not_known_is_named() -> None:
    words = ask(named("1.18.2", 758)).misfit()
    assert words is not None
    assert "Minecraft 1.18.2; use a server from 1.19 to 1.21.4" in words
    words = ask(named("Minecraft 26.3", 777)).misfit()
    assert words is not None
    assert "Minecraft 26.3" in words
    words = ask(named("snapshot", 1_073_742_168)).misfit()
    assert words is not None
    assert "no known release" in words


def test_a_name_that_lies_is_not_believed() -> None:
    assert ask(named("Velocity 1.7.2-1.21.4", 762)).version == "1.19.4"


def test_several_releases_share_a_protocol() -> None:
    assert releases(765) == ["1.20.3", "1.20.4"]
    assert ask(named("fabric", 765)).version == "1.20.4"
    assert {name: protocols()[name] for name in ("1.19", "1.19.4", "1.20.4", "1.21.4")} == {
        "1.19": 759,
        "1.19.4": 762,
        "1.20.4": 765,
        "1.21.4": 769,
    }


@pytest.mark.parametrize(
    "document",
    [
        "",
        "nonsense",
        "[]",
        "{}",
        '{"version": 3}',
        '{"version": {"name": "x", "protocol": "y"}}',
        "[" * 9_999,
    ],
)
def test_what_is_no_status_is_a_typed_error(document: str) -> None:
    with pytest.raises(StatusError, match="no status of a Minecraft server"):
        ask(document)


def test_a_server_that_closes_or_is_not_there_is_a_typed_error() -> None:
    with (
        listening(lambda connection: None) as port,
        pytest.raises(StatusError, match="no Minecraft server answers"),
    ):
        ask_status("127.0.0.1", port)
    words = "no Minecraft server answers at 127.0.0.1:{}"
    with dead_port() as port, pytest.raises(StatusError, match=words.format(port)):
        ask_status("127.0.0.1", port)


def test_a_server_that_says_nothing_is_given_up() -> None:
    def silent(connection: socket.socket) -> None:
        while connection.recv(1_024):
            pass

    with listening(silent) as port, pytest.raises(StatusError, match=r"does not answer within 0\.2 s"):
        ask_status("127.0.0.1", port, seconds=0.2)


def test_a_server_that_sends_rubbish_is_a_typed_error() -> None:
    def rubbish(connection: socket.socket) -> None:
        connection.recv(1_024)
        connection.sendall(b"\xff" * 64)

    with listening(rubbish) as port, pytest.raises(StatusError):
        ask_status("127.0.0.1", port)


@pytest.mark.parametrize(("version", "protocol"), [("1.19", 759), ("1.21.4", 769)])
def test_a_real_server_of_the_protocol_names_itself(version: str, protocol: int) -> None:
    with real_server(version) as port:
        found = ask_status("127.0.0.1", port)
    assert (found.version, found.protocol, found.online, found.most) == (version, protocol, 0, 8)
    assert (found.misfit("1.19") is None) == (version == "1.19")
