from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from engine.agents.policies import POLICIES
from tests.support.builders import make_task
from tests.support.pages import Page, make_launch
from webapp.launch.actions import Grid
from webapp.launch.forms import default_name, write_seeds
from webapp.launch.seeds import parse_seeds
from webapp.runs.models import Episode, Run


@pytest.mark.parametrize(
    ("text", "seeds"),
    [
        ("0", [0]),
        ("0-3", [0, 1, 2, 3]),
        ("0,3,7", [0, 3, 7]),
        (" 0 - 2 , 10 ", [0, 1, 2, 10]),
        ("1–3", [1, 2, 3]),
        ("7 7 7", [7]),
        ("3;1", [1, 3]),
        ("0-2,1-4", [0, 1, 2, 3, 4]),
        ("007", [7]),
        ("2147483647", [2147483647]),
    ],
)
def test_seeds_are_read_as_people_write_them(text: str, seeds: list[int]) -> None:
    assert parse_seeds(text) == seeds


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "at least one seed"),
        (" , ", "at least one seed"),
        ("x", "“x” is not a seed"),
        ("-1", "“-1” is not a seed"),
        ("1.5", "“1.5” is not a seed"),
        ("1-", "“1-” is not a seed"),
        ("1-2-3", "“1-2-3” is not a seed"),
        ("٣", "“٣” is not a seed"),
        ("9-0", "runs backwards; write 0-9"),
        ("2147483648", "the largest seed is 2147483647"),
        ("0-1000", "more than 1,000 seeds"),
        ("0-999, 5000", "More than 1,000 seeds"),
        ("0-99999999999", "too large"),
    ],
)
def test_seeds_that_cannot_be_read_are_named(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse_seeds(text)


def test_seeds_are_written_with_ranges_and_read_back() -> None:
    assert write_seeds([7, 0, 1, 2]) == "0-2, 7"
    assert parse_seeds(write_seeds([7, 0, 1, 2])) == [0, 1, 2, 7]


@pytest.mark.django_db
def test_a_run_is_named_after_what_it_launches() -> None:
    one, two, three = (make_task(slug) for slug in ("one", "two", "three"))
    axes: dict[str, Any] = {"modes": ["sync"], "worlds": ["simulator"], "seeds": [0]}
    small = Grid(tasks=[one, two], policies=["oracle"], **axes)
    large = Grid(tasks=[one, two, three], policies=["a", "b", "c"], models=["scripted"], **axes)
    assert default_name(small) == "One, Two · oracle · sync"
    assert default_name(large) == "3 tasks · 3 policies · scripted (no LLM) · sync"


def entries(**changes: Any) -> dict[str, Any]:
    base = {
        "policies": ["oracle"],
        "modes": ["sync"],
        "worlds": ["simulator"],
        "seeds": "0",
        "repeats": "1",
        "pace": "4",
        "name": "",
    }
    return {name: value for name, value in (base | changes).items() if value is not None}


@pytest.mark.django_db
def test_the_defaults_are_enough_to_launch(client: Client) -> None:
    task = make_task()
    page = Page(client.get("/launch/"))
    boxes = page.all("input", type="checkbox", checked="") + page.all("input", type="radio", checked="")
    chosen = [(found["name"], found["value"]) for found in boxes]
    assert chosen == [
        ("tasks", str(task.pk)),
        ("policies", "oracle"),
        ("models", "scripted"),
        ("modes", "sync"),
        ("worlds", "simulator"),
        ("pace", "4"),
    ]
    texts = {
        found["name"]: found.get("value", "")
        for found in page.all("input", class_="form-control")
        if "name" in found
    }
    limits = ("minutes", "inferences", "tokens", "usd")
    assert texts == {"seeds": "0", "repeats": "1", "name": "", "more_models": ""} | {
        f"{prefix}_{name}": "" for prefix in ("budget", "run_budget") for name in limits
    } | {"budget_minutes": "40"}
    answer = client.post("/launch/", dict(chosen) | texts)
    assert answer.status_code == 302
    assert Episode.objects.get().task == task


@pytest.mark.django_db
def test_a_grid_leads_to_its_run(client: Client) -> None:
    task = make_task()
    answer = client.post(
        "/launch/", entries(tasks=[task.pk], seeds="0-2", repeats="2", name="Mine", pace="0")
    )
    run = Run.objects.get()
    assert (answer.status_code, answer["Location"]) == (302, f"/runs/{run.pk}/")
    assert (run.name, run.pace, run.episodes.count()) == ("Mine", 0.0, 6)


@pytest.mark.django_db
def test_a_task_named_in_the_address_is_chosen_beforehand(client: Client) -> None:
    make_task("one")
    two = make_task("two")
    page = Page(client.get(f"/launch/?task={two.pk}"))
    assert [found["value"] for found in page.all("input", name="tasks", checked="")] == [str(two.pk)]


@pytest.mark.django_db
def test_launching_again_fills_the_form_like_the_earlier_run(client: Client) -> None:
    run = make_launch(
        [make_task()],
        name="Old",
        policies=list(POLICIES),
        models=["scripted"],
        modes=["async"],
        seeds=[0, 1, 2, 9],
        repeats=3,
        pace=0.0,
    )
    page = Page(client.get(f"/launch/?run={run.pk}"))
    assert [found["value"] for found in page.all("input", name="policies", checked="")] == list(POLICIES)
    assert [found["value"] for found in page.all("input", name="modes", checked="")] == ["async"]
    assert [found["value"] for found in page.all("input", name="pace", checked="")] == ["0"]
    assert page.all("input", name="seeds")[0]["value"] == "0-2, 9"
    assert page.all("input", name="repeats")[0]["value"] == "3"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"policies": None}, "Choose at least one policy."),
        ({"policies": ["genius"]}, "genius is not one of the available choices"),
        ({"modes": None}, "Choose at least one mode."),
        ({"worlds": ["mars"]}, "mars is not one of the available choices"),
        ({"seeds": "a"}, "“a” is not a seed"),
        ({"seeds": None}, "Write at least one seed"),
        ({"repeats": "0"}, "greater than or equal to 1"),
        ({"repeats": "many"}, "Write a whole number."),
        ({"pace": "3"}, "not one of the available choices"),
        ({"pace": None}, "Choose a pace."),
        ({"seeds": "0-999", "repeats": "11"}, "That is 11,000 episodes; a run may have 10,000."),
    ],
)
def test_a_refused_launch_says_why_and_keeps_what_was_entered(
    client: Client, changes: dict[str, Any], message: str
) -> None:
    task = make_task()
    sent = entries(tasks=[task.pk], name="Kept <name>") | changes
    page = Page(client.post("/launch/", {name: value for name, value in sent.items() if value is not None}))
    assert page.status == 400
    assert message in page.text
    assert not Run.objects.exists()
    assert page.all("input", name="name")[0]["value"] == "Kept <name>"
    assert page.all("input", name="tasks", value=str(task.pk), checked="")
    if changes.get("seeds"):
        assert page.all("input", name="seeds")[0]["value"] == changes["seeds"]


