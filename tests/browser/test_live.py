"""What a person does: click, watch, and see it end. Real web server, worker, reaper and browser."""

from __future__ import annotations

import json
import re
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.browser import window
from tests.support.stack import LiveStack, until

TICKS_PER_STEP = 20


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A fresh desktop window; whatever goes wrong in its scripts fails the test, a page that is refused does not."""
    with window(browser, viewport={"width": 1440, "height": 1000}) as opened:
        yield opened


def client(page: Page, expression: str) -> Any:
    """A value of the page's event stream."""
    return page.locator("#live").evaluate(f"live => live.liveClient.{expression}")


def lines_of(stack: LiveStack, page: Page) -> list[Any]:
    """The episode's log as the web server exports it, which is what the database holds."""
    path = page.url.removeprefix(stack.url).split("?")[0]
    return [json.loads(line) for line in stack.get(f"{path}log.jsonl").splitlines()]


def watch_gold_rush(stack: LiveStack, page: Page) -> None:
    page.goto(stack.url)
    page.get_by_role("button", name=re.compile("Gold rush")).click()
    expect(page.locator("#live")).to_have_attribute("data-status", "running")


def has_ended(page: Page) -> None:
    """The episode is over, and all of its log has arrived."""
    expect(page.locator("#connection")).to_have_attribute("data-state", "ended")
    expect(page.locator("#live")).to_have_attribute("data-status", "finished")


