"""What an episode's page weighs on the wire before 3D is opened."""

from __future__ import annotations

from collections.abc import Iterator

from playwright.sync_api import Browser, Response

from tests.bench.watching.stage import Figure, episode_page
from tests.support.stack import LiveStack


def measure(stack: LiveStack, browser: Browser, run: int) -> Iterator[Figure]:
    """Bodies of all answers as they were sent, from an empty cache; the log itself, which comes by socket, is apart."""
    context = browser.new_context(viewport={"width": 1440, "height": 1000})
    page = context.new_page()
    answers: list[Response] = []
    page.on("response", lambda answer: answers.append(answer))
    page.goto(episode_page(stack, run), wait_until="networkidle")
    sizes = [answer.request.sizes()["responseBodySize"] for answer in answers]
    yield Figure(
        f"an episode's page before 3D, compressed, {len(sizes)} files",
        f"{sum(sizes) / 1000:.0f} KB",
        "< 500 KB",
    )
    context.close()
