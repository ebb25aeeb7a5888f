from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest
from redis.exceptions import ConnectionError as RedisConnectionError

from tests.support.builders import line
from tests.support.stack import PATIENCE_SECONDS
from webapp.live import hub as hub_module
from webapp.live.frames import Events, State
from webapp.live.hub import BACKLOG, Hub, Subscription
from webapp.live.log import Segment


class FakeSource:
    """An episode's row and segments in memory; counts what is read."""

    def __init__(self) -> None:
        self.rows: dict[int, State] = {1: State(1, 1, "running", 0, 0, 4.0)}
        self.stored: dict[int, list[Segment]] = {1: []}
        self.state_reads: list[list[int]] = []
        self.segment_reads = 0

    async def states(self, episodes: Sequence[int]) -> dict[int, State]:
        self.state_reads.append(sorted(episodes))
        return {pk: self.rows[pk] for pk in episodes if pk in self.rows}

    async def segments(self, episode: int, attempt: int, after: int) -> list[Segment]:
        self.segment_reads += 1
        mine = [part for part in self.stored[episode] if part.attempt == attempt and part.last_seq > after]
        return [part.after(after) for part in mine]

    def add(self, episode: int, first: int, last: int, attempt: int = 1, status: str = "running") -> None:
        body = "\n".join(line(seq, seq) for seq in range(first, last + 1))
        self.stored[episode].append(Segment(attempt, first, last, body))
        self.rows[episode] = State(episode, attempt, status, last, last, 4.0)


async def mail(subscription: Subscription, count: int) -> list[tuple[int, int, int]]:
    """The next frames' attempts and sequence numbers."""
    frames: list[Events] = []
    async with asyncio.timeout(PATIENCE_SECONDS):
        while len(frames) < count:
            while not subscription.frames:
                await subscription.wait()
            frames.append(subscription.frames.popleft())
    return [(frame.attempt, frame.first_seq, frame.last_seq) for frame in frames]


async def joined(hub: Hub, episode: int = 1) -> Subscription:
    subscription = await hub.join(episode)
    assert subscription is not None
    return subscription


@pytest.fixture
def source() -> FakeSource:
    return FakeSource()


async def test_three_hundred_watchers_cost_one_read(source: FakeSource) -> None:
    hub = Hub(source, team=False)
    watchers = [await joined(hub) for _ in range(300)]
    assert hub.size == 300
    source.add(1, 1, 50)
    for watcher in watchers:
        assert await mail(watcher, 1) == [(1, 1, 50)]
    assert source.segment_reads == 1
    for watcher in watchers:
        await hub.leave(1, watcher)
    assert hub.size == 0


async def test_all_watched_episodes_are_asked_for_in_one_query(source: FakeSource) -> None:
    for pk in (2, 3):
        source.rows[pk] = State(pk, 1, "running", 0, 0, 0.0)
        source.stored[pk] = []
    hub = Hub(source, team=False)
    watchers = {pk: await joined(hub, pk) for pk in (1, 2, 3)}
    source.add(3, 1, 2)
    await mail(watchers[3], 1)
    assert source.state_reads[:3] == [[1], [2], [3]]  # each when it was joined
    assert source.state_reads[-1] == [1, 2, 3]
    for pk, watcher in watchers.items():
        await hub.leave(pk, watcher)


async def test_what_was_stored_before_joining_is_not_sent_again(source: FakeSource) -> None:
    source.add(1, 1, 10)
    hub = Hub(source, team=False)
    watcher = await joined(hub)
    assert watcher.state.last_seq == 10
    source.add(1, 11, 12)
    assert await mail(watcher, 1) == [(1, 11, 12)]
    await hub.leave(1, watcher)


async def test_a_new_attempt_starts_from_its_first_event(source: FakeSource) -> None:
    source.add(1, 1, 10)
    hub = Hub(source, team=False)
    watcher = await joined(hub)
    source.stored[1].clear()
    source.add(1, 1, 3, attempt=2)
    assert await mail(watcher, 1) == [(2, 1, 3)]
    await hub.leave(1, watcher)