@pytest.mark.django_db
@pytest.mark.parametrize("pk", ["999", "x", str(10**30)])
def test_a_task_that_is_not_there_is_refused_beside_the_field(client: Client, pk: str) -> None:
    make_task()
    page = Page(client.post("/launch/", entries(tasks=[pk])))
    assert page.status == 400
    assert page.all("fieldset", id="group-tasks", aria_describedby="tasks-error")


@pytest.mark.django_db
def test_a_launch_without_a_task_is_refused_beside_the_field(client: Client) -> None:
    make_task()
    page = Page(client.post("/launch/", entries()))
    assert page.status == 400
    assert "Choose at least one task." in page.text


@pytest.mark.django_db
def test_an_empty_library_offers_to_add_a_task(client: Client) -> None:
    page = Page(client.get("/launch/"))
    assert "There is no task to launch yet" in page.text


@pytest.mark.django_db
def test_models_are_ticked_or_written_and_budgets_set(client: Client) -> None:
    task = make_task()
    client.post(
        "/launch/",
        entries(
            tasks=[task.pk],
            policies=["oracle", "distributed"],
            models=["scripted"],
            more_models="scripted:latency=5 scripted:latency=uniform(5,10)",
            budget_minutes="1.5",
            run_budget_usd="0.25",
            run_budget_tokens="1000",
        ),
    )
    run = Run.objects.get()
    assert run.settings["models"] == ["scripted", "scripted:latency=5", "scripted:latency=uniform(5,10)"]
    assert run.settings["budget"] == {"inference_s": 90.0, "inferences": None, "tokens": None, "usd": None}
    assert run.settings["run_budget"] == {
        "inference_s": None,
        "inferences": None,
        "tokens": 1000,
        "usd": 0.25,
    }
    assert run.name == "Gold-rush · oracle, distributed · 3 models · sync"
    assert run.episodes.count() == 4

    again = Page(client.get(f"/launch/?run={run.pk}"))
    (more,) = again.all("input", name="more_models")
    assert more["value"] == "scripted:latency=5 scripted:latency=uniform(5,10)"
    assert again.all("input", name="models", value="scripted", checked="")
    values = {
        name: again.all("input", name=name)[0].get("value") for name in ("budget_minutes", "run_budget_usd")
    }
    assert values == {"budget_minutes": "1.5", "run_budget_usd": "0.25"}


