"""The world as the log tells it: a fold over events that any reader can build, the oracle for one.

Nothing here looks into a world. What is not in the log is not known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import msgspec

from engine.events.payloads import (
    AgentDied,
    AgentHealthChanged,
    AgentMoved,
    AgentStart,
    AgentStopped,
    BlocksChanged,
    ChestChanged,
    ChestStart,
    EffectChanged,
    EpisodeStarted,
    InventoryChanged,
    ItemHeld,
    MobDespawned,
    MobDied,
    MobHealthChanged,
    MobMoved,
    MobSpawned,
    MobStopped,
    Payload,
)
from engine.world.geometry import Cell, Position
from engine.world.motion import Motion
from engine.world.terrain import AIR, Terrain


@dataclass(slots=True)
class AgentState:
    """One agent as the log tells it. `effects` maps status effects to amplifiers."""

    name: str
    position: Position
    speed_bps: float
    perception_range: float
    max_health: float
    health: float
    damage_multipliers: dict[str, float]
    inventory: dict[str, int]
    held: str | None = None
    effects: dict[str, int] = field(default_factory=dict)
    motion: Motion | None = None
    alive: bool = True

    def at(self, tick: int) -> Position:
        """Where the agent is at the tick."""
        return self.motion.at(tick) if self.motion else self.position


class Placed(msgspec.Struct, frozen=True):
    """A block that is not part of the flat ground, and when it will vanish (a tick; None: it stays)."""

    block: str
    vanish_tick: int | None


@dataclass(slots=True)
class MobState:
    """One mob as the log tells it. It stays here when it is gone."""

    number: int
    entity: str
    role: str
    position: Position
    health: float
    max_health: float
    damage: float
    source: str = ""
    motion: Motion | None = None
    alive: bool = True
    killed: bool = False

    def at(self, tick: int) -> Position:
        """Where the mob is at the tick."""
        return self.motion.at(tick) if self.motion else self.position


@dataclass(slots=True)
class WorldState:
    """Agents, mobs, blocks and chests after the events applied so far.

    `placed` holds every block that differs from flat ground, `built` the cells of those that an agent placed; `mobs`
    holds all that there have ever been, `living` those that there are.
    """

    agents: dict[str, AgentState] = field(default_factory=dict)
    chests: dict[Cell, dict[str, int]] = field(default_factory=dict)
    terrain: Terrain = field(default_factory=Terrain)
    placed: dict[Cell, Placed] = field(default_factory=dict)
    built: set[Cell] = field(default_factory=set)
    mobs: dict[int, MobState] = field(default_factory=dict)
    living: dict[int, MobState] = field(default_factory=dict)

    def apply(self, tick: int, payload: Payload) -> None:
        """Take in what happened at the tick."""
        take_in = _TAKE_IN.get(type(payload))
        if take_in is not None:
            take_in(self, tick, payload)

    def _start(self, _: int, payload: EpisodeStarted) -> None:
        self.begin(payload.agents, payload.chests)

    def begin(self, agents: Iterable[AgentStart], chests: Iterable[ChestStart]) -> None:
        """Put the team and the chests in place."""
        for agent in agents:
            self.agents[agent.name] = AgentState(
                name=agent.name,
                position=agent.position,
                speed_bps=agent.speed_bps,
                perception_range=agent.perception_range,
                max_health=agent.max_health,
                health=agent.max_health,
                damage_multipliers=agent.damage_multipliers,
                inventory=dict(agent.inventory),
                held=next(iter(agent.inventory), None),
            )
        self.chests = {chest.position: dict(chest.items) for chest in chests}

    # --- agents and chests

    def _move(self, tick: int, payload: AgentMoved) -> None:
        self.agents[payload.agent].motion = Motion(tick, payload.points, payload.speed_bps)

    def _stop(self, _: int, payload: AgentStopped | AgentDied) -> None:
        agent = self.agents[payload.agent]
        agent.motion, agent.position = None, payload.position

    def _die(self, tick: int, payload: AgentDied) -> None:
        self._stop(tick, payload)
        self.agents[payload.agent].alive = False

    def _change_health(self, _: int, payload: AgentHealthChanged) -> None:
        self.agents[payload.agent].health = payload.health

    def _carry(self, _: int, payload: InventoryChanged) -> None:
        agent = self.agents[payload.agent]
        _set(agent.inventory, payload.item, payload.count)
        if agent.held == payload.item and not payload.count:
            agent.held = None

    def _hold(self, _: int, payload: ItemHeld) -> None:
        self.agents[payload.agent].held = payload.item

    def _affect(self, _: int, payload: EffectChanged) -> None:
        effects = self.agents[payload.agent].effects
        if payload.amplifier is None:
            effects.pop(payload.effect, None)
        else:
            effects[payload.effect] = payload.amplifier

    def _store(self, _: int, payload: ChestChanged) -> None:
        _set(self.chests[payload.chest], payload.item, payload.count)

    # --- mobs

    def _spawn(self, _: int, payload: MobSpawned) -> None:
        self.mobs[payload.mob] = self.living[payload.mob] = MobState(
            number=payload.mob,
            entity=payload.entity,
            role=payload.role,
            position=payload.position,
            health=payload.health,
            max_health=payload.health,
            damage=payload.damage,
            source=payload.source,
        )

    def _move_mob(self, tick: int, payload: MobMoved) -> None:
        self.mobs[payload.mob].motion = Motion(tick, payload.points, payload.speed_bps)

    def _stop_mob(self, _: int, payload: MobStopped) -> None:
        mob = self.mobs[payload.mob]
        mob.motion, mob.position = None, payload.position

    def _change_mob_health(self, _: int, payload: MobHealthChanged) -> None:
        self.mobs[payload.mob].health = payload.health

    def _remove_mob(self, _: int, payload: MobDied | MobDespawned) -> None:
        mob = self.living.pop(payload.mob)
        mob.alive, mob.killed = False, isinstance(payload, MobDied)

    # --- blocks

    def _change_blocks(self, _: int, payload: BlocksChanged) -> None:
        self.terrain.set_all(payload.cells, payload.block)
        self.built.difference_update(payload.cells)
        if payload.block == AIR:
            for cell in payload.cells:
                self.placed.pop(cell, None)
        else:
            self.placed.update(dict.fromkeys(payload.cells, Placed(payload.block, payload.vanish_tick)))
        if payload.cause == "agent" and payload.block != AIR:
            self.built.update(payload.cells)


def _set(counts: dict[str, int], item: str, count: int) -> None:
    if count:
        counts[item] = count
    else:
        counts.pop(item, None)


_TAKE_IN: dict[type[Payload], Callable[[WorldState, int, Any], None]] = {
    EpisodeStarted: WorldState._start,
    BlocksChanged: WorldState._change_blocks,
    AgentMoved: WorldState._move,
    AgentStopped: WorldState._stop,
    AgentDied: WorldState._die,
    AgentHealthChanged: WorldState._change_health,
    InventoryChanged: WorldState._carry,
    ItemHeld: WorldState._hold,
    EffectChanged: WorldState._affect,
    ChestChanged: WorldState._store,
    MobSpawned: WorldState._spawn,
    MobMoved: WorldState._move_mob,
    MobStopped: WorldState._stop_mob,
    MobHealthChanged: WorldState._change_mob_health,
    MobDied: WorldState._remove_mob,
    MobDespawned: WorldState._remove_mob,
}
"""What each type of event does to the state; all others do nothing to it."""
