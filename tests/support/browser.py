"""Finding and starting the browser of the machine."""

from __future__ import annotations

import os
import shutil

import pytest
from playwright.sync_api import Browser, Playwright

NAMES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--enable-unsafe-swiftshader",
]


def launch(playwright: Playwright) -> Browser:
    """Start it, or skip the test where there is none; in CI that is a failure."""
    path = next((found for name in NAMES if (found := shutil.which(name))), None)
    if path is None:
        missing("chromium")
    return playwright.chromium.launch(executable_path=path, args=FLAGS)


def missing(program: str) -> None:
    """A program that a test needs is not installed."""
    text = f"{program} is not installed. On Debian and Ubuntu: sudo apt-get install {program}"
    if os.environ.get("CI"):
        pytest.fail(text)
    pytest.skip(text)
