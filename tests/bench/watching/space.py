"""The world in 3D, drawn in software."""

from __future__ import annotations

from collections.abc import Iterator

from playwright.sync_api import Browser, Page

from tests.bench.watching.stage import Figure, episode_page
from tests.support.stack import LiveStack, until

FRAMES = """
(seconds) => new Promise((resolve) => {
  const { clock, space, controls } = document.querySelector("#live").spectator;
  clock.pause();
  clock.seek(0);
  clock.speed = 4;
  controls.act("toggle");
  const { render } = space.renderer.info;
  const first = render.frame;
  setTimeout(() => resolve((render.frame - first) / seconds), seconds * 1000);
})
"""


def measure(stack: LiveStack, browser: Browser, run: int, about: str) -> Iterator[Figure]:
    """A replay at 4×: all of the world, and what one agent knows of it."""
    page = browser.new_page(viewport={"width": 1440, "height": 1000})
    page.goto(f"{episode_page(stack, run)}#t=20&view=3d")
    until("3D is there", lambda: page.locator("#space[data-tick='400']").count() == 1)
    about = f"{about} among {page.locator('#space').get_attribute('data-blocks')} blocks"
    yield Figure(f"replay in 3D, {about}", frames(page))
    page.locator("#map-knows").select_option(index=1)
    yield Figure(f"replay in 3D, what one agent knows, {about}", frames(page))
    page.close()


def frames(page: Page) -> str:
    """Drawings a second over four seconds of the replay."""
    return f"{float(page.evaluate(FRAMES, 4)):.0f} frames a second"
