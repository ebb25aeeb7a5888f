from __future__ import annotations

import csv
import json
from io import StringIO
from typing import Any

import pytest
from django.test import Client

from tests.support.builders import make_task
from tests.support.pages import Page, make_launch
from webapp.runs.models import Run, Status
from webapp.runs.tables.chart import bars
from webapp.runs.tables.costs import costs
from webapp.runs.tables.files import TABLES, as_csv, cell
from webapp.runs.tables.steps import steps
from webapp.runs.tables.success import success
from webapp.runs.tables.wilson import interval

pytestmark = pytest.mark.django_db


def end(run: Run, *outcomes: dict[str, Any]) -> None:
    """Give the run's episodes, in order, what they came to; played to an end unless it says otherwise."""
    for episode, outcome in zip(run.episodes.order_by("index"), outcomes, strict=False):
        for name, value in {"status": Status.FINISHED, **outcome}.items():
            setattr(episode, name, value)
        episode.save()


@pytest.mark.parametrize(
    ("successes", "played", "bounds"),
    [
        (7, 9, (0.4526, 0.9368)),  # middle (7/9 + 3.8415/18) / 1.42683 = 0.6947, half width 0.2421
        (0, 10, (0.0, 0.2775)),  # 3.8415 / 13.8415
        (10, 10, (0.7225, 1.0)),  # 10 / 13.8415
        (1, 1, (0.2065, 1.0)),  # 1 / 4.8415
    ],
)
def test_an_interval_is_wilsons(successes: int, played: int, bounds: tuple[float, float]) -> None:
    assert interval(successes, played) == pytest.approx(bounds, abs=5e-5)


def test_nothing_played_has_no_interval() -> None:
    assert interval(0, 0) is None


def test_errors_and_lost_episodes_stand_apart_from_failures() -> None:
    run = make_launch(seeds=list(range(7)))
    end(
        run,
        {"success": True, "partial_score": 1.0, "steps": 40.0},
        {"success": False, "partial_score": 0.25, "steps": 80.0},
        {"success": False, "partial_score": 0.25, "steps": 90.0, "status": Status.BUDGET},
        {"status": Status.ERROR},
        {"status": Status.LOST},
        {"status": Status.CANCELLED, "partial_score": 0.9},
    )
    (row,) = success(run)
    assert (row.total, row.played, row.successes) == (7, 3, 1)
    assert (row.errors, row.lost, row.cancelled, row.active) == (1, 1, 1, 1)
    assert (row.success_rate, row.partial_score, row.steps) == (pytest.approx(1 / 3), 0.5, 70.0)


def test_rows_are_types_of_task_times_conditions_in_the_order_of_the_launch() -> None:
    one, two = make_task("one"), make_task("two")
    run = make_launch(
        [one, two],
        policies=["oracle", "centralized"],
        models=["scripted", "scripted:latency=5"],
        modes=["sync", "async"],
    )
    found = [
        (row.condition.policy, row.condition.model, row.condition.mode, row.total) for row in success(run)
    ]
    assert found == [
        ("oracle", "", "sync", 2),
        ("oracle", "", "async", 2),
        ("centralized", "scripted", "sync", 2),
        ("centralized", "scripted", "async", 2),
        ("centralized", "scripted:latency=5", "sync", 2),
        ("centralized", "scripted:latency=5", "async", 2),
    ]
    by_task = success(run, by_task=True)
    assert [row.task and row.task[1] for row in by_task] == ["One"] * 6 + ["Two"] * 6
    assert [row.condition.is_scripted for row in by_task[:3]] == [False, False, True]


def spent(planning: float, action: float, idle: float, dead: float, **more: Any) -> dict[str, Any]:
    return {
        "planning_steps": planning,
        "action_steps": action,
        "idle_steps": idle,
        "dead_steps": dead,
        **more,
    }


