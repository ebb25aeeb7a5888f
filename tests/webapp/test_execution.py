from __future__ import annotations

import csv
import importlib
import logging
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.core.management import call_command
from django.test import Client

from engine.episode.result import EpisodeResult
from engine.episode.settings import EpisodeSettings
from engine.errors import InfrastructureError
from engine.events.log import EventLog, Sink
from engine.events.payloads import PlanEnded
from tests.support.builders import GOLD_RUSH, ScriptedEngine, line, make_run, make_task, store
from tests.support.pages import Page
from webapp.live import log
from webapp.live.models import EventSegment
from webapp.runs.actions import retry_episode
from webapp.runs.execution import UNEXPECTED, claim, execute
from webapp.runs.models import Episode, Status

pytestmark = pytest.mark.django_db


def test_a_queued_episode_runs_once_whatever_the_number_of_messages() -> None:
    episode = make_run()[0]
    engine = ScriptedEngine()
    execute(episode.pk, engine)
    execute(episode.pk, engine)
    episode.refresh_from_db()
    assert engine.calls == [EpisodeSettings(policy="oracle", mode="sync", world="simulator", seed=0)]
    assert (episode.status, episode.attempt, episode.last_seq, episode.world_tick) == ("finished", 1, 3, 40)
    assert (episode.success, episode.partial_score, episode.steps) == (True, 1.0, 2.0)
    assert episode.result is not None
    assert episode.result["events"] == 3
    assert b"".join(log.lines(episode)).decode() == "".join(
        line(seq, tick) + "\n" for seq, tick in ((1, 0), (2, 20), (3, 40))
    )


@pytest.mark.parametrize("status", ["cancelled", "error"])
def test_what_breaks_off_has_no_score_on_any_page_or_in_any_file(client: Client, status: Any) -> None:
    def broken_off(*arguments: Any) -> EpisodeResult:
        return replace(ScriptedEngine()(*arguments), status=status, success=None, partial_score=0.125)

    episode = make_run()[0]
    execute(episode.pk, broken_off)
    episode.refresh_from_db()
    assert (episode.status, episode.success, episode.partial_score) == (status, None, None)
    page = Page(client.get(episode.get_absolute_url())).text
    assert "Partial score –" in " ".join(page.split())
    assert "score 0" not in page
    run = f"/runs/{episode.run_id}"
    assert "0.13" not in page
    assert "0.13" not in Page(client.get(f"{run}/")).text
    (row,) = csv.DictReader(StringIO(client.get(f"{run}/tables/episodes.csv").content.decode()))
    assert (row["status"], row["success"], row["partial_score"], row["steps"]) == (status, "", "", "2.0")
    (row,) = csv.DictReader(StringIO(client.get(f"{run}/tables/success.csv").content.decode()))
    assert row["partial_score"] == ""


def test_scores_that_were_stored_with_what_broke_off_are_taken_away() -> None:
    broken, failed = make_run(2)
    Episode.objects.filter(pk=broken.pk).update(status=Status.CANCELLED, partial_score=0.125)
    Episode.objects.filter(pk=failed.pk).update(status=Status.FINISHED, success=False, partial_score=0.25)
    importlib.import_module("webapp.runs.migrations.0007_no_score_of_what_broke_off").forget(apps, None)
    assert list(Episode.objects.order_by("pk").values_list("partial_score", flat=True)) == [None, 0.25]


def test_only_the_first_claim_gets_the_episode() -> None:
    episode = make_run()[0]
    first = claim(episode.pk)
    assert first is not None
    assert (first.status, first.attempt) == ("running", 1)
    assert first.started_at is not None
    assert first.heartbeat_at is not None
    assert claim(episode.pk) is None


@pytest.mark.parametrize("status", [status for status in Status if status != Status.QUEUED])
def test_nothing_but_a_queued_episode_is_claimed(status: Status) -> None:
    episode = make_run(status=status)[0]
    engine = ScriptedEngine()
    execute(episode.pk, engine)
    episode.refresh_from_db()
    assert (episode.status, episode.attempt, engine.calls) == (status, 0, [])


def test_a_message_for_an_episode_that_is_gone_does_nothing() -> None:
    execute(987654, ScriptedEngine())


def test_a_defect_shows_a_plain_message_and_leaves_its_trace_in_the_output(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def broken(*_args: Any) -> Any:
        raise ZeroDivisionError("secret detail")

    episode = make_run()[0]
    with caplog.at_level(logging.ERROR):
        execute(episode.pk, broken)
    episode.refresh_from_db()
    assert (episode.status, episode.error, episode.success) == ("error", UNEXPECTED, None)
    assert episode.ended_at is not None
    assert "secret detail" in caplog.text


def test_a_failure_of_the_infrastructure_is_an_error_with_its_message() -> None:
    def broken(*_args: Any) -> Any:
        raise InfrastructureError("The endpoint refused the connection.")

    episode = make_run()[0]
    execute(episode.pk, broken)
    episode.refresh_from_db()
    assert (episode.status, episode.error) == ("error", "The endpoint refused the connection.")


def test_a_task_that_became_invalid_is_an_error_that_names_the_line() -> None:
    task = make_task("broken", yaml=GOLD_RUSH.replace("max_steps:", "max_stepz:"))
    episode = make_run(task=task)[0]
    execute(episode.pk, ScriptedEngine())
    episode.refresh_from_db()
    assert episode.status == "error"
    assert "broken.yaml: line " in episode.error


def test_an_execution_that_was_replaced_ends_silently(caplog: pytest.LogCaptureFixture) -> None:
    episode = make_run()[0]

    def overtaken(_spec: object, _settings: object, sink: Sink, *_more: object) -> Any:
        Episode.objects.filter(pk=episode.pk).update(attempt=2)
        EventLog(sink).append(0, PlanEnded(agent="Ada"))
        raise ZeroDivisionError

    with caplog.at_level(logging.CRITICAL, logger="webapp.runs.execution"):
        execute(episode.pk, overtaken)
    episode.refresh_from_db()
    assert (episode.status, episode.attempt, episode.error) == ("running", 2, "")
    assert not EventSegment.objects.exists()


def test_a_retry_starts_a_new_log() -> None:
    episode = make_run(status=Status.LOST, attempt=1)[0]
    store(episode, (1, 5), (6, 9))
    assert retry_episode(episode)
    assert len(b"".join(log.lines(episode)).splitlines()) == 9  # readable until it is claimed

    execute(episode.pk, ScriptedEngine(ticks=(0, 5)))
    episode.refresh_from_db()
    assert (episode.status, episode.attempt, episode.last_seq, episode.world_tick) == ("finished", 2, 2, 5)
    assert list(EventSegment.objects.values_list("attempt", "first_seq", "last_seq")) == [(2, 1, 2)]


def test_the_stored_log_of_a_real_episode_is_the_one_the_command_line_writes(
    tmp_path: Path, root: Path
) -> None:
    episode = make_run(4)[3]  # the fourth has seed 3
    execute(episode.pk)
    episode.refresh_from_db()
    assert episode.status == "finished", episode.error

    file = tmp_path / "log.jsonl"
    sample = str(root / "tasks" / "samples" / "gold_rush.yaml")
    with pytest.raises(SystemExit) as ended:
        call_command("run_episode", sample, "--seed", "3", "--log", str(file), "--json", stdout=None)
    assert ended.value.code == 0
    assert b"".join(log.lines(episode)) == file.read_bytes()
