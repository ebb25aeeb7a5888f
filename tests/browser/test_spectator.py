"""Watching any moment of an episode: rewind while live, links to moments, map, minds, 3D, wall and replay file."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from engine.episode.state import WorldState
from engine.events.log import decode
from tests.support.browser import drawn, window
from tests.support.node import node
from tests.support.stack import LiveStack, until

SPAN = "spectator.timeline.view.end - spectator.timeline.view.start"
SEEN = "spectator.timeline.view.start <= 1000 && spectator.timeline.view.end >= 1000"


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A fresh desktop window; whatever goes wrong in its scripts fails the test."""
    with window(browser, viewport={"width": 1440, "height": 1000}) as opened:
        yield opened


@pytest.fixture(scope="module")
def gold(live_stack: LiveStack) -> str:
    """The address of an ended episode of the oracle."""
    run = live_stack.launch(seeds=(0,))
    live_stack.wait_for(run, "finished")
    return f"runs/{run}/episodes/1/"


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
    return f"runs/{run}/episodes/1/"


def open_episode(stack: LiveStack, page: Page, path: str, fragment: str = "") -> Locator:
    page.goto(f"{stack.url}{path}{fragment}")
    expect(page.locator("#connection")).to_have_attribute("data-state", "ended")
    drawn(page)
    return page.locator("#live")


def spectator(page: Page, expression: str) -> Any:
    return page.locator("#live").evaluate(f"live => ((spectator) => {expression})(live.spectator)")


def address(page: Page) -> str:
    """As the page itself has it; Playwright's own copy is only brought up to date by other calls."""
    return str(page.evaluate("location.href"))


def tick_of(page: Page) -> int:
    return int(page.locator("#live").get_attribute("data-tick") or -1)


def last_step(stack: LiveStack, path: str) -> str:
    """What the clock says at the end of an episode."""
    end = json.loads(stack.get(f"{path}log.jsonl").splitlines()[-1])["world_time"]
    return f"step {Decimal(end / 20).quantize(Decimal('0.1'), ROUND_HALF_UP)} / 100"


def test_one_rewinds_while_it_is_live_and_catches_up(live_stack: LiveStack, page: Page) -> None:
    run = live_stack.launch(seeds=(7,), pace=1.0)
    page.goto(f"{live_stack.url}runs/{run}/episodes/1/")
    page.set_viewport_size({"width": 1280, "height": 900})
    until("some steps have passed", lambda: tick_of(page) > 100)
    tall = page.locator(".time-card").bounding_box()
    page.keyboard.press(",")
    page.keyboard.press(",")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    drawn(page)
    rested = tick_of(page)
    assert rested % 20 == 0
    seq = int(page.locator("#live").get_attribute("data-last-seq") or 0)
    until("events go on arriving", lambda: spectator(page, f"spectator.folds.seq > {seq}"))
    expect(page.locator(".time-note")).to_contain_text("behind")
    assert page.locator(".time-card").bounding_box() == tall  # what is below stays where it was
    assert tick_of(page) == rested
    until("the address tells the moment", lambda: f"#t={rested // 20}" in address(page))
    page.get_by_role("button", name="Live", exact=True).click()
    until("it is live again", lambda: tick_of(page) > rested + 100)
    until("the address tells no moment", lambda: "#t=" not in address(page))
    page.get_by_role("button", name="Fastest").click()


@pytest.mark.parametrize("elsewhere", [False, True])
def test_a_moment_still_to_come_is_gone_to_unless_the_viewer_has_gone_elsewhere(
    live_stack: LiveStack, page: Page, elsewhere: bool
) -> None:
    run = live_stack.launch(seeds=(8,), pace=1.0)
    page.goto(f"{live_stack.url}runs/{run}/episodes/1/#t=50&agent=Bruno")
    until("some steps have passed", lambda: tick_of(page) > 40)
    page.get_by_role("button", name="Chen", exact=True).click()
    until("the address still names the moment", lambda: "#t=50&agent=Chen" in address(page))
    moment = "step 50.0 / 100"
    if elsewhere:
        page.get_by_role("button", name="One step back").click()
        drawn(page)
        moment = str(page.locator("#clock").text_content())
    page.get_by_role("button", name="Fastest").click()
    expect(page.locator("#connection")).to_have_attribute("data-state", "ended")
    drawn(page)
    expect(page.locator("#clock")).to_have_text(moment)
    expect(page.get_by_role("button", name="Chen", exact=True)).to_have_attribute("aria-pressed", "true")


