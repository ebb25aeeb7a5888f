"""What axe-core finds wrong with pages for people who use no pointer or no screen, in both themes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.test_servers import add
from tests.support.browser import window
from tests.support.stack import LiveStack
from tests.webapp.test_check_minecraft import server

AXE = Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js"
RUN = "() => axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })"
THEMES = pytest.mark.parametrize("theme", ["light", "dark"])


def faults(page: Page) -> list[str]:
    """Each rule that is broken, with the selector of the first element that breaks it."""
    page.evaluate("scrollTo(0, 0)")  # what the bar in sight covers can be scrolled out from under it
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found: list[dict[str, Any]] = page.evaluate(RUN)["violations"]
    return [f"{one['id']}: {one['nodes'][0]['target'][0]} ({len(one['nodes'])})" for one in found]


@pytest.fixture(scope="module")
def talk(live_stack: LiveStack) -> str:
    """The address of an ended episode of agents who plan and negotiate."""
    code = (
        "from webapp.launch.actions import Grid, launch; from webapp.tasks.models import Task; "
        "print(launch(Grid(tasks=[Task.objects.get(slug='swamp-harvest')], policies=['distributed'], "
        "models=['scripted:latency=2'], modes=['sync'], worlds=['simulator'], seeds=[0]), name='Talk', pace=0).pk)"
    )
    run = int(live_stack.manage("shell", "--no-imports", "-c", code))
    live_stack.wait_for(run, "finished", "budget")
    return f"runs/{run}/"


@pytest.fixture
def page(browser: Browser, theme: str) -> Iterator[Page]:
    """A fresh desktop window in which nothing moves by itself."""
    size = {"width": 1280, "height": 900}
    with window(browser, viewport=size, color_scheme=theme, reduced_motion="reduce") as opened:
        yield opened


@THEMES
def test_an_episodes_page_has_no_barriers(live_stack: LiveStack, page: Page, talk: str) -> None:
    page.goto(f"{live_stack.url}{talk}episodes/1/#t=20&agent=Ada&knows=Ada")
    expect(page.locator("#live")).to_have_attribute("data-tick", "400")
    page.locator("#timeline-twin summary").click()
    page.get_by_text("Map as a table").click()
    assert "\n".join(faults(page)) == ""
    page.get_by_role("button", name="3D", exact=True).click()
    expect(page.locator("#space")).to_have_attribute("data-tick", "400")
    assert "\n".join(faults(page)) == ""
    page.get_by_role("button", name="Keys", exact=True).click()
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    assert "\n".join(faults(page)) == ""


@THEMES
def test_two_episodes_side_by_side_have_no_barriers(live_stack: LiveStack, page: Page, talk: str) -> None:
    page.goto(f"{live_stack.url}{talk}episodes/1/#t=20&agent=Ada")
    expect(page.locator("#live")).to_have_attribute("data-tick", "400")
    page.get_by_role("button", name="Watch the oracle").click()
    expect(page.locator("#beside .pill")).to_have_text("Finished")
    expect(page.locator("#beside")).to_have_attribute("data-tick", "400")
    for table in page.get_by_text("Map as a table").all():
        table.click()
    assert "\n".join(faults(page)) == ""


@THEMES
def test_a_wall_has_no_barriers(live_stack: LiveStack, page: Page, talk: str) -> None:
    page.goto(f"{live_stack.url}{talk}wall/")
    expect(page.locator(".wall-tile").first).to_have_attribute("data-last-seq", re.compile("[1-9]"))
    assert "\n".join(faults(page)) == ""


@THEMES
def test_a_replay_file_has_no_barriers(live_stack: LiveStack, page: Page, talk: str, tmp_path: Path) -> None:
    file = tmp_path / "replay.html"
    file.write_bytes(live_stack.get(f"{talk}episodes/1/replay.html"))
    page.goto(f"{file.as_uri()}#t=20&agent=Ada")
    expect(page.locator("#live")).to_have_attribute("data-tick", "400")
    assert "\n".join(faults(page)) == ""


@THEMES
def test_the_servers_pages_have_no_barriers(live_stack: LiveStack, page: Page, theme: str) -> None:
    page.goto(f"{live_stack.url}servers/")
    with server("1.20.4") as (world, place):
        world.broken.add("tellraw")
        add(page, f"{theme}-box", place)
        page.get_by_role("button", name="Check").click()
        expect(page.get_by_text(re.compile(r"1 of \d+ failed"))).to_be_visible()
    assert "\n".join(faults(page)) == ""
    page.goto(f"{live_stack.url}servers/")
    assert "\n".join(faults(page)) == ""
    page.goto(f"{live_stack.url}servers/new/")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Nothing was saved")).to_be_visible()
    assert "\n".join(faults(page)) == ""
