from __future__ import annotations

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from engine.spec.loader import load_task_text
from tests.support.builders import GOLD_RUSH, at, make_task
from tests.support.pages import Page, make_launch
from webapp.tasks.agenda import agenda
from webapp.tasks.models import Task
from webapp.tasks.preview import preview
from webapp.tasks.views import numbered

pytestmark = pytest.mark.django_db

MINIMAL = """\
task:
  type: custom
  id: tiny_one
  goal: "Stay {goal}"
  success: [{all_alive: true}, {step_reached: 10}]
agents:
  spawn:
    - name: Ada
      position: [0, 64, 0]
environment:
  max_steps: 10
"""
TINY = MINIMAL.replace("{goal}", "alive")


def add(client: Client, **fields: Any) -> Any:
    return client.post("/tasks/new/", {"suite": "my-tasks", "title": "", "text": ""} | fields)


def test_pasted_yaml_becomes_a_task_of_my_own(client: Client) -> None:
    answer = add(client, text=TINY)
    assert (answer.status_code, answer["Location"]) == (302, "/tasks/my-tasks/tiny-one/")
    task = Task.objects.get()
    assert (task.title, task.yaml, task.suite.title, task.source) == ("Tiny one", TINY, "My tasks", "upload")
    assert (task.agents, task.max_steps, task.type) == (1, 10, "custom")
    assert "“Tiny one” is in the library." in Page(client.get(answer["Location"])).text


def test_an_uploaded_file_takes_its_name_where_the_yaml_gives_none(client: Client) -> None:
    text = TINY.replace("  id: tiny_one\n", "")
    answer = add(client, file=SimpleUploadedFile("Über Task.yaml", text.encode()))
    assert answer["Location"] == "/tasks/my-tasks/uber-task/"


def test_a_title_gives_the_address(client: Client) -> None:
    assert add(client, text=TINY, title="My first!")["Location"] == "/tasks/my-tasks/my-first/"


def test_windows_line_ends_do_not_shift_lines(client: Client) -> None:
    page = Page(add(client, text=TINY.replace("max_steps: 10", "max_steps: 0").replace("\n", "\r\n")))
    assert page.all("a", href="#L11")


def test_faults_stand_beside_the_field_with_links_to_their_lines_and_nothing_is_lost(client: Client) -> None:
    text = TINY.replace("max_steps: 10", "max_stepz: 10")
    page = Page(add(client, text=text, title="Keep me"))
    assert page.status == 400
    assert page.all("a", href="#L11")
    assert page.all("tr", id="L11", class_="marked")
    assert page.all("textarea", aria_invalid="true", aria_describedby="id_text_error")
    assert "max_stepz" in page.text
    assert page.all("input", name="title")[0]["value"] == "Keep me"
    area = page.html[page.html.index("<textarea") : page.html.index("</textarea>")]
    assert "max_stepz: 10" in area
    assert not Task.objects.exists()


def test_a_faulty_file_comes_back_as_text_that_can_be_mended(client: Client) -> None:
    page = Page(add(client, file=SimpleUploadedFile("a.yaml", TINY.replace("custom", "costum").encode())))
    assert page.status == 400
    assert "The task has 1 fault, listed above with its line." in page.text
    area = page.html[page.html.index("<textarea") : page.html.index("</textarea>")]
    assert "type: costum" in area


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("big.yaml", b"#" * (256 * 1024 + 1), "at most 256 KB"),
        ("task.txt", TINY.encode(), "ends in .yaml or .yml"),
        ("latin.yaml", b"task: \xe9", "not UTF-8 text (byte 7)"),
        ("empty.yaml", b"", "empty"),
    ],
)
def test_files_that_cannot_be_read_are_refused_beside_the_field(
    client: Client, name: str, content: bytes, message: str
) -> None:
    page = Page(add(client, file=SimpleUploadedFile(name, content), text="kept: text"))
    assert page.status == 400
    assert message in page.text
    assert page.all("input", name="file", aria_invalid="true")
    assert "kept: text" in page.html


def test_nothing_sent_is_said_beside_the_text(client: Client) -> None:
    page = Page(add(client))
    assert page.status == 400
    assert "Paste a task’s YAML here, or choose a file." in page.text


def test_text_above_the_limit_is_refused(client: Client) -> None:
    page = Page(add(client, text="#" * (256 * 1024 + 1)))
    assert page.status == 400
    assert "more than 256 KB" in page.text