def test_a_link_opens_on_the_moment_and_the_map_tells_the_world_of_the_log(
    live_stack: LiveStack, page: Page, gold: str
) -> None:
    open_episode(live_stack, page, gold, "#t=30&agent=Bruno&knows=Ada")
    expect(page.locator("#clock")).to_have_text("step 30.0 / 100")
    expect(page.get_by_role("button", name="Bruno", exact=True)).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#map-knows")).to_have_value("Ada")
    page.get_by_text("Map as a table").click()
    rows = page.locator(".map-twin tbody tr")
    expect(rows.first).to_contain_text("Ada")
    world = WorldState()
    for event in decode(live_stack.get(f"{gold}log.jsonl").splitlines()):
        if event.world_time <= 600:
            world.apply(event.world_time, event.payload)
    for row, (name, agent) in enumerate(world.agents.items()):
        place = ", ".join(f"{round(part, 1):g}" for part in agent.at(600))
        expect(rows.nth(row).locator("td").nth(0)).to_have_text(name)
        expect(rows.nth(row).locator("td").nth(1)).to_have_text(place)
    (items,) = world.chests.values()
    expect(page.locator(".map-twin")).to_contain_text(f"raw gold {items['raw_gold']}/24")


def test_back_and_forward_go_to_the_moments_of_their_addresses(
    live_stack: LiveStack, page: Page, gold: str
) -> None:
    open_episode(live_stack, page, gold, "#t=30&agent=Bruno")
    expect(page.locator("#clock")).to_have_text("step 30.0 / 100")
    page.keyboard.press(".")
    until("the address tells the moment", lambda: "#t=31" in address(page))
    page.evaluate("location.hash = 't=5&agent=Ada'")
    expect(page.locator("#clock")).to_have_text("step 5.0 / 100")
    page.go_back()
    expect(page.locator("#clock")).to_have_text("step 31.0 / 100")
    expect(page.get_by_role("button", name="Bruno", exact=True)).to_have_attribute("aria-pressed", "true")
    page.go_forward()
    expect(page.locator("#clock")).to_have_text("step 5.0 / 100")


def test_an_episode_that_starts_over_is_watched_anew(live_stack: LiveStack, page: Page, gold: str) -> None:
    open_episode(live_stack, page, gold, "#t=30&agent=Bruno&knows=Ada")
    page.evaluate(
        """() => {
          const { liveClient: client, spectator } = document.querySelector("#live");
          const log = client.log;
          client.log = []; // as the client does when the server says that another attempt has begun
          spectator.reset();
          client.log.push(...log.slice(0, 100));
          spectator.take(client.log.slice());
        }"""
    )
    expect(page.locator("#live")).to_have_attribute("data-last-seq", "100")
    assert spectator(page, "[spectator.story.worlds.events.length, spectator.folds.seq]") == [100, 100]
    assert spectator(page, "[...spectator.story.minds.values()].every((mind) => mind.events.length === 100)")


def test_what_an_agent_does_not_know_is_dimmed(live_stack: LiveStack, page: Page, gold: str) -> None:
    open_episode(live_stack, page, gold, "#t=30")
    canvas = page.locator("#map canvas")
    before = canvas.screenshot()
    page.locator("#map-knows").select_option("Dalia")
    until("the map is another", lambda: canvas.screenshot() != before)
    until("the address says so", lambda: "knows=Dalia" in address(page))
    dimmed = canvas.screenshot()
    page.get_by_label("close up on the chosen agent").check()
    until("the map is closer", lambda: canvas.screenshot() != dimmed)
    until("a block is large", lambda: spectator(page, "spectator.map.frame.cell") > 15)


def test_a_replay_plays_steps_and_jumps(live_stack: LiveStack, page: Page, gold: str) -> None:
    open_episode(live_stack, page, gold, "#t=10")
    page.keyboard.press(".")
    expect(page.locator("#clock")).to_have_text("step 11.0 / 100")
    page.get_by_label("Kind of event to jump to").select_option("environment event")
    page.get_by_role("button", name="Next event of this kind").click()
    expect(page.locator("#clock")).to_have_text("step 15.0 / 100")
    page.get_by_role("button", name="Last event of this kind").click()
    expect(page.locator("#clock")).to_have_text("step 10.0 / 100")
    page.locator("#timeline canvas").focus()
    for _ in range(8):
        page.keyboard.press("w")
    page.get_by_role("slider", name="Moment").press("ArrowRight")
    expect(page.locator("#clock")).to_have_text("step 11.0 / 100")
    page.get_by_role("slider", name="Moment").fill("50")
    expect(page.locator("#clock")).to_have_text("step 50.0 / 100")
    until("the timeline shows the moment", lambda: spectator(page, SEEN))
    page.get_by_label("Replay speed").select_option("64")
    page.locator("#timeline canvas").focus()
    page.keyboard.press(" ")
    expect(page.locator("#clock")).to_have_text(last_step(live_stack, gold))
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()


