"""Two episodes of one task side by side: the oracle on demand, one clock for both, running and failed episodes."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.support.browser import drawn, window
from tests.support.stack import LiveStack, until


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A fresh desktop window; whatever goes wrong in its scripts fails the test."""
    with window(browser, viewport={"width": 1440, "height": 1000}) as opened:
        yield opened


def launch_team(stack: LiveStack, *, task: str = "gold-rush", pace: float = 0.0, seed: int = 0) -> str:
    """The address of an episode of a team that waits 20 s for each decision, and so fails."""
    code = (
        "from webapp.launch.actions import Grid, launch; from webapp.tasks.models import Task; "
        f"print(launch(Grid(tasks=[Task.objects.get(slug={task!r})], policies=['centralized'], "
        "models=['scripted'], modes=['async'], worlds=['simulator'], "
        f"seeds=[{seed}]), name='Team', pace={pace}).pk)"
    )
    return f"runs/{int(stack.manage('shell', '--no-imports', '-c', code))}/episodes/1/"


@pytest.fixture(scope="module")
def failed(live_stack: LiveStack) -> str:
    """The address of a failed episode that ended after all of its 100 steps."""
    path = launch_team(live_stack)
    live_stack.wait_for(int(path.split("/")[1]), "finished")
    return path


def watch_oracle(page: Page) -> Locator:
    """Click, and wait until the oracle's log is there."""
    page.get_by_role("button", name="Watch the oracle").click()
    page.wait_for_url(re.compile(r"\?beside=\d+"))
    section = page.locator("#beside")
    expect(section.locator(".pill")).to_have_text("Finished")
    return section


def ticks(page: Page) -> tuple[str | None, str | None]:
    """The moments that both sides show in one picture."""
    own, other = page.evaluate("['live', 'beside'].map((id) => document.getElementById(id)?.dataset.tick)")
    return own, other


def oracles(stack: LiveStack, path: str) -> list[int]:
    """The episodes of the oracle on the task and seed of an episode."""
    sql = (
        "SELECT o.id FROM runs_episode e JOIN runs_episode o ON o.task_id = e.task_id AND o.seed = e.seed "
        "AND o.mode = e.mode WHERE e.run_id = ? AND o.policy = 'oracle'"
    )
    return [row[0] for row in stack.query(sql, int(path.split("/")[1]))]


def oracle_log(stack: LiveStack, path: str) -> list[dict[str, Any]]:
    """The events of the oracle beside an episode."""
    run = stack.query("SELECT run_id FROM runs_episode WHERE id = ?", *oracles(stack, path))[0][0]
    return [json.loads(line) for line in stack.get(f"runs/{run}/episodes/1/log.jsonl").splitlines()]


def test_one_click_shows_the_oracle_at_the_same_moment_and_is_played_once(
    live_stack: LiveStack, page: Page, failed: str
) -> None:
    page.goto(f"{live_stack.url}{failed}#t=30&agent=Bruno")
    expect(page.locator("#clock")).to_have_text("step 30.0 / 100")
    section = watch_oracle(page)
    expect(page.locator("#clock")).to_have_text("step 30.0 / 100")
    for bruno in page.get_by_role("button", name="Bruno", exact=True).all():
        expect(bruno).to_have_attribute("aria-pressed", "true")
    (key,) = oracles(live_stack, failed)
    assert f"?beside={key}#" in page.url
    events = oracle_log(live_stack, failed)
    expect(section).to_have_attribute("data-last-seq", str(len(events)))
    until("both are there", lambda: ticks(page) == ("600", "600"))

    # The table says what both had at step 30; the oracle's figures are those of its log.
    gold = [
        event["payload"]["have"]
        for event in events
        if event["type"] == "checkpoint_changed"
        and event["payload"]["name"] == "deposit raw_gold"
        and event["world_time"] <= 600
    ]
    cells = page.locator("#race tbody tr").first.locator("td")
    expect(cells.nth(0)).to_have_text("deposit raw gold")
    expect(cells.nth(2)).to_have_text(f"{int(gold[-1])}/24")
    end = events[-1]["world_time"] / 20
    expect(cells.nth(4)).to_have_text(f"step {end:g}")

    page.go_back()
    page.reload()
    watch_oracle(page)
    assert oracles(live_stack, failed) == [key]


