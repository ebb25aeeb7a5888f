from __future__ import annotations

import pytest

from tests.support.builders import NOON, at, make_run, make_running
from webapp.runs.models import Episode, Status
from webapp.runs.reaper import BATCH, HEAD, Resender, mark_all_running, mark_silent

pytestmark = pytest.mark.django_db


def test_a_running_episode_without_a_sign_of_life_for_30_s_is_lost() -> None:
    silent = make_running(heartbeat_at=NOON)
    alive = make_running(heartbeat_at=at(2))
    waiting = make_run(enqueued_at=NOON)[0]
    assert mark_silent(at(31)) == 1
    for episode in (silent, alive, waiting):
        episode.refresh_from_db()
    assert [silent.status, alive.status, waiting.status] == ["lost", "running", "queued"]
    assert "30 s" in silent.error
    assert silent.ended_at is not None
    assert mark_silent(at(31)) == 0


def test_stopping_the_dashboard_loses_what_is_running_and_keeps_what_waits() -> None:
    running, waiting = make_running(enqueued_at=NOON), make_run(enqueued_at=NOON)[0]
    elsewhere = make_running(enqueued_at=None)  # by `run_suite`, beside the dashboard
    assert mark_all_running() == 1
    for episode in (running, waiting, elsewhere):
        episode.refresh_from_db()
    assert [running.status, waiting.status, elsewhere.status] == ["lost", "queued", "running"]
    assert "stopped" in running.error


def test_a_waiting_episode_that_nobody_takes_is_announced_again(sent: list[int]) -> None:
    episode = make_run(enqueued_at=NOON)[0]
    reaper = Resender()
    assert reaper.sweep(at(29)) == []
    assert reaper.sweep(at(31)) == [episode.pk]
    assert sent == [episode.pk]


def test_announcements_of_the_same_episode_become_rarer(sent: list[int]) -> None:
    episode = make_run(enqueued_at=NOON)[0]
    reaper = Resender()
    times = [second for second in range(31, 300, 5) if reaper.sweep(at(second))]
    # first at 31; then 30 s, 60 s and 120 s later, at the next look: looks are at 31 + 5 n
    assert times == [31, 61, 121, 241]
    assert sent == [episode.pk] * 4


def test_while_workers_take_episodes_in_order_nothing_is_announced_again(sent: list[int]) -> None:
    make_running(enqueued_at=NOON, started_at=at(95))
    make_run(50, enqueued_at=at(1))
    assert Resender().sweep(at(100)) == []
    assert sent == []


def test_an_episode_that_a_later_one_overtook_is_announced_again(sent: list[int]) -> None:
    overtaken = make_run(enqueued_at=NOON)[0]
    make_running(enqueued_at=at(1), started_at=at(20))
    make_running(enqueued_at=at(2), started_at=at(95))
    make_run(enqueued_at=at(3))
    assert Resender().sweep(at(100)) == [overtaken.pk]


def test_when_all_workers_are_busy_only_the_head_of_the_queue_is_announced_again(sent: list[int]) -> None:
    make_running(enqueued_at=NOON, started_at=NOON)
    waiting = make_run(30, enqueued_at=at(1))
    assert Resender().sweep(at(100)) == [episode.pk for episode in waiting[:HEAD]]


def test_one_sweep_announces_a_bounded_number(sent: list[int]) -> None:
    make_run(BATCH + 20, enqueued_at=NOON)
    make_running(enqueued_at=at(1), started_at=at(2))
    reaper = Resender()
    assert len(reaper.sweep(at(100))) == BATCH
    assert len(reaper.sweep(at(105))) == 20
    assert Episode.objects.filter(status=Status.QUEUED).count() == BATCH + 20
