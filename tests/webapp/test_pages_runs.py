from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.support.builders import make_running, make_task, store
from tests.support.pages import RESULT, Page, make_launch
from webapp.launch import oracle
from webapp.runs.models import Episode, Run, Status
from webapp.runs.summary import tallies
from webapp.runs.tables.success import success as success_table

pytestmark = pytest.mark.django_db


def end(run: Run, *outcomes: tuple[Status, bool | None]) -> None:
    """Give the run's episodes these statuses and successes, in order."""
    for episode, (status, won) in zip(run.episodes.order_by("index"), outcomes, strict=True):
        episode.status, episode.success = status, won
        episode.partial_score = None if won is None else 1.0 if won else 0.25
        episode.steps = None if won is None else 40.0
        episode.save()


MIXED = (
    (Status.FINISHED, True),
    (Status.FINISHED, False),
    (Status.BUDGET, True),
    (Status.ERROR, None),
    (Status.LOST, None),
    (Status.CANCELLED, None),
    (Status.RUNNING, None),
    (Status.QUEUED, None),
)


def test_success_counts_only_what_was_played_to_an_end() -> None:
    run = make_launch(seeds=list(range(8)))
    end(run, *MIXED)
    tally = tallies([run.pk])[run.pk]
    assert (tally.total, tally.played, tally.successes, tally.faults, tally.active, tally.done) == (
        8,
        3,
        2,
        2,
        2,
        6,
    )
    assert tally.success_rate == pytest.approx(2 / 3)
    assert [(share.status, share.count, share.percent) for share in tally.shares][:2] == [
        ("finished", 2, 25.0),
        ("budget", 1, 12.5),
    ]


def test_a_run_without_a_played_episode_has_no_success_rate() -> None:
    run = make_launch()
    assert tallies([run.pk])[run.pk].success_rate is None


def test_conditions_keep_tasks_of_the_same_title_apart() -> None:
    one, two = make_task("one"), make_task("two")
    two.title = one.title
    two.save()
    run = make_launch([one, two], policies=["oracle", "oracle-greedy"])
    end(run, (Status.FINISHED, True), (Status.FINISHED, False), (Status.ERROR, None), (Status.QUEUED, None))
    rows = [
        (row.task and row.task[1], row.condition.policy, row.total, row.played, row.successes, row.errors)
        for row in success_table(run, by_task=True)
    ]
    assert rows == [
        ("One", "oracle", 1, 1, 1, 0),
        ("One", "oracle-greedy", 1, 1, 0, 0),
        ("One", "oracle", 1, 0, 0, 1),
        ("One", "oracle-greedy", 1, 0, 0, 0),
    ]


def test_the_run_page_tells_errors_apart_from_failures(client: Client) -> None:
    run = make_launch(seeds=list(range(8)))
    end(run, *MIXED)
    run.episodes.filter(status=Status.ERROR).update(error="The disk is full <script>.")
    page = Page(client.get(f"/runs/{run.pk}/"))
    assert "6 of 8 episodes done" in page.text
    assert "2 of 3 finished episodes succeeded; 2 errors not counted; 1 cancelled, not counted." in page.text
    assert "67 %" in page.text
    assert "The disk is full <script>." in page.text
    assert page.scripts == []
    assert page.all(
        "div", id="run-progress", data_refresh=f"/runs/{run.pk}/progress/", data_refresh_every="1000"
    )


def test_a_run_under_several_conditions_has_no_success_rate_of_its_own(client: Client) -> None:
    run = make_launch(policies=["oracle", "oracle-greedy"])
    end(run, (Status.FINISHED, True), (Status.FINISHED, False))
    page = Page(client.get(f"/runs/{run.pk}/progress/"))
    assert "1 of 2 finished episodes succeeded. They were played under several conditions" in page.text
    assert "success rate" not in page.text


def test_a_finished_run_is_not_refreshed_and_offers_no_cancelling(client: Client) -> None:
    run = make_launch()
    assert page_cancels(client, run)
    end(run, (Status.FINISHED, True))
    page = Page(client.get(f"/runs/{run.pk}/"))
    assert not page_cancels(client, run)
    assert [found for found in page.all("div") if "data-refresh" in found] == []
    assert "X-Refresh-Done" in client.get(f"/runs/{run.pk}/progress/")
    assert "X-Refresh-Done" in client.get(f"/runs/{run.pk}/episodes/")


def page_cancels(client: Client, run: Run) -> bool:
    return bool(Page(client.get(f"/runs/{run.pk}/progress/")).all("form", action=f"/runs/{run.pk}/cancel/"))


def test_fragments_of_an_active_run_ask_to_be_refreshed(client: Client) -> None:
    run = make_launch()
    assert "X-Refresh-Done" not in client.get(f"/runs/{run.pk}/progress/")
    assert "X-Refresh-Done" not in client.get(f"/runs/{run.pk}/episodes/?after=0")


def test_a_run_page_of_200_episodes_needs_few_queries(client: Client) -> None:
    run = make_launch(seeds=list(range(200)))
    with CaptureQueriesContext(
        connection,
    ) as queries:
        page = Page(client.get(f"/runs/{run.pk}/"))
    assert page.status == 200
    assert len(queries) <= 18


