"""A made-up episode of 50,000 events and 20,000 segments: opening, seeking, zooming and panning."""

from __future__ import annotations

import json
import random
import statistics
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser

from tests.bench.watching.stage import Figure, episode_page, seq_of
from tests.support.stack import LiveStack, until

AGENTS = [f"Agent{number}" for number in range(8)]
ACTIONS_EACH = 2_500
TICKS_AN_ACTION = 80
EVENTS = 50_000
KINDS = ("mine_blocks_at", "move_to", "deposit_to_chest", "build_floor", "attack")
STORE = """
import json, sys
from django.utils import timezone
from tests.support.pages import make_launch
from webapp.live.models import EventSegment
from webapp.runs.models import Run, Status
from webapp.tasks.models import Task
lines = open({path!r}).read().splitlines()
run = make_launch([Task.objects.get(slug="gold-rush")], policies=["oracle"])
episode = run.episodes.get()
last = json.loads(lines[-1])
run.episodes.update(status=Status.FINISHED, attempt=1, last_seq=len(lines), world_tick=last["world_time"])
for first in range(0, len(lines), 200):
    part = lines[first:first + 200]
    ticks = [json.loads(part[0])["world_time"], json.loads(part[-1])["world_time"]]
    EventSegment.objects.create(episode=episode, attempt=1, first_seq=first + 1, last_seq=first + len(part),
        first_tick=ticks[0], last_tick=ticks[1], body="\\n".join(part), wall_time=timezone.now())
print(run.pk)
"""
FRAMES = """
(seconds) => new Promise((resolve) => {
  const canvas = document.querySelector("#timeline canvas");
  canvas.focus();
  const keys = ["w", "w", "d", "d", "a", "s", "s", "a"];
  const start = performance.now();
  let frames = 0;
  const step = (now) => {
    if (now - start > seconds * 1000) {
      resolve(frames / ((now - start) / 1000));
      return;
    }
    canvas.dispatchEvent(new KeyboardEvent("keydown", { key: keys[frames % keys.length], bubbles: true }));
    frames += 1;
    requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
})
"""
SEEKS = """
async (ticks) => {
  const { spectator } = document.querySelector("#live");
  const frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  const took = [];
  for (const tick of ticks) {
    const before = performance.now();
    spectator.seek(tick);
    await frame();
    took.push(performance.now() - before);
  }
  return took;
}
"""
PAINTED = """
new Promise((resolve) => {
  const look = () => {
    const live = document.querySelector("#live");
    if (live?.spectator?.folds.lanes.size > 0) {
      requestAnimationFrame(() => setTimeout(() => resolve(performance.now())));
    } else {
      requestAnimationFrame(look);
    }
  };
  look();
})
"""


def measure(stack: LiveStack, browser: Browser, folder: Path) -> Iterator[Figure]:
    """Painted is what the frame after the first events shows: lanes, map and list, not only the page's frame."""
    log = folder / "long.jsonl"
    log.write_text("\n".join(json.dumps(event) for event in long_log()))
    run = int(stack.manage("shell", "--no-imports", "-c", STORE.format(path=str(log))))
    page = browser.new_page(viewport={"width": 1440, "height": 1000})
    page.goto(episode_page(stack, run), wait_until="commit")
    lanes = float(page.evaluate(PAINTED))
    until("everything is there", lambda: seq_of(page) >= EVENTS)
    there = float(page.evaluate("performance.now()"))
    paint = float(page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime"))
    about = f"an episode of {EVENTS:,} events"
    yield Figure(f"{about}: first paint", f"{paint:.0f} ms", "< 1.5 s")
    yield Figure(f"{about}: first lanes drawn", f"{lanes:.0f} ms", "< 1.5 s")
    yield Figure(f"{about}: all events there", f"{there:.0f} ms")
    last = ACTIONS_EACH * TICKS_AN_ACTION
    page.evaluate(SEEKS, [last])
    chance = random.Random(0)
    took: list[float] = page.evaluate(SEEKS, [chance.randrange(last) for _ in range(100)])
    seeks = f"longest {max(took):.0f} ms, median {statistics.median(took):.0f} ms"
    yield Figure(f"{about}: seek to any of 100 moments, and draw", seeks, "< 200 ms")
    page.evaluate("document.querySelector('#live').spectator.clock.live()")
    segments = page.locator("#live").evaluate(
        "live => [...live.spectator.folds.lanes.values()].reduce((n, lane) => n + lane.segments.length, 0)"
    )
    frames = float(page.evaluate(FRAMES, 4))
    yield Figure(f"zoom and pan over {segments:,} segments", f"{frames:.0f} frames a second", "≥ 30")
    page.close()


def long_log() -> Iterator[dict[str, Any]]:
    """Eight agents who do one thing after the other, walk, and dig and build now and then."""
    seq = 0

    def event(tick: int, kind: str, **payload: Any) -> dict[str, Any]:
        nonlocal seq
        seq += 1
        return {"seq": seq, "world_time": tick, "type": kind, "version": 1, "payload": payload}

    chance = random.Random(1)
    yield event(0, "episode_started", **start())
    for number in range(ACTIONS_EACH):
        tick = number * TICKS_AN_ACTION
        for agent, name in enumerate(AGENTS):
            kind = KINDS[(number + agent) % len(KINDS)]
            yield event(tick, "action_started", agent=name, id=f"a{number}", do=kind, **{"with": {}})
            if (number + agent) % 4 == 0:
                points = [[chance.randrange(-30, 30), 64, chance.randrange(-30, 30)] for _ in range(2)]
                yield event(tick, "agent_moved", agent=name, points=points, speed_bps=4.0)
            if (number + agent) % 4 == 1:
                cells = [[chance.randrange(-40, 40), 64, chance.randrange(-40, 40)] for _ in range(6)]
                block = chance.choice(["air", "cobblestone", "gold_ore", "oak_log"])
                about = {"block": block, "cells": cells, "cause": "event", "source": "e"}
                yield event(tick, "blocks_changed", **about, vanish_tick=None)
        for name in AGENTS:
            about = {"agent": name, "id": f"a{number}", "do": KINDS[0], "reason": "", "detail": ""}
            yield event(tick + TICKS_AN_ACTION, "action_ended", **about, outcome="ok", done=1, wanted=1)


def start() -> dict[str, Any]:
    """The first event of the long log."""
    agent = {
        "position": [0, 64, 0],
        "max_health": 20.0,
        "speed_bps": 4.0,
        "perception_range": 16.0,
        "damage_multipliers": {},
        "inventory": {"stone_axe": 1},
        "effects": [],
    }
    told = {"task_id": "long", "task_type": "custom", "task_digest": "", "goal": "", "policy": "oracle"}
    more = {"engine_version": "0", "model": None, "mode": "sync", "world": "simulator", "seed": 0}
    return {
        **told,
        **more,
        "max_steps": ACTIONS_EACH * TICKS_AN_ACTION // 20,
        "ground_y": 63,
        "agents": [{"name": name, **agent} for name in AGENTS],
        "chests": [{"position": [0, 64, 0], "items": {}}],
        "checkpoints": [{"name": "deposit raw_gold", "have": 0, "need": 24}],
    }