def test_an_address_that_is_taken_is_said_beside_the_title(client: Client) -> None:
    add(client, text=TINY)
    page = Page(add(client, text=TINY))
    assert page.status == 400
    assert "already has a task “tiny-one”" in page.text
    assert page.all("input", name="title", aria_invalid="true")
    assert "type: custom" in page.html
    assert Task.objects.count() == 1


@pytest.mark.parametrize(
    "text", ["[" * 5000, "a: &x {y: *x}", "a: 1\na: 2", "\x00", "- 1", "{", "on: 12:30:00"]
)
def test_hostile_yaml_is_answered_with_faults(client: Client, text: str) -> None:
    page = Page(add(client, text=text))
    assert page.status == 400
    assert not Task.objects.exists()


def test_warnings_are_shown_on_the_new_tasks_page(client: Client) -> None:
    text = TINY.replace("position: [0, 64, 0]", "position: {x: 0, y: 64, z: 0}")
    page = Page(client.get(add(client, text=text)["Location"]))
    assert "1 warning" in page.text
    assert page.all("a", href="#L9")


def test_markup_in_goal_and_events_is_shown_as_text(client: Client) -> None:
    evil = MINIMAL.replace("{goal}", "<script>alert(1)</script> <img src=x onerror=alert(2)>")
    evil += "events:\n- id: say\n  actions:\n  - {type: message, text: '<script>alert(3)</script>'}\n"
    page = Page(client.get(add(client, text=evil, title="<b>Bold</b>")["Location"]))
    assert page.scripts == []
    assert page.all("img", src="x") == []
    assert "<script>alert(1)</script>" in page.text
    assert "<b>Bold</b>" in page.text
    for path in ("/tasks/", "/launch/", "/"):
        shown = Page(client.get(path))
        assert shown.scripts == []
        assert shown.all("b") == [found for found in shown.all("b") if "class" not in found]


def test_a_task_page_says_what_is_asked_of_whom_and_what_happens(client: Client) -> None:
    task = make_task()
    page = Page(client.get("/tasks/samples/gold-rush/"))
    for text in (
        "Mine 24 gold ore and 22 oak logs",
        "24 × gold ore",
        "Bruno",
        "diamond pickaxe",
        "every 10 steps, from step 0 to 90",
        "5 × gold ore within 14 of 0, 64, 16",
        "30 steps",
    ):
        assert text in page.text, text
    assert page.all("a", href=f"/launch/?task={task.pk}")
    assert page.all("tr", id="L1")
    assert page.all("script", id="map-preview-data", type="application/json")


def test_a_task_page_lists_the_latest_episodes_that_have_begun(client: Client) -> None:
    run = make_launch([make_task()], seeds=[0, 1, 2])
    for index, second in ((1, 5), (3, 9)):
        run.episodes.filter(index=index).update(started_at=at(second), status="running")
    page = Page(client.get("/tasks/samples/gold-rush/"))
    shown = [found["href"] for found in page.all("a", class_="row-link")]
    assert shown == [f"/runs/{run.pk}/episodes/3/", f"/runs/{run.pk}/episodes/1/"]


def test_a_task_that_this_version_cannot_read_says_so(client: Client) -> None:
    make_task(yaml=GOLD_RUSH.replace("max_steps: 100", "max_steps: nought"))
    page = Page(client.get("/tasks/samples/gold-rush/"))
    assert page.status == 200
    assert "This version cannot run the task" in page.text


def test_the_file_is_downloaded_as_it_was_written(client: Client) -> None:
    make_task()
    answer = client.get("/tasks/samples/gold-rush/task.yaml")
    assert answer.content.decode() == GOLD_RUSH
    assert answer["Content-Disposition"] == 'attachment; filename="gold-rush.yaml"'


@pytest.mark.parametrize(
    ("query", "shown"),
    [
        ("", ["one", "two"]),
        ("?q=two", ["two"]),
        ("?q=gold+logs", ["one", "two"]),
        ("?q=diamond", []),
        ("?type=mine_vanishing_blocks", ["one", "two"]),
        ("?type=raid_boss", []),
        ("?type=nonsense", []),
    ],
)
def test_the_library_filters_by_type_and_words(client: Client, query: str, shown: list[str]) -> None:
    make_task("one"), make_task("two")
    page = Page(client.get(f"/tasks/{query}"))
    assert [slug for slug in ("one", "two") if page.all("a", href=f"/tasks/samples/{slug}/")] == shown