def test_both_keep_to_one_clock_by_keys_slider_play_and_clicks(
    live_stack: LiveStack, page: Page, failed: str
) -> None:
    page.goto(f"{live_stack.url}{failed}#t=10")
    section = watch_oracle(page)
    until("both show the moment of the address", lambda: ticks(page) == ("200", "200"))
    page.keyboard.press(".")
    until("both are a step on", lambda: ticks(page) == ("220", "220"))
    page.get_by_role("slider", name="Moment").fill("20")
    until("both are where the slider is", lambda: ticks(page) == ("400", "400"))
    page.get_by_label("Replay speed").select_option("2")
    page.get_by_role("button", name="Play", exact=True).click()
    until("it moves", lambda: int(ticks(page)[0] or 0) > 450)
    page.get_by_role("button", name="Pause", exact=True).click()
    until("both rest at one moment", lambda: len(set(ticks(page))) == 1)

    # Both minds are of one agent, wherever it was chosen.
    page.locator("#beside-mind").get_by_role("button", name="Chen", exact=True).click()
    chosen = page.locator("#mind").get_by_role("button", name="Chen", exact=True)
    expect(chosen).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#beside-mind .mind-plan")).to_contain_text("Chen_task_")

    # A click on the oracle's lanes, in the middle of what is seen, goes there for both; so do keys on them.
    lanes = section.locator("#beside-timeline canvas")
    place = page.locator("#live").evaluate(
        """live => {
          const { layout, view } = live.spectator.timeline;
          return { x: layout.left + layout.width / 4, tick: view.start + (view.end - view.start) / 4 };
        }"""
    )
    lanes.click(position={"x": place["x"], "y": 8})
    until("both are there", lambda: abs(int(ticks(page)[0] or 0) - place["tick"]) <= 8)
    assert len(set(ticks(page))) == 1
    lanes.focus()
    view = "live => { const { start, end } = live.spectator.timeline.view; return end - start; }"
    before = page.locator("#live").evaluate(view)
    page.keyboard.press("w")
    until("both timelines are closer", lambda: page.locator("#live").evaluate(view) < before)
    page.keyboard.press("ArrowRight")
    told = section.locator("#beside-timeline [role=status]")
    expect(told).to_contain_text("Ada · ")
    span = re.search(r"steps ([\d.]+) –", told.text_content() or "")
    assert span
    begun = str(round(20 * float(span[1])))
    page.keyboard.press("Enter")
    until("both are where the keyboard is", lambda: ticks(page) == (begun, begun))


def test_a_team_that_died_early_rests_while_the_oracle_goes_on(live_stack: LiveStack, page: Page) -> None:
    path = launch_team(live_stack, task="lava-east")
    live_stack.wait_for(int(path.split("/")[1]), "finished")
    page.goto(f"{live_stack.url}{path}")
    expect(page.locator("#connection")).to_have_attribute("data-state", "ended")
    own = json.loads(live_stack.get(f"{path}log.jsonl").splitlines()[-1])["world_time"]
    watch_oracle(page)
    end = oracle_log(live_stack, path)[-1]["world_time"]
    assert end > own
    until("both are at the later end", lambda: ticks(page) == (str(end), str(end)))
    assert page.locator("#live").evaluate("live => live.spectator.map.moment.tick") == own
    expect(page.locator("#beside-state")).to_contain_text("ended at step")
    page.goto(f"{page.url.split('#')[0]}#t={own / 20 + 1:g}")
    page.reload()
    until("a link opens after the team's end", lambda: ticks(page)[0] == str(own + 20))


def test_beside_a_running_episode_the_oracle_keeps_to_the_live_edge(
    live_stack: LiveStack, page: Page
) -> None:
    path = launch_team(live_stack, pace=1.0, seed=5)
    page.goto(f"{live_stack.url}{path}")
    until("it runs", lambda: int(page.locator("#live").get_attribute("data-tick") or 0) > 20)
    watch_oracle(page)
    until("both go on", lambda: int(ticks(page)[1] or 0) > 100)
    page.keyboard.press(",")
    drawn(page)
    rested = int(ticks(page)[0] or 0)
    assert rested % 20 == 0
    assert ticks(page) == (str(rested), str(rested))
    page.keyboard.press("l")
    until("both are live again", lambda: int(ticks(page)[1] or 0) > rested + 40)
    page.get_by_role("button", name="Fastest").click()


