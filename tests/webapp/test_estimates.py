from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from tests.support.builders import NOON, at, make_run
from tests.support.pages import make_launch
from webapp.launch.estimates import ALIKE, SIMILAR, Kind, estimate
from webapp.runs.forecast import forecast
from webapp.runs.models import Episode, Status

pytestmark = pytest.mark.django_db

PAID = "gpt-test"
MINE = "mine_vanishing_blocks"


def kind(**changes: Any) -> Kind:
    values: dict[str, Any] = {
        "policy": "centralized",
        "model": PAID,
        "mode": "sync",
        "task_type": MINE,
        "agents": 4,
        "max_steps": 80,
    }
    return Kind(**values | changes)


def played(*rows: dict[str, Any], **fields: Any) -> None:
    """Ended episodes of the kind above."""
    values = {
        "policy": "centralized",
        "model": PAID,
        "status": Status.FINISHED,
        "ended_at": NOON,
        "steps": 50.0,
    }
    for row in rows:
        make_run(1, **{**values, "wall_seconds": 10.0, "cost_usd": 0.0, **fields, **row})


def test_the_mean_of_like_episodes_is_expected_and_their_spread_gives_the_range() -> None:
    played(
        {"n_inferences": 4, "prompt_tokens": 900, "completion_tokens": 100, "cost_usd": 0.10},
        {"n_inferences": 8, "prompt_tokens": 1900, "completion_tokens": 100, "cost_usd": 0.30},
    )
    found = estimate({kind(): 8}, pace=0, workers=4)
    assert (found.episodes, found.inferences.expected, found.tokens.expected) == (8, 48.0, 12_000.0)
    assert found.usd is not None
    assert found.usd.expected == pytest.approx(1.6)
    # deviation of 4 and 8 is √8; variance 8 × (8 + 64 / 2) = 320; 1.96 √320 = 35.06
    assert found.inferences.low == pytest.approx(48 - 35.06, abs=0.01)
    assert found.inferences.high == pytest.approx(48 + 35.06, abs=0.01)
    assert found.wall_s.expected == pytest.approx(20.0)  # 8 × 10 s, four at once
    assert found.bases == (f"8 of 8 by {ALIKE}",)


def test_where_none_is_like_it_other_modes_and_types_of_task_stand_in() -> None:
    played({"n_inferences": 6}, mode="async")
    found = estimate({kind(): 1}, pace=0, workers=1)
    assert found.inferences.expected == 6.0
    assert (found.inferences.low, found.inferences.high) == (pytest.approx(2.0), pytest.approx(18.0))
    assert found.bases == (f"1 of 1 by {SIMILAR}",)


def test_what_was_never_played_has_defaults_and_says_so() -> None:
    found = estimate({kind(policy="distributed"): 2, kind(policy="oracle", model=""): 6}, pace=0, workers=1)
    assert found.inferences.expected == 2 * 12 * 4  # a dozen for each agent
    assert found.tokens.expected == 2 * 12 * 4 * 3_000
    assert found.usd is None
    assert found.bases == (
        "6 of 8 by rough defaults, since oracle was never played",
        f"2 of 8 by rough defaults, since distributed · {PAID} was never played",
    )


def test_a_script_costs_nothing_and_its_declared_latency_no_wall_time() -> None:
    found = estimate({kind(model="scripted"): 10}, pace=0, workers=1)
    assert found.usd is not None
    assert (found.usd.expected, found.usd.high) == (0.0, 0.0)
    assert found.wall_s.expected == pytest.approx(5.0)  # half a second each


def test_episodes_that_say_nothing_about_costs_are_left_out() -> None:
    played({"n_inferences": 100}, status=Status.ERROR)
    played({"n_inferences": 4})
    assert estimate({kind(): 1}, pace=0, workers=1).inferences.expected == 4.0


def test_the_pace_is_taken_out_of_earlier_wall_times_and_put_into_new_ones() -> None:
    played({"wall_seconds": 15.0, "pace": 4.0})  # 50 steps at four times real time take 12.5 s of these
    assert estimate({kind(): 1}, pace=0, workers=1).wall_s.expected == pytest.approx(2.5)
    assert estimate({kind(): 1}, pace=1, workers=1).wall_s.expected == pytest.approx(52.5)


def test_a_launch_keeps_what_was_expected_of_it() -> None:
    run = make_launch(policies=["oracle", "centralized"], models=["scripted"], seeds=[0, 1, 2])
    kept = run.settings["estimate"]
    assert kept["episodes"] == 6
    assert kept["inferences"]["expected"] == 36.0  # three episodes of a dozen


# --- while it goes


def test_what_is_left_goes_by_the_mean_of_each_condition() -> None:
    run = make_launch(policies=["oracle", "centralized"], models=["scripted"], seeds=[0, 1, 2, 3])
    oracle, paid = run.episodes.filter(policy="oracle"), run.episodes.filter(policy="centralized")
    paid.update(model=PAID)

    def some(episodes: Any, *indexes: int, **fields: Any) -> None:
        keys = list(episodes.order_by("index").values_list("pk", flat=True))
        Episode.objects.filter(pk__in=[keys[index] for index in indexes]).update(**fields)

    some(oracle, 0, 1, status=Status.FINISHED, wall_seconds=2.0, started_at=NOON, ended_at=at(2))
    some(paid, 0, status=Status.FINISHED, wall_seconds=60.0, cost_usd=0.5, n_inferences=3, spent_usd=0.5)
    some(paid, 1, 2, status=Status.RUNNING, started_at=at(10))
    found = forecast(run, now=at(90))
    assert found.elapsed_s == 90.0
    assert found.left_s == pytest.approx((2 * 2 + 3 * 60) / 2)  # two run at once
    assert found.left_usd == pytest.approx(1.5)
    assert found.spent["usd"] == 0.5


def test_nothing_is_foretold_before_the_first_has_ended_or_without_a_price() -> None:
    run = make_launch(policies=["centralized"], models=["scripted"], seeds=[0, 1])
    assert (forecast(run).elapsed_s, forecast(run).left_s) == (None, None)
    first = run.episodes.order_by("index")[:1].get()
    Episode.objects.filter(pk=first.pk).update(status=Status.FINISHED, wall_seconds=3.0, n_inferences=1)
    run.episodes.update(model=PAID)
    assert (forecast(run).left_s, forecast(run).left_usd) == (3.0, None)


def test_a_run_that_is_done_took_as_long_as_from_its_first_beginning_to_its_last_end() -> None:
    run = make_launch(seeds=[0, 1])
    run.episodes.update(status=Status.FINISHED, started_at=NOON, ended_at=at(30), wall_seconds=1.0)
    found = forecast(run, now=NOON + timedelta(days=2))
    assert (found.elapsed_s, found.left_s, found.left_usd) == (30.0, 0, 0)


def test_a_budget_shows_how_much_of_it_is_used() -> None:
    run = make_launch()
    run.settings["run_budget"] = {"usd": 2.0, "tokens": None}
    run.episodes.update(spent_usd=0.5)
    (limit,) = forecast(run).limits
    assert (limit.name, limit.spent, limit.limit, limit.percent) == ("usd", 0.5, 2.0, 25.0)