def test_a_planning_segment_opens_its_decision(live_stack: LiveStack, page: Page, talk: str) -> None:
    open_episode(live_stack, page, talk)
    place = spectator(
        page,
        """(() => {
          const { layout, view } = spectator.timeline;
          const lanes = [...spectator.folds.lanes.values()];
          const at = lanes.findIndex((lane) => lane.name === "Ada");
          const one = lanes[at].segments.find((s) => s.activity === "planning" && s.start > 200);
          const x = (tick) => layout.left + ((tick - view.start) / (view.end - view.start)) * layout.width;
          const row = layout.lanes[at];
          return { x: (x(one.start) + x(one.end)) / 2, y: row.top + row.height * 0.75, start: one.start, end: one.end };
        })()""",
    )
    page.locator("#timeline").get_by_text("messages").click()
    decision = page.locator(".mind-decision")
    expect(decision).to_contain_text("Ada, call")
    link = decision.get_by_role("link")
    latest = link.get_attribute("href") or ""
    page.locator("#timeline canvas").click(position={"x": place["x"], "y": place["y"]})
    expect(link).not_to_have_attribute("href", latest)
    expect(decision).to_contain_text("Ada, call")
    expect(decision).to_contain_text("tokens")
    seq = int((link.get_attribute("href") or "").rstrip("/").rsplit("/", 1)[1])
    events = [json.loads(line) for line in live_stack.get(f"{talk}log.jsonl").splitlines()]
    event = events[seq - 1]
    assert event["type"] == "inference_ended"
    assert "Ada" in event["payload"]["agents"]
    assert place["start"] <= event["world_time"] <= place["end"]
    expect(decision.locator("pre").nth(1)).to_have_text(event["payload"]["prompt"])
    link.click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Ada, call")


def test_a_mind_shows_plan_messages_and_memory_of_the_moment(
    live_stack: LiveStack, page: Page, talk: str
) -> None:
    open_episode(live_stack, page, talk, "#t=20&agent=Ada")
    expect(page.locator(".plan-graph .plan-node")).to_have_count(2)
    expect(page.locator(".plan-list li").first).to_contain_text("ok")
    expect(page.locator(".mind-messages .message-answer").first).to_contain_text("AGREE")
    page.locator(".mind-memory summary").click()
    expect(page.locator(".mind-memory")).to_contain_text("Knows of:")
    early = page.locator(".mind-memory li").count()
    page.keyboard.press("Escape")
    spectator(page, "spectator.seek(1900)")
    until("it remembers more later", lambda: page.locator(".mind-memory li").count() > early)


def test_an_action_is_found_by_its_name(live_stack: LiveStack, page: Page, gold: str) -> None:
    open_episode(live_stack, page, gold, "#t=0")
    search = page.get_by_label("Find an action or agent")
    search.fill("bruno deposit")
    expect(page.locator("#timeline").get_by_text(re.compile(r"^\d+ found$"))).to_be_visible()
    search.press("Enter")
    expect(page.locator("#timeline").get_by_text(re.compile(r"^1 of \d+ found$"))).to_be_visible()
    until("the moment is that of the match", lambda: tick_of(page) > 0)
    expect(page.get_by_role("button", name="Bruno", exact=True)).to_have_attribute("aria-pressed", "true")


@pytest.mark.parametrize(("width", "height"), [(1280, 900), (390, 844)])
def test_clock_and_slider_stay_in_sight_beside_everything(
    live_stack: LiveStack, browser: Browser, gold: str, width: int, height: int
) -> None:
    with window(browser, viewport={"width": width, "height": height}) as page:
        open_episode(live_stack, page, gold, "#t=30")
        for below in ("#map canvas", "#mind", "#outcome", "#events"):
            page.locator(below).scroll_into_view_if_needed()
            expect(page.locator("#clock")).to_be_in_viewport(ratio=1)
            expect(page.get_by_role("slider", name="Moment")).to_be_in_viewport(ratio=1)
            expect(page.get_by_role("button", name="Play", exact=True)).to_be_in_viewport(ratio=1)


