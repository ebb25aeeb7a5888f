"""What the animation on a task's page is made of."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from engine.episode.run import run_episode
from engine.episode.settings import EpisodeSettings
from engine.events.log import Event
from engine.events.payloads import BlocksChanged
from engine.spec.loader import load_task_text
from tests.support.builders import GOLD_RUSH, make_task
from tests.support.pages import Page
from webapp.tasks import rehearsal
from webapp.tasks.rehearsal import boxes, rehearse

TASK = """\
task: {type: custom, goal: Stay, success: [all_alive: true]}
agents: {spawn: [{name: Ada, position: [0, 64, 0]}]}
environment: {max_steps: 50, regions: [{id: swamp, area: {min: [5, 64, 5], max: [9, 64, 9]}}]}
events:
"""


def rehearsed(*events: str) -> dict[str, Any]:
    return rehearse(load_task_text(TASK + "".join(f"- {event}\n" for event in events), "t").spec)


def told(data: dict[str, Any], kind: str, *names: str) -> list[tuple[Any, ...]]:
    return [
        tuple(change[name] for name in ("step", *names))
        for change in data["changes"]
        if change["kind"] == kind
    ]


def test_blocks_appear_on_the_only_free_cell_and_vanish_after_their_lifetime() -> None:
    data = rehearsed(
        "{id: gold, trigger: {start: 3, end: 13, interval: 10}, actions: "
        "[{type: spawn_blocks, block: gold_ore, count: 2, center: [4, 64, 4], radius: 0, lifetime: 10}]}"
    )
    cell = [(4, 64, 4, 4, 64, 4)]
    assert told(data, "fired", "wanted", "done") == [(3, 2, 1), (13, 2, 0)]
    assert told(data, "blocks", "block", "boxes", "until") == [
        (3, "gold_ore", cell, 13),
        (13, "air", cell, None),
    ]
    assert (data["seed"], data["steps"], data["open"]) == (0, 50, [])


def test_nothing_appears_where_an_agent_stands() -> None:
    data = rehearsed(
        "{id: gold, actions: [{type: spawn_blocks, block: gold_ore, count: 1, center: [0, 64, 0], radius: 0}]}"
    )
    assert told(data, "fired", "done") == [(0, 0)]


def test_a_crisis_covers_its_slices_on_time_and_stops_at_its_end() -> None:
    data = rehearsed(
        "{id: wave, trigger: {start: 20, end: 25}, actions: [{type: progressive_fill, block: lava, direction: west,"
        " speed_bps: 0.5, area: {min: [10, 64, 0], max: [19, 65, 4]}}]}"
    )
    assert told(data, "fired", "action") == [(20, "progressive_fill")]
    assert told(data, "blocks", "boxes") == [
        (20, [(19, 64, 0, 19, 65, 4)]),
        (22, [(18, 64, 0, 18, 65, 4)]),
        (24, [(17, 64, 0, 17, 65, 4)]),
    ]


def test_mobs_have_numbers_of_their_own_and_leave_in_time() -> None:
    data = rehearsed(
        "{id: horde, trigger: {start: 5}, actions: "
        "[{type: spawn_entities, entity: zombie, count: 1, center: [9, 64, 9], radius: 0, lifetime: 4}]}",
        "{id: more, trigger: {start: 7}, actions: "
        "[{type: spawn_entities, entity: spider, count: 1, center: [2, 64, 9], radius: 0}]}",
        "{id: dawn, trigger: {start: 30}, actions: [{type: despawn_entities, role: minion}]}",
    )
    assert told(data, "mob", "mob", "entity", "position", "until") == [
        (5, 1, "zombie", (9, 64, 9), 9),
        (7, 2, "spider", (2, 64, 9), None),
    ]
    assert told(data, "gone", "mob", "cause") == [(9, 1, "lifetime"), (30, 2, "event")]


def test_messages_and_regions_are_told_and_what_waits_for_a_condition_is_listed() -> None:
    data = rehearsed(
        "{id: news, trigger: {start: 2}, actions: [{type: message, text: Hurry}]}",
        "{id: dry, trigger: {start: 4}, actions: [{type: set_region, region: swamp, active: false}]}",
        "{id: late, trigger: {when: [{step_reached: 9}]}, actions: [{type: message, text: Too late}]}",
    )
    assert told(data, "message", "event", "text") == [(2, "news", "Hurry")]
    assert told(data, "region", "id", "active", "min") == [(4, "swamp", False, (5, 64, 5))]
    assert data["open"] == [{"event": "late", "when": "once, when step reached 9"}]


def test_what_appears_first_is_what_an_episode_of_seed_0_finds() -> None:
    spec = load_task_text(GOLD_RUSH, "gold").spec
    real: list[BlocksChanged] = []

    def sink(event: Event, _line: bytes) -> None:
        if isinstance(event.payload, BlocksChanged) and event.payload.cause == "event":
            real.append(event.payload)

    run_episode(spec, EpisodeSettings(seed=0), sink)
    shown = [change for change in rehearse(spec)["changes"] if change["kind"] == "blocks"]
    assert shown[0]["boxes"] == boxes(real[0].cells)
    assert shown[0]["until"] == 30


def test_a_step_that_does_not_fit_any_more_ends_the_telling(monkeypatch: pytest.MonkeyPatch) -> None:
    event = "{id: news, trigger: {start: 4, interval: 10}, actions: [{type: message, text: Hurry}]}"
    monkeypatch.setattr(rehearsal, "MOST_MARKS", 4)
    data = rehearsed(event)
    assert [step for step, *_ in told(data, "message")] == [4, 14]
    assert (data["steps"], data["max_steps"]) == (23, 50)


def test_a_search_for_room_that_takes_too_long_ends_the_telling(monkeypatch: pytest.MonkeyPatch) -> None:
    event = (
        "{id: sky, trigger: {start: 6}, actions: "
        "[{type: spawn_blocks, block: stone, count: 1, center: [0, 90, 0], radius: 30}]}"
    )
    monkeypatch.setattr(rehearsal, "MOST_LOOKS", 100)
    data = rehearsed(event)
    assert (data["steps"], data["changes"]) == (5, [])


def test_a_change_that_is_too_large_ends_the_telling_before_it(monkeypatch: pytest.MonkeyPatch) -> None:
    floor = "{type: set_blocks, block: stone, area: {min: [3, 64, 0], max: [3, 64, 59]}}"
    event = f"{{id: floor, trigger: {{at: [6, 9]}}, actions: [{floor}]}}"
    monkeypatch.setattr(rehearsal, "MOST_LOOKS", 150)
    data = rehearsed(event)
    assert told(data, "blocks", "block", "boxes") == [(6, "stone", [(3, 64, 0, 3, 64, 59)])]
    assert data["steps"] == 8


def test_cells_become_few_boxes() -> None:
    slab = [(x, 64, z) for x in range(3) for z in range(4)]
    assert boxes(slab) == [(0, 64, 0, 2, 64, 3)]
    assert boxes([*slab, (7, 64, 1)]) == [(0, 64, 0, 2, 64, 3), (7, 64, 1, 7, 64, 1)]
    without_one = [cell for cell in slab if cell != (1, 64, 2)]
    assert sum((b[3] - b[0] + 1) * (b[5] - b[2] + 1) for b in boxes(without_one)) == 11
    assert boxes([]) == []


@pytest.mark.django_db
def test_the_page_names_the_address_of_its_animation(client: Client) -> None:
    make_task()
    page = Page(client.get("/tasks/samples/gold-rush/"))
    address = "/tasks/samples/gold-rush/preview.json"
    assert page.all("div", id="map-preview", data_rehearsal=address)
    data = client.get(address).json()
    assert data["changes"][0]["step"] == 0
    assert data["steps"] == 100


@pytest.mark.django_db
def test_there_is_no_animation_of_a_task_that_cannot_be_read(client: Client) -> None:
    make_task(yaml=GOLD_RUSH.replace("max_steps: 100", "max_steps: nought"))
    assert client.get("/tasks/samples/gold-rush/preview.json").status_code == 404
