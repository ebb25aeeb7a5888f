"""Scores beside the oracle's and the bound, as stored with episodes and as a table."""

from __future__ import annotations

import json

import pytest
from django.test import Client

from tests.support.builders import make_task
from tests.support.pages import Page, make_launch
from webapp.runs import outlook
from webapp.runs.execution import execute
from webapp.runs.models import Episode, Run, Status
from webapp.runs.tables.oracle import beside_oracle

pytestmark = pytest.mark.django_db


def centralized(*seeds: int) -> Run:
    return make_launch(
        [make_task()], policies=["centralized"], models=["scripted:latency=0"], seeds=list(seeds), pace=0.0
    )


def test_an_episode_that_asked_a_model_is_told_what_the_oracle_reaches(client: Client) -> None:
    run = centralized(1)
    execute(run.episodes.get().pk)
    episode = run.episodes.get()
    # The sample Gold rush is won by the oracle, so nothing less than 1 can be its bound.
    assert (episode.status, episode.oracle_score, episode.score_bound) == (Status.FINISHED, 1.0, 1.0)
    assert "the oracle scores 1 , and nobody could score more than 1" in " ".join(
        Page(client.get(episode.get_absolute_url())).text.split()
    )


def test_an_oracle_is_not_set_beside_itself() -> None:
    run = make_launch([make_task()], policies=["oracle-greedy"], pace=0.0)
    execute(run.episodes.get().pk)
    assert run.episodes.get().score_bound is None
    assert beside_oracle(run) == []


def test_what_is_known_of_a_task_and_seed_is_not_worked_out_again(monkeypatch: pytest.MonkeyPatch) -> None:
    run = centralized(1, 1)
    known, other = run.episodes.all()
    Episode.objects.filter(pk=known.pk).update(oracle_score=0.5, score_bound=0.75)
    monkeypatch.setattr(outlook, "prospects", lambda _spec, _seed: pytest.fail("it is known already"))
    outlook.keep(other)
    other.refresh_from_db()
    assert (other.oracle_score, other.score_bound) == (0.5, 0.75)


def test_the_table_means_over_the_episodes_that_were_played(client: Client) -> None:
    run = centralized(1, 2, 3)
    figures = (
        (Status.FINISHED, 0.25, 1.0, 1.0),
        (Status.BUDGET, 0.75, 0.5, 1.0),
        (Status.ERROR, 0.0, 1.0, 1.0),
    )
    for episode, (status, score, oracle, bound) in zip(run.episodes.all(), figures, strict=True):
        episode.status, episode.partial_score = status, score
        episode.oracle_score, episode.score_bound = oracle, bound
        episode.save()
    (row,) = beside_oracle(run)
    assert (row.episodes, row.score, row.oracle, row.bound, row.behind) == (2, 0.5, 0.75, 1.0, 1)
    assert (row.to_oracle, row.to_bound) == (0.25, 0.25)
    assert "Beside the oracle" in Page(client.get(f"/runs/{run.pk}/")).text
    rows = json.loads(client.get(f"/runs/{run.pk}/tables/oracle.json").content)["rows"]
    assert [(one["score"], one["to_oracle"], one["behind"]) for one in rows] == [(0.5, 0.25, 1)]
