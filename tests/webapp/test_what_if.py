"""What-if runs: recorded replies with other latencies, executed as a worker does."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError
from django.test import Client

from tests.support.builders import make_task
from tests.support.pages import Page, make_launch
from webapp.launch import what_if
from webapp.live import log
from webapp.runs.execution import execute
from webapp.runs.models import Run, Status

pytestmark = pytest.mark.django_db


def played(**more: object) -> Run:
    """A run of one centralized episode in async mode, with one reply every 5 s of world time."""
    settings = {
        "policies": ["centralized"],
        "models": ["scripted:latency=5"],
        "modes": ["async"],
        "seeds": [1],
        "pace": 0.0,
    }
    run = make_launch([make_task()], **{**settings, **more})
    for episode in run.episodes.all():
        execute(episode.pk)
    return run


def replay(run: Run, latency: str) -> Run:
    new = what_if.start(run, latency)
    for episode in new.episodes.all():
        execute(episode.pk)
    return new


def test_at_the_same_latency_the_log_is_the_same_byte_for_byte_and_all_replies_are_recorded_ones() -> None:
    run = played()
    new = replay(run, "x1")
    original, again = run.episodes.get(), new.episodes.get()
    assert (again.status, again.replay_of, again.model) == (Status.FINISHED, original, original.model)
    assert again.n_inferences > 0
    assert again.n_replayed == again.n_inferences == original.n_inferences
    assert b"".join(log.lines(again)) == b"".join(log.lines(original))


def test_at_half_the_latency_only_what_was_asked_before_is_replayed() -> None:
    new = replay(played(), "x0.5")
    episode = new.episodes.get()
    assert episode.latencies == [2.5] * episode.n_inferences
    # The first question is the same at whatever latency; later ones come at other steps.
    assert episode.n_replayed == 1
    told = what_if.replayed(new)
    assert told is not None
    assert (told.recorded, told.replies, told.latency) == (1, episode.n_inferences, "x0.5")


def test_an_episode_without_a_model_is_left_out() -> None:
    run = played(policies=["oracle-greedy", "centralized"])
    new = what_if.start(run, "x2")
    assert [episode.policy for episode in new.episodes.all()] == ["centralized"]


@pytest.mark.parametrize("latency", ["", "half", "x", "-1", "x-2", "1e9", "99999"])
def test_a_change_that_cannot_be_read_is_refused(latency: str) -> None:
    with pytest.raises(ValidationError, match="unknown latency change"):
        what_if.start(make_launch(), latency)


def test_a_run_without_a_model_has_nothing_to_replay() -> None:
    run = make_launch(policies=["oracle-greedy"], pace=0.0)
    for episode in run.episodes.all():
        execute(episode.pk)
    with pytest.raises(ValidationError, match="Nothing to replay"):
        what_if.start(run, "x2")
    assert not what_if.can_replay(run)


def test_the_button_launches_a_replay_whose_page_says_how_much_was_recorded(client: Client) -> None:
    run = played()
    assert "What if the model had been faster" in Page(client.get(f"/runs/{run.pk}/")).text
    answer = client.post(f"/runs/{run.pk}/what-if/", {"latency": "x0.5", "other": ""})
    new = Run.objects.latest("pk")
    assert answer["Location"] == f"/runs/{new.pk}/"
    execute(new.episodes.get().pk)
    text = Page(client.get(f"/runs/{new.pk}/")).text
    assert f"1 of {new.episodes.get().n_inferences} replies (" in text


def test_what_is_typed_in_goes_before_what_is_chosen_and_a_fault_is_told(client: Client) -> None:
    run = played()
    answer = client.post(f"/runs/{run.pk}/what-if/", {"latency": "x0.5", "other": "soon"}, follow=True)
    assert Run.objects.count() == 1
    assert "unknown latency change" in Page(answer).text


def test_an_episode_can_be_replayed_alone(client: Client) -> None:
    run = played(seeds=[1, 2])
    second = run.episodes.get(index=2)
    assert "Plays this episode again" in Page(client.get(second.get_absolute_url())).text
    client.post(f"/runs/{run.pk}/what-if/", {"latency": "x2", "other": "", "episode": "2"})
    assert [episode.replay_of for episode in Run.objects.latest("pk").episodes.all()] == [second]