def test_cancelling_keeps_the_moment_and_what_stands_beside(
    live_stack: LiveStack, page: Page, failed: str
) -> None:
    other = live_stack.query("SELECT id FROM runs_episode WHERE run_id = ?", int(failed.split("/")[1]))[0][0]
    path = launch_team(live_stack, pace=1.0)
    live_stack.wait_for(int(path.split("/")[1]), "running")
    page.goto(f"{live_stack.url}{path}?beside={other}#t=0&agent=Chen")
    expect(page.locator("#clock")).to_have_text("step 0.0 / 100")
    page.locator("#cancel-episode").click()
    expect(page.locator("#status-badge")).to_have_text("Cancelled")
    assert page.url == f"{live_stack.url}{path}?beside={other}#t=0&agent=Chen"
    expect(page.locator("#clock")).to_have_text("step 0.0 / 100")


def test_any_other_episode_of_the_task_can_stand_beside_it(
    live_stack: LiveStack, page: Page, failed: str
) -> None:
    other = launch_team(live_stack, seed=3)
    number = int(other.split("/")[1])
    live_stack.wait_for(number, "finished")
    page.goto(f"{live_stack.url}{failed}#t=25")
    name = f"Run {number}, episode 1: centralized, scripted, async, seed 3, failure"
    page.get_by_label("Show beside it").select_option(label=name)
    page.get_by_role("button", name="Show", exact=True).click()
    expect(page.locator("#beside-title")).to_have_text(f"Run {number}, episode 1")
    until("both show the moment of before", lambda: ticks(page) == ("500", "500"))

    # A click on what its first agent waited for at first opens that decision, which comes only later.
    drawn(page)
    place = page.locator("#live").evaluate(
        """live => {
          const { layout, story } = live.spectator.beside.lanes;
          const { view } = live.spectator.timeline;
          const one = [...story.folds.lanes.values()][0].segments.find((s) => s.activity === "planning");
          const tick = (one.start + one.end) / 2;
          const x = layout.left + ((tick - view.start) / (view.end - view.start)) * layout.width;
          return { x, y: layout.lanes[0].top + layout.lanes[0].height / 2 };
        }"""
    )
    page.locator("#beside-timeline canvas").click(position=place)
    link = page.locator("#beside-mind .mind-decision a")
    expect(link).to_have_attribute("href", re.compile(rf"^/runs/{number}/episodes/1/decisions/\d+/$"))
    expect(page.locator("#mind .mind-decision")).to_contain_text("No language model has decided")

    # The address names the decision, and opens on it.
    decision = re.sub(r".*/decisions/(\d+)/$", r"\1", link.get_attribute("href") or "")
    page.wait_for_url(re.compile(rf"#t=[\d.]+&agent=\w+&beside-event={decision}$"))
    page.reload()
    expect(link).to_have_attribute("href", f"/runs/{number}/episodes/1/decisions/{decision}/")
    expect(page.locator("#mind .mind-decision")).to_contain_text("No language model has decided")
    page.locator("#beside-facts").get_by_role("link").click()
    page.wait_for_url(re.compile(rf"/runs/{number}/episodes/1/#t=[\d.]+&agent=\w+&event={decision}$"))
    page.go_back()
    expect(link).to_have_attribute("href", re.compile(rf"/decisions/{decision}/$"))
    page.locator("#live").evaluate("live => live.spectator.seek(500)")
    page.locator("#beside").get_by_role("link", name="Close").click()
    expect(page.locator("#beside")).to_have_count(0)
    expect(page.locator("#clock")).to_have_text("step 25.0 / 100")


