from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from tests.support.builders import make_task, store
from tests.support.pages import CAUSES, RESULT, Page, make_launch
from webapp.runs.causes import summed, told, words
from webapp.runs.execution import execute
from webapp.runs.models import Episode, Run, Status

pytestmark = pytest.mark.django_db


def cause(name: str, weight: float, subject: str = "") -> dict[str, Any]:
    return {**CAUSES[0], "name": name, "weight": weight, "subject": subject}


def end(run: Run, *outcomes: tuple[Status, bool | None, list[dict[str, Any]] | None]) -> None:
    """Give the run's episodes these statuses, successes and causes, in order; None: a result from before causes."""
    for episode, (status, success, causes) in zip(run.episodes.order_by("index"), outcomes, strict=True):
        episode.status, episode.success = status, success
        episode.result = {**RESULT, "success": success} | ({} if causes is None else {"causes": causes})
        episode.save()


@pytest.fixture
def run() -> Run:
    """Six episodes: four failed, of which one is old; one succeeded, and one was spoiled."""
    run = make_launch(seeds=list(range(6)))
    death, stale = cause("death", 40, "lava"), cause("stale_target", 2.5)
    end(
        run,
        (Status.FINISHED, False, [death, stale]),
        (Status.FINISHED, False, [stale, cause("stale_target", 4), cause("out_of_budget", 1)]),
        (Status.BUDGET, False, [cause("death", 60, "lava"), cause("death", 9, "wither_skeleton")]),
        (Status.FINISHED, False, None),
        (Status.FINISHED, True, []),
        (Status.ERROR, None, [death]),
    )
    return run


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
        run, *((Status.FINISHED, False, [cause("death", weight, "lava")]) for weight in (1, 2, 3, 9, 3, 4, 5))
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
        "Why it failed Death by lava 87.5 agent-steps lost Ada was killed by lava at step 12.5." in page.text
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
