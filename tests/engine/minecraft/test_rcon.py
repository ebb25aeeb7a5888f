from __future__ import annotations

import socket
import struct
from collections.abc import Callable

import pytest

from engine.errors import InfrastructureError
from engine.minecraft.rcon import (
    COMMAND_BYTES,
    Rcon,
    RconError,
    RconGarbled,
    RconRefused,
    RconTimeout,
    RconTooLong,
    RconUnreachable,
)
from tests.support.endpoint import dead_port
from tests.support.minecraft_server import PASSWORD, listening, named, packet, rcon, status
from tests.support.stack import PATIENCE_SECONDS


def test_commands_are_answered_one_after_the_other() -> None:
    with listening(rcon(str.upper)) as port, Rcon("127.0.0.1", port, PASSWORD) as client:
        assert [client.ask(word) for word in ("list", "", "été")] == ["LIST", "", "ÉTÉ"]


@pytest.mark.parametrize("length", [4_095, 4_096, 4_097, 8_192, 50_000])
def test_an_answer_in_several_packets_is_put_together(length: int) -> None:
    text = "".join(chr(0x4E00 + place % 1_000) for place in range(length))
    with listening(rcon(lambda _: text)) as port, Rcon("127.0.0.1", port, PASSWORD) as client:
        assert client.ask("data get") == text
        assert client.ask("again") == text


def test_a_letter_that_two_packets_share_is_read() -> None:
    def serve(connection: socket.socket) -> None:
        connection.recv(1_460)
        connection.sendall(packet(1, 2, ""))
        connection.recv(1_460)
        whole = "é".encode()
        connection.sendall(packet(2, 0, whole[:1]) + packet(2, 0, whole[1:]))
        connection.recv(1_460)
        connection.sendall(packet(3, 0, "Unknown request c8"))

    with listening(serve) as port, Rcon("127.0.0.1", port, PASSWORD) as client:
        assert client.ask("x") == "é"


def test_an_answer_that_arrives_byte_by_byte_is_read() -> None:
    def serve(connection: socket.socket) -> None:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for number, text in ((1, ""), (2, "slow"), (3, "Unknown")):
            connection.recv(1_460)
            for byte in packet(number, 0 if text else 2, text):
                connection.sendall(bytes([byte]))

    with listening(serve) as port, Rcon("127.0.0.1", port, PASSWORD) as client:
        assert client.ask("x") == "slow"


def test_a_login_that_an_empty_answer_precedes_is_accepted() -> None:
    def serve(connection: socket.socket) -> None:
        connection.recv(1_460)
        connection.sendall(packet(1, 0, "") + packet(1, 2, ""))
        connection.recv(1_460)

    with listening(serve) as port:
        Rcon("127.0.0.1", port, PASSWORD).close()


def test_a_wrong_password_is_named_and_not_shown() -> None:
    with (
        listening(rcon(str)) as port,
        pytest.raises(RconRefused, match="refuses the RCON password") as caught,
    ):
        Rcon("127.0.0.1", port, "hunter2")
    assert "hunter2" not in str(caught.value)
    assert not caught.value.retryable


def test_nothing_at_the_port_is_named() -> None:
    words = r"no RCON at 127\.0\.0\.1:{} .*enable-rcon"
    with dead_port() as port, pytest.raises(RconUnreachable, match=words.format(port)) as caught:
        Rcon("127.0.0.1", port, PASSWORD)
    assert caught.value.retryable
    assert isinstance(caught.value, InfrastructureError)


def silent(connection: socket.socket) -> None:
    while connection.recv(1_460):
        pass


def test_a_server_that_says_nothing_is_given_up() -> None:
    with listening(silent) as port, pytest.raises(RconTimeout, match=r"did not answer within 0\.2 s"):
        Rcon("127.0.0.1", port, PASSWORD, seconds=0.2)


def test_whoever_waits_for_an_answer_can_be_stopped() -> None:
    def say_nothing(connection: socket.socket) -> None:
        while connection.recv(1_460):
            pass

    def stop() -> None:
        raise KeyError("enough")

    with listening(say_nothing) as port, pytest.raises(KeyError, match="enough"):
        Rcon("127.0.0.1", port, PASSWORD, waiting=stop)


def test_a_server_that_talks_on_without_an_end_is_given_up() -> None:
    """The time is for the whole call, not for each packet."""

    def serve(connection: socket.socket) -> None:
        connection.recv(1_460)
        connection.sendall(packet(1, 2, ""))
        while True:
            connection.sendall(packet(2, 0, "more"))

    with listening(serve) as port, Rcon("127.0.0.1", port, PASSWORD, seconds=3) as client:
        with pytest.raises((RconTimeout, RconGarbled)):
            client.ask("x")
        with pytest.raises(RconUnreachable):
            client.ask("y")


def closes(connection: socket.socket) -> None:
    connection.recv(1_460)


def answers_for_another(connection: socket.socket) -> None:
    connection.recv(1_460)
    connection.sendall(packet(7, 2, ""))
    silent(connection)


def speaks_http(connection: socket.socket) -> None:
    connection.recv(1_460)
    connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
    silent(connection)


def has_no_end(connection: socket.socket) -> None:
    connection.recv(1_460)
    connection.sendall(struct.pack("<iii", 10, 1, 2) + b"xx")
    silent(connection)


@pytest.mark.parametrize(
    ("serve", "error"),
    [
        (closes, RconUnreachable),
        (answers_for_another, RconGarbled),
        (speaks_http, RconGarbled),
        (has_no_end, RconGarbled),
    ],
)
def test_what_is_no_rcon_is_a_typed_error(
    serve: Callable[[socket.socket], None], error: type[RconError]
) -> None:
    with listening(serve) as port, pytest.raises(error):
        Rcon("127.0.0.1", port, PASSWORD, PATIENCE_SECONDS)


def test_the_port_for_players_is_no_rcon() -> None:
    with listening(status(named("1.19", 759))) as port, pytest.raises(RconError):
        Rcon("127.0.0.1", port, PASSWORD, seconds=0.3)


def test_a_command_of_the_greatest_length_arrives_and_a_longer_one_is_refused_here() -> None:
    with listening(rcon(lambda text: str(len(text)))) as port, Rcon("127.0.0.1", port, PASSWORD) as client:
        assert client.ask("x" * COMMAND_BYTES) == "1446"
        with pytest.raises(RconTooLong, match="1447 bytes"):
            client.ask("x" * (COMMAND_BYTES + 1))
        assert client.ask("still") == "5"