async def test_frames_come_before_the_state_that_announces_the_end(source: FakeSource) -> None:
    hub = Hub(source, team=False)
    watcher = await joined(hub)
    source.add(1, 1, 4, status="finished")
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not watcher.state.ended:
            await watcher.wait()
    assert len(watcher.frames) == 1
    await hub.leave(1, watcher)


async def test_a_watcher_that_falls_behind_is_told_and_grows_no_further(source: FakeSource) -> None:
    watcher = Subscription(source.rows[1])
    hub = Hub(source, team=False)
    other = await joined(hub)
    hub._feeds[1].watchers.add(watcher)
    for seq in range(1, BACKLOG + 20):
        source.add(1, seq, seq)
        await hub._look()
    assert watcher.overrun
    assert len(watcher.frames) == BACKLOG + 1
    await hub.leave(1, watcher)
    await hub.leave(1, other)


async def test_an_unknown_episode_cannot_be_joined(source: FakeSource) -> None:
    hub = Hub(source, team=False)
    assert await hub.join(9) is None
    assert hub.size == 0


async def test_watchers_of_a_deleted_episode_are_told(source: FakeSource) -> None:
    hub = Hub(source, team=False)
    watcher = await joined(hub)
    del source.rows[1]
    async with asyncio.timeout(PATIENCE_SECONDS):
        await watcher.wait()
    assert watcher.gone
    await hub.leave(1, watcher)


async def test_a_failing_database_delays_watchers_and_loses_nothing(
    source: FakeSource, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub_module, "TIMER_SECONDS", 0.05)
    hub = Hub(source, team=False)
    watcher = await joined(hub)
    good = source.states
    failures = 0

    async def bad(_episodes: Sequence[int]) -> dict[int, State]:
        nonlocal failures
        failures += 1
        if failures == 2:
            monkeypatch.setattr(source, "states", good)
        raise OSError("disk")

    monkeypatch.setattr(source, "states", bad)
    source.add(1, 1, 2)
    assert await mail(watcher, 1) == [(1, 1, 2)]
    assert failures == 2
    await hub.leave(1, watcher)


class Layer:
    """Stands for the channel layer over a Redis that is down, or does not answer."""

    def __init__(self, fault: Exception | None) -> None:
        self.fault = fault
        self.asked: list[str] = []

    def __getattr__(self, name: str) -> Any:
        async def ask(*_arguments: object) -> Any:
            self.asked.append(name)
            if self.fault:
                raise self.fault
            await asyncio.Event().wait()

        return ask


@pytest.mark.parametrize("fault", [RedisConnectionError("refused"), None])
async def test_watchers_are_served_without_redis(
    fault: Exception | None, source: FakeSource, monkeypatch: pytest.MonkeyPatch
) -> None:
    layer = Layer(fault)
    monkeypatch.setattr(hub_module, "get_channel_layer", lambda: layer)
    monkeypatch.setattr(hub_module, "PATIENCE_SECONDS", 0.01)
    monkeypatch.setattr(hub_module, "TIMER_SECONDS", 0.05)
    hub = Hub(source, team=True)
    watcher = await joined(hub)
    source.add(1, 1, 2)
    assert await mail(watcher, 1) == [(1, 1, 2)]
    await hub.leave(1, watcher)
    assert hub.size == 0
    assert layer.asked == ["new_channel"]


async def test_nothing_is_read_while_nobody_watches(source: FakeSource) -> None:
    hub = Hub(source, team=False)
    watcher = await joined(hub)
    reader = hub._reader
    assert reader is not None
    await hub.leave(1, watcher)
    assert reader.done()
    again = await joined(hub)
    source.add(1, 1, 1)
    assert await mail(again, 1) == [(1, 1, 1)]
    await hub.leave(1, again)


async def test_the_last_watcher_can_leave_while_wake_ups_arrive(source: FakeSource) -> None:
    """Wake-ups at every turn of the event loop must not outshout the request to stop reading."""
    hub = Hub(source, team=False)
    leaving = asyncio.create_task(hub.leave(1, await joined(hub)))
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not leaving.done():
            hub._wake.set()
            await asyncio.sleep(0)
    assert hub.size == 0
