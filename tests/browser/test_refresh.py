"""Regions that are kept fresh do not pull buttons away from whoever is about to press them."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Browser, Response, expect

from tests.support.stack import LiveStack


def is_fresh(part: str) -> Callable[[Response], bool]:
    """Whether a response is an answer for this region."""

    def matches(response: Response) -> bool:
        return response.url.split("?")[0].endswith(part)

    return matches


def test_what_is_the_same_as_before_is_left_alone(live_stack: LiveStack, browser: Browser) -> None:
    run = live_stack.launch(pace=1.0)
    live_stack.wait_for(run, "running")
    page = browser.new_page()
    page.goto(f"{live_stack.url}runs/{run}/episodes/1/")
    for _ in range(2):  # the first answers may still bring something new, as the downloads
        with page.expect_response(is_fresh("/head/")):
            pass
    page.evaluate("window.before = document.getElementById('cancel-episode')")
    for _ in range(3):
        with page.expect_response(is_fresh("/head/")):
            pass
    assert page.evaluate("window.before === document.getElementById('cancel-episode')")
    page.locator("#cancel-episode").click()
    expect(page.locator("#status-badge")).to_have_text("Cancelled", timeout=15_000)
    page.close()


def test_a_press_that_outlasts_an_answer_counts(live_stack: LiveStack, browser: Browser) -> None:
    run = live_stack.launch(pace=1.0)
    live_stack.wait_for(run, "running")
    page = browser.new_page()
    page.goto(f"{live_stack.url}runs/{run}/")
    with page.expect_response(is_fresh("/progress/")):
        pass
    page.get_by_role("button", name="Cancel the run").hover()
    page.mouse.down()
    for _ in range(2):
        with page.expect_response(is_fresh("/progress/")):
            pass
    page.mouse.up()
    live_stack.wait_for(run, "cancelled")
    page.close()
