"""What episodes cost is counted while they run, and a run's budget holds."""

from __future__ import annotations

import importlib

import pytest
from django.apps import apps

from engine.agents.policy import MASTER
from engine.episode.settings import Budget, OutOfBudget
from engine.events.log import Event
from engine.events.payloads import InferenceEnded
from tests.support.builders import make_run, make_running, make_task
from tests.support.pages import RESULT, make_launch
from tests.webapp.test_recorder import FakeTime
from webapp.live.recorder import Recorder
from webapp.runs.actions import retry_episode
from webapp.runs.execution import execute
from webapp.runs.models import Episode, Run, Status
from webapp.runs.spending import NO_LIMIT, TOO_LATE, exceeded, run_budget, spent

pytestmark = pytest.mark.django_db


def inference(seq: int, *, tokens: int = 110, usd: float | None = None, caller: str = MASTER) -> Event:
    payload = InferenceEnded(
        caller=caller,
        agents=["Ada"],
        call=seq,
        attempt=1,
        asked_tick=0,
        prompt="?",
        completion="!",
        prompt_tokens=tokens - 10,
        completion_tokens=10,
        reasoning_tokens=0,
        latency_s=2.5,
        cost_usd=usd,
        outcome="ok",
        fault="",
        took_effect=True,
    )
    return Event(seq, 0, "inference_ended", 1, payload)


def figures(episode: Episode) -> tuple[int, int, float, float]:
    episode.refresh_from_db()
    return (
        episode.spent_inferences,
        episode.spent_tokens,
        episode.spent_usd,
        episode.spent_inference_s,
    )


def test_what_is_spent_shows_while_the_episode_runs() -> None:
    episode, time = make_running(), FakeTime()
    recorder = Recorder(episode, time.clock)
    recorder.record(inference(1, usd=0.25), b"{}")
    assert figures(episode) == (0, 0, 0.0, 0.0)
    time.seconds += 0.2
    recorder.record(inference(2), b"{}")
    assert figures(episode) == (2, 220, 0.25, 5.0)


def test_a_second_execution_adds_to_what_the_first_has_spent() -> None:
    episode = make_running(spent_inferences=7, spent_tokens=700, spent_usd=1.5, spent_inference_s=10.0)
    recorder = Recorder(episode, FakeTime().clock)
    recorder.record(inference(1, usd=0.25), b"{}")
    recorder.finish(status=Status.ERROR)
    assert figures(episode) == (8, 810, 1.75, 12.5)
    assert retry_episode(episode)
    assert figures(episode) == (8, 810, 1.75, 12.5)


def with_budget(episodes: list[Episode], **limits: float) -> Run:
    run = episodes[0].run
    run.settings["run_budget"] = limits
    run.save()
    return run


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        ({"usd": 0.75}, "budget of 0.75 US dollars is used up (0.75)"),
        ({"tokens": 200}, "budget of 200 tokens is used up (220)"),
        ({"inferences": 2}, "budget of 2 inferences is used up (2)"),
        ({"inference_s": 5}, "budget of 5 seconds of inference is used up (5)"),
    ],
)
def test_a_run_that_has_spent_its_budget_ends_what_runs_and_cancels_what_waits(
    limits: dict[str, float], words: str
) -> None:
    running, waiting, done = make_run(3)
    Episode.objects.filter(pk=done.pk).update(
        status=Status.FINISHED, spent_inferences=1, spent_tokens=110, spent_usd=0.5, spent_inference_s=2.5
    )
    with_budget([running], **limits)
    Episode.objects.filter(pk=running.pk).update(status=Status.RUNNING, attempt=1)
    time = FakeTime()
    recorder = Recorder(Episode.objects.get(pk=running.pk), time.clock)
    time.seconds += 0.3
    recorder.waiting()  # half of it is spent
    recorder.record(inference(1, usd=0.25), b"{}")
    recorder.waiting()  # asked only every quarter of a second
    time.seconds += 0.3
    with pytest.raises(OutOfBudget) as end:
        recorder.waiting()
    assert words in str(end.value)
    waiting.refresh_from_db()
    assert (waiting.status, waiting.error) == ("cancelled", TOO_LATE)
    done.refresh_from_db()
    assert done.status == "finished"


