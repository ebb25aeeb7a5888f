from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from channels.db import database_sync_to_async
from channels.testing import WebsocketCommunicator
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.test import Client

from tests.support.builders import at, line, make_run, make_running, store
from tests.support.stack import PATIENCE_SECONDS
from webapp.asgi import application
from webapp.live import consumer, frames, hub
from webapp.live.frames import State
from webapp.live.models import EventSegment
from webapp.runs.models import Episode, Status

pytestmark = pytest.mark.django_db(transaction=True)

ORIGIN = (b"origin", b"http://localhost")
PATIENCE = {"timeout": PATIENCE_SECONDS}


@pytest.fixture(autouse=True)
def no_lingering(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who has been sent everything is let go at once."""
    monkeypatch.setattr(consumer, "LINGER_SECONDS", 0)


def in_thread(function: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
    return database_sync_to_async(function)(*arguments, **named)


@asynccontextmanager
async def watching(
    episode: int, query: str = "after=0", headers: tuple[tuple[bytes, bytes], ...] = (ORIGIN,)
) -> AsyncIterator[WebsocketCommunicator]:
    socket = WebsocketCommunicator(application, f"/ws/episodes/{episode}/?{query}", headers=list(headers))
    try:
        connected, _ = await socket.connect(**PATIENCE)
        assert connected
        yield socket
    finally:
        await socket.disconnect(**PATIENCE)


async def receive(socket: WebsocketCommunicator, *kinds: str) -> dict[str, Any]:
    """The next message of one of these kinds; clocks are skipped unless asked for."""
    while True:
        message: dict[str, Any] = json.loads(await socket.receive_from(**PATIENCE))
        if message["kind"] in kinds:
            return message
        assert message["kind"] == "clock", message


async def closing_code(socket: WebsocketCommunicator) -> int:
    while True:
        output = await socket.receive_output(**PATIENCE)
        if output["type"] == "websocket.close":
            return int(output["code"])


def append(episode: Episode, first: int, last: int, **fields: Any) -> None:
    episode.refresh_from_db()
    store(episode, (first, last))
    Episode.objects.filter(pk=episode.pk).update(**fields)


async def test_a_finished_episode_is_replayed_and_the_socket_closed() -> None:
    episode = await in_thread(make_running, pace=4)
    await in_thread(append, episode, 1, 3)
    await in_thread(append, episode, 4, 5, status=Status.FINISHED)
    async with watching(episode.pk) as socket:
        assert await receive(socket, "hello") == {
            "kind": "hello",
            "episode": episode.pk,
            "attempt": 1,
            "status": "finished",
            "last_seq": 5,
            "tick": 5,
            "pace": 4.0,
            "silent_s": 0,
        }
        assert await receive(socket, "events") == {
            "kind": "events",
            "attempt": 1,
            "first_seq": 1,
            "last_seq": 5,
            "events": [json.loads(line(seq, seq)) for seq in range(1, 6)],
        }
        assert await receive(socket, "end") == {"kind": "end", "status": "finished", "last_seq": 5}
        assert await closing_code(socket) == 1000


async def test_the_socket_stays_open_after_the_end_until_the_client_has_read_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(consumer, "LINGER_SECONDS", 10 * PATIENCE_SECONDS)
    episode = await in_thread(make_running)
    await in_thread(append, episode, 1, 3, status=Status.FINISHED)
    async with watching(episode.pk) as socket:
        await receive(socket, "hello")
        await receive(socket, "events")
        await receive(socket, "end")
        assert await socket.receive_nothing(timeout=0.3)
    # The client closed: nothing lingers, or leaving the socket above would have waited for it.


async def test_the_replay_starts_behind_what_the_client_has() -> None:
    episode = await in_thread(make_running)
    await in_thread(append, episode, 1, 3)
    await in_thread(append, episode, 4, 6)
    async with watching(episode.pk, "after=2") as socket:
        await receive(socket, "hello")
        message = await receive(socket, "events")
        assert (message["first_seq"], message["last_seq"]) == (3, 6)
        assert [event["seq"] for event in message["events"]] == [3, 4, 5, 6]


async def test_what_happens_next_follows_and_then_the_end() -> None:
    episode = await in_thread(make_running)
    await in_thread(append, episode, 1, 2)
    async with watching(episode.pk) as socket:
        await receive(socket, "hello")
        await receive(socket, "events")
        await in_thread(append, episode, 3, 4)
        assert (await receive(socket, "events"))["first_seq"] == 3
        await in_thread(append, episode, 5, 5, status=Status.CANCELLED)
        assert (await receive(socket, "events"))["last_seq"] == 5
        assert (await receive(socket, "end"))["status"] == "cancelled"
        assert await closing_code(socket) == 1000


async def test_the_clock_moves_though_nothing_happens() -> None:
    episode = await in_thread(make_running)
    async with watching(episode.pk) as socket:
        await receive(socket, "hello")
        await in_thread(Episode.objects.filter(pk=episode.pk).update, world_tick=17, pace=16)
        assert await receive(socket, "clock") == {
            "kind": "clock",
            "tick": 17,
            "status": "running",
            "pace": 16.0,
        }


async def test_a_sign_of_life_is_told_though_world_time_stands() -> None:
    episode = await in_thread(make_running, pace=4)
    async with watching(episode.pk) as socket:
        await receive(socket, "hello")
        await in_thread(Episode.objects.filter(pk=episode.pk).update, heartbeat_at=at(1))
        assert await receive(socket, "clock") == {
            "kind": "clock",
            "tick": 0,
            "status": "running",
            "pace": 4.0,
        }
        await in_thread(Episode.objects.filter(pk=episode.pk).update, heartbeat_at=at(1.9))
        assert await socket.receive_nothing(timeout=0.3)  # one a second is enough


@pytest.mark.parametrize(("status", "silent"), [("running", 8), ("queued", 0), ("lost", 0)])
def test_the_first_frame_says_for_how_long_a_running_episode_has_been_silent(
    status: str, silent: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(frames.time, "time", lambda: 1_008.4)
    assert State(1, 1, status, 0, 0, 4.0, heard_at=1_000).silent_s == silent
    assert State(1, 1, status, 0, 0, 4.0).silent_s == 0  # none is known of
    assert json.loads(frames.hello(State(1, 1, status, 0, 0, 4.0, heard_at=1_000)))["silent_s"] == silent
    monkeypatch.setattr(frames.time, "time", lambda: 999.0)  # this machine's clock is behind the worker's
    assert State(1, 1, status, 0, 0, 4.0, heard_at=1_000).silent_s == 0


async def test_world_time_comes_along_with_events() -> None:
    episode = await in_thread(make_running, pace=4)
    async with watching(episode.pk) as socket:
        await receive(socket, "hello")
        await in_thread(append, episode, 1, 2)
        message = await receive(socket, "events")
        assert message["clock"] == {"kind": "clock", "tick": 2, "status": "running", "pace": 4.0}


async def test_one_who_joins_late_reads_what_is_stored_once_and_no_further_than_the_hub_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(hub, "POLL_SECONDS", 60)
    episode = await in_thread(make_running)
    await in_thread(append, episode, 1, 2)
    async with watching(episode.pk) as early:
        await receive(early, "hello")
        assert (await receive(early, "events"))["last_seq"] == 2
        reads: list[int] = []
        source = consumer.hub().source
        read = source.segments

        async def counted(pk: int, attempt: int, after: int) -> Any:
            reads.append(after)
            return await read(pk, attempt, after)

        monkeypatch.setattr(source, "segments", counted)
        await in_thread(append, episode, 3, 4)
        async with watching(episode.pk) as late:
            await receive(late, "hello")
            assert (await receive(late, "events"))["last_seq"] == 2
            for first in (5, 7):
                await consumer.hub()._look()
                for socket in (early, late):
                    message = await receive(socket, "events")
                    assert (message["first_seq"], message["last_seq"]) == (first - 2, first - 1)
                await in_thread(append, episode, first, first + 1)
            assert reads == [0, 2, 4]


async def test_a_page_of_the_replay_holds_at_most_256_kb() -> None:
    episode = await in_thread(make_running)
    for seq in (1, 2, 3):
        await in_thread(append, episode, seq, seq)
    await in_thread(EventSegment.objects.update, body=json.dumps({"text": "x" * 100_000}))
    async with watching(episode.pk) as socket:
        await receive(socket, "hello")
        first, second = await receive(socket, "events"), await receive(socket, "events")
        assert [(first["first_seq"], first["last_seq"]), (second["first_seq"], second["last_seq"])] == [
            (1, 2),
            (3, 3),
        ]


async def test_a_client_that_misses_something_gets_it_again() -> None:
    episode = await in_thread(make_running)
    await in_thread(append, episode, 1, 4)
    async with watching(episode.pk) as socket:
        await receive(socket, "hello")
        await receive(socket, "events")
        await socket.send_to('{"kind":"resend","after":2}')
        message = await receive(socket, "events")
        assert (message["first_seq"], message["last_seq"]) == (3, 4)


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[]",
        "null",
        '{"kind":"launch"}',
        '{"kind":"resend"}',
        '{"kind":"resend","after":"1"}',
        '"\\ud800"',
    ],
)
async def test_an_unknown_message_is_ignored(text: str) -> None:
    episode = await in_thread(make_running)
    async with watching(episode.pk) as socket:
        await receive(socket, "hello")
        await socket.send_to(text)
        await socket.send_input({"type": "websocket.receive", "bytes": b"\x00\xff"})
        await in_thread(append, episode, 1, 1)
        assert (await receive(socket, "events"))["last_seq"] == 1


@pytest.mark.parametrize("after", ["-3", "x", "", "1e9", "99999999999999999999"])
async def test_an_after_that_is_no_number_means_from_the_beginning(after: str) -> None:
    episode = await in_thread(make_running)
    await in_thread(append, episode, 1, 2)
    async with watching(episode.pk, f"after={after}") as socket:
        await receive(socket, "hello")
        assert (await receive(socket, "events"))["first_seq"] == 1


async def test_a_client_that_is_ahead_of_the_log_starts_over() -> None:
    episode = await in_thread(make_running)
    await in_thread(append, episode, 1, 2)
    async with watching(episode.pk, "after=50") as socket:
        await receive(socket, "hello")
        assert await receive(socket, "reset") == {"kind": "reset", "attempt": 1}
        assert (await receive(socket, "events"))["first_seq"] == 1


async def test_a_new_attempt_resets_the_client() -> None:
    episode = await in_thread(make_running)
    await in_thread(append, episode, 1, 9)
    async with watching(episode.pk) as socket:
        await receive(socket, "hello")
        await receive(socket, "events")

        def start_over() -> None:
            EventSegment.objects.all().delete()
            Episode.objects.filter(pk=episode.pk).update(attempt=2, last_seq=0, world_tick=0)

        await in_thread(start_over)
        assert await receive(socket, "reset") == {"kind": "reset", "attempt": 2}
        await in_thread(append, episode, 1, 2)
        message = await receive(socket, "events")
        assert (message["attempt"], message["first_seq"], message["last_seq"]) == (2, 1, 2)


async def test_a_queued_episode_can_be_watched_until_it_begins() -> None:
    (episode,) = await in_thread(make_run)
    async with watching(episode.pk) as socket:
        assert (await receive(socket, "hello"))["status"] == "queued"
        await in_thread(Episode.objects.filter(pk=episode.pk).update, status=Status.RUNNING, attempt=1)
        await receive(socket, "reset")
        await in_thread(append, episode, 1, 1, status=Status.FINISHED)
        assert (await receive(socket, "events"))["last_seq"] == 1
        await receive(socket, "end")


async def test_an_unknown_episode_closes_with_4404() -> None:
    async with watching(4711) as socket:
        assert await closing_code(socket) == 4404


async def test_any_other_address_closes_with_4404() -> None:
    socket = WebsocketCommunicator(application, "/ws/nothing/", headers=[ORIGIN])
    await socket.connect(**PATIENCE)
    assert await closing_code(socket) == 4404
    await socket.disconnect(**PATIENCE)


@pytest.mark.parametrize("headers", [[], [(b"origin", b"http://evil.example")], [(b"origin", b"null")]])
async def test_other_pages_cannot_watch(headers: list[tuple[bytes, bytes]]) -> None:
    episode = await in_thread(make_running)
    socket = WebsocketCommunicator(application, f"/ws/episodes/{episode.pk}/", headers=headers)
    connected, _ = await socket.connect(**PATIENCE)
    assert not connected
    await socket.disconnect(**PATIENCE)


async def test_a_client_that_talks_without_end_is_closed() -> None:
    episode = await in_thread(make_running)
    async with watching(episode.pk) as socket:
        await receive(socket, "hello")
        for _ in range(300):  # faster than the rate, on whatever machine
            await socket.send_to("{}")
        assert await closing_code(socket) == consumer.CLOSE_RATE


async def test_a_client_too_slow_to_follow_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    episode = await in_thread(make_running)
    monkeypatch.setattr(hub, "BACKLOG", -1)
    async with watching(episode.pk) as socket:
        await receive(socket, "hello")
        await in_thread(append, episode, 1, 1)
        assert await closing_code(socket) == consumer.CLOSE_SLOW


async def test_a_process_takes_a_bounded_number_of_watchers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(consumer, "MAX_SOCKETS", 1)
    episode = await in_thread(make_running)
    async with watching(episode.pk) as first:
        await receive(first, "hello")
        async with watching(episode.pk) as second:
            assert await closing_code(second) == consumer.CLOSE_BUSY


async def test_twenty_watchers_see_the_same_log_without_a_gap() -> None:
    episode = await in_thread(make_running)

    async def watch(after: int) -> list[int]:
        seen: list[int] = []
        async with watching(episode.pk, f"after={after}") as socket:
            while (message := await receive(socket, "hello", "events", "end"))["kind"] != "end":
                seen += [event["seq"] for event in message.get("events", [])]
        return seen

    async def write() -> None:
        for first in range(1, 60, 3):
            await in_thread(append, episode, first, first + 2)
            await asyncio.sleep(0.01)
        await in_thread(Episode.objects.filter(pk=episode.pk).update, status=Status.FINISHED)

    results = await asyncio.gather(*(watch(0) for _ in range(20)), write())
    assert results[:20] == [list(range(1, 61))] * 20


async def test_a_socket_that_breaks_while_news_arrives_is_let_go() -> None:
    """News at every turn of the event loop must not outshout the request to stop: Daphne would kill the consumer."""
    episode = await in_thread(make_running)
    socket = WebsocketCommunicator(application, f"/ws/episodes/{episode.pk}/", headers=[ORIGIN])
    await socket.connect(**PATIENCE)
    await receive(socket, "hello")
    (watcher,) = hub.hub()._feeds[episode.pk].watchers
    await socket.send_input({"type": "websocket.disconnect", "code": 1006})
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not socket.future.done():
            watcher.poke()
            await asyncio.sleep(0)
    assert hub.hub().size == 0


class TestLogin:
    @pytest.fixture(autouse=True)
    def login_on(self, settings: Any) -> None:
        settings.LOGIN = True

    async def test_strangers_are_closed_out(self) -> None:
        episode = await in_thread(make_running)
        async with watching(episode.pk) as socket:
            assert await closing_code(socket) == 4403

    async def test_a_user_may_watch_until_logging_out(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(consumer, "ACCESS_SECONDS", 0.1)
        episode = await in_thread(make_running)

        def log_in() -> str:
            client = Client()
            client.force_login(User.objects.create_user("ada"))
            return client.cookies["ticking_session"].value

        key = await in_thread(log_in)
        cookie = (b"cookie", f"ticking_session={key}".encode())
        async with watching(episode.pk, headers=(ORIGIN, cookie)) as socket:
            await receive(socket, "hello")
            await in_thread(Session.objects.all().delete)
            assert await closing_code(socket) == 4403
