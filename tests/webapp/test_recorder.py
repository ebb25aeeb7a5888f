from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext

import pytest

from engine.episode.settings import Cancelled
from tests.support.builders import NOON, event, line, make_running
from webapp.live.models import EventSegment
from webapp.live.recorder import Clock, Fenced, Recorder
from webapp.runs.models import Episode, Status

pytestmark = pytest.mark.django_db


class FakeTime:
    """Wall time that passes only by sleeping, or by hand."""

    def __init__(self) -> None:
        self.seconds = 100.0
        self.naps: list[float] = []
        self.on_nap: Callable[[], None] = lambda: None

    @property
    def clock(self) -> Clock:
        return Clock(now=lambda: self.seconds, sleep=self.sleep)

    @property
    def slept(self) -> float:
        return sum(self.naps)

    def sleep(self, seconds: float) -> None:
        self.naps.append(seconds)
        self.seconds += seconds
        self.on_nap()


def segments(episode: Episode) -> list[tuple[int, int, int, int]]:
    fields = ("first_seq", "last_seq", "first_tick", "last_tick")
    return list(EventSegment.objects.filter(episode=episode).values_list(*fields))


@pytest.mark.parametrize(("pace", "apart"), [(0, 0.03), (4, 0.009)])
def test_events_within_a_tenth_of_a_second_share_a_segment_and_at_a_pace_within_less(
    pace: float, apart: float
) -> None:
    episode, time = make_running(pace=pace), FakeTime()
    recorder = Recorder(episode, time.clock)
    for seq, tick in ((1, 0), (2, 0), (3, 7)):
        recorder.record(*event(seq, tick))
        time.seconds += apart
    assert segments(episode) == []

    time.seconds += apart
    recorder.record(*event(4, 9))
    assert segments(episode) == [(1, 4, 0, 9)]
    body = EventSegment.objects.get().body
    assert body == "\n".join([line(1, 0), line(2, 0), line(3, 7), line(4, 9)])
    episode.refresh_from_db()
    assert (episode.last_seq, episode.world_tick) == (4, 9)


def test_a_segment_never_exceeds_256_kb() -> None:
    episode = make_running()
    recorder = Recorder(episode, FakeTime().clock)
    for seq in (1, 2, 3):
        recorder.record(*event(seq, size=100_000))
    recorder.finish(status=Status.FINISHED)
    assert [(first, last) for first, last, _, _ in segments(episode)] == [(1, 2), (3, 3)]


def test_finishing_writes_the_rest_and_the_outcome_together() -> None:
    episode = make_running()
    recorder = Recorder(episode, FakeTime().clock)
    recorder.record(*event(1, 30))
    recorder.finish(status=Status.FINISHED, success=True, partial_score=1.0, steps=1.5)
    episode.refresh_from_db()
    assert (episode.status, episode.success, episode.last_seq, episode.world_tick) == (
        "finished",
        True,
        1,
        30,
    )
    assert episode.ended_at is not None
    assert segments(episode) == [(1, 1, 30, 30)]


def test_where_an_episode_can_be_watched_is_told_at_once() -> None:
    episode = make_running()
    recorder = Recorder(episode, FakeTime().clock)
    recorder.opened("127.0.0.1:41235")
    episode.refresh_from_db()
    assert episode.address == "127.0.0.1:41235"


@pytest.mark.parametrize("change", [{"attempt": 2}, {"status": Status.LOST}])
def test_an_execution_that_was_replaced_cannot_write(change: dict[str, object]) -> None:
    episode, time = make_running(), FakeTime()
    recorder = Recorder(episode, time.clock)
    Episode.objects.filter(pk=episode.pk).update(**change)
    time.seconds += 1
    with pytest.raises(Fenced):
        recorder.record(*event(1, 5))
    with pytest.raises(Fenced):
        recorder.finish(status=Status.FINISHED)
    episode.refresh_from_db()
    assert segments(episode) == []
    assert (episode.last_seq, episode.world_tick, episode.result) == (0, 0, None)


def test_the_pace_turns_world_time_into_wall_time() -> None:
    time = FakeTime()
    recorder = Recorder(make_running(pace=4), time.clock)
    recorder.before(0)
    assert time.slept == 0
    recorder.before(80)  # 4 s of world time at four times real time
    assert time.slept == pytest.approx(1.0)
    assert max(time.naps) <= 0.1


def test_without_a_pace_nothing_waits() -> None:
    time = FakeTime()
    recorder = Recorder(make_running(pace=0), time.clock)
    for tick in range(0, 20_000, 100):
        recorder.before(tick)
    assert time.naps == []