def test_world_time_does_not_move_on_either() -> None:
    episode = make_running(spent_tokens=50)
    with_budget([episode], tokens=50)
    time = FakeTime()
    recorder = Recorder(Episode.objects.get(pk=episode.pk), time.clock)
    time.seconds += 0.3
    with pytest.raises(OutOfBudget):
        recorder.before(1)


def test_an_episode_that_would_begin_too_late_is_cancelled_with_all_others_that_wait() -> None:
    first, second = make_run(2)
    other = make_run(1)[0]
    with_budget([first], usd=1.0)
    Episode.objects.filter(pk=first.pk).update(spent_usd=1.0)
    execute(second.pk)
    for episode in (first, second, other):
        episode.refresh_from_db()
    assert [first.status, second.status, other.status] == ["cancelled", "cancelled", "queued"]
    assert second.error == TOO_LATE
    assert second.attempt == 0


def test_a_run_without_a_budget_may_spend_anything() -> None:
    episode = make_run(1, spent_usd=1e9, spent_tokens=10**12)[0]
    assert run_budget(episode.run) == NO_LIMIT == Budget(None, None, None, None)
    assert exceeded(episode.run_id, NO_LIMIT) == ""
    assert spent(episode.run_id)["usd"] == 1e9


def test_an_episode_with_a_model_keeps_what_it_cost_in_columns() -> None:
    run = make_launch(policies=["centralized"], models=["scripted:latency=5"], modes=["async"], pace=0.0)
    episode = run.episodes.get()
    execute(episode.pk)
    episode.refresh_from_db()
    assert episode.status == "finished"
    result = episode.result
    assert result is not None
    costs, steps = result["costs"], result["breakdown"].values()
    assert episode.n_inferences == costs["inferences"] == len(episode.latencies) > 0
    assert set(episode.latencies) == {5.0}
    assert episode.latency_s == 5.0 * episode.n_inferences
    assert episode.prompt_tokens + episode.completion_tokens == episode.spent_tokens
    assert (episode.prompt_tokens, episode.completion_tokens) == (
        costs["prompt_tokens"],
        costs["completion_tokens"],
    )
    assert episode.action_steps == pytest.approx(sum(spent["action"] for spent in steps))
    assert episode.planning_steps == episode.master_steps > 0
    total = episode.planning_steps + episode.action_steps + episode.idle_steps + episode.dead_steps
    assert total == pytest.approx(episode.agents * result["steps"])


def test_agents_that_ask_for_themselves_wait_for_no_master() -> None:
    run = make_launch(policies=["distributed"], models=["scripted:latency=1"], modes=["async"], pace=0.0)
    execute(run.episodes.get().pk)
    episode = run.episodes.get()
    assert episode.messages > 0
    assert episode.planning_steps > episode.master_steps == 0


def test_an_episodes_own_budget_ends_it() -> None:
    run = make_launch(
        policies=["centralized"], models=["scripted"], pace=0.0, budget=Budget(inference_s=None, inferences=1)
    )
    execute(run.episodes.get().pk)
    episode = run.episodes.get()
    assert (episode.status, episode.n_inferences, episode.success) == ("budget", 1, False)


def test_a_model_that_is_gone_is_an_error_in_plain_words() -> None:
    run = make_launch(policies=["centralized"], models=["scripted"])
    run.episodes.update(model="nobody")
    execute(run.episodes.get().pk)
    episode = run.episodes.get()
    assert episode.status == "error"
    assert "nobody" in episode.error


def test_starting_over_clears_what_the_last_execution_came_to() -> None:
    episode = make_run(1, status=Status.ERROR, n_inferences=3, latencies=[1.0], cost_usd=1.0, idle_steps=9.0)[
        0
    ]
    assert retry_episode(episode)
    episode.refresh_from_db()
    assert (episode.n_inferences, episode.latencies, episode.cost_usd, episode.idle_steps) == (
        0,
        [],
        None,
        0.0,
    )


def test_episodes_from_before_there_were_columns_are_given_them() -> None:
    task = make_task()
    episode = make_run(1, task, status=Status.FINISHED, result=RESULT, task_type="", agents=0)[0]
    importlib.import_module("webapp.runs.migrations.0002_models_and_costs").fill(apps, None)
    episode.refresh_from_db()
    assert (episode.task_type, episode.agents) == (task.type, task.agents)
    assert (episode.planning_steps, episode.action_steps, episode.idle_steps, episode.dead_steps) == (
        1.0,
        12.5,
        6.5,
        0.0,
    )
    assert episode.wall_seconds == 0.31
