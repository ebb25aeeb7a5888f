"""From the world to the screen, with one viewer."""

from __future__ import annotations

from collections.abc import Iterator

from playwright.sync_api import Browser

from tests.bench.watching.stage import Figure, Happened, episode_page, launch, millisecond_text
from tests.support.stack import LiveStack, until

PACE = 4.0
WATCH = """
() => {
  const { spectator } = document.querySelector("#live");
  const take = spectator.take.bind(spectator);
  window.seen = [];
  spectator.take = (events) => {
    take(events);
    const seqs = events.map((event) => event.seq);
    requestAnimationFrame(() => setTimeout(() => window.seen.push([seqs, Date.now()])));
  };
}
"""


def measure(stack: LiveStack, browser: Browser, slug: str) -> Iterator[Figure]:
    """An event is on the screen when the frame with it in the timeline and the list has been painted."""
    run = launch(stack, slug, pace=PACE)
    page = browser.new_page(viewport={"width": 1440, "height": 1000})
    page.goto(episode_page(stack, run))
    page.evaluate(WATCH)
    stack.wait_for(run, "finished", seconds=120)
    until("the end is there", lambda: page.locator("#live[data-status=finished]").count() == 1)
    page.wait_for_timeout(500)
    happened = Happened(stack, run, PACE)
    seen: list[tuple[list[int], float]] = page.evaluate("window.seen")
    first = seen[0][0][-1]  # what had happened before the page was there came at once
    late = [at - happened.at(seq) for seqs, at in seen for seq in seqs if seq > first]
    yield Figure(
        f"event to screen, 8 agents at 4×, {len(late):,} events", millisecond_text(late), "p95 < 150 ms"
    )
    page.close()