def test_the_event_list_keeps_to_the_moment(live_stack: LiveStack, page: Page, gold: str) -> None:
    open_episode(live_stack, page, gold, "#t=30")
    events = [json.loads(line) for line in live_stack.get(f"{gold}log.jsonl").splitlines()]
    last = max(event["seq"] for event in events if event["world_time"] <= 600)
    expect(page.locator(f"#event-{last}")).to_have_attribute("aria-selected", "true")
    page.keyboard.press(",")
    earlier = max(event["seq"] for event in events if event["world_time"] <= 580)
    expect(page.locator(f"#event-{earlier}")).to_have_attribute("aria-selected", "true")


def test_picture_and_film_are_saved(live_stack: LiveStack, page: Page, gold: str) -> None:
    open_episode(live_stack, page, gold, "#t=50")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save the timeline as a picture").click()
    assert Path(saved.value.path()).read_bytes().startswith(b"\x89PNG")
    page.get_by_label("Replay speed").select_option("16")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Film", exact=True).click()
    assert Path(saved.value.path()).read_bytes().startswith(b"\x1a\x45\xdf\xa3")
    expect(page.locator("#clock")).to_have_text(last_step(live_stack, gold))


def test_the_time_that_the_timeline_shows_is_saved_as_a_gif(
    live_stack: LiveStack, page: Page, gold: str, tmp_path: Path
) -> None:
    open_episode(live_stack, page, gold, "#t=30")
    page.locator("#timeline canvas").focus()
    for _ in range(12):
        page.keyboard.press("w")
    until("it is closer", lambda: spectator(page, SPAN) < 100)
    with page.expect_download() as saved:
        page.get_by_role("button", name="GIF", exact=True).click()
    saved.value.save_as(tmp_path / "map.gif")
    expect(page.get_by_text("GIF saved")).to_be_visible()
    told = json.loads(node("tests/js/gif.js", str(tmp_path / "map.gif")))
    # A picture each 1.6 ticks, which is 0.08 s, and one more at the end.
    assert told["frames"] == math.ceil(spectator(page, SPAN) / 1.6) + 1
    assert (told["signature"], told["delays"], told["rest"]) == ("GIF89a", [8], 0)
    assert told["width"] == 480
    assert told["colours"] > 10
    assert told["changed"] > 0
    expect(page.locator("#clock")).to_have_text("step 30.0 / 100")


def test_a_gif_that_is_given_up_is_not_saved(live_stack: LiveStack, page: Page, gold: str) -> None:
    open_episode(live_stack, page, gold)
    saved: list[str] = []
    page.on("download", lambda file: saved.append(file.suggested_filename))
    page.get_by_role("button", name="GIF", exact=True).click()
    expect(page.get_by_text(re.compile(r"^GIF \d+ %$"))).to_be_visible()
    page.get_by_role("button", name="Cancel", exact=True).click()
    expect(page.get_by_text("GIF given up")).to_be_visible()
    expect(page.get_by_role("button", name="GIF", exact=True)).to_be_visible()
    assert saved == []


def test_the_world_is_seen_in_3d_and_flown_through_by_keyboard(
    live_stack: LiveStack, page: Page, gold: str
) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    open_episode(live_stack, page, gold, "#t=30&agent=Ada")
    assert not any("three" in url for url in asked)
    page.get_by_role("button", name="3D", exact=True).click()
    space = page.locator("#space")
    expect(space).to_have_attribute("data-tick", "600")
    cells = spectator(page, "[...spectator.story.worlds.at(600).columns.values()].flat().length")
    expect(space).to_have_attribute("data-blocks", str(cells))
    until("the address says so", lambda: "view=3d" in address(page))
    canvas = space.locator("canvas")
    before = canvas.screenshot()
    canvas.focus()
    page.keyboard.press("w")
    page.keyboard.press("ArrowLeft")
    until("the view is another", lambda: canvas.screenshot() != before)
    page.get_by_label("follow the chosen agent").check()
    until("the camera is at the agent", lambda: spectator(page, "spectator.space.rig.target[2]") != 0)