def test_steps_are_shares_of_all_agent_steps_by_condition_and_team_size() -> None:
    run = make_launch(policies=["centralized"], models=["scripted"], modes=["async"], seeds=[0, 1, 2])
    end(
        run,
        spent(40, 40, 20, 0, agents=2, master_steps=40),
        spent(20, 100, 160, 20, agents=2, master_steps=20),
        spent(10, 10, 0, 0, agents=1, master_steps=10),
    )
    alone, pair = steps(run)
    assert (alone.agents, alone.episodes, alone.total) == (1, 1, 20.0)
    assert (pair.agents, pair.episodes, pair.total) == (2, 2, 400.0)
    # 60, 140, 180 and 20 of 400 agent-steps
    assert pair.shares == {"planning": 15.0, "action": 35.0, "idle": 45.0, "dead": 5.0}
    _, paper = steps(run, waiting_is_idle=True)
    assert paper.shares == {"planning": 0.0, "action": 35.0, "idle": 60.0, "dead": 5.0}
    assert bars([pair]) == [
        {
            "label": "centralized · scripted (no LLM) · async · simulator",
            "agents": 2,
            "episodes": 2,
            "shares": {"planning": 15.0, "action": 35.0, "idle": 45.0, "dead": 5.0},
        }
    ]


def test_agents_that_ask_for_themselves_wait_for_no_master() -> None:
    run = make_launch(policies=["distributed"], models=["scripted"])
    end(run, spent(25, 75, 0, 0))
    assert steps(run) == steps(run, waiting_is_idle=True)


def test_episodes_that_were_not_played_have_no_steps_and_no_costs() -> None:
    run = make_launch(seeds=[0, 1])
    end(run, spent(0, 10, 0, 0, status=Status.ERROR), {"status": Status.CANCELLED})
    assert (steps(run), costs(run)) == ([], [])


def test_costs_are_sums_and_means_and_percentiles_of_single_inferences() -> None:
    run = make_launch(policies=["oracle", "centralized"], models=["scripted"], seeds=[0, 1])
    asked = {"messages": 0, "prompt_tokens": 1000, "completion_tokens": 50}
    end(
        run,
        {},
        {},
        {**asked, "n_inferences": 3, "latencies": [1.0, 2.0, 30.0], "cost_usd": 0.25, "re_asks": 1},
        {**asked, "n_inferences": 1, "latencies": [3.0], "cost_usd": 0.75, "parse_errors": 1},
    )
    oracle, centralized = costs(run)
    assert oracle.sums["inferences"] == oracle.sums["cost_usd"] == 0
    assert oracle.latency_s.mean is None
    assert centralized.episodes == 2
    assert centralized.sums == {
        "inferences": 4,
        "prompt_tokens": 2000,
        "completion_tokens": 100,
        "cost_usd": 1.0,
        "messages": 0,
        "message_bytes": 0,
        "re_asks": 1,
        "parse_errors": 1,
    }
    assert (centralized.means["inferences"], centralized.means["cost_usd"]) == (2.0, 0.5)
    times = centralized.latency_s  # 1, 2, 3, 30: the 50th percentile is the second, the 95th the fourth
    assert (times.mean, times.p50, times.p95) == (9.0, 2.0, 30.0)


def test_money_is_unknown_where_one_episode_has_no_price() -> None:
    run = make_launch(policies=["centralized"], models=["scripted"], seeds=[0, 1])
    end(run, {"n_inferences": 1, "cost_usd": 0.5}, {"n_inferences": 1, "cost_usd": None})
    (row,) = costs(run)
    assert row.sums["cost_usd"] is row.means["cost_usd"] is None


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("=1+1", "'=1+1"),
        ("+x", "'+x"),
        ("-x", "'-x"),
        ("@sum", "'@sum"),
        ("\tx", "'\tx"),
        ("\0x", "'\0x"),
        ("-1.5", "-1.5"),
        ("+2", "+2"),
        (-1.5, -1.5),
        ("plain", "plain"),
        (True, "true"),
        (None, None),
    ],
)
def test_text_that_a_spreadsheet_takes_for_a_formula_is_disarmed(value: object, written: object) -> None:
    assert cell(value) == written


def test_a_table_without_rows_is_an_empty_file() -> None:
    assert as_csv([]) == ""


