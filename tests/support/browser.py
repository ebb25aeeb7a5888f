"""Finding and starting the browser of the machine, and opening windows in it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, Playwright, expect

NAMES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--enable-unsafe-swiftshader",
]
PATIENCE_MS = 60_000
"""How long whatever is expected of a page may take: what comes at once costs nothing, and a machine may be busy."""


def launch(playwright: Playwright) -> Browser:
    """Start it, or skip the test where there is none; in CI that is a failure."""
    path = next((found for name in NAMES if (found := shutil.which(name))), None)
    if path is None:
        missing("chromium")
    expect.set_options(timeout=PATIENCE_MS)
    return playwright.chromium.launch(executable_path=path, args=FLAGS)


@contextmanager
def window(browser: Browser, **options: Any) -> Iterator[Page]:
    """A fresh window; whatever goes wrong in its scripts fails the test, a form that is refused does not.

    Args:
        browser: where to open it.
        options: of Playwright's `Browser.new_context`.
    """
    with browser.new_context(**options) as context:
        context.set_default_timeout(PATIENCE_MS)
        page = context.new_page()
        faults: list[str] = []
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda message: faults.append(message.text) if _is_fault(message) else None)
        yield page
    assert not faults, faults


def _is_fault(message: ConsoleMessage) -> bool:
    return message.type == "error" and "responded with a status of 400" not in message.text


def drawn(page: Page) -> None:
    """Wait until everything that the page has been told is drawn: some parts draw on the frame after the others."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def missing(program: str) -> None:
    """A program that a test needs is not installed."""
    text = f"{program} is not installed. On Debian and Ubuntu: sudo apt-get install {program}"
    if os.environ.get("CI"):
        pytest.fail(text)
    pytest.skip(text)