def test_world_time_and_heartbeat_move_while_nothing_happens() -> None:
    episode, time = make_running(pace=4), FakeTime()
    recorder = Recorder(episode, time.clock)
    seen: dict[float, int] = {}

    def look() -> None:
        seen[round(time.seconds - 100, 3)] = Episode.objects.get(pk=episode.pk).world_tick

    time.on_nap = look
    recorder.before(80)
    # 80 ticks pass in a second; the row is written at most 0.2 s late, so at half time it shows 24 to 40.
    assert 24 <= seen[0.5] <= 40
    assert sorted(seen.values()) == list(seen.values())
    episode.refresh_from_db()
    assert episode.heartbeat_at is not None
    assert episode.heartbeat_at.year > 2025


def test_signs_of_life_are_shown_while_a_model_is_asked() -> None:
    episode, time = make_running(), FakeTime()
    recorder = Recorder(episode, time.clock)
    for seconds, shown in ((0.2, False), (0.1, True)):
        time.seconds += seconds
        recorder.waiting()
        episode.refresh_from_db()
        assert (episode.heartbeat_at != NOON) is shown


def test_events_are_stored_before_a_long_wait() -> None:
    episode, time = make_running(pace=1), FakeTime()
    recorder = Recorder(episode, time.clock)
    recorder.record(*event(1))
    stored: list[int] = []
    time.on_nap = lambda: stored.append(len(segments(episode)))
    recorder.before(20)
    assert stored[0] == 1


def test_a_new_pace_holds_from_where_world_time_stands() -> None:
    episode, time = make_running(pace=1), FakeTime()
    recorder = Recorder(episode, time.clock)

    def hurry() -> None:
        if time.slept >= 2.0:
            Episode.objects.filter(pk=episode.pk).update(pace=16)

    time.on_nap = hurry
    recorder.before(200)
    # Noticed between 2.0 s (tick 40) and 2.35 s (tick 47); the rest takes 160 or 153 ticks / 20 / 16 = 0.5 or 0.48 s.
    assert 2.45 <= time.slept <= 2.9
    before = time.slept
    recorder.before(520)  # 320 ticks at sixteen times real time
    assert time.slept - before == pytest.approx(1.0)


def test_as_fast_as_possible_ends_the_wait() -> None:
    episode, time = make_running(pace=1), FakeTime()
    recorder = Recorder(episode, time.clock)

    def hurry() -> None:
        Episode.objects.filter(pk=episode.pk).update(pace=0)

    time.on_nap = hurry
    recorder.before(200_000)
    assert time.slept <= 0.4


@pytest.mark.parametrize("pace", [0.0, 1.0])
def test_a_request_to_stop_is_noticed_within_half_a_second(pace: float) -> None:
    episode, time = make_running(pace=pace), FakeTime()
    recorder = Recorder(episode, time.clock)
    Episode.objects.filter(pk=episode.pk).update(cancel_requested=True)
    began = time.seconds
    with pytest.raises(Cancelled):  # noqa: PT012 - the loop is what the engine does
        for tick in range(100_000):
            recorder.before(tick)
            time.seconds += 0.001
    assert time.seconds - began <= 0.5


def test_a_replaced_execution_notices_while_it_waits() -> None:
    episode, time = make_running(pace=1), FakeTime()
    recorder = Recorder(episode, time.clock)
    Episode.objects.filter(pk=episode.pk).update(status=Status.LOST)
    with pytest.raises(Fenced):
        recorder.before(2_000)
    assert time.slept <= 0.4


def is_alive() -> bool:
    heartbeat = Episode.objects.values_list("heartbeat_at", flat=True).get()
    return heartbeat is not None and heartbeat > NOON


@pytest.mark.parametrize("is_asked", [False, True])
def test_whoever_waits_shows_signs_of_life_even_when_asked_to_stop(is_asked: bool) -> None:
    episode, time = make_running(), FakeTime()
    recorder = Recorder(episode, time.clock)
    Episode.objects.filter(pk=episode.pk).update(cancel_requested=is_asked, heartbeat_at=NOON)
    time.seconds += 0.3
    with pytest.raises(Cancelled) if is_asked else nullcontext():
        recorder.waiting()
    assert is_alive()


def test_the_pace_counts_from_when_the_world_is_open() -> None:
    episode, time = make_running(pace=1), FakeTime()
    recorder = Recorder(episode, time.clock)
    time.seconds += 5  # until the bots have joined
    recorder.opened("127.0.0.1:4000")
    recorder.before(20)
    assert time.slept == pytest.approx(1.0)
