from __future__ import annotations

import re
from typing import Any

import pytest
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.models import User
from django.template.loader import render_to_string
from django.test import Client, RequestFactory, override_settings

from tests.support.builders import make_task, store
from tests.support.pages import RESULT, Page, make_launch
from webapp.core.templatetags import ui
from webapp.runs.models import Status

pytestmark = pytest.mark.django_db

EMPTY = [
    "/",
    "/live/",
    "/recent/",
    "/tasks/",
    "/tasks/new/",
    "/launch/",
    "/runs/",
    "/guide/",
    "/guide/changelog/",
]
FULL = [
    "/tasks/samples/gold-rush/",
    "/tasks/samples/gold-rush/task.yaml",
    "/runs/{run}/",
    "/runs/{run}/progress/",
    "/runs/{run}/episodes/",
    "/runs/{run}/episodes/1/",
    "/runs/{run}/episodes/1/head/",
    "/runs/{run}/episodes/1/table/",
    "/runs/{run}/episodes/2/",
]


@pytest.mark.parametrize("path", EMPTY)
def test_every_page_answers_without_any_data(client: Client, path: str) -> None:
    assert client.get(path).status_code == 200


@pytest.mark.parametrize("path", EMPTY + FULL)
def test_every_page_answers_with_data_and_executes_no_inline_script(client: Client, path: str) -> None:
    run = make_launch([make_task()], seeds=[0, 1])
    ended, running = run.episodes.order_by("index")
    ended.status, ended.result, ended.success, ended.attempt = Status.FINISHED, RESULT, True, 1
    ended.partial_score, ended.steps = 0.75, 20.0
    ended.save()
    store(ended, (1, 3))
    running.status, running.attempt = Status.RUNNING, 1
    running.save()
    answer = client.get(path.format(run=run.pk))
    assert answer.status_code == 200
    if answer["Content-Type"].startswith("text/html"):
        page = Page(answer)
        assert page.scripts == []
        assert [name for _, found in page.elements for name in found if name.startswith("on")] == []
        assert len(set(page.ids())) == len(page.ids())


@pytest.mark.parametrize("path", [path for path in EMPTY if path not in ("/live/", "/recent/")])
def test_every_page_has_a_title_of_its_own_landmarks_and_one_first_heading(client: Client, path: str) -> None:
    page = Page(client.get(path))
    assert re.search(r"<title>\s*[^<]+ · TickingCollab\s*</title>", page.html)
    assert len(page.all("main", id="main")) == len(page.all("h1")) == 1
    assert page.all("a", class_="skip-link", href="#main")
    assert page.all("nav", aria_label="Main")


@pytest.mark.parametrize(
    ("path", "active"),
    [("/", "Home"), ("/tasks/new/", "Tasks"), ("/launch/", "Launch"), ("/guide/results/", "Guide")],
)
def test_the_menu_marks_the_part_that_the_page_belongs_to(client: Client, path: str, active: str) -> None:
    html = client.get(path).content.decode()
    menu = html[html.index('aria-label="Main"') : html.index("</nav>")]
    assert re.findall(r'aria-current="page">([^<]+)<', menu) == [active]


def test_home_launches_the_sample_at_four_times_real_time(client: Client) -> None:
    task = make_task()
    page = Page(client.get("/"))
    fields = {found["name"]: found["value"] for found in page.all("input", type="hidden")}
    del fields["csrfmiddlewaretoken"]
    assert fields == {
        "tasks": str(task.pk),
        "policies": "oracle",
        "modes": "sync",
        "worlds": "simulator",
        "seeds": "0",
        "repeats": "1",
        "pace": "4",
    }
    answer = client.post("/launch/", fields)
    run = task.episodes.get().run
    assert (answer.status_code, answer["Location"]) == (302, f"/runs/{run.pk}/episodes/1/")
    assert run.pace == 4.0


def test_home_without_tasks_says_how_to_get_one(client: Client) -> None:
    page = Page(client.get("/"))
    assert "No sample tasks are loaded" in page.text
    assert page.all("a", class_="btn btn-primary btn-lg", href="/tasks/new/")