def test_in_3d_too_one_sees_only_what_an_agent_knows(live_stack: LiveStack, page: Page, gold: str) -> None:
    world = WorldState()
    for event in decode(live_stack.get(f"{gold}log.jsonl").splitlines()):
        if event.world_time <= 600:
            world.apply(event.world_time, event.payload)
    ada = next(agent for agent in start_of(live_stack, gold)["agents"] if agent["name"] == "Ada")
    here = world.agents["Ada"].at(600)
    seen = {
        name for name, one in world.agents.items() if math.dist(one.at(600), here) <= ada["perception_range"]
    }
    assert "Ada" in seen < set(world.agents)
    open_episode(live_stack, page, gold, "#t=30&agent=Ada&view=3d")
    space = page.locator("#space")
    expect(space).to_have_attribute("data-tick", "600")
    assert agents_in(space) == set(world.agents)
    assert "agent Ada · iron pickaxe" in str(space.get_attribute("data-bodies"))
    canvas = space.locator("canvas")
    everything = canvas.screenshot()
    page.locator("#map-knows").select_option("Ada")
    until("others are gone", lambda: agents_in(space) == seen)
    until("the rest is dark", lambda: canvas.screenshot() != everything)
    assert re.search("ghost Bruno, step ", str(space.get_attribute("data-bodies")))
    canvas.focus()
    page.keyboard.press("f")
    expect(space.get_by_role("status")).to_have_text(re.compile("^Following Ada"))
    expect(page.get_by_label("follow the chosen agent")).to_be_checked()
    page.keyboard.press("w")
    expect(space.get_by_role("status")).to_have_text(re.compile("^Flying freely"))


def agents_in(space: Locator) -> set[str]:
    """The agents that the 3D view shows as they are."""
    return set(re.findall(r"agent (\w+)", str(space.get_attribute("data-bodies"))))


def start_of(stack: LiveStack, path: str) -> dict[str, Any]:
    """What the log's first event tells."""
    payload: dict[str, Any] = json.loads(stack.get(f"{path}log.jsonl").splitlines()[0])["payload"]
    return payload


def test_all_episodes_of_a_run_are_seen_on_one_wall(live_stack: LiveStack, page: Page) -> None:
    run = live_stack.launch(seeds=(0, 1, 2), pace=16.0)
    page.goto(f"{live_stack.url}runs/{run}/")
    page.get_by_role("link", name="Watch all").click()
    tiles = page.locator(".wall-tile")
    expect(tiles).to_have_count(3)
    expect(page.locator("#wall-status")).to_have_text("All episodes are done")
    expect(page.locator(".wall-tile[data-status=finished]")).to_have_count(3)
    for index in (1, 2, 3):
        link = page.get_by_role("link", name=re.compile(f"episode {index}"))
        tile = tiles.filter(has=link)
        events = len(live_stack.get(f"runs/{run}/episodes/{index}/log.jsonl").splitlines())
        expect(tile).to_have_attribute("data-last-seq", str(events))
    page.get_by_role("link", name=re.compile("episode 2")).click()
    expect(page.locator("#connection")).to_have_attribute("data-state", "ended")


def test_a_wall_streams_what_is_in_view_and_goes_through_time_and_tiles_by_keyboard(
    live_stack: LiveStack, page: Page
) -> None:
    run = live_stack.launch(seeds=tuple(range(40)))
    live_stack.wait_for(run, "finished")
    sockets: list[str] = []
    page.on("websocket", lambda socket: sockets.append(socket.url))
    page.goto(f"{live_stack.url}runs/{run}/wall/?sort=number")
    tiles = page.locator(".wall-tile")
    expect(tiles).to_have_count(40)
    expect(tiles.first).to_have_attribute("data-last-seq", re.compile(r"[1-9]"))
    assert 0 < len(sockets) < 25
    expect(tiles.last).not_to_have_attribute("data-last-seq", re.compile(r"[1-9]"))
    slider = page.get_by_role("slider", name="Moment")
    # So much of the episodes is read.
    expect(slider).to_have_attribute("max", re.compile(r"^([3-9]\d|100)\b"))
    slider.fill("30")
    expect(tiles.first.locator(".wall-clock")).to_have_text("step 30.0 / 100")
    page.get_by_role("link", name=re.compile("episode 1 ")).focus()
    page.keyboard.press("ArrowDown")
    below = page.evaluate("document.activeElement.getAttribute('href')")
    first, other = (
        page.locator(f".wall-tile a[href='{path}']") for path in (f"/runs/{run}/episodes/1/", below)
    )
    assert [box["x"] for box in (first.bounding_box(), other.bounding_box()) if box] == [
        box["x"] for box in [first.bounding_box()] * 2 if box
    ]
    assert below != f"/runs/{run}/episodes/1/"
    page.keyboard.press("End")
    expect(tiles.last).to_have_attribute("data-last-seq", re.compile(r"[1-9]"))
    expect(tiles.last.locator(".wall-clock")).to_have_text("step 30.0 / 100")
    expect(page).to_have_url(re.compile("number#t=30$"))
    page.reload()
    tiles.first.scroll_into_view_if_needed()
    expect(tiles.first.locator(".wall-clock")).to_have_text("step 30.0 / 100")
    with page.context.expect_page() as opened:
        tiles.first.get_by_role("link").click(button="middle")
    expect(opened.value).to_have_url(re.compile("/episodes/1/#t=30$"))
    opened.value.close()
    tiles.first.get_by_role("link").focus()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/episodes/1/#t=30$"))
    expect(page.locator("#clock")).to_have_text("step 30.0 / 100")
    page.go_back()
    page.get_by_label("Which").focus()
    for _ in ("running", "queued", "successes", "failures"):  # each is passed on the way, and none is gone to
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("show=failure.*#t=30$"))
    expect(page.get_by_text("No episode is of this kind")).to_be_visible()