def test_the_runs_list_needs_few_queries(client: Client) -> None:
    for _ in range(20):
        make_launch(seeds=[0, 1])
    with CaptureQueriesContext(connection) as queries:
        client.get("/runs/")
    assert len(queries) <= 4


def indexes(page: Page) -> list[int]:
    ids = [found["id"] for found in page.all("a") if found.get("id", "").startswith("episode-")]
    return [int(name.removeprefix("episode-")) for name in ids]


def test_a_thousand_episodes_are_shown_a_hundred_at_a_time(client: Client) -> None:
    run = make_launch(seeds=list(range(1000)))
    first = Page(client.get(f"/runs/{run.pk}/"))
    assert indexes(first) == list(range(1, 101))
    assert first.all("a", href="?after=100#episodes")
    last = Page(client.get(f"/runs/{run.pk}/?after=900"))
    assert indexes(last) == list(range(901, 1001))
    assert last.all("a", id="episodes-next") == []
    assert last.all("a", id="episodes-first", href="?#episodes")


def test_episodes_can_be_narrowed_to_a_status(client: Client) -> None:
    run = make_launch(seeds=list(range(8)))
    end(run, *MIXED)
    assert indexes(Page(client.get(f"/runs/{run.pk}/episodes/?status=error"))) == [4]
    assert indexes(Page(client.get(f"/runs/{run.pk}/episodes/?status=finished&after=1"))) == [2]
    page = Page(client.get(f"/runs/{run.pk}/?status=error"))
    assert page.all("option", value="error", selected="")
    assert page.all("div", id="run-episodes", data_refresh=f"/runs/{run.pk}/episodes/?status=error")


@pytest.mark.parametrize("query", ["?status=nonsense", "?after=x", "?after=-1"])
def test_odd_filters_are_passed_over(client: Client, query: str) -> None:
    run = make_launch()
    assert indexes(Page(client.get(f"/runs/{run.pk}/{query}"))) == [1]


def test_runs_are_listed_newest_first_and_continued_by_number(client: Client) -> None:
    runs = [make_launch(name=f"Run number {number}") for number in range(53)]
    page = Page(client.get("/runs/"))
    assert page.all("a", href=runs[-1].get_absolute_url())
    assert page.all("a", href=f"?before={runs[3].pk}")
    older = Page(client.get(f"/runs/?before={runs[3].pk}"))
    shown = [
        found["href"] for found in older.all("a") if found["href"] in [run.get_absolute_url() for run in runs]
    ]
    assert shown == [run.get_absolute_url() for run in reversed(runs[:3])]


def test_runs_in_which_an_oracle_is_watched_are_listed_only_when_asked_for(client: Client) -> None:
    runs = [make_launch(name=f"Run number {number}") for number in range(51)]
    assert "watched beside" not in Page(client.get("/runs/")).text
    watched = runs[0].episodes.get()
    watched.policy = "centralized"
    watched.save()
    of_oracle = oracle.beside(watched).run

    page = Page(client.get("/runs/"))
    assert "1 run in which the oracle was only watched beside an episode is left out." in " ".join(
        page.text.split()
    )
    assert not page.all("a", href=of_oracle.get_absolute_url())
    assert page.all("a", href="?oracles=1")
    assert len(page.all("td", data_label="Progress")) == 50
    assert not Page(client.get("/")).all("a", href=of_oracle.get_absolute_url())

    page = Page(client.get("/runs/?oracles=1"))
    assert page.all("a", href=of_oracle.get_absolute_url())
    assert page.all("a", href=watched.get_absolute_url())
    assert f"Oracle on {watched.task.title}, seed 0" in page.text
    assert page.all("a", href=f"?oracles=1&before={runs[2].pk}")
    older = Page(client.get(f"/runs/?oracles=1&before={runs[2].pk}"))
    assert len(older.all("td", data_label="Progress")) == 2
    assert older.all("a", href="?")  # leaves them out
    assert "watched beside" in Page(client.get(of_oracle.get_absolute_url())).text


@pytest.mark.parametrize(
    ("status", "last_seq", "words"),
    [
        (Status.ERROR, 9, "broke off (error) at step 32.5; what happened until then is above."),
        (Status.LOST, 9, "broke off (lost) at step 32.5; what happened until then is above."),
        (Status.CANCELLED, 0, "broke off (cancelled)."),
        (Status.QUEUED, 0, "Here comes what the episode amounts to, as soon as it has ended."),
    ],
)
def test_an_episode_without_a_result_says_how_far_it_came(
    client: Client, status: Status, last_seq: int, words: str
) -> None:
    episode = make_launch().episodes.get()
    episode.status, episode.last_seq, episode.world_tick = status, last_seq, 650
    episode.save()
    assert words in Page(client.get(episode.get_absolute_url())).text


