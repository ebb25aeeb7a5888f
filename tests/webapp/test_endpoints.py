from __future__ import annotations

import json
import re

import pytest
from django.test import Client

from tests.support.builders import line, make_run, make_running, store
from webapp.runs.models import Episode, Status

pytestmark = pytest.mark.django_db

JSON = {"Accept": "application/json"}
POST_ONLY = ["cancel/", "episodes/1/cancel/", "episodes/1/pace/", "episodes/1/retry/"]


def address(episode: Episode, tail: str = "") -> str:
    return f"/runs/{episode.run_id}/episodes/{episode.index}/{tail}"


def test_the_log_is_a_download_of_exactly_the_recorded_lines(client: Client) -> None:
    episode = make_running()
    store(episode, (1, 3), (4, 4), (5, 6))
    answer = client.get(address(episode, "log.jsonl"))
    assert answer.status_code == 200
    assert answer.content.decode() == "".join(line(seq, seq) + "\n" for seq in range(1, 7))
    assert re.fullmatch(r'attachment; filename="run-\d+-episode-1\.jsonl"', answer["Content-Disposition"])
    assert answer["X-Content-Type-Options"] == "nosniff"


def test_the_log_of_an_episode_that_has_not_begun_is_empty(client: Client) -> None:
    answer = client.get(address(make_run()[0], "log.jsonl"))
    assert (answer.status_code, answer.content) == (200, b"")


@pytest.mark.parametrize(
    ("query", "numbers"),
    [
        ("", [1, 2, 3, 4, 5, 6]),
        ("?after=0&limit=2", [1, 2]),
        ("?after=2&limit=3", [3, 4, 5]),
        ("?after=3&limit=1", [4]),
        ("?after=4&limit=1000", [5, 6]),
        ("?after=6", []),
        ("?after=99", []),
    ],
)
def test_events_come_in_pages(client: Client, query: str, numbers: list[int]) -> None:
    episode = make_running()
    store(episode, (1, 3), (4, 4), (5, 6))
    page = json.loads(client.get(address(episode, "events/") + query).content)
    assert page == {
        "events": [json.loads(line(seq, seq)) for seq in numbers],
        "last_seq": 6,
        "attempt": 1,
        "status": "running",
    }


@pytest.mark.parametrize(
    "query", ["after=-1", "after=x", "after=1e3", "limit=0", "limit=1001", "limit=", "after=²"]
)
def test_a_wrong_page_is_refused_in_words(client: Client, query: str) -> None:
    answer = client.get(address(make_running(), "events/"), query_params=dict([query.split("=")]))
    assert answer.status_code == 400
    assert b"whole number" in answer.content


def test_events_of_an_older_attempt_are_not_shown(client: Client) -> None:
    episode = make_running()
    store(episode, (1, 3))
    Episode.objects.filter(pk=episode.pk).update(attempt=2, last_seq=0)
    assert json.loads(client.get(address(episode, "events/")).content)["events"] == []
    assert client.get(address(episode, "log.jsonl")).content == b""


@pytest.mark.parametrize("tail", POST_ONLY)
def test_nothing_changes_by_following_a_link(client: Client, tail: str) -> None:
    episode = make_running()
    answer = client.get(f"/runs/{episode.run_id}/{tail}")
    assert answer.status_code == 405
    episode.refresh_from_db()
    assert (episode.status, episode.cancel_requested) == ("running", False)


@pytest.mark.parametrize("tail", POST_ONLY)
def test_nothing_changes_from_a_foreign_form(tail: str) -> None:
    episode = make_running()
    answer = Client(enforce_csrf_checks=True).post(f"/runs/{episode.run_id}/{tail}", {"pace": "4"})
    assert answer.status_code == 403
    episode.refresh_from_db()
    assert (episode.status, episode.cancel_requested, episode.pace) == ("running", False, 0.0)


@pytest.mark.parametrize(
    "path",
    [
        "/runs/77/cancel/",
        "/runs/77/episodes/1/cancel/",
        "/runs/77/episodes/1/retry/",
        "/runs/77/episodes/1/pace/",
    ],
)
def test_what_does_not_exist_is_not_found(client: Client, path: str) -> None:
    assert client.post(path, {"pace": "4"}).status_code == 404


def test_cancelling_a_run_stops_each_episode_in_its_way(client: Client) -> None:
    episodes = make_run(3)
    queued, running, finished = episodes
    Episode.objects.filter(pk=running.pk).update(status=Status.RUNNING)
    Episode.objects.filter(pk=finished.pk).update(status=Status.FINISHED)
    answer = client.post(f"/runs/{queued.run_id}/cancel/")
    assert (answer.status_code, answer["Location"]) == (302, f"/runs/{queued.run_id}/")
    rows = Episode.objects.order_by("index").values_list("status", "cancel_requested")
    assert list(rows) == [("cancelled", True), ("running", True), ("finished", False)]
    queued.refresh_from_db()
    assert queued.ended_at is not None
    queued.run.refresh_from_db()
    assert queued.run.cancel_requested


def test_cancelling_an_episode_leaves_the_others_alone(client: Client) -> None:
    first, second = make_run(2)
    assert client.post(address(first, "cancel/"), headers=JSON).json() == {"message": "Stopping."}
    assert client.post(address(first, "cancel/"), headers=JSON).json() == {
        "message": "The episode had ended."
    }
    first.refresh_from_db()
    second.refresh_from_db()
    assert (first.status, second.status) == ("cancelled", "queued")


@pytest.mark.parametrize("status", ["lost", "error", "cancelled"])
def test_an_episode_that_did_not_play_can_be_queued_again(client: Client, status: str) -> None:
    episode = make_run(status=status, attempt=1, error="Something", cancel_requested=True)[0]
    answer = client.post(address(episode, "retry/"))
    assert (answer.status_code, answer["Location"]) == (302, address(episode))
    episode.refresh_from_db()
    assert (episode.status, episode.error, episode.cancel_requested, episode.attempt) == (
        "queued",
        "",
        False,
        1,
    )
    assert episode.enqueued_at is not None


@pytest.mark.parametrize("status", ["queued", "running", "finished", "budget"])
def test_an_episode_that_counts_cannot_be_queued_again(client: Client, status: str) -> None:
    episode = make_run(status=status)[0]
    assert "Only lost" in client.post(address(episode, "retry/"), headers=JSON).json()["message"]
    episode.refresh_from_db()
    assert episode.status == status


@pytest.mark.parametrize("pace", [1, 4, 16, 0])
def test_the_pace_changes_while_an_episode_is_active(client: Client, pace: int) -> None:
    episode = make_running(pace=7)
    assert client.post(address(episode, "pace/"), {"pace": pace}).status_code == 302
    episode.refresh_from_db()
    assert episode.pace == pace


def test_a_script_hears_whether_the_pace_changed(client: Client) -> None:
    running, finished = make_running(), make_run(status=Status.FINISHED)[0]
    assert client.post(address(running, "pace/"), {"pace": "16"}, headers=JSON).json() == {
        "pace": 16,
        "changed": True,
    }
    assert client.post(address(finished, "pace/"), {"pace": "16"}, headers=JSON).json() == {
        "pace": 16,
        "changed": False,
    }


@pytest.mark.parametrize("pace", ["", "fast", "2", "-1", "nan", "inf"])
def test_a_pace_that_is_not_offered_is_refused(client: Client, pace: str) -> None:
    episode = make_running(pace=4)
    answer = client.post(address(episode, "pace/"), {"pace": pace})
    assert answer.status_code == 400
    assert b"must be" in answer.content
    episode.refresh_from_db()
    assert episode.pace == 4
