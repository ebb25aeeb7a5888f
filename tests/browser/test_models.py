"""What a person does on the models page: add a model, try it without leaving the page, mend it, try it again."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.browser import window
from tests.support.endpoint import StubEndpoint, fails, says
from tests.support.stack import LiveStack

KEY = "sk-typed-in-a-browser"


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A fresh window; what goes wrong in its scripts fails the test."""
    with window(browser) as opened:
        yield opened


def test_a_model_is_added_tried_and_deleted(live_stack: LiveStack, page: Page) -> None:
    with StubEndpoint([fails(401), says('{"answer": 5}')]) as stub:
        page.goto(live_stack.url)
        page.get_by_role("navigation", name="Main").get_by_role("link", name="Models").click()
        page.get_by_role("link", name="Add a model").first.click()
        page.get_by_label("Name", exact=True).fill("stub")
        page.get_by_label("Model", exact=True).fill("m-1")
        page.get_by_label("Base URL").fill(stub.url)
        page.get_by_label("API key").fill(KEY)
        page.get_by_role("button", name="Save").click()
        expect(page.get_by_text("The model “stub” is saved.")).to_be_visible()
        page.wait_for_load_state()  # with its script, without which trying leads to another page
        page.get_by_role("button", name="Try stub").click()
        expect(page.get_by_text("refuses the key")).to_be_visible()
        page.get_by_role("button", name="Try stub").click()
        expect(page.get_by_text("It answers")).to_be_visible()
        expect(page.get_by_text("11 prompt, 7 completion")).to_be_visible()
        expect(page).to_have_url(re.compile(r"/models/$"))
        assert KEY not in page.content()
        assert [request.headers["authorization"] for request in stub.requests] == [f"Bearer {KEY}"] * 2
    page.get_by_role("link", name="Edit stub").click()
    assert page.get_by_label("API key").input_value() == ""
    page.get_by_text("Delete this model").click()
    page.get_by_role("button", name="Delete stub").click()
    expect(page.get_by_text("is deleted, and its key with it")).to_be_visible()
