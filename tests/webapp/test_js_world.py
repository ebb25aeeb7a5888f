"""The browser's world and minds are the engine's own, whichever way one gets to a moment."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.agents.team.minds import Minds
from engine.episode.run import run_episode
from engine.episode.settings import EpisodeSettings
from engine.episode.state import WorldState
from engine.events.log import Event, decode
from engine.llm.models import open_provider
from engine.spec.loader import load_task
from engine.world.geometry import TICKS_PER_STEP
from tests.support.node import ROOT, node

CASES = {
    "gold_rush": EpisodeSettings(),
    "wither_lord": EpisodeSettings(),
    "lava_two_layers": EpisodeSettings(),
    "swamp_harvest": EpisodeSettings(policy="distributed", model="scripted:latency=2"),
}


@pytest.mark.parametrize("sample", CASES)
def test_browser_and_engine_tell_the_same_world_and_minds(sample: str, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    task = load_task(ROOT / "tasks" / "samples" / f"{sample}.yaml")
    with log.open("wb") as lines:

        def sink(_: Event, line: bytes) -> None:
            lines.write(line + b"\n")

        settings = CASES[sample]
        provider = open_provider(settings.model, settings.seed) if settings.model else None
        result = run_episode(task.spec, settings, sink, None, provider)
    assert result.status in ("finished", "budget"), result.error
    events = list(decode(log.read_text(encoding="utf-8").splitlines()))
    last = events[-1].world_time
    ticks = [0, last // 3, last // 7, last // 2, last, last - 1, last // 5 * 4, 13]
    told = json.loads(node("tests/js/worlds.js", str(log), *map(str, ticks)))
    for shown in told:
        state, minds = engine_at(events, shown["tick"])
        assert rounded(shown["world"]) == plain(world(state, shown["tick"]))
        for known, (name, memory) in zip(minds.knowledge, minds.memories.items(), strict=True):
            assert rounded(shown["minds"][name]) == plain(mind(known, memory))


def engine_at(events: list[Event], tick: int) -> tuple[WorldState, Minds]:
    """The engine's folds after everything of the tick."""
    state = WorldState()
    names = [agent.name for agent in events[0].payload.agents]
    minds = Minds(state, [[name] for name in names])
    looked = 0
    for event in events:
        if event.world_time > tick:
            break
        while looked < event.world_time:
            minds.look(looked)
            looked += TICKS_PER_STEP
        state.apply(event.world_time, event.payload)
        minds.follow(event.world_time, event.payload)
    while looked <= tick:
        minds.look(looked)
        looked += TICKS_PER_STEP
    return state, minds


def key(cell: tuple[int, int, int]) -> str:
    return ",".join(map(str, cell))


def plain(value: Any) -> Any:
    return rounded(json.loads(json.dumps(value)))


def rounded(value: Any) -> Any:
    """Both compute places along ways in floating point, not in the same order."""
    if isinstance(value, dict):
        return {name: rounded(one) for name, one in value.items()}
    if isinstance(value, list):
        return [rounded(one) for one in value]
    return round(value, 6) if isinstance(value, float) else value


def world(state: WorldState, tick: int) -> dict[str, Any]:
    return {
        "agents": {
            name: {
                "position": agent.at(tick),
                "health": agent.health,
                "alive": agent.alive,
                "held": agent.held,
                "inventory": agent.inventory,
                "effects": agent.effects,
            }
            for name, agent in state.agents.items()
        },
        "chests": {key(cell): items for cell, items in state.chests.items()},
        "placed": {key(cell): [one.block, one.vanish_tick] for cell, one in state.placed.items()},
        "built": sorted(map(key, state.built)),
        "mobs": {
            str(number): {
                "entity": mob.entity,
                "role": mob.role,
                "position": mob.at(tick),
                "health": mob.health,
            }
            for number, mob in state.living.items()
        },
    }


def mind(known: Any, memory: Any) -> dict[str, Any]:
    return {
        "blocks": {key(cell): [seen.block, seen.tick] for cell, seen in known.blocks.items()},
        "mobs": {str(n): [mob.entity, mob.position, mob.health, mob.tick] for n, mob in known.mobs.items()},
        "agents": {name: [seen.position, seen.alive, seen.tick] for name, seen in known.agents.items()},
        "chests": {key(cell): [seen.items, seen.tick] for cell, seen in known.chests.items()},
        "history": [[entry.tick, entry.what] for entry in memory.history],
        "messages": [[heard.tick, heard.sender, heard.to, heard.text] for heard in memory.messages],
        "running": memory.running.id if memory.running else None,
        "remaining": [step.id for step in memory.remaining],
        "role": memory.role,
    }