def test_an_active_episode_page_has_what_the_live_view_needs(client: Client) -> None:
    episode = make_launch().episodes.get()
    episode.status, episode.attempt, episode.world_tick = Status.RUNNING, 1, 50
    episode.save()
    run = episode.run_id
    page = Page(client.get(f"/runs/{run}/episodes/1/"))
    (live,) = page.all("section", id="live")
    assert {name: value for name, value in live.items() if name.startswith("data-")} == {
        "data-episode": str(episode.pk),
        "data-socket": f"/ws/episodes/{episode.pk}/",
        "data-events": f"/runs/{run}/episodes/1/events/",
        "data-status": "running",
        "data-pace": "4",
        "data-decisions": f"/runs/{run}/episodes/1/decisions/",
        "data-three": "/static/vendor/three/three.module.js",
        "data-gif": "/static/js/gif/worker.js",
        "data-max-steps": "100",
        "data-last-seq": "0",
    }
    for tag, name in (
        ("div", "timeline"),
        ("details", "timeline-twin"),
        ("div", "events"),
        ("output", "clock"),
    ):
        assert page.all(tag, id=name), name
    assert [(found["value"], found["aria-pressed"]) for found in page.all("button", name="pace")] == [
        ("1", "false"),
        ("4", "true"),
        ("16", "false"),
        ("0", "false"),
    ]
    assert page.all("form", action=f"/runs/{run}/episodes/1/cancel/")
    assert "step 2.5 / 100" in page.text


def test_an_ended_episode_page_shows_its_result(client: Client) -> None:
    episode = make_launch(seeds=[0, 1]).episodes.get(index=2)
    episode.status, episode.result, episode.success = Status.FINISHED, RESULT, True
    episode.partial_score, episode.steps = 0.75, 20.0
    episode.save()
    page = Page(client.get(episode.get_absolute_url()))
    for text in ("Success", "0.75", "6 / 8", "12.5", "1,234", "60 s, mean 20 s, p95 21 s", "no price known"):
        assert text in page.text, text
    assert page.all("progress", max="8", value="6")
    assert page.all("button", name="pace") == []
    assert page.all("a", rel="prev", href=f"/runs/{episode.run_id}/episodes/1/")
    assert [found for found in page.all("div") if "data-refresh" in found] == []


@pytest.mark.parametrize("status", [Status.ERROR, Status.LOST, Status.CANCELLED])
def test_a_broken_off_episode_can_be_started_again(client: Client, status: Status) -> None:
    episode = make_launch().episodes.get()
    episode.status, episode.error = status, "It broke <b>off</b>."
    episode.save()
    page = Page(client.get(episode.get_absolute_url()))
    assert page.all("form", action=f"{episode.get_absolute_url()}retry/")
    assert "It broke <b>off</b>." in page.text


def test_the_head_says_when_it_needs_no_more_refreshing(client: Client) -> None:
    episode = make_launch().episodes.get()
    assert "X-Refresh-Done" not in client.get(f"{episode.get_absolute_url()}head/")
    Episode.objects.update(status=Status.FINISHED)
    assert "X-Refresh-Done" in client.get(f"{episode.get_absolute_url()}head/")


def test_events_are_readable_as_a_plain_table_page_by_page(client: Client) -> None:
    episode = make_launch().episodes.get()
    episode.status, episode.attempt = Status.FINISHED, 1
    episode.save()
    store(episode, (1, 400), (401, 700))
    address = f"{episode.get_absolute_url()}table/"
    first = Page(client.get(address))
    rows = [found["id"] for found in first.all("tr") if "id" in found]
    assert (rows[0], rows[-1], len(rows)) == ("event-1", "event-500", 500)
    assert first.all("a", href=f"{address}?after=500")
    second = Page(client.get(f"{address}?after=500"))
    rows = [found["id"] for found in second.all("tr") if "id" in found]
    assert (rows[0], rows[-1], len(rows)) == ("event-501", "event-700", 200)
    assert "plan ended" in second.text
    assert "35" in second.text  # event 700 at tick 700


def test_a_pool_of_names_with_markup_stays_inert(client: Client) -> None:
    run = make_launch(name="<script>alert(1)</script>")
    for path in ("/", "/runs/", f"/runs/{run.pk}/", f"/runs/{run.pk}/episodes/1/", f"/launch/?run={run.pk}"):
        page = Page(client.get(path))
        assert page.scripts == [], path


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({}, "To watch it with Minecraft on the worker’s machine, join 127.0.0.1:41235 ."),
        ({"server": "home"}, "To watch it with Minecraft, join 127.0.0.1:41235 ."),
        ({"status": Status.FINISHED}, None),
        ({"address": ""}, None),
    ],
)
def test_while_an_episode_runs_its_page_says_where_to_join(
    client: Client, changes: dict[str, str], words: str | None
) -> None:
    server = changes.pop("server", "")
    episode = make_running(**{"world": "minecraft", "address": "127.0.0.1:41235"} | changes)
    episode.run.settings |= {"server": server}
    episode.run.save()
    page = Page(client.get(f"/runs/{episode.run_id}/episodes/1/head/"))
    assert ("To watch it with Minecraft" in page.text) == (words is not None)
    assert words is None or words in page.text
