"""Watching without a pointer or a screen: segments by keyboard, words for screen readers, keys switched off."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.browser import drawn, window
from tests.support.stack import LiveStack


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    with window(browser, viewport={"width": 1440, "height": 1000}) as opened:
        yield opened


@pytest.fixture(scope="module")
def gold(live_stack: LiveStack) -> str:
    """The address of an ended episode of the oracle."""
    run = live_stack.launch(seeds=(0,))
    live_stack.wait_for(run, "finished")
    return f"runs/{run}/episodes/1/"


def open_at(stack: LiveStack, page: Page, path: str, step: int) -> None:
    page.goto(f"{stack.url}{path}#t={step}")
    expect(page.locator("#connection")).to_have_attribute("data-state", "ended")
    expect(page.locator("#live")).to_have_attribute("data-tick", str(step * 20))
    drawn(page)


def starts(stack: LiveStack, path: str, agent: str) -> list[int]:
    """The ticks at which the agent's actions begin."""
    events = [json.loads(line) for line in stack.get(f"{path}log.jsonl").splitlines()]
    mine = [one for one in events if one["type"] == "action_started" and one["payload"]["agent"] == agent]
    return [one["world_time"] for one in mine]


def test_segments_are_reached_told_and_opened_by_keyboard(
    live_stack: LiveStack, page: Page, gold: str
) -> None:
    open_at(live_stack, page, gold, 30)
    timeline = page.get_by_role("application", name=re.compile("^Timeline"))
    told = page.locator("#timeline .timeline-frame [role=status]")
    timeline.focus()
    page.keyboard.press("ArrowRight")
    expect(told).to_contain_text(re.compile(r"^Ada · "))
    page.keyboard.press("ArrowDown")
    expect(told).to_contain_text(re.compile(r"^Bruno · "))
    page.keyboard.press("ArrowRight")
    begun = min(tick for tick in starts(live_stack, gold, "Bruno") if tick > 600)
    expect(told).to_contain_text(f"steps {begun / 20:g}" if begun % 20 else f"steps {begun // 20}")
    expect(page.locator(".timeline-tooltip")).to_be_visible()
    assert page.locator("#live").get_attribute("data-tick") == "600"
    page.keyboard.press("Enter")
    expect(page.locator("#live")).to_have_attribute("data-tick", str(begun))
    expect(page.get_by_role("button", name="Bruno", exact=True)).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Escape")
    expect(page.locator(".timeline-tooltip")).to_be_hidden()


def test_the_timelines_table_points_out_the_moment(live_stack: LiveStack, page: Page, gold: str) -> None:
    open_at(live_stack, page, gold, 30)
    page.locator("#timeline-twin summary").click()
    words = page.locator(".twin-now")
    expect(words).to_have_text(re.compile("^Step 30: Ada .*; Bruno .*; Chen "))
    rows = page.locator("#timeline-twin tr[aria-current]")
    expect(rows).to_have_count(5)
    assert sorted(rows.locator("td:first-child").all_inner_texts()) == [
        "Ada",
        "Bruno",
        "Chen",
        "Dalia",
        "Emre",
    ]
    page.keyboard.press("Escape")
    page.get_by_role("button", name="One step on").click()
    expect(words).to_have_text(re.compile("^Step 31: "))


def test_all_keys_are_listed_and_single_ones_can_be_switched_off_for_good(
    live_stack: LiveStack, page: Page, gold: str
) -> None:
    open_at(live_stack, page, gold, 30)
    clock = page.locator("#clock")
    page.keyboard.press(".")
    expect(clock).to_have_text(re.compile("^step 31.0 "))
    page.keyboard.press("?")
    keys = page.get_by_role("dialog", name="Keys")
    expect(keys).to_be_visible()
    expect(keys).to_contain_text("go to the live edge")
    keys.get_by_label("single keys work everywhere").uncheck()
    page.keyboard.press("Escape")
    expect(keys).to_be_hidden()
    page.wait_for_url(re.compile("#t=31"))
    page.reload()
    expect(page.locator("#live")).to_have_attribute("data-tick", "620")
    page.keyboard.press(".")
    page.keyboard.press("?")
    page.locator("#timeline canvas").press("w")  # what has the focus keeps its keys
    expect(keys).to_be_hidden()
    expect(clock).to_have_text(re.compile("^step 31.0 "))
    page.get_by_role("button", name="Keys", exact=True).click()
    expect(keys).to_be_visible()
    keys.get_by_label("single keys work everywhere").check()
    keys.get_by_role("button", name="Close").click()
    page.locator("#timeline canvas").press(".")
    expect(clock).to_have_text(re.compile("^step 32.0 "))


def test_markup_stays_text_in_words_tables_and_tiles(live_stack: LiveStack, page: Page) -> None:
    run = live_stack.launch(seeds=(11,))
    live_stack.wait_for(run, "finished")
    path = f"runs/{run}/episodes/1/"
    events = [json.loads(line) for line in live_stack.get(f"{path}log.jsonl").splitlines()]
    put = next(
        one["world_time"]
        for one in events
        if one["type"] == "action_started"
        and (one["payload"]["agent"], one["payload"]["do"]) == ("Ada", "deposit_to_chest")
    )
    hostile = "<img src=x onerror=document.title=1>"
    for plain in ("deposited", "deposit raw_gold"):  # an action's detail, and a checkpoint's name
        live_stack.query(
            "UPDATE live_eventsegment SET body = replace(body, ?, ?) WHERE episode_id IN "
            "(SELECT id FROM runs_episode WHERE run_id = ?)",
            plain,
            hostile,
            run,
        )
    page.goto(f"{live_stack.url}{path}#t={(put + 1) / 20:g}&agent=Ada&view=3d")
    expect(page.locator("#space")).to_have_attribute("data-tick", str(put + 1))
    expect(page.locator("#connection")).to_have_attribute("data-state", "ended")
    page.locator("#timeline-twin summary").click()
    page.locator("#timeline canvas").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#timeline .timeline-frame [role=status]")).to_contain_text(hostile)
    expect(page.locator(".timeline-tooltip")).to_contain_text(hostile)
    assert page.locator("#live img").count() == 0
    assert page.title() != "1"
    page.goto(f"{live_stack.url}runs/{run}/wall/")
    expect(page.locator(".wall-progress")).to_contain_text(hostile)
    assert page.locator(".wall img").count() == 0
    assert page.title() != "1"
