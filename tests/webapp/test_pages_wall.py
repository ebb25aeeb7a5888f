from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from tests.support.builders import make_run, make_task
from tests.support.pages import Page
from webapp.runs import views_wall
from webapp.runs.models import Episode, Status

pytestmark = pytest.mark.django_db

ENDED = {"status": Status.FINISHED}


def make(**changes: dict[str, Any]) -> str:
    """A run of five episodes, changed by their index; the address of its wall."""
    made = make_run(5)
    for index, fields in changes.items():
        Episode.objects.filter(pk=made[int(index[1:]) - 1].pk).update(**fields)
    return f"/runs/{made[0].run_id}/wall/"


def indexes(client: Client, wall: str, query: str = "") -> list[int]:
    told = client.get(f"{wall}episodes.json{query}").json()
    return [int(one["url"].rstrip("/").rsplit("/", 1)[1]) for one in told["episodes"]]


def some(client: Client) -> str:
    return make(
        _1={**ENDED, "success": True, "partial_score": 1.0},
        _2={**ENDED, "success": False, "partial_score": 0.25},
        _3={"status": Status.RUNNING, "world_tick": 90},
        _4={"status": Status.ERROR},
    )


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ("", [3, 1, 2, 4, 5]),
        ("?show=running", [3]),
        ("?show=queued", [5]),
        ("?show=success", [1]),
        ("?show=failure", [2]),
        ("?show=broken", [4]),
        ("?sort=number", [1, 2, 3, 4, 5]),
        ("?sort=lowest", [2, 1, 3, 4, 5]),
        ("?sort=highest", [1, 2, 3, 4, 5]),
        ("?show=nonsense&sort=nonsense", [3, 1, 2, 4, 5]),
    ],
)
def test_episodes_are_filtered_and_sorted(client: Client, query: str, wanted: list[int]) -> None:
    assert indexes(client, some(client), query) == wanted


def test_all_episodes_are_there_page_by_page(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(views_wall, "EPISODES_A_PAGE", 2)
    wall = make()
    assert [indexes(client, wall, f"?page={page}") for page in (1, 2, 3)] == [[1, 2], [3, 4], [5]]
    assert indexes(client, wall, "?page=99") == [5]
    page = Page(client.get(f"{wall}?page=2&sort=number"))
    assert "3–4 of 5" in page.text
    assert [link["href"] for link in page.all("a", rel="next")] == ["?page=3&sort=number"]
    assert page.all("ul", id="wall")[0]["data-episodes"] == f"{wall}episodes.json?page=2&sort=number"


def test_scenes_come_along_once(client: Client) -> None:
    wall = make()
    task = str(make_task("other").pk)
    told = client.get(f"{wall}episodes.json").json()
    (known,) = told["scenes"]
    assert known != task
    assert client.get(f"{wall}episodes.json?known={known}").json()["scenes"] == {}
    assert (told["count"], told["running"], told["done"]) == (5, 0, False)


def test_the_page_says_that_nothing_is_of_the_kind_that_was_asked_for(client: Client) -> None:
    wall = make()
    page = Page(client.get(f"{wall}?show=running"))
    assert "No episode is of this kind now" in page.text
    assert "hidden" not in page.all("p", id="wall-none")[0]
    assert "hidden" in Page(client.get(f"{wall}?show=queued")).all("p", id="wall-none")[0]
    assert page.all("option", value="running")[0]["selected"] == ""
    assert page.scripts == []


def test_a_tile_tells_episodes_apart_that_differ_by_mode_or_world_alone(client: Client) -> None:
    wall = make(_2={"mode": "async"}, _3={"world": "minecraft", "model": "scripted"})
    told = client.get(f"{wall}episodes.json?sort=number").json()["episodes"]
    assert [one["condition"] for one in told[:3]] == [
        "Oracle (no LLM) · sync · seed 0",
        "Oracle (no LLM) · async · seed 1",
        "Oracle (no LLM) · scripted · sync · minecraft · seed 2",
    ]
