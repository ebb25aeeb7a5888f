"""Launching a grid with models and following it on the run's page. Real web server, worker and browser."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.browser import window
from tests.support.stack import LiveStack


@pytest.fixture(params=[1280, 390])
def page(request: pytest.FixtureRequest, browser: Browser) -> Iterator[Page]:
    """A fresh window, as wide as a desktop's and as a phone's; faults of its scripts fail the test."""
    with window(browser, viewport={"width": request.param, "height": 900}) as opened:
        yield opened


def is_within_its_width(page: Page) -> bool:
    fits: bool = page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    return fits


def test_a_grid_with_models_is_estimated_launched_and_followed(live_stack: LiveStack, page: Page) -> None:
    page.goto(f"{live_stack.url}launch/")
    expect(page.locator("#models-idle")).to_be_visible()
    search = page.get_by_role("searchbox", name="Search the tasks")
    search.fill("no such task")
    expect(page.get_by_text("No task fits the search.")).to_be_visible()
    search.fill("copper")
    expect(page.get_by_text("No task fits the search.")).to_be_hidden()
    search.fill("")
    page.get_by_label("Centralized (LLM)").check()
    expect(page.locator("#models-idle")).to_be_hidden()
    page.get_by_label("More models").fill("scripted:latency=5")
    page.get_by_label("Asynchronous").check()
    page.get_by_label("Seeds").fill("0-1")
    page.locator("label", has_text="As fast as possible").click()
    expect(page.locator("#launch-count")).to_have_text("12 episodes")  # (1 + 2) deciders, 2 modes, 2 seeds
    expect(page.locator("#estimate")).to_contain_text("of 12 by")
    expect(page.locator("#estimate")).to_contain_text("Inferences")
    assert is_within_its_width(page)

    page.get_by_role("button", name="Launch", exact=True).click()
    page.wait_for_url(re.compile(r"/runs/\d+/$"))
    page.evaluate("window.notReloaded = true")
    expect(page.locator("#progress-title")).to_have_text("All 12 episodes done")
    rows = page.locator("#success tbody tr")
    expect(rows).to_have_count(6)
    expect(rows.nth(0)).to_contain_text(re.compile(r"2 / 2\s*100 %|Succeeded\s*2 / 2", re.IGNORECASE))
    expect(page.locator("#steps-chart")).to_have_attribute("data-bars", "6")
    expect(page.locator("#steps-chart .barlayer .trace")).to_have_count(4)
    expect(page.locator("#costs tbody tr")).to_have_count(6)
    expect(page.locator("#costs tbody tr").nth(5)).to_contain_text("5 · 5")
    assert page.evaluate("window.notReloaded")
    page.get_by_role("heading", name="Settings").scroll_into_view_if_needed()
    expect(
        page.get_by_role("link", name="Launch", exact=True)
    ).to_be_in_viewport()  # the bar stays, however long the page
    assert is_within_its_width(page)

    table = page.locator("#steps-twin")
    table.locator("summary").click()
    master = table.locator("tbody tr", has_text=re.compile(r"scripted:latency=5.*async", re.DOTALL))
    before = master.inner_text()
    page.get_by_role("link", name="idle (the paper’s view)").click()
    expect(page.get_by_role("link", name="idle (the paper’s view)")).to_have_attribute("aria-current", "true")
    page.locator("#steps-twin summary").click()
    expect(master).to_contain_text("0.0 %")
    assert master.inner_text() != before

    rows.nth(5).get_by_role("link").click()
    expect(page.locator("#run-episodes tbody tr")).to_have_count(2)
    expect(page.locator(".narrowed")).to_contain_text("centralized · scripted:latency=5 · async")


def test_the_chart_follows_the_theme(live_stack: LiveStack, page: Page) -> None:
    run = live_stack.launch()
    live_stack.wait_for(run, "finished")
    page.goto(f"{live_stack.url}runs/{run}/")
    bar = page.locator("#steps-chart .barlayer .trace").nth(1).locator("path").first
    expect(bar).to_have_css("fill", "rgb(0, 114, 178)")
    page.get_by_role("button", name="Switch to the dark theme").click()
    expect(bar).to_have_css("fill", "rgb(63, 155, 216)")


def test_a_name_of_one_long_word_widens_no_page(live_stack: LiveStack, page: Page) -> None:
    run = live_stack.launch()
    live_stack.wait_for(run, "finished")
    rename = f"from webapp.runs.models import Run; Run.objects.filter(pk={run}).update(name='N' * 120)"
    live_stack.manage("shell", "--no-imports", "-c", rename)
    for path in ("", "runs/", f"runs/{run}/", f"runs/{run}/wall/", f"runs/{run}/episodes/1/"):
        page.goto(f"{live_stack.url}{path}")
        expect(page.get_by_text("N" * 120).first).to_be_visible()
        assert is_within_its_width(page), path
