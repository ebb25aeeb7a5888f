"""Takes the pictures of README and guide with the tests' own browser: `python -m tests.browser.screenshots`."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.support.browser import launch
from tests.support.stack import ROOT, LiveStack

PICTURE = ROOT / "static" / "img" / "episode.png"


def main() -> None:
    """Launch Gold rush from the home page and take a picture of it at step 40."""
    PICTURE.parent.mkdir(exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        LiveStack(Path(folder)) as stack,
        sync_playwright() as playwright,
    ):
        browser = launch(playwright)
        page = browser.new_page(viewport={"width": 1280, "height": 1260}, color_scheme="light")
        page.goto(stack.url)
        page.get_by_role("button", name=re.compile("Gold rush")).click()
        page.get_by_text(re.compile(r"step 4\d\.\d")).wait_for(timeout=60_000)
        page.screenshot(path=PICTURE)
        browser.close()


if __name__ == "__main__":
    main()
