"""What a person does on the servers page: add a server, check it, see what it cannot do, stop a check, delete it."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from engine.minecraft.selftest import Place
from tests.support.browser import window
from tests.support.minecraft_server import PASSWORD
from tests.support.stack import PATIENCE_SECONDS, LiveStack
from tests.webapp.test_check_minecraft import server


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A fresh window; what goes wrong in its scripts fails the test."""
    with window(browser) as opened:
        yield opened


def add(page: Page, name: str, place: Place) -> None:
    """By the form, beginning anywhere."""
    page.get_by_role("navigation", name="Main").get_by_role("link", name="Servers").click()
    page.get_by_role("link", name="Add a server").first.click()
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_label("Host").fill("127.0.0.1")
    page.get_by_label("Port", exact=True).fill(str(place.port))
    page.get_by_label("RCON port").fill(str(place.rcon_port))
    page.get_by_label("RCON password").fill(PASSWORD)
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text(f"The server “{name}” is saved.")).to_be_visible()


def test_a_server_is_added_checked_and_deleted(live_stack: LiveStack, page: Page) -> None:
    with server("1.20.4") as (world, place):
        world.broken.add("tellraw")
        page.goto(live_stack.url)
        add(page, "home", place)
        page.get_by_role("button", name="Check").click()
        expect(page.get_by_text("is Minecraft 1.20.4. 0 of 20 players are online.")).to_be_visible()
        expect(page.get_by_text(re.compile(r"1 of \d+ failed"))).to_be_visible()
        rows = page.locator(".check-rows tbody tr")
        expect(rows.nth(0)).to_contain_text("tellraw")
        expect(rows.nth(0)).to_contain_text("fails")
        expect(rows.filter(has_text="place a block")).to_contain_text("works")
        assert PASSWORD not in page.content()
    page.get_by_role("link", name="Edit").click()
    assert page.get_by_label("RCON password").input_value() == ""
    assert PASSWORD not in page.content()
    page.get_by_text("Delete this server").click()
    page.get_by_role("button", name="Delete home").click()
    expect(page.get_by_text("is deleted, and its password with it")).to_be_visible()


def test_a_check_is_watched_and_stopped(live_stack: LiveStack, page: Page) -> None:
    with server("1.20.4") as (world, place):
        summoned, may_go_on = threading.Event(), threading.Event()

        understand = world._understand

        def slowly(command: str) -> object:
            """From the mob on each answer takes long, though less than RCON bears."""
            if command.startswith("summon"):
                summoned.set()
            if summoned.is_set():
                may_go_on.wait(5)
            return understand(command)

        world._understand = slowly
        page.goto(live_stack.url)
        add(page, "slow", place)
        page.get_by_role("button", name="Check").click()
        assert summoned.wait(PATIENCE_SECONDS)
        expect(page.locator(".check-rows")).to_contain_text("store in a chest")
        page.get_by_role("button", name="Cancel the check").click()
        expect(page.get_by_text("Putting back what was changed")).to_be_visible()
        may_go_on.set()
        expect(page.locator("#check-progress")).to_contain_text("Cancelled")
        assert world.asked[-1].startswith("forceload remove")
        assert not any(command.startswith(("effect", "attribute")) for command in world.asked)


def test_a_server_is_chosen_for_a_launch(live_stack: LiveStack, page: Page) -> None:
    with server("1.19") as (_, place):
        page.goto(live_stack.url)
        add(page, "for-launch", place)
        page.get_by_role("button", name="Check").click()
        expect(page.get_by_text("Minecraft 1.19. 0 of 20 players are online.")).to_be_visible()
    page.get_by_role("navigation", name="Main").get_by_role("link", name="Launch").click()
    choice = page.get_by_label("Minecraft server", exact=True)
    hint = page.locator("[data-server='for-launch']")
    expect(choice).to_be_hidden()
    page.locator("[name=worlds][value=minecraft]").check()
    expect(choice).to_be_visible()
    expect(hint).to_be_hidden()
    choice.select_option("for-launch")
    expect(hint).to_contain_text("only mobs are stopped")
    page.locator("[name=worlds][value=simulator]").uncheck()
    page.get_by_role("button", name="Launch").click()
    expect(page.locator("#episode-head")).to_contain_text("minecraft on for-launch")