def test_the_agenda_counts_firings_and_draws_them_as_long_as_they_last() -> None:
    gold, timber = agenda(load_task_text(GOLD_RUSH, "gold").spec)
    assert (gold.event, gold.times, gold.lifetime) == ("gold", 10, "30 steps")
    assert [(bar.start, bar.length) for bar in gold.bars][-3:] == [(70, 30), (80, 20), (90, 10)]
    assert (timber.times, timber.bars[0].start) == (9, 5)


AGENDA = """\
task: {type: custom, goal: Stay, success: [all_alive: true]}
agents: {spawn: [{name: Ada, position: [0, 64, 0]}]}
environment: {max_steps: 50, regions: [{id: swamp, area: {min: [5, 64, 5], max: [9, 64, 9]}}]}
events:
- id: all
  trigger: TRIGGER
  actions: [ACTION]
"""


@pytest.mark.parametrize(
    ("trigger", "action", "when", "what", "lasts", "times"),
    [
        (
            "{start: 5}",
            "{type: progressive_fill, block: lava, area: {min: [20, 64, 0], max: [29, 65, 4]}, direction: east,"
            " speed_bps: 2}",
            "from step 5",
            "lava fills 20, 64, 0 … 29, 65, 4, towards the east, 2 slices a step",
            "stays",
            1,
        ),
        (
            "{start: 7}",
            "{type: spawn_entities, entity: zombie, count: 2, center: [9, 64, 9], radius: 3, health: 35}",
            "once, at step 7",
            "2 × zombie (minion, 35 HP) within 3 of 9, 64, 9",
            "stays",
            1,
        ),
        ("{at: [3, 9]}", "{type: damage, amount: 2}", "at steps 3, 9", "2 HP of damage to everyone", "–", 2),
        (
            "{when: [{step_reached: 9}]}",
            "{type: message, text: Hurry}",
            "once, when step reached 9",
            "“Hurry” to everyone",
            "–",
            None,
        ),
        (
            "{when: [{any: [{all_alive: true}, {not: {blocks_placed: {count: 3}}}]}]}",
            "{type: set_region, region: swamp, active: false}",
            "once, when (all alive or not blocks placed 3 count)",
            "region swamp switched off",
            "stays",
            None,
        ),
        (
            "{interval: 20, probability: 0.5}",
            "{type: apply_effect, effect: {type: slowness, amplifier: 1, seconds: 4}}",
            "every 20 steps, from step 0 to the end, each with probability 0.5",
            "slowness 2 for everyone",
            "4 steps",
            3,
        ),
        (
            "{start: 2, end: 4}",
            "{type: remove_blocks, area: {min: [3, 64, 3], max: [4, 64, 4]}}",
            "every step, from step 2 to 4",
            "every block vanishes from 3, 64, 3 … 4, 64, 4",
            "–",
            3,
        ),
        (
            "{}",
            "{type: despawn_entities, role: minion, count: 4}",
            "once, at step 0",
            "up to 4 minion vanish",
            "–",
            1,
        ),
        (
            "{}",
            "{type: set_blocks, block: stone, area: {min: [3, 64, 3], max: [4, 64, 4]}}",
            "once, at step 0",
            "3, 64, 3 … 4, 64, 4 becomes stone",
            "stays",
            1,
        ),
    ],
)
def test_every_kind_of_event_is_told_in_words(
    trigger: str, action: str, when: str, what: str, lasts: str, times: int | None
) -> None:
    spec = load_task_text(AGENDA.replace("TRIGGER", trigger).replace("ACTION", action), "agenda").spec
    (row,) = agenda(spec)
    assert (row.when, row.what, row.lifetime, row.times) == (when, what, lasts, times)


def test_the_map_holds_everything_within_its_bounds() -> None:
    data = preview(load_task_text(GOLD_RUSH, "gold").spec)
    assert data["bounds"] == {"min": [-18, -34], "max": [18, 34]}
    assert data["chests"] == [[0, 64, 0]]
    assert data["agents"][1] == {"name": "Bruno", "position": [6, 64, 4], "perception_range": 12.0}
    assert data["spawns"][0] == {
        "event": "gold",
        "block": "gold_ore",
        "center": [0, 64, 16],
        "radius": 14,
        "lifetime": 30,
    }
    (wall,) = data["blocks"]
    assert (wall["block"], len(wall["cells"])) == ("stone_bricks", 28)
    assert wall["cells"][0] == [-8, 64, 9]


def test_only_keys_are_set_off_as_keys() -> None:
    text = "task:\n  text: | # prose\n    Wood burns: use stone.\n\n    Be quick: hurry.\n  id: a"
    keys = [line.number for line in numbered(text) if "y-key" in line.html]
    assert keys == [1, 2, 6]