@pytest.mark.parametrize("name", [name for name in TABLES if name != "causes"])
def test_every_table_can_be_had_as_csv_and_json_with_the_same_rows(client: Client, name: str) -> None:
    run = make_launch(policies=["centralized"], models=["scripted:latency=5"], seeds=[0, 1])
    end(
        run,
        spent(
            1,
            2,
            3,
            4,
            n_inferences=2,
            latencies=[5.0, 5.0],
            partial_score=0.5,
            oracle_score=1.0,
            score_bound=1.0,
        ),
        {"status": Status.ERROR, "error": "=cmd"},
    )
    plain = client.get(f"/runs/{run.pk}/tables/{name}.json")
    document = json.loads(plain.content)
    assert (document["run"], document["table"]) == (run.pk, name)
    assert document["rows"][0]["model"] == "scripted:latency=5"
    assert document["rows"][0]["is_scripted"] is True
    sheet = client.get(f"/runs/{run.pk}/tables/{name}.csv")
    assert sheet["Content-Disposition"] == f'attachment; filename="run-{run.pk}-{name}.csv"'
    rows = list(csv.DictReader(StringIO(sheet.content.decode())))
    assert [set(row) for row in rows] == [set(row) for row in document["rows"]]
    assert rows[0]["policy"] == "centralized"


def test_an_error_that_looks_like_a_formula_is_disarmed_in_the_file_of_episodes(client: Client) -> None:
    run = make_launch()
    end(run, {"status": Status.ERROR, "error": "=cmd"})
    text = client.get(f"/runs/{run.pk}/tables/episodes.csv").content.decode()
    assert "'=cmd" in text


@pytest.mark.parametrize("address", ["tables/nonsense.csv", "tables/nonsense.json", "parts/nonsense/"])
def test_a_table_that_does_not_exist_is_not_found(client: Client, address: str) -> None:
    assert client.get(f"/runs/{make_launch().pk}/{address}").status_code == 404


def test_the_run_page_shows_the_tables_and_can_be_switched_by_its_address(client: Client) -> None:
    run = make_launch(policies=["centralized"], models=["scripted"], modes=["async"])
    end(run, spent(50, 25, 25, 0, success=True, master_steps=50, n_inferences=2, latencies=[20.0, 20.0]))
    page = Page(client.get(f"/runs/{run.pk}/"))
    assert "1 / 1" in page.text
    assert "21 % to 100 %" in page.text
    assert "no LLM" in page.text
    assert "50.0 %" in page.text
    paper = Page(client.get(f"/runs/{run.pk}/?waiting=idle&by=task"))
    assert "50.0 %" not in paper.text
    assert "75.0 %" in paper.text
    assert paper.all("a", href="?waiting=idle#success")  # the way back keeps the other switch
    assert page.scripts == []


def test_a_row_leads_to_its_episodes(client: Client) -> None:
    run = make_launch(policies=["oracle", "centralized"], models=["scripted"], seeds=[0, 1])
    oracle, centralized = success(run)
    page = Page(client.get(f"/runs/{run.pk}/?{centralized.query}"))
    assert [found["id"] for found in page.all("a") if found.get("id", "").startswith("episode-")] == [
        "episode-3",
        "episode-4",
    ]
    assert "Only Mine vanishing blocks · centralized · scripted · sync · simulator" in page.text
    page = Page(client.get(f"/runs/{run.pk}/?{oracle.query}"))
    assert page.all("a", id="episode-1")
    assert not page.all("a", id="episode-3")


@pytest.mark.parametrize("query", ["task=x", "task=999999999999999999999", "type=%00", "policy=%3Cscript%3E"])
def test_an_odd_address_narrows_without_harm(client: Client, query: str) -> None:
    page = Page(client.get(f"/runs/{make_launch().pk}/?{query}"))
    assert page.status == 200
    assert page.scripts == []


def test_parts_stop_refreshing_when_the_run_is_done(client: Client) -> None:
    run = make_launch()
    for name in ("success", "steps", "causes", "costs"):
        assert "X-Refresh-Done" not in client.get(f"/runs/{run.pk}/parts/{name}/")
    end(run, {})
    for name in ("success", "steps", "causes", "costs"):
        assert "X-Refresh-Done" in client.get(f"/runs/{run.pk}/parts/{name}/")
