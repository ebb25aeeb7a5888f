"""What the episode page knows of a task beforehand."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.test import Client

from engine.spec.loader import load_task_text
from tests.support.builders import make_task
from tests.support.pages import Page, make_launch
from webapp.runs.scene import scene
from webapp.tasks.models import Task
from webapp.tasks.preview import preview

pytestmark = pytest.mark.django_db

CRISES = """
task: {type: custom, goal: g, success: [{step_reached: 90}]}
events:
  - id: wave
    trigger: {start: 30, end: 90}
    actions:
      - {type: progressive_fill, block: lava, area: {min: [0, 64, 0], max: [9, 64, 4]}, direction: east, speed_bps: 2}
  - id: flood
    trigger: {when: [{step_reached: 5}]}
    actions:
      - {type: progressive_fill, block: water, area: {min: [0, 64, 0], max: [9, 64, 4]}, direction: north, speed_bps: 1}
  - id: late
    trigger: {at: [70, 40]}
    actions:
      - {type: progressive_fill, block: water, area: {min: [0, 64, 0], max: [9, 64, 4]}, direction: north, speed_bps: 1}
agents: {spawn: [{name: Ada, position: [0, 64, 0]}]}
environment: {max_steps: 100}
"""


def test_crises_tell_when_they_set_out_and_how_fast_they_move() -> None:
    fills = preview(load_task_text(CRISES, "crises").spec)["fills"]
    assert fills[0] == {
        "event": "wave",
        "block": "lava",
        "min": [0, 64, 0],
        "max": [9, 64, 4],
        "direction": "east",
        "speed_bps": 2,
        "start": 30,
        "end": 90,
    }
    assert [fill["start"] for fill in fills] == [30, None, 40]


def test_the_episode_page_carries_the_scene_as_data(client: Client) -> None:
    run = make_launch()
    page = Page(client.get(f"/runs/{run.pk}/episodes/1/"))
    assert page.scripts == []
    found = re.search(r'<script id="scene-data" type="application/json">(.*?)</script>', page.html)
    assert found
    data: dict[str, Any] = json.loads(found[1])
    assert data == scene(run.episodes.get().task)
    assert data["bounds"]["min"][0] < data["bounds"]["max"][0]


def test_a_task_that_is_refused_by_now_still_has_a_page(client: Client) -> None:
    run = make_launch([make_task()])
    Task.objects.update(yaml="task: {type: of another age}")
    assert client.get(f"/runs/{run.pk}/episodes/1/").status_code == 200
    assert scene(Task.objects.get()) == {"bounds": None, "fills": []}