def set_pace(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def test_one_click_leads_to_a_timeline_that_fills_and_ends_in_success(
    any_stack: LiveStack, page: Page
) -> None:
    watch_gold_rush(any_stack, page)
    page.locator("#timeline-twin summary").click()
    rows = page.locator("#timeline-twin tbody tr")
    expect(rows.nth(3)).to_be_visible()
    early = rows.count()
    expect(page.locator("#clock")).to_contain_text("/ 100")
    assert page.locator("#live").get_attribute("data-status") == "running"

    set_pace(page, "16×")
    has_ended(page)
    expect(page.locator("#outcome")).to_contain_text("Success")
    expect(page.locator("#outcome")).to_contain_text("24 / 24")
    expect(page.locator("#outcome")).to_contain_text("22 / 22")
    expect(page.locator("#clock")).to_have_text(re.compile(r"step \d+\.\d / 100"))
    until("the table has grown", lambda: rows.count() > early)
    assert client(page, "log") == lines_of(any_stack, page)


def test_a_socket_that_breaks_mid_run_leaves_no_gap(any_stack: LiveStack, page: Page) -> None:
    watch_gold_rush(any_stack, page)
    expect(page.locator("#connection")).to_have_attribute("data-state", "live")
    for seen in (40, 120):
        until("events arrive", lambda seen=seen: client(page, "lastSeq") > seen)  # type: ignore[misc]
        client(page, "drop()")
        expect(page.locator("#connection")).to_have_attribute("data-state", "live")
    set_pace(page, "Fastest")
    has_ended(page)
    log = client(page, "log")
    assert [event["seq"] for event in log] == list(range(1, len(log) + 1))
    assert log == lines_of(any_stack, page)


def test_a_worker_that_falls_silent_is_told_of_until_it_goes_on(tmp_path: Path, page: Page) -> None:
    with LiveStack(tmp_path, workers=1) as stack:
        run = stack.launch(pace=1)
        stack.wait_for(run, "running")
        page.goto(f"{stack.url}runs/{run}/episodes/1/")
        connection = page.locator("#connection")
        expect(connection).to_have_text("Live", timeout=15_000)
        wall = page.context.new_page()
        wall.goto(f"{stack.url}runs/{run}/wall/")
        expect(wall.locator(".wall-state")).to_have_text("running", timeout=15_000)

        stack.signal("worker", signal.SIGSTOP)
        expect(connection).to_have_text(re.compile(r"^No news for \d+ s$"), timeout=15_000)
        expect(connection).to_have_attribute("data-state", "silent")
        # What counts the seconds is not read out.
        expect(connection.locator("[aria-hidden=true]")).to_have_text(re.compile(r"^for \d+ s$"))
        expect(wall.locator(".wall-state")).to_have_text(re.compile(r"^No news for \d+ s$"), timeout=15_000)
        late = page.context.new_page()
        late.goto(page.url)
        expect(late.locator("#connection")).to_have_attribute("data-state", "silent", timeout=3_000)

        stack.signal("worker", signal.SIGCONT)
        for one in (connection, late.locator("#connection")):
            expect(one).to_have_text("Live", timeout=15_000)
        expect(wall.locator(".wall-state")).to_have_text("running", timeout=15_000)
        for opened in page.context.pages:
            opened.close()


def test_an_ended_episode_replays_what_it_was(live_stack: LiveStack, page: Page) -> None:
    run = live_stack.launch(seeds=(3,))
    live_stack.wait_for(run, "finished")
    page.goto(f"{live_stack.url}runs/{run}/episodes/1/")
    has_ended(page)
    assert client(page, "log") == lines_of(live_stack, page)


def test_a_grid_of_ten_seeds_is_launched_by_the_form_and_won_on_each(
    live_stack: LiveStack, page: Page
) -> None:
    page.goto(f"{live_stack.url}tasks/samples/gold-rush/")
    page.get_by_role("link", name="Launch").last.click()
    page.get_by_label("Seeds").fill("0-9")
    page.get_by_text("As fast as possible", exact=True).click()
    page.get_by_role("button", name=re.compile("Launch")).click()
    expect(page.get_by_text("10 of 10")).to_be_visible()
    expect(page.get_by_text("100 %")).to_be_visible()


def test_the_same_seed_gives_the_same_bytes_as_the_command_line(
    live_stack: LiveStack, root: Path, tmp_path: Path
) -> None:
    run = live_stack.launch(seeds=(5,))
    live_stack.wait_for(run, "finished")
    log = tmp_path / "log.jsonl"
    sample = str(root / "tasks" / "samples" / "gold_rush.yaml")
    live_stack.manage("run_episode", sample, "--seed", "5", "--log", str(log))
    assert live_stack.get(f"runs/{run}/episodes/1/log.jsonl") == log.read_bytes()


def test_a_faulty_task_is_refused_beside_the_field_and_keeps_its_text(
    live_stack: LiveStack, page: Page
) -> None:
    page.goto(f"{live_stack.url}tasks/new/")
    text = "task:\n  type: mine_vanishing_blocks\n  gaol: dig\n"
    box = page.locator("textarea")
    box.fill(text)
    with page.expect_response(lambda answer: answer.request.method == "POST") as answered:
        page.get_by_role("button", name="Add the task").click()
    assert answered.value.status == 400
    expect(page.get_by_text("did you mean 'goal'").first).to_be_visible()
    expect(box).to_have_value(text)
    assert "Traceback" not in page.content()


def test_the_timeline_works_by_keyboard(live_stack: LiveStack, page: Page) -> None:
    run = live_stack.launch(seeds=(0,))
    live_stack.wait_for(run, "finished")
    page.goto(f"{live_stack.url}runs/{run}/episodes/1/")
    canvas = page.locator("#timeline canvas").first
    canvas.focus()
    before = canvas.screenshot()
    page.keyboard.press("w")
    page.keyboard.press("w")
    expect(canvas).to_be_focused()
    until("the view has changed", lambda: canvas.screenshot() != before)


def test_a_task_plays_what_happens_by_itself(live_stack: LiveStack, page: Page) -> None:
    page.goto(f"{live_stack.url}tasks/samples/lava-east/")
    slider = page.get_by_role("slider", name="Step")
    expect(page.locator(".map-clock")).to_have_text("step 0 / 100")
    expect(page.locator(".map-now")).to_have_text("Nothing has happened yet. Next at step 20.")
    before = page.locator("#map-preview canvas").screenshot()
    slider.fill("20")
    expect(page.locator(".map-now")).to_contain_text("Step 20: lava_wave: lava sets out.")
    until("the lava is drawn", lambda: page.locator("#map-preview canvas").screenshot() != before)
    slider.press("ArrowRight")
    expect(page.locator(".map-clock")).to_have_text("step 21 / 100")
    slider.press("Space")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    page.get_by_role("button", name="16×").click()
    expect(page.locator(".map-clock")).to_have_text("step 100 / 100")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
