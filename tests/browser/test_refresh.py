"""Regions that are kept fresh do not pull buttons away from whoever is about to press them."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.support.browser import window
from tests.support.stack import LiveStack


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    with window(browser) as opened:
        yield opened


def asked_again(page: Page, part: str, times: int = 1) -> None:
    """Wait until a region has asked so often. It asks only when it has done with the answer to what it asked before."""
    for _ in range(times):
        with page.expect_request(re.compile(rf"/{part}/(\?|$)")):
            pass


def test_what_is_the_same_as_before_is_left_alone(live_stack: LiveStack, page: Page) -> None:
    run = live_stack.launch(pace=1.0)
    live_stack.wait_for(run, "running")
    page.goto(f"{live_stack.url}runs/{run}/episodes/1/")
    expect(
        page.get_by_role("link", name="Log")
    ).to_be_visible()  # with the first events; nothing else changes later
    asked_again(page, "head", 2)
    page.evaluate("window.before = document.getElementById('cancel-episode')")
    asked_again(page, "head", 3)
    assert page.evaluate("window.before === document.getElementById('cancel-episode')")
    page.locator("#cancel-episode").click()
    expect(page.locator("#status-badge")).to_have_text("Cancelled")


def test_a_press_that_outlasts_an_answer_counts(live_stack: LiveStack, page: Page) -> None:
    run = live_stack.launch(pace=1.0)
    live_stack.wait_for(run, "running")
    held: list[Route] = []
    page.route("**/progress/", lambda route: held.append(route), times=1)
    with page.expect_request("**/progress/"):
        page.goto(f"{live_stack.url}runs/{run}/")
    page.get_by_role("button", name="Cancel the run").hover()
    page.mouse.down()
    held[0].continue_()
    asked_again(page, "progress", 2)
    page.mouse.up()
    live_stack.wait_for(run, "cancelled")