def test_a_walls_links_keep_a_moment_still_to_come(live_stack: LiveStack, page: Page) -> None:
    run = live_stack.launch(pace=1.0)
    live_stack.wait_for(run, "running")
    page.goto(f"{live_stack.url}runs/{run}/wall/#t=50")
    page.locator(".wall-tile").get_by_role("link").click()
    expect(page).to_have_url(re.compile("/episodes/1/#t=50$"))
    page.wait_for_load_state()  # with its script, without which the button leads to the page anew
    page.get_by_role("button", name="Fastest").click()
    expect(page.locator("#clock")).to_have_text("step 50.0 / 100")


def test_a_wall_whose_last_episode_of_the_kind_goes_says_so(live_stack: LiveStack, page: Page) -> None:
    run = live_stack.launch(pace=1.0)
    live_stack.wait_for(run, "running")
    page.goto(f"{live_stack.url}runs/{run}/wall/?show=running")
    expect(page.locator(".wall-tile")).to_have_count(1)
    none = page.get_by_text("No episode is of this kind")
    expect(none).to_be_hidden()
    other = page.context.new_page()
    other.goto(f"{live_stack.url}runs/{run}/episodes/1/")
    other.get_by_role("button", name="Fastest").click()
    expect(none).to_be_visible()
    expect(page.locator(".wall-tile")).to_have_count(0)


def test_the_replay_file_opens_from_disk_without_a_server(
    live_stack: LiveStack, page: Page, talk: str, tmp_path: Path
) -> None:
    file = tmp_path / "replay.html"
    file.write_bytes(live_stack.get(f"{talk}replay.html"))
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{file.as_uri()}#t=40&agent=Bruno")
    events = len(live_stack.get(f"{talk}log.jsonl").splitlines())
    expect(page.locator("#live")).to_have_attribute("data-last-seq", str(events))
    expect(page.locator("#clock")).to_have_text("step 40.0 / 100")
    expect(page.get_by_role("button", name="Bruno", exact=True)).to_have_attribute("aria-pressed", "true")
    assert {url.split(":", 1)[0] for url in asked} <= {"file", "data", "blob"}


def test_markup_in_what_a_model_wrote_stays_text(live_stack: LiveStack, page: Page, tmp_path: Path) -> None:
    run = live_stack.launch(seeds=(9,))
    live_stack.wait_for(run, "finished")
    hostile = "<img src=x onerror=document.title=1><script>document.title=2</script>"
    sql = (
        "UPDATE live_eventsegment SET body = replace(body, 'fetch raw_gold', ?) WHERE episode_id IN "
        "(SELECT id FROM runs_episode WHERE run_id = ?)"
    )
    live_stack.query(sql, hostile, run)
    path = f"runs/{run}/episodes/1/"
    file = tmp_path / "replay.html"
    file.write_bytes(live_stack.get(f"{path}replay.html"))
    for address in (f"{live_stack.url}{path}#t=1&agent=Ada", f"{file.as_uri()}#t=1&agent=Ada"):
        page.goto(address)
        expect(page.locator(".mind-plan")).to_contain_text(hostile)
        assert page.locator("#live img, #live script").count() == 0
        assert page.title() not in ("1", "2")


def test_on_a_phone_everything_fits_the_width(live_stack: LiveStack, browser: Browser, talk: str) -> None:
    with window(browser, viewport={"width": 390, "height": 844}, color_scheme="dark") as page:
        open_episode(live_stack, page, talk, "#t=20&agent=Ada")
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
