"""What the JavaScript side must know before an episode begins: the agents, and the engine's tables of figures."""

from __future__ import annotations

from typing import Any

from engine.minecraft.versions import names_of_tasks
from engine.spec.model import Agent, TaskSpec, counts
from engine.world import combat, rules
from engine.world.geometry import TICKS_PER_STEP

ACTION_SECONDS = 120
"""No action outlives this: it ends with what it has done by then, and `timeout`."""
VIEW_DISTANCE = 4
"""Chunks round a player that it sees and that are loaded."""


def tables(version: str = rules.MINECRAFT_VERSION) -> dict[str, Any]:
    """What the JavaScript side always needs: the version that it speaks, and the engine's figures."""
    return {
        "version": version,
        "view_distance": VIEW_DISTANCE,
        "weapons": {"": _weapon(None)} | {item: _weapon(item) for item in combat.WEAPONS},
        "armour": {
            name: (piece.slot, piece.points, piece.toughness) for name, piece in combat.ARMOUR.items()
        },
        "pulses": _pulses(),
        "doses": {
            item: [(dose.effect, dose.amplifier, dose.ticks) for dose in doses]
            for item, doses in combat.CONSUMABLES.items()
        },
        "consumables": sorted({*combat.CONSUMABLES, *rules.foods()}),
        "flammable": [name for name in rules.blocks() if combat.burns(name)],
    }


def settings(
    spec: TaskSpec, digging_factor: float = 1.0, version: str = rules.MINECRAFT_VERSION
) -> dict[str, Any]:
    """The settings of `js/episode.js`; `digging_factor` makes the embedded server's digging slower, for tests."""
    return tables(version) | {
        "agents": [_agent(agent) for agent in spec.agents.spawn],
        "chests": [",".join(map(str, chest.position)) for chest in spec.all_chests],
        "chest_contents": [
            {"cell": chest.position, "items": counts(chest.items)} for chest in spec.all_chests
        ],
        "digging_factor": digging_factor,
        "names": names_of_tasks(version),
        "limit_ms": ACTION_SECONDS * 1_000,
        "answer_ticks": 2,
        "lag_ticks": 0,
        "pickup_ticks": 4,
    }


def _agent(agent: Agent) -> dict[str, Any]:
    capabilities = agent.capabilities
    return {
        "name": agent.name,
        "username": agent.name,
        "position": agent.position,
        "max_health": capabilities.max_health,
        "speed_bps": capabilities.speed_bps,
        "perception_range": capabilities.perception_range,
        "damage_multipliers": dict(capabilities.damage_multipliers),
        "inventory": [
            {"name": name, "count": stack.count, "unbreakable": stack.unbreakable}
            for name, stack in agent.inventory.items()
        ],
    }


def _weapon(item: str | None) -> tuple[float, float]:
    weapon = combat.weapon(item)
    return weapon.damage, weapon.attacks_per_second


def _pulses() -> dict[str, tuple[float, int, float]]:
    pulses = {effect: combat.pulse(effect, 0) for effect in rules.effects()}
    return {effect: (one.amount, one.interval, one.floor) for effect, one in pulses.items() if one}


def ticks(seconds: float | None) -> int | None:
    """Seconds in ticks; None stays None."""
    return None if seconds is None else round(seconds * TICKS_PER_STEP)