@pytest.mark.parametrize("view", ["map", "space"])
def test_a_film_shows_both_worlds_side_by_side(
    live_stack: LiveStack, page: Page, failed: str, view: str
) -> None:
    page.goto(f"{live_stack.url}{failed}#t=30&view={'3d' if view == 'space' else ''}")
    watch_oracle(page)
    page.get_by_label("Replay speed").select_option("32")
    for host in (view, f"beside-{view}"):
        expect(page.locator(f"#{host} canvas")).to_be_visible()
    until("both are drawn", lambda: ticks(page) == ("600", "600"))
    with page.expect_download() as saved:
        page.get_by_role("button", name="Film", exact=True).click()
    sizes = page.evaluate(
        "ids => ids.map(id => document.querySelector(`#${id} canvas`)).map(one => [one.width, one.height])",
        [view, f"beside-{view}"],
    )
    (left, top), (right, bottom) = sizes
    film = base64.b64encode(Path(saved.value.path()).read_bytes()).decode()
    screen = page.context.new_page()  # a page of the dashboard may not play what a script has made
    told = screen.evaluate(
        """async ([film, parts]) => {
          const video = document.createElement("video");
          video.muted = true;
          const shown = new Promise((done) => video.requestVideoFrameCallback(done));
          video.src = `data:video/webm;base64,${film}`;
          await video.play();
          await shown;
          const context = new OffscreenCanvas(video.videoWidth, video.videoHeight).getContext("2d");
          context.drawImage(video, 0, 0);
          const colours = ([x, width]) => {
            const { data } = context.getImageData(x, 30, width, 200);
            const found = new Set();
            for (let i = 0; i < data.length; i += 4) {
              found.add([data[i] >> 4, data[i + 1] >> 4, data[i + 2] >> 4].join());
            }
            return found.size;
          };
          return { size: [video.videoWidth, video.videoHeight], colours: parts.map(colours) };
        }""",
        [film, [[0, left], [left, right]]],
    )
    assert told["size"] == [left + right, max(top, bottom) + 22]
    assert min(told["colours"]) > 5, told  # an empty picture is of one colour


def targets(page: Page) -> list[str]:
    """What the two cameras look at."""
    found: list[str] = page.locator("#live").evaluate(
        "live => [live.spectator.space, live.spectator.beside.space].map(({ rig }) => rig.target.join())"
    )
    return found


def test_both_worlds_are_seen_in_3d_through_one_camera(
    live_stack: LiveStack, page: Page, failed: str
) -> None:
    page.goto(f"{live_stack.url}{failed}#t=30&agent=Ada")
    watch_oracle(page)
    page.get_by_role("button", name="3D", exact=True).click()
    own, other = page.locator("#space"), page.locator("#beside-space")
    for space in (own, other):
        expect(space).to_have_attribute("data-tick", "600")
    before = own.locator("canvas").screenshot()
    other.locator("canvas").focus()
    page.keyboard.press("ArrowLeft")
    until("the view of the first has turned too", lambda: own.locator("canvas").screenshot() != before)
    from_above = targets(page)
    page.get_by_label("follow the chosen agent").check()
    until("the camera has turned to the agent", lambda: targets(page) != from_above)
    assert len(set(targets(page))) == 1


def test_the_replay_file_holds_both_and_opens_from_disk_without_a_server(
    live_stack: LiveStack, page: Page, failed: str, tmp_path: Path
) -> None:
    page.goto(f"{live_stack.url}{failed}")
    watch_oracle(page)
    events = len(oracle_log(live_stack, failed))
    with page.expect_download() as saved:
        page.get_by_role("link", name="Replay file").click()
    file = tmp_path / "replay.html"
    saved.value.save_as(file)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{file.as_uri()}#t=40&agent=Bruno")
    until("both show the moment of the address", lambda: ticks(page) == ("800", "800"))
    expect(page.locator("#beside")).to_have_attribute("data-last-seq", str(events))
    expect(page.locator("#race tbody tr")).to_have_count(2)
    page.keyboard.press(".")
    until("both are a step on", lambda: ticks(page) == ("820", "820"))
    page.get_by_label("Replay speed").select_option("64")
    page.get_by_role("button", name="Play", exact=True).click()
    until("both play to the end", lambda: ticks(page)[0] == "2000")
    expect(page.locator("#beside-state")).to_contain_text("ended at step")
    expect(page.get_by_role("heading", name="Mind, Oracle")).to_be_visible()
    assert {url.split(":", 1)[0] for url in asked} <= {"file", "data", "blob"}


def test_on_a_phone_the_panes_stand_one_below_the_other(
    live_stack: LiveStack, browser: Browser, failed: str
) -> None:
    with window(browser, viewport={"width": 390, "height": 844}, color_scheme="dark") as page:
        page.goto(f"{live_stack.url}{failed}#t=30")
        watch_oracle(page)
        until("both are drawn", lambda: ticks(page) == ("600", "600"))
        drawn(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        boxes = "all => all.map((one) => one.getBoundingClientRect().toJSON())"
        above, below = page.locator("#map canvas, #beside-map canvas").evaluate_all(boxes)
        assert above["x"] == below["x"]
        assert above["y"] + above["height"] < below["y"]
