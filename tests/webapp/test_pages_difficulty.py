from __future__ import annotations

import pytest
from django.test import Client

from engine.errors import Fault, TaskError
from engine.spec.loader import load_task_text
from engine.spec.model import TaskSpec
from tests.engine.spec.samples import PREPARE, RAID
from tests.support.builders import GOLD_RUSH, make_task
from tests.support.pages import Page
from webapp.guide import pages
from webapp.tasks import difficulty as module
from webapp.tasks.difficulty import difficulty

pytestmark = pytest.mark.django_db

CUSTOM = """\
task: {type: custom, goal: wait, success: [{step_reached: 1}]}
agents: {spawn: [{name: Ada, position: [0, 64, 0]}]}
environment: {max_steps: 9}
"""


def shown(client: Client, yaml: str) -> str:
    return Page(client.get(make_task(yaml=yaml).get_absolute_url())).text


def test_a_tasks_page_shows_its_metrics(client: Client) -> None:
    text = shown(client, GOLD_RUSH)
    assert "Heterogeneity 0.38 from 0, all agents alike, to 1" in text
    # Bruno: 24 gold ore at 0.6 s and 22 logs at 3 s are 80.4 s, of 100
    assert "Necessity 0.8 × of the time limit" in text
    assert "Dynamicity 1.7 a second" in text
    assert "Time to failure 30 s" in text


def test_a_tasks_page_shows_each_criterion_with_both_sides_and_where_it_flips(client: Client) -> None:
    text = shown(client, GOLD_RUSH.replace("count: 24", "count: 25").replace("count: 22", "count: 25"))
    assert "Feasibility: not feasible with these margins" in text
    assert "safety margins β₁ = 2, β₂ = 2." in text
    assert "Tool gold ore 2 agents who can harvest gold ore 1 needed yes –" in text
    # 50 gold ore and 45 logs come in all
    assert "Supply gold ore 50 gold ore that will be there in all 50 wanted, × 2 yes 2" in text
    assert "Supply oak log 45 oak log that will be there in all 50 wanted, × 2 no 1.8" in text
    assert "Feasibility: feasible with these margins" in shown_again(client, GOLD_RUSH)


def shown_again(client: Client, yaml: str) -> str:
    return Page(client.get(make_task("again", yaml).get_absolute_url())).text


def test_what_has_no_figure_is_said_in_words(client: Client) -> None:
    text = shown(client, PREPARE)
    assert "Necessity No single agent can do all of it, however long it takes" in text
    assert "no number is enough to gather and build" in text
    text = shown_again(client, RAID)
    assert "Time to failure No enemies spawn" in text
    assert "safety margin \N{GREEK SMALL LETTER GAMMA} = 2." in text


def test_a_custom_task_has_no_verdict(client: Client) -> None:
    text = shown(client, CUSTOM)
    assert (
        "Feasibility: no verdict Custom tasks are not judged: what their success takes is not known." in text
    )


def test_a_broken_specification_is_said_and_not_raised(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: TaskSpec) -> None:
        raise TaskError([Fault(None, "", "cannot be read: no such file")], "raid_boss.yaml")

    monkeypatch.setattr(module, "metrics", fail)
    assert "raid_boss.yaml: cannot be read: no such file" in shown(client, GOLD_RUSH)


def test_every_metric_is_explained_in_the_guide() -> None:
    page = pages.load("difficulty")
    assert page
    for figure in difficulty(load_task_text(GOLD_RUSH, "gold_rush").spec).figures:
        assert f'<h3 id="{figure.anchor}">{figure.name}</h3>' in page.html
