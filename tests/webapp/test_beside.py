"""Another episode beside the one of a page: the oracle's on demand, or any other of the same task."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from tests.support.builders import make_task
from tests.support.pages import Page, make_launch
from webapp.launch import oracle
from webapp.live import log
from webapp.runs.execution import execute
from webapp.runs.models import Episode, Run, Status

pytestmark = pytest.mark.django_db

SAMPLES = Path(__file__).parents[2] / "tasks" / "samples"


def team_episode(**changes: Any) -> Episode:
    """A queued episode of a centralized team with seed 3."""
    settings: dict[str, Any] = {
        "policies": ["centralized"],
        "models": ["scripted:latency=5"],
        "modes": ["async"],
        "seeds": [3],
    }
    return make_launch(**settings | changes).episodes.get()


def click(client: Client, episode: Episode) -> str:
    answer = client.post(f"{episode.get_absolute_url()}oracle/")
    assert answer.status_code == 302
    return str(answer["Location"])


def test_the_first_click_has_the_oracle_play_the_same_task_seed_and_mode(client: Client) -> None:
    episode = team_episode(pace=4.0)
    address = click(client, episode)
    new = Episode.objects.exclude(pk=episode.pk).get()
    assert address == f"{episode.get_absolute_url()}?beside={new.pk}"
    assert (new.task, new.seed, new.mode) == (episode.task, 3, "async")
    assert (new.policy, new.model, new.world, new.pace) == ("oracle", "", "simulator", 0.0)
    assert (new.status, new.enqueued_at is not None) == (Status.QUEUED, True)
    assert new.run.name == f"Oracle on {episode.task.title}, seed 3"


def test_later_clicks_find_the_episode_again_whoever_asks(client: Client) -> None:
    first, second = team_episode(), team_episode()
    address = click(client, first)
    (key,) = Episode.objects.filter(policy="oracle").values_list("pk", flat=True)
    execute(key)
    assert click(client, first) == address
    assert click(client, second) == f"{second.get_absolute_url()}?beside={key}"
    assert Run.objects.count() == 3


def test_another_seed_or_mode_is_another_episode() -> None:
    one, seed, mode = team_episode(), team_episode(seeds=[4]), team_episode(modes=["sync"])
    assert len({oracle.beside(episode).pk for episode in (one, seed, mode, one)}) == 3


@pytest.mark.parametrize(
    "changes",
    [
        {"status": Status.ERROR},
        {"status": Status.CANCELLED},
        {"status": Status.LOST},
        {"status": Status.RUNNING, "pace": 1.0},
        {"status": Status.RUNNING, "cancel_requested": True},
        {"world": "minecraft", "status": Status.FINISHED},
        {"policy": "oracle-greedy", "status": Status.FINISHED},
    ],
)
def test_what_broke_off_or_dawdles_is_not_watched(changes: dict[str, object]) -> None:
    episode = team_episode()
    first = oracle.beside(episode)
    Episode.objects.filter(pk=first.pk).update(**changes)
    assert oracle.beside(episode).pk != first.pk


def test_the_page_shows_both_and_offers_what_else_plays_the_task(client: Client) -> None:
    episode, other = team_episode(), team_episode(seeds=[9])
    foreign = make_launch([make_task(slug="elsewhere")]).episodes.get()
    new = oracle.beside(episode)
    execute(new.pk)
    page = Page(client.get(f"{episode.get_absolute_url()}?beside={new.pk}"))
    assert page.scripts == []
    (section,) = page.all("section", id="beside")
    assert (section["data-name"], section["data-socket"]) == ("Oracle", f"/ws/episodes/{new.pk}/")
    assert section["data-status"] == "finished"
    offers = page.all("option")
    assert [offer["value"] for offer in offers] == [str(new.pk), str(other.pk)]
    assert str(foreign.pk) not in {offer["value"] for offer in offers}
    assert not page.all("form", action=f"{episode.get_absolute_url()}oracle/")
    alone = Page(client.get(episode.get_absolute_url()))
    assert not alone.all("section", id="beside")
    assert alone.all("form", action=f"{episode.get_absolute_url()}oracle/", method="post")
    assert not Page(client.get(new.get_absolute_url())).all("form", action=f"{new.get_absolute_url()}oracle/")


def test_offers_tell_worlds_apart(client: Client) -> None:
    episode, other = team_episode(), team_episode()
    Episode.objects.filter(pk=other.pk).update(world="minecraft")
    (offer,) = Page(client.get(episode.get_absolute_url())).all("option")
    assert offer["value"] == str(other.pk)
    assert ", async, minecraft, seed 3, queued" in Page(client.get(episode.get_absolute_url())).text


def test_what_cannot_stand_beside_is_said_and_the_page_shown_alone(client: Client) -> None:
    episode = team_episode()
    foreign = make_launch([make_task(slug="elsewhere")]).episodes.get()
    for asked, words in (
        (foreign.pk, f"{foreign} plays another task, {foreign.task.title}, and cannot stand"),
        (episode.pk, "asks for this episode beside itself"),
        (10**6, "no episode with the key 1000000 (any more)"),
        ("<b>", "asks for “<b>” beside this episode, which is no number"),
        ("", "asks for “” beside this episode, which is no number"),
        ("7" * 99, f"asks for “{'7' * 40}” beside"),
    ):
        page = Page(client.get(episode.get_absolute_url(), {"beside": str(asked)}))
        assert page.status == 200
        assert words in page.text
        assert "Choose one of the same task at “Outcome” below, or watch the oracle." in page.text
        assert "“<b>" not in page.html
        assert not page.all("section", id="beside")


def test_a_fault_of_the_other_episode_is_told_on_the_page(client: Client) -> None:
    episode = team_episode()
    new = oracle.beside(episode)
    Episode.objects.filter(pk=new.pk).update(status=Status.ERROR, error="The solver <died>. Start it again.")
    page = Page(client.get(f"{episode.get_absolute_url()}?beside={new.pk}"))
    assert "The solver <died>. Start it again." in page.text
    assert "<died>" not in page.html
    assert page.all("form", action=f"{episode.get_absolute_url()}oracle/")
    assert f"beside={new.pk}" not in click(client, episode)


def test_only_a_post_asks_the_oracle(client: Client) -> None:
    episode = team_episode()
    assert client.get(f"{episode.get_absolute_url()}oracle/").status_code == 405
    assert Client(enforce_csrf_checks=True).post(f"{episode.get_absolute_url()}oracle/").status_code == 403
    assert client.post("/runs/999/episodes/1/oracle/").status_code == 404
    assert Episode.objects.count() == 1


@pytest.mark.parametrize("sample", ["gold_rush", "lava_east", "wither_lord", "night_watch"])
def test_the_oracle_plays_every_type_of_task_to_an_end_with_a_whole_log(sample: str) -> None:
    task = make_task(slug=sample, yaml=(SAMPLES / f"{sample}.yaml").read_text(encoding="utf-8"))
    new = oracle.beside(make_launch([task], policies=["oracle-greedy"]).episodes.get())
    execute(new.pk)
    new.refresh_from_db()
    assert (new.status, new.error) == (Status.FINISHED, "")
    assert len(b"".join(log.lines(new)).splitlines()) == new.last_seq > 0