@pytest.mark.django_db
def test_models_that_nobody_asks_are_left_out(client: Client) -> None:
    client.post("/launch/", entries(tasks=[make_task().pk], models=["scripted"]))
    assert Run.objects.get().settings["models"] == []


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("changes", "field", "part"),
    [
        ({"policies": ["centralized"]}, "models-error", "centralized cannot decide without a model"),
        ({"more_models": "gpt-unheard-of"}, "id_more_models_error", "unknown model"),
        ({"more_models": "scripted:speed=1"}, "id_more_models_error", "unknown setting"),
        ({"budget_usd": "0"}, "id_budget_usd_error", "greater than or equal to"),
        ({"run_budget_tokens": "1.5"}, "id_run_budget_tokens_error", "whole number"),
        ({"budget_minutes": "NaN"}, "id_budget_minutes_error", "Write a number"),
    ],
)
def test_a_wrong_model_or_budget_is_told_beside_its_field(
    client: Client, changes: dict[str, Any], field: str, part: str
) -> None:
    answer = client.post("/launch/", entries(tasks=[make_task().pk], **changes))
    page = Page(answer)
    assert answer.status_code == 400
    assert page.all("div", id=field)
    assert part in page.text
    if "budget" in field:
        assert page.all("details", class_="advanced", open="")
    assert not Run.objects.exists()


@pytest.mark.django_db
def test_the_form_can_be_asked_what_it_will_take(client: Client) -> None:
    task = make_task()
    choices = entries(tasks=[task.pk], policies=["centralized"], models=["scripted"], seeds="0-3", pace="0")
    page = Page(client.post("/launch/estimate/", choices))
    assert page.status == 200
    assert "Inferences 48" in page.text  # a dozen in each of four episodes
    assert "4 of 4 by rough defaults, since centralized · scripted was never played" in page.text
    assert not Run.objects.exists()
    assert client.post("/launch/estimate/", entries(tasks=[])).content == b""
    assert client.get("/launch/estimate/").status_code == 405


@pytest.mark.django_db
def test_asking_what_it_will_take_needs_the_forms_token() -> None:
    assert Client(enforce_csrf_checks=True).post("/launch/estimate/").status_code == 403
