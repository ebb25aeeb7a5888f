"""A wall of 64 episodes, some of them live."""

from __future__ import annotations

from collections.abc import Iterator

from playwright.sync_api import Browser, WebSocket

from tests.bench.watching.stage import Figure, launch
from tests.support.stack import LiveStack, until

EPISODES = 64
VISIBLE = """
() => [...document.querySelectorAll(".wall-tile")]
  .filter((tile) => tile.getBoundingClientRect().top < innerHeight)
"""
SCROLL = """
(seconds) => new Promise((resolve) => {
  const start = performance.now();
  const way = document.documentElement.scrollHeight - innerHeight;
  let frames = 0;
  const step = (now) => {
    const share = (now - start) / 1000 / seconds;
    if (share > 1) {
      resolve(frames / seconds);
      return;
    }
    frames += 1;
    scrollTo(0, way * share);
    requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
})
"""


def measure(stack: LiveStack, browser: Browser, slug: str, workers: int) -> Iterator[Figure]:
    """Until what is in view is drawn, while as many episodes run as there are workers; then from top to bottom."""
    run = launch(stack, slug, pace=4.0, seeds=range(EPISODES))
    stack.wait_for(run, "running", index=workers)
    page = browser.new_page(viewport={"width": 1440, "height": 1000})
    connected: set[WebSocket] = set()
    counts = [0]

    def opened(socket: WebSocket) -> None:
        connected.add(socket)
        counts.append(len(connected))
        socket.on("close", lambda _: connected.discard(socket))

    page.on("websocket", opened)
    page.goto(f"{stack.url}runs/{run}/wall/")
    running = f"({VISIBLE})().filter((tile) => tile.dataset.status === 'running')"
    until(
        "what runs is drawn",
        lambda: page.evaluate(f"{running}.length > 0 && {running}.every((tile) => tile.dataset.lastSeq > 0)"),
    )
    drawn = float(page.evaluate("performance.now()"))
    frames = float(page.evaluate(SCROLL, 4))
    about = f"a wall of {EPISODES} episodes, {workers} of them live at 4×"
    yield Figure(f"{about}: what is in view is drawn", f"{drawn:.0f} ms")
    yield Figure(f"{about}: scrolling from top to bottom", f"{frames:.0f} frames a second")
    yield Figure(f"{about}: connections open at once, at most", str(max(counts)))
    page.close()
