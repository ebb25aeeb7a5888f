"""What a prompt says in JSON: the facts of a task, which never change, and the state of things as it is known.

A reader of the prompt needs nothing else; the scripted planner reads just this.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from engine.agents.team.knowledge import Knowledge
from engine.agents.team.memory import Memory
from engine.episode.state import AgentState
from engine.evaluation.scores import crisis, needed_items
from engine.spec.model import Agent, TaskSpec, counts
from engine.world import rules
from engine.world.geometry import TICKS_PER_STEP, Position, distance

NEAREST = 32
"""Blocks of a kind that are listed one by one; of the rest only the number and the extent are told."""

Json = dict[str, Any]


def facts(spec: TaskSpec) -> Json:
    """What everybody in the team knows from the task: its rules, its chests and who is in the team."""
    told: Json = {
        "task_type": spec.task.type,
        "max_steps": spec.environment.max_steps,
        "chests": [list(chest.position) for chest in spec.all_chests],
        "team": {agent.name: _member(agent) for agent in spec.agents.spawn},
    }
    if spec.task.targets:
        told["targets"] = [
            {"block": target.block, "count": target.count, "drops": rules.block(target.block).drops[0]}
            for target in spec.task.targets
        ]
    if spec.task.type == "prepare_crisis":
        area = crisis(spec)[1].area
        told["threatened_area"] = {"min": list(area.min), "max": list(area.max)}
        if spec.task.shelter is not None:
            told["shelter_blocks"] = spec.task.shelter.blocks_required
    if bosses := [mob.entity for mob in spec.environment.entities.hostiles if mob.role == "boss"]:
        told["bosses"] = bosses
    if spec.task.success:
        told["success"] = [
            condition.model_dump(mode="json", exclude_none=True) for condition in spec.task.success
        ]
    return told


def _member(agent: Agent) -> Json:
    able = agent.capabilities
    return {
        "starts_with": counts(agent.inventory),
        "max_health": able.max_health,
        "speed_bps": able.speed_bps,
        "perception_range": able.perception_range,
        "damage_multipliers": dict(able.damage_multipliers),
    }


def agent_state(agent: AgentState, memory: Memory, tick: int) -> Json:
    """How an agent is and what it is about."""
    if not agent.alive:
        return {"alive": False}
    running = memory.running
    return {
        "alive": True,
        "position": point(agent.at(tick)),
        "health": round(agent.health, 2),
        "inventory": dict(agent.inventory),
        "held": agent.held,
        "effects": dict(agent.effects),
        "role": memory.role,
        "running": None
        if running is None
        else {"id": running.id, "do": running.do, "with": dict(running.with_)},
        "remaining": [{"id": step.id, "do": step.do, "with": dict(step.with_)} for step in memory.remaining],
    }


def knowledge_state(known: Knowledge, here: Sequence[Position]) -> Json:
    """What is known of the world; `seen` is the step of the last sighting. Lists begin with what is nearest.

    Mobs go without their numbers, which would tell how many were spawned elsewhere.
    """
    return {
        "blocks": _blocks(known, here),
        "mobs": [
            {
                "type": mob.entity,
                "role": mob.role,
                "position": point(mob.position),
                "health": round(mob.health, 2),
                "seen": steps(mob.tick),
            }
            for _, mob in sorted(
                known.mobs.items(), key=lambda one: (_nearest(here, one[1].position), one[0])
            )
        ],
        "peers_seen": {
            name: {"position": point(peer.position), "alive": peer.alive, "seen": steps(peer.tick)}
            for name, peer in known.agents.items()
        },
        "chests": [
            {"position": list(cell), "items": dict(chest.items), "seen": steps(chest.tick)}
            for cell, chest in known.chests.items()
        ],
    }


def _blocks(known: Knowledge, here: Sequence[Position]) -> Json:
    kinds: dict[str, list[tuple[float, tuple[int, int, int], int]]] = {}
    for cell, seen in known.blocks.items():
        kinds.setdefault(seen.block, []).append((_nearest(here, cell), cell, seen.tick))
    told: Json = {}
    for block, sightings in sorted(kinds.items()):
        cells = [cell for _, cell, _ in sightings]
        axes = list(zip(*cells, strict=True))
        told[block] = {
            "count": len(cells),
            "extent": [[min(axis) for axis in axes], [max(axis) for axis in axes]],
            "nearest": [[*cell, steps(tick)] for _, cell, tick in sorted(sightings)[:NEAREST]],
        }
    return told


def _nearest(here: Sequence[Position], there: Position) -> float:
    return min((distance(one, there) for one in here), default=0.0)


def history(memories: Iterable[Memory], limit: int) -> list[Json]:
    """What happened to the agents last, oldest first."""
    entries = [
        (entry.tick, {"step": steps(entry.tick), "agent": memory.name, **entry.what})
        for memory in memories
        for entry in memory.history
    ]
    return [entry for _, entry in sorted(entries, key=lambda one: one[0])][-limit:]


def conversation(memory: Memory, tick: int) -> list[Json]:
    """What the agent has said and could read by now, oldest first."""
    return [
        {"step": steps(heard.tick), "from": heard.sender, "to": list(heard.to), "text": heard.text}
        for heard in memory.messages
        if heard.tick < tick or heard.sender == memory.name
    ]


def progress(spec: TaskSpec, known: Knowledge) -> Json:
    """How much of each wanted item the known chests held when they were last looked into."""
    return {
        item: {
            "wanted": count,
            "in_chests": sum(chest.items.get(item, 0) for chest in known.chests.values()),
        }
        for item, count in needed_items(spec).items()
    }


def point(position: Position) -> list[float]:
    """Coordinates with two decimals at most; whole ones as integers."""
    return [int(value) if value == int(value) else round(value, 2) for value in position]


def steps(tick: int) -> float:
    """A tick in steps."""
    value = tick / TICKS_PER_STEP
    return int(value) if value == int(value) else value
