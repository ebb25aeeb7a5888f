"""Files that one may take away of an episode, and the wall of a run."""

from __future__ import annotations

import base64
import json
import re
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from engine.events.log import Event, encode
from engine.events.payloads import MessageSent
from tests.support.pages import Page, make_launch
from webapp.live.models import EventSegment
from webapp.runs.models import Episode, Status
from webapp.runs.takeaway import STYLES, escape

pytestmark = pytest.mark.django_db

HOSTILE = "</script><script>alert(1)</script><!-- & ]]>"


@pytest.fixture
def episode() -> Episode:
    """An ended one, whose log holds a message with markup."""
    found = make_launch().episodes.get()
    found.status, found.attempt, found.last_seq = Status.FINISHED, 1, 1
    found.save()
    message = MessageSent(sender="Ada", to=["Bruno"], text=HOSTILE)
    line = encode(Event(1, 0, "message_sent", 1, message)).decode()
    EventSegment.objects.create(
        episode=found,
        attempt=1,
        first_seq=1,
        last_seq=1,
        first_tick=0,
        last_tick=0,
        body=line,
        wall_time=timezone.now(),
    )
    return found


def data(html: str, name: str) -> Any:
    found = re.search(rf'<script id="{name}" type="application/json">(.*?)</script>', html, re.DOTALL)
    assert found
    return json.loads(found[1])


def test_the_replay_holds_the_log_and_no_markup_of_it(client: Client, episode: Episode) -> None:
    answer = client.get(f"{episode.get_absolute_url()}replay.html")
    assert "attachment" in answer["Content-Disposition"]
    page = Page(answer)
    assert data(page.html, "events-data")[0]["payload"]["text"] == HOSTILE
    assert "alert(1)" not in page.html.replace(escape(HOSTILE), "")
    assert HOSTILE not in page.html


def test_the_replay_carries_every_module_that_it_imports_and_asks_no_server(
    client: Client, episode: Episode
) -> None:
    html = client.get(f"{episode.get_absolute_url()}replay.html").content.decode()
    found = re.search(r'<script type="importmap">(.*?)</script>', html)
    assert found
    imports = json.loads(found[1])["imports"]
    assert "ticking/pages/replay.js" in imports
    for name, url in imports.items():
        text = base64.b64decode(url.removeprefix("data:text/javascript;base64,")).decode()
        needed = re.findall(r'^(?:import|export)\s[^;]*?from\s+"([^"]+)"', text, re.MULTILINE)
        assert set(needed) <= set(imports), name
    assert "default-src 'none'" in html
    assert not re.search(r'(src|href)="(?!data:)[^#"]', html)


def test_the_replay_carries_the_styles_of_the_episode_page_in_their_order(
    client: Client, episode: Episode
) -> None:
    html = Page(client.get(episode.get_absolute_url())).html
    assert re.findall(r'<link rel="stylesheet" href="/static/([^"]+)">', html) == list(STYLES)


def test_the_replay_holds_what_stands_beside_the_episode(client: Client, episode: Episode) -> None:
    other = make_launch(seeds=[5]).episodes.get()
    answer = client.get(f"{episode.get_absolute_url()}replay.html?beside={other.pk}")
    page = Page(answer)
    assert len(data(page.html, "events-data")) == 1
    assert data(page.html, "beside-data") == []
    (section,) = page.all("section", id="beside")
    assert "data-socket" not in section
    assert not page.all("a")
    refused = client.get(f"{episode.get_absolute_url()}replay.html?beside={episode.pk}")
    assert (refused.status_code, refused["Content-Type"]) == (400, "text/plain")


def test_an_episode_without_events_has_files_too(client: Client) -> None:
    found = make_launch().episodes.get()
    assert data(client.get(f"{found.get_absolute_url()}replay.html").content.decode(), "events-data") == []
    assert client.get(f"{found.get_absolute_url()}trace.json").json()["traceEvents"]


def test_the_trace_is_a_download(client: Client, episode: Episode) -> None:
    answer = client.get(f"{episode.get_absolute_url()}trace.json")
    assert "attachment" in answer["Content-Disposition"]
    assert [entry["args"]["text"] for entry in answer.json()["traceEvents"] if entry["ph"] == "i"] == [
        HOSTILE
    ]


def test_a_log_of_another_version_has_no_trace_but_says_why(client: Client, episode: Episode) -> None:
    EventSegment.objects.update(body='{"seq":1,"world_time":0,"type":"comet","version":9,"payload":{}}')
    answer = client.get(f"{episode.get_absolute_url()}trace.json")
    assert answer.status_code == 409
    assert "unknown type 'comet' version 9" in answer.content.decode()


def test_the_wall_shows_what_runs_first_and_what_waits_last(client: Client) -> None:
    run = make_launch(seeds=[0, 1, 2])
    run.episodes.filter(index=2).update(status=Status.RUNNING)
    run.episodes.filter(index=3).update(status=Status.FINISHED, success=True)
    page = Page(client.get(f"{run.get_absolute_url()}wall/"))
    assert page.scripts == []
    told = data(page.html, "wall-data")
    assert [tile["status"] for tile in told["episodes"]] == ["running", "finished", "queued"]
    assert (told["running"], told["done"]) == (1, False)
    (scene,) = data(page.html, "scenes-data").values()
    assert scene["bounds"]
    assert page.all("a", href=f"{run.get_absolute_url()}episodes/2/")


def test_the_wall_asks_again_and_gets_only_scenes_that_it_lacks(client: Client) -> None:
    run = make_launch(seeds=[0])
    task = run.episodes.get().task_id
    address = f"{run.get_absolute_url()}wall/episodes.json"
    assert list(client.get(address).json()["scenes"]) == [str(task)]
    assert client.get(f"{address}?known={task}").json()["scenes"] == {}
    assert client.post(address).status_code == 405
    assert client.get("/runs/999/wall/").status_code == 404
