from __future__ import annotations

from typing import Any

import pytest
from django.core.exceptions import ValidationError
from pytest_django import DjangoCaptureOnCommitCallbacks

from engine.episode.settings import Budget
from tests.support.builders import make_task
from tests.support.pages import make_launch
from webapp.launch.actions import MAX_EPISODES
from webapp.runs.models import Episode, Run

pytestmark = pytest.mark.django_db


def test_a_launch_is_a_grid_in_a_stable_order() -> None:
    tasks = [make_task("one"), make_task("two")]
    run = make_launch(tasks=tasks, policies=["oracle", "oracle-greedy"], seeds=[5, 3], repeats=2)
    rows = list(run.episodes.values_list("index", "task__slug", "policy", "seed", "repeat"))
    assert len(rows) == 16
    assert rows[:5] == [
        (1, "one", "oracle", 5, 1),
        (2, "one", "oracle", 5, 2),
        (3, "one", "oracle", 3, 1),
        (4, "one", "oracle", 3, 2),
        (5, "one", "oracle-greedy", 5, 1),
    ]
    assert rows[8] == (9, "two", "oracle", 5, 1)
    assert set(run.episodes.values_list("pace", "status", "attempt")) == {(4.0, "queued", 0)}
    no_limit = {"inference_s": None, "inferences": None, "tokens": None, "usd": None}
    assert {name: value for name, value in run.settings.items() if name != "estimate"} == {
        "tasks": [tasks[0].pk, tasks[1].pk],
        "policies": ["oracle", "oracle-greedy"],
        "models": [],
        "modes": ["sync"],
        "worlds": ["simulator"],
        "seeds": [5, 3],
        "repeats": 2,
        "server": "",
        "budget": no_limit | {"inference_s": 2400.0},
        "run_budget": no_limit,
        "clock": "virtual",
    }
    assert run.settings["estimate"]["episodes"] == 16
    assert set(run.episodes.values_list("task_type", "agents", "model")) == {
        (tasks[0].type, tasks[0].agents, "")
    }


def test_workers_hear_of_it_in_order_once_it_is_committed(
    sent: list[int], django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        run = make_launch(seeds=[0, 1, 2])
        assert sent == []
    assert sent == list(run.episodes.order_by("index").values_list("pk", flat=True))
    assert not run.episodes.filter(enqueued_at=None).exists()


def test_a_launch_too_large_says_how_large_and_creates_nothing() -> None:
    with pytest.raises(ValidationError) as refused:
        make_launch(seeds=list(range(101)), repeats=100)
    (message,) = refused.value.message_dict["seeds"]
    assert "10,100 episodes" in message
    assert "10,000" in message
    assert not Run.objects.exists()
    assert not Episode.objects.exists()


def test_the_largest_launch_is_possible() -> None:
    run = make_launch(seeds=list(range(100)), repeats=MAX_EPISODES // 100)
    assert run.episodes.count() == 10_000


@pytest.mark.parametrize(
    ("field", "value", "part"),
    [
        ("tasks", [], "at least one"),
        ("policies", ["orcle"], "Unknown: orcle. Known: oracle"),
        ("policies", [], "at least one"),
        ("modes", ["turns"], "Known: sync, async"),
        ("worlds", ["nether"], "Known: simulator, minecraft"),
        ("seeds", [], "at least one"),
        ("seeds", [-1], "0 to 2147483647"),
        ("seeds", [2**31], "0 to 2147483647"),
        ("repeats", 0, "at least once"),
        ("clock", "sundial", "Unknown: sundial. Known: virtual, real"),
        ("pace", 2.0, "1, 4, 16, 0"),
    ],
)
def test_a_wrong_choice_is_named_by_its_field(field: str, value: Any, part: str) -> None:
    with pytest.raises(ValidationError) as refused:
        make_launch(**{field: value})
    assert list(refused.value.message_dict) == [field]
    assert part in refused.value.message_dict[field][0]
    assert not Run.objects.exists()


def test_a_policy_that_asks_no_model_is_played_once_and_the_others_with_each() -> None:
    run = make_launch(
        policies=["oracle", "centralized"], models=["scripted", "scripted:latency=5"], seeds=[0, 1]
    )
    rows = list(run.episodes.order_by("index").values_list("index", "policy", "model", "seed"))
    assert rows == [
        (1, "oracle", "", 0),
        (2, "oracle", "", 1),
        (3, "centralized", "scripted", 0),
        (4, "centralized", "scripted", 1),
        (5, "centralized", "scripted:latency=5", 0),
        (6, "centralized", "scripted:latency=5", 1),
    ]


def test_budgets_are_kept_with_the_run() -> None:
    run = make_launch(budget=Budget(inference_s=60.0, usd=0.5), run_budget=Budget(None, tokens=1000))
    assert run.settings["budget"] == {"inference_s": 60.0, "inferences": None, "tokens": None, "usd": 0.5}
    assert run.settings["run_budget"] == {
        "inference_s": None,
        "inferences": None,
        "tokens": 1000,
        "usd": None,
    }


def test_workers_hear_nothing_of_a_run_that_is_played_elsewhere(
    sent: list[int], django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        run = make_launch(workers=2)
    assert sent == []
    assert run.episodes.get().enqueued_at is None
    assert run.settings["estimate"]["workers"] == 2


@pytest.mark.parametrize(
    ("models", "part"),
    [
        ([], "centralized cannot decide without a language model"),
        (["gpt-unheard-of"], "unknown model 'gpt-unheard-of'"),
        (["scripted:speed=3"], "unknown setting 'speed'"),
        (["scripted:latency=soon"], "soon"),
    ],
)
def test_a_model_that_cannot_be_asked_is_named(models: list[str], part: str) -> None:
    with pytest.raises(ValidationError) as refused:
        make_launch(policies=["centralized"], models=models)
    assert list(refused.value.message_dict) == ["models"]
    assert part in refused.value.message_dict["models"][0]
    assert not Run.objects.exists()