def test_home_shows_what_runs_with_its_progress(client: Client) -> None:
    episode = make_launch().episodes.get()
    episode.status, episode.world_tick = Status.RUNNING, 690
    episode.save()
    page = Page(client.get("/live/"))
    assert "step 34.5 / 100" in page.text
    assert page.all("progress", max="100", value="34.5")


def test_an_unknown_address_is_answered_in_plain_words(client: Client) -> None:
    page = Page(client.get("/nowhere/"))
    assert page.status == 404
    assert "There is nothing here" in page.text


def test_numbers_beyond_the_database_are_not_found_rather_than_an_error(client: Client) -> None:
    assert client.get(f"/runs/{10**30}/").status_code == 404
    assert client.get(f"/runs/?before={10**30}").status_code == 200
    assert client.get(f"/launch/?task={10**18}&task={10**30}&run=-1").status_code == 200


def test_a_form_without_its_guard_is_refused_in_plain_words() -> None:
    page = Page(Client(enforce_csrf_checks=True).post("/launch/", {}))
    assert page.status == 403
    assert "reload the page" in page.text


def test_a_form_that_is_too_large_is_refused_in_plain_words(client: Client) -> None:
    page = Page(client.post("/tasks/new/", {"suite": "my-tasks", "text": "x" * 2**20}))
    assert page.status == 400
    assert "cannot be understood" in page.text


def test_somebody_still_logged_in_from_before_login_was_switched_off_sees_all_pages(client: Client) -> None:
    client.force_login(User.objects.create_user("ada"))
    assert client.get("/").status_code == 200


def test_the_login_page_says_what_is_wrong_and_keeps_the_name(rf: RequestFactory) -> None:
    request = rf.post("/login/", {"username": "ada", "password": "wrong"})
    form = AuthenticationForm(request, data=request.POST)
    html = render_to_string("registration/login.html", {"form": form, "next": "/runs/"}, request)
    assert "Please enter a correct username and password" in html
    assert 'value="ada"' in html
    assert '<input type="hidden" name="next" value="/runs/">' in html
    assert "wrong" not in html


def test_a_fault_of_ours_shows_no_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_args: Any, **_options: Any) -> None:
        raise RuntimeError("secret detail")

    monkeypatch.setattr("webapp.home.views._live", broken)
    page = Page(Client(raise_request_exception=False).get("/"))
    assert page.status == 500
    assert "Something went wrong" in page.text
    assert "secret detail" not in page.html


@pytest.mark.parametrize("path", ["/", "/tasks/", "/launch/", "/runs/", "/guide/"])
def test_pages_that_only_show_refuse_other_methods(client: Client, path: str) -> None:
    assert client.put(path).status_code == 405


@override_settings(DEBUG=False)
def test_pages_forbid_what_they_do_not_need(client: Client) -> None:
    policy = client.get("/")["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "script-src 'unsafe-inline'" not in policy


@pytest.mark.parametrize(
    ("value", "text"),
    [(None, "–"), (0.0, "0 %"), (0.004, "< 1 %"), (0.425, "42 %"), (0.999, "> 99 %"), (1.0, "100 %")],
)
def test_percentages_do_not_round_to_all_or_nothing(value: float | None, text: str) -> None:
    assert ui.percent(value) == text


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [
        (None, 1, "–"),
        (6.0, 1, "6"),
        (34.55, 1, "34.5"),
        (100.0, 1, "100"),
        (1234.5, 1, "1,234.5"),
        (0.7512, 2, "0.75"),
    ],
)
def test_numbers_keep_only_the_decimals_that_say_something(
    value: float | None, digits: int, text: str
) -> None:
    assert ui.number(value, digits) == text


def test_an_event_in_one_line_cuts_long_lists() -> None:
    payload = {"agent": "Ada", "block": "gold_ore", "source": "", "cells": [[1, 64, n] for n in range(9)]}
    assert ui.details(payload) == (
        "block: gold_ore · cells: [[1, 64, 0], [1, 64, 1], [1, 64, 2], [1, 64, 3], [1, 64, 4], [1, 64, 5]] and 3 more"
    )
