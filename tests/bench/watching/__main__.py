"""`python -m tests.bench.watching`: a table of the figures; with `--write` it also becomes the guide's page."""

from __future__ import annotations

import os
import platform
import tempfile
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from tests.bench import tasks
from tests.bench.page import publish
from tests.bench.watching import crowd, live, long, space, wall, weight
from tests.bench.watching.stage import Figure, add_task
from tests.bench.watching.stage import launch as start
from tests.support.browser import launch
from tests.support.stack import LiveStack, Redis

PAGE = Path(__file__).resolve().parents[3] / "templates" / "docs" / "speed-watching.md"
WORKERS = 8
RAID = "bench-raid"
MINE = "bench-mine"
LONG_RAID = "bench-long-raid"
HEAD = """\
# Speed of watching

What `make bench` printed: Chromium without a window, drawing in software, beside the dashboard on the same machine.
An event happens when its world time comes at the pace; everything from there on counts: storing, fan-out, network,
drawing. The map shows live motion up to 0.12 s later, so that it is even.
"""


def main() -> None:
    """Print the report, and write the page if asked to."""
    publish(report(), PAGE, __doc__)


def report() -> Iterator[str]:
    """The page, line by line."""
    yield HEAD
    busy = os.getloadavg()[0]
    with sync_playwright() as playwright:
        browser = launch(playwright)
        yield f"Machine: {machine()}, Chromium {browser.version}.\n"
        yield "| what | measured | asked for |"
        yield "| --- | --- | --- |"
        yield from map(row, one_viewer(browser))
        browser.close()
    yield from map(row, many_viewers())
    after = os.getloadavg()[0]
    yield f"\nLoad of the machine (processes that want a core): {busy:.1f} before, {after:.1f} at the end."


def row(figure: Figure) -> str:
    """A line of the table."""
    return f"| {figure.what} | {figure.measured} | {figure.asked} |"


def one_viewer(browser: Browser) -> Iterator[Figure]:
    """What one browser sees."""
    with tempfile.TemporaryDirectory() as folder, LiveStack(Path(folder), workers=WORKERS) as stack:
        add_task(stack, RAID, tasks.raid())
        add_task(stack, MINE, tasks.mine())
        yield from live.measure(stack, browser, RAID)
        yield from long.measure(stack, browser, Path(folder))
        run = start(stack, MINE, pace=0)
        stack.wait_for(run, "finished")
        yield from weight.measure(stack, browser, run)
        yield from space.measure(stack, browser, run, "8 agents")
        yield from wall.measure(stack, browser, "gold-rush", WORKERS)


def many_viewers() -> Iterator[Figure]:
    """300 sockets: first as `make run` starts the dashboard, then with Redis as a team does."""
    with tempfile.TemporaryDirectory() as folder, LiveStack(Path(folder)) as stack:
        add_task(stack, LONG_RAID, tasks.raid(steps=200))
        yield from crowd.measure(stack, LONG_RAID, "one machine")
    with Redis() as redis, tempfile.TemporaryDirectory() as folder, LiveStack(Path(folder), redis) as stack:
        add_task(stack, LONG_RAID, tasks.raid(steps=200))
        yield from crowd.measure(stack, LONG_RAID, "with Redis")


def machine() -> str:
    """The hardware, as far as the system tells it, and the interpreter."""
    info = Path("/proc/cpuinfo")
    names = [
        line.split(":", 1)[1].strip()
        for line in info.read_text().splitlines()
        if line.startswith("model name")
    ]
    kind = names[0] if names else platform.machine()
    return f"{kind}, {len(os.sched_getaffinity(0))} cores, Linux, Python {platform.python_version()}"


if __name__ == "__main__":
    main()
