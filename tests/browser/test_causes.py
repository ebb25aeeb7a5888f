"""Reading why an episode failed, and following the evidence. Real web server, worker and browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.browser import window
from tests.support.stack import LiveStack

TITLE = "The lord cannot be beaten"


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A fresh desktop window; a fault in its scripts fails the test."""
    with window(browser, viewport={"width": 1280, "height": 900}) as opened:
        yield opened


def hopeless(root: Path) -> str:
    """The wither lord with a blow that kills."""
    text = (root / "tasks" / "samples" / "wither_lord.yaml").read_text(encoding="utf-8")
    return text.replace("wither_lord_v1", "hopeless_v1").replace("damage: 8,", "damage: 60,")


def play(page: Page, stack: LiveStack, text: str) -> None:
    """Add the task, launch two episodes of it, and wait on the run's page until they are over."""
    page.goto(f"{stack.url}tasks/new/")
    page.get_by_label("Title").fill(TITLE)
    page.locator("textarea").fill(text)
    page.get_by_role("button", name="Add the task").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(TITLE)
    page.get_by_role("link", name="Launch").last.click()
    page.get_by_label("Seeds").fill("0-1")
    page.get_by_text("As fast as possible", exact=True).click()
    page.get_by_role("button", name="Launch").last.click()
    expect(page.get_by_text("All 2 episodes done")).to_be_visible()


def test_from_a_runs_causes_to_the_event_that_shows_one(
    live_stack: LiveStack, page: Page, root: Path
) -> None:
    play(page, live_stack, hopeless(root))
    row = page.locator("#causes tbody tr").first
    expect(row).to_contain_text("Death by wither skeleton")
    expect(row).to_contain_text("100 %")
    row.get_by_role("link").first.click()
    page.wait_for_url("**/episodes/*/#why")
    cause = page.locator(".causes li").first
    expect(cause).to_contain_text("was killed by wither skeleton at step")
    expect(page.locator("#connection")).to_have_attribute("data-state", "ended")
    expect(page.locator("#why")).to_be_in_viewport()

    moment = cause.locator("a[data-tick]")
    agent, tick = moment.get_attribute("data-agent"), moment.get_attribute("data-tick")
    moment.click()
    expect(page.locator("#live")).to_have_attribute("data-tick", str(tick))
    chosen = page.get_by_role("button", name=str(agent), exact=True)
    expect(chosen).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#timeline")).to_be_in_viewport()

    link = cause.locator("a[data-seq]").last
    number = link.get_attribute("data-seq")
    link.click()
    marked = page.locator("#events tr.events-selected")
    expect(marked).to_be_visible()
    expect(marked).to_have_attribute("data-seq", str(number))
    expect(marked).to_contain_text("agent died")

    # Its address is that of the plain table, for those without a script.
    href = str(link.get_attribute("href"))
    page.goto(f"{live_stack.url.rstrip('/')}{href}")
    expect(page.locator(f"#event-{number}")).to_be_in_viewport()
    expect(page.locator(f"#event-{number}")).to_contain_text("agent died")
