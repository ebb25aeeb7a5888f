from __future__ import annotations

import pytest
from django.test import Client

from tests.support.builders import make_task, store
from tests.support.pages import CAUSES, RESULT, Page, make_launch
from webapp.runs.aggregates import columns
from webapp.runs.causes import summed, told, words
from webapp.runs.execution import execute
from webapp.runs.models import Episode, Run, Status

pytestmark = pytest.mark.django_db


Kept = list[tuple[str, str, float]]


def end(run: Run, *outcomes: tuple[Status, bool | None, Kept]) -> None:
    """Give the run's episodes these statuses, successes and causes, in order."""
    for episode, (status, success, causes) in zip(run.episodes.order_by("index"), outcomes, strict=True):
        episode.status, episode.success, episode.causes = status, success, causes
        episode.save()


@pytest.fixture
def run() -> Run:
    """Six episodes: four failed, one without a known cause; one succeeded, and one was spoiled."""
    run = make_launch(seeds=list(range(6)))
    death, stale = ("death", "lava", 40.0), ("stale_target", "", 2.5)
    end(
        run,
        (Status.FINISHED, False, [death, stale]),
        (Status.FINISHED, False, [("stale_target", "", 6.5), ("out_of_budget", "", 1.0)]),
        (Status.BUDGET, False, [("death", "lava", 60.0), ("death", "wither_skeleton", 9.0)]),
        (Status.FINISHED, False, []),
        (Status.FINISHED, True, []),
        (Status.ERROR, None, [death]),
    )
    return run


def test_what_a_cause_cost_all_agents_is_kept_in_a_column() -> None:
    result = {**RESULT, "causes": [*CAUSES, {**CAUSES[0], "agent": "Ben", "weight": 2.25}]}
    kept = columns(result, latencies=(), by_master=False)
    assert kept["causes"] == [("death", "lava", 89.75), ("stale_target", "", 1.0)]


def test_causes_are_added_up_over_the_failed_episodes_of_a_run(run: Run) -> None:
    rows = [(row.cause, row.episodes, row.share, row.weight, row.examples) for row in summed(run)]
    assert rows == [
        ("Death by lava", 2, 0.5, 100, [3, 1]),
        ("Stale target", 2, 0.5, 9, [2, 1]),
        ("Death by wither skeleton", 1, 0.25, 9, [3]),
        ("Out of budget", 1, 0.25, 1, [2]),
    ]


def test_at_most_five_examples_are_linked_the_worst_first() -> None:
    run = make_launch(seeds=list(range(7)))
    end(
        run,
        *(
            (Status.FINISHED, False, [("death", "lava", weight)])
            for weight in (1.0, 2.0, 3.0, 9.0, 3.0, 4.0, 5.0)
        ),
    )
    (row,) = summed(run)
    assert (row.episodes, row.share, row.examples) == (7, 1.0, [4, 7, 6, 3, 5])


def test_a_run_without_failures_has_no_causes(client: Client) -> None:
    run = make_launch()
    end(run, (Status.FINISHED, True, []))
    assert summed(run) == []
    assert "Why episodes failed" not in Page(client.get(f"/runs/{run.pk}/")).text


def test_the_run_page_lists_the_causes_with_their_worst_episodes(client: Client, run: Run) -> None:
    page = Page(client.get(f"/runs/{run.pk}/"))
    assert "Death by lava 2 50 % 100 3 , 1 Stale target 2 50 % 9 2 , 1" in page.text
    assert page.all("a", href=f"/runs/{run.pk}/episodes/3/#why")
    (part,) = page.all("a", href=f"/runs/{run.pk}/tables/causes.csv")
    assert client.get(part["href"]).content.decode().splitlines()[:2] == [
        "cause,episodes,share,agent_steps,worst",
        "Death by lava,2,0.5,100.0,3 1",
    ]


def test_causes_are_refreshed_while_the_run_goes_on(client: Client) -> None:
    run = make_launch()
    (part,) = Page(client.get(f"/runs/{run.pk}/")).all("div", id="causes-part")
    assert "X-Refresh-Done" not in client.get(part["data-refresh"])
    end(run, (Status.FINISHED, False, [("death", "lava", 1.0)]))
    answer = client.get(part["data-refresh"])
    assert "Death by lava" in Page(answer).text
    assert "X-Refresh-Done" in answer


def test_a_cause_that_is_not_known_any_more_keeps_its_name() -> None:
    assert words("too_many_plans") == "Too many plans"


def failed_episode() -> Episode:
    episode = make_launch().episodes.get()
    episode.status, episode.success, episode.attempt = Status.FINISHED, False, 1
    episode.result = {**RESULT, "success": False, "causes": CAUSES}
    episode.save()
    return episode


def test_the_episode_page_says_why_it_failed_and_links_to_the_events_that_show_it(client: Client) -> None:
    episode = failed_episode()
    store(episode, (1, 700))
    page = Page(client.get(episode.get_absolute_url()))
    assert (
        "Why it failed Death by lava , step 12.5 87.5 agent-steps lost Ada was killed by lava at step 12.5."
        in page.text
    )
    assert "1 agent-step lost <b>Ben</b> went for the oak log" in page.text
    table = f"{episode.get_absolute_url()}table/"
    assert page.all("a", href=f"{table}?after=6#event-7", data_tick="250")
    links = [found["data-seq"] for found in page.all("a") if "data-seq" in found]
    assert links == ["7", "12", "600"]
    # Without a script the links lead to the page of the table that begins with the event.
    (link,) = page.all("a", data_seq="600")
    address, anchor = link["href"].split("#")
    assert anchor in Page(client.get(address)).ids()


def test_a_failure_that_nothing_explains_says_so_and_a_success_says_nothing(client: Client) -> None:
    episode = failed_episode()
    episode.result = {**RESULT, "success": False, "causes": []}
    episode.save()
    assert "None of the known causes shows in the log." in Page(client.get(episode.get_absolute_url())).text
    episode.success, episode.result = True, RESULT
    episode.save()
    assert "Why it failed" not in Page(client.get(episode.get_absolute_url())).text


LOST_AT_ONCE = """\
task: {type: mine_vanishing_blocks, goal: mine, targets: [{block: oak_log, count: 1}]}
agents: {count: 1, spawn: [{name: Ada, position: [0, 64, 0]}]}
events:
  - id: lava
    trigger: {start: 1}
    actions:
      - type: progressive_fill
        block: lava
        area: {min: [-1, 64, -1], max: [1, 64, 1]}
        direction: east
        speed_bps: 20
environment: {max_steps: 9, chest: {position: [0, 64, 9]}}
"""


@pytest.mark.django_db(transaction=True)
def test_a_worker_stores_the_causes_with_the_episode() -> None:
    episode = make_launch([make_task("lost", LOST_AT_ONCE)]).episodes.get()
    execute(episode.pk)
    episode.refresh_from_db()
    assert (episode.status, episode.success) == (Status.FINISHED, False)
    (found,) = told(episode)
    assert (found["words"], found["agent"]) == ("Death by lava", "Ada")
    assert found["detail"].startswith("Ada was killed by lava at step ")
    assert max(found["events"]) < episode.last_seq
    assert episode.causes == [["death", "lava", found["weight"]]]
