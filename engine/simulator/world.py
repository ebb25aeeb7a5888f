"""The simulated world: terrain, agents, mobs, drops and chests, moved from event to event.

Nothing is done tick by tick. The agenda holds what is due when; between two entries positions follow from motions
(`Body.at`, `Mob.at`). Within a tick the order is that of `engine.simulator.agenda.Phase`, and within a phase that of
the YAML (SPEC section 11).
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from operator import itemgetter

from engine.events import payloads
from engine.simulator.actions import ABILITIES
from engine.simulator.agenda import Agenda, Phase
from engine.simulator.body import Body, Progress, Running
from engine.simulator.drops import Drops
from engine.simulator.hazards import Hazards
from engine.simulator.mobs import Mob, Mobs
from engine.simulator.vitals import Vitals
from engine.spec.model import TaskSpec, counts
from engine.world import combat, rules
from engine.world.contact import Contact, contact_of
from engine.world.geometry import TICKS_PER_STEP, Cell, Position, distance, nearest_cell
from engine.world.inventory import CHEST_SLOTS, Inventory
from engine.world.motion import Motion, extent, leads_by
from engine.world.protocol import (
    Action,
    ActionReport,
    Emit,
    MobSighting,
    OnActionEnd,
    Reason,
    Sighting,
    report,
)
from engine.world.terrain import Terrain

ACTION_LIMIT = 120 * TICKS_PER_STEP
"""No action outlives this: it ends with what it has done by then, and `timeout`."""
SAFE_FALL = 3
"""Blocks that one can fall unhurt; each further one costs one half heart (SPEC section 11)."""


class SimulatedWorld:
    """Implements `engine.world.protocol.World`; `tick` is world time now."""

    def __init__(self, spec: TaskSpec, emit: Emit) -> None:
        self.emit = emit
        self.agenda = Agenda()
        self.terrain = Terrain()
        self.bodies = {agent.name: Body.from_spec(i, agent) for i, agent in enumerate(spec.agents.spawn)}
        self.chests: dict[Cell, Inventory] = {}
        self.drops = Drops(self)
        self.vitals = Vitals(self)
        self.mobs = Mobs(self)
        self.hazards = Hazards(self, spec.environment.regions)
        self.difficulty = spec.environment.world.difficulty
        self.tick = 0
        self._on_end: OnActionEnd = lambda _agent, _report: None
        self._watchers: dict[Cell, list[Body]] = {}
        self._occupied: dict[Cell, list[Body]] | None = None
        self._set_up(spec)

    def _set_up(self, spec: TaskSpec) -> None:
        for chest in spec.all_chests:
            self.chests[chest.position] = Inventory(CHEST_SLOTS, counts(chest.items))
        if self.chests:
            self.set_blocks(list(self.chests), "chest", cause="setup", source="")
        for grid in spec.environment.materials.grid:
            self.set_blocks(grid.cells, grid.block, cause="setup", source="")
        for hostile in spec.environment.entities.hostiles:
            self.spawn_mob(
                hostile.entity,
                hostile.role,
                hostile.position,
                health=hostile.health,
                damage=hostile.damage,
                speed=hostile.speed_bps,
                source="",
            )
        self.hazards.announce()
        for body in self.bodies.values():
            for effect in body.spec.effects:
                self.give_effect(body.name, effect.type, effect.amplifier, effect.seconds)
        self.hazards.review_all()

    # --- time --------------------------------------------------------------------------------------------------------

    def next_tick(self) -> int | None:
        """The next tick at which something is due."""
        return self.agenda.next_tick()

    @property
    def address(self) -> str:
        """No client can join."""
        return ""

    def hold(self) -> AbstractContextManager[None]:
        """Nothing happens anyway between two ticks."""
        return nullcontext()

    def advance(self, tick: int) -> None:
        """Let the clock come to `tick`; positions follow by themselves."""
        self.tick = tick
        self._occupied = None

    def settle_contact(self) -> None:
        """Do what touching, burning and effects do at this tick."""
        self.agenda.run(self.tick, Phase.CONTACT)

    def settle(self, on_end: OnActionEnd) -> None:
        """Let mobs act, then agents in YAML order; then whoever has no health left dies."""
        self._on_end = on_end
        self.agenda.run(self.tick, Phase.DEATHS)

    def close(self) -> None:
        """There is nothing to let go of."""

    # --- actions -----------------------------------------------------------------------------------------------------

    def begin(self, agent: str, action: Action) -> None:
        """Start an action; whatever it does at once is done at this tick, its end comes at a later one."""
        body = self.bodies[agent]
        progress = Progress()
        steps = ABILITIES[action.name](self, body, action.parameters, progress)
        body.running = Running(steps, progress, self.tick, self.tick + ACTION_LIMIT)
        self._resume(body)

    def _wake(self, body: Body, tick: int) -> None:
        if body.wake is not None:
            body.wake.cancel()
        body.wake = self.agenda.add(tick, Phase.AGENTS, body.index, partial(self._resume, body))

    def _resume(self, body: Body) -> None:
        running = body.running
        if running is None:
            return
        if running.over is not None:
            body.running = None
            self._on_end(body.name, running.over)
            return
        if body.watched:
            self._unwatch(body)
        if self.tick >= running.deadline:
            running.progress.blame("timeout", "it took longer than an action may")
            self._finish(body, running)
            return
        try:
            pause = next(running.steps)
        except StopIteration:
            self._finish(body, running)
            return
        if pause.watch:
            body.watched = pause.watch
            for cell in pause.watch:
                self._watchers.setdefault(cell, []).append(body)
        self._wake(body, min(max(pause.until, self.tick), running.deadline))

    def _finish(self, body: Body, running: Running) -> None:
        running.steps.close()
        self.stop(body)
        done = running.progress
        running.over = report(done.done, done.wanted, done.reason, done.detail)
        self._wake(body, max(self.tick, running.began + 1))

    def interrupt(self, agent: str) -> ActionReport | None:
        """Stop the agent's action here and now; what it has done so far counts."""
        return self._break_off(self.bodies[agent], "interrupted", "a new plan replaced it")

    def _break_off(self, body: Body, reason: Reason, detail: str) -> ActionReport | None:
        running = body.running
        if running is None:
            return None
        self._unwatch(body)
        if running.over is None:
            running.progress.blame(reason, detail)
            self._finish(body, running)
        body.running = None
        if body.wake is not None:
            body.wake.cancel()
        return running.over

    def _unwatch(self, body: Body) -> None:
        for cell in body.watched:
            self._watchers[cell].remove(body)
            if not self._watchers[cell]:
                del self._watchers[cell]
        body.watched = ()

    # --- bodies ------------------------------------------------------------------------------------------------------

    def position(self, agent: str) -> Position:
        """Where the agent is."""
        return self.bodies[agent].at(self.tick)

    def walk(self, body: Body, points: Sequence[Position], speed: float | None = None) -> Motion:
        """Set a body in motion along the points, from where it is; a speed means that something carries it."""
        motion = Motion(self.tick, points, self.speed(body) if speed is None else speed)
        body.set_out(motion, is_carried=speed is not None)
        self.emit(payloads.AgentMoved(agent=body.name, points=motion.points, speed_bps=motion.speed))
        self.drops.expect(body, motion)
        self.hazards.review(body)
        self.mobs.startle(body)
        return motion

    def stop(self, body: Body) -> None:
        """Let a body stand where it is now."""
        motion = body.motion
        if motion is None:
            return
        body.stand_at(motion.at(self.tick))
        if self.tick < motion.arrival:
            self.emit(payloads.AgentStopped(agent=body.name, position=body.position))
        self.hazards.review(body)
        self.mobs.startle(body)

    def speed(self, body: Body) -> float:
        """Blocks a second that the body makes as things are: its own speed, effects, contact and mechanics."""
        speed = body.spec.capabilities.speed_bps
        if body.effects:
            speed *= combat.speed_factor(body.amplifiers)
        if body.contact is not None:
            speed *= body.contact.slows
        if body.speed_factors:
            speed *= math.prod(body.speed_factors.values())
        return round(max(speed, 0.05), 6)

    def adjust_speed(self, body: Body) -> None:
        """Something that changes speed has changed: whoever walks goes on at the new one."""
        motion = body.motion
        if motion is None or body.is_carried or body.running is None or self.tick >= motion.arrival:
            return
        if motion.speed != self.speed(body):
            self.walk(body, motion.rest(self.tick))
            self._wake(body, self.tick)

    def carry(self, body: Body, item: str, delta: int) -> None:
        """Put items into a body's inventory or take them out; the caller has seen to it that they fit.

        Whoever held the last of an item holds nothing afterwards.
        """
        if delta > 0:
            body.inventory.add(item, delta)
        else:
            body.inventory.remove(item, -delta)
        if body.held == item and not body.inventory.count(item):
            body.held = None
        self.emit(payloads.InventoryChanged(agent=body.name, item=item, count=body.inventory.count(item)))

    def wear_out(self, body: Body, tool: str | None, block: str) -> None:
        """Breaking the block has worn the tool, and broken it if that was its last use."""
        uses = rules.wear(tool, block)
        if tool is None or not uses or body.is_unbreakable(tool):
            return
        body.wear[tool] = body.wear.get(tool, 0) + uses
        if body.wear[tool] >= (rules.items()[tool].durability or 0):
            del body.wear[tool]
            self.carry(body, tool, -1)

    def die(self, body: Body, cause: str) -> None:
        """A body's health is gone: its action ends, and what it carried lies where it fell."""
        if not body.alive:
            return
        ended = self._break_off(body, "dead", f"killed by {cause}")
        self.stop(body)
        body.alive = False
        self._occupied = None
        here = nearest_cell(body.position)
        self.emit(payloads.AgentDied(agent=body.name, cause=cause, position=body.position))
        for ticket in (body.contact_ticket, body.burn_ticket, body.review_ticket):
            if ticket is not None:
                ticket.cancel()
        self.vitals.forget_all(body)
        for item, count in body.inventory.as_dict().items():
            self.carry(body, item, -count)
            self.drops.drop(item, count, here)
        self.mobs.startle(body)
        if ended is not None:
            self._on_end(body.name, ended)

    # --- what the environment does to agents -------------------------------------------------------------------------

    def give_effect(self, agent: str, effect: str, amplifier: int, seconds: float | None) -> None:
        """Give an agent a status effect; without seconds for good."""
        ticks = None if seconds is None else round(seconds * TICKS_PER_STEP)
        self.vitals.give(self.bodies[agent], effect, amplifier, ticks)

    def set_speed_factor(self, agent: str, source: str, factor: float) -> None:
        """Let an agent be slower or faster for a reason of somebody's; the factors of all reasons multiply."""
        body = self.bodies[agent]
        if body.speed_factors.get(source, 1.0) != factor:
            body.speed_factors[source] = factor
            self.adjust_speed(body)

    def hurt(self, agent: str, amount: float) -> None:
        """Hurt an agent."""
        self.vitals.hurt(self.bodies[agent], amount, "event")

    def set_region(self, region: str, active: bool, area: tuple[Cell, Cell] | None) -> None:
        """Switch a region on or off, or move it."""
        self.hazards.set_region(region, active, area)

    def spawn_mob(
        self,
        entity: str,
        role: str,
        position: Cell,
        *,
        health: float | None,
        damage: float | None,
        speed: float,
        source: str,
        vanish_tick: int | None = None,
    ) -> None:
        """Let a mob be there; absent health and damage are the vanilla mob's."""
        self.mobs.spawn(
            entity,
            role,
            position,
            health=health,
            damage=damage,
            speed=speed,
            source=source,
            vanish_tick=vanish_tick,
        )

    def living_mobs(self) -> list[MobSighting]:
        """All living mobs, oldest first; one that was killed at this tick lives no more."""
        return [_sighting(mob, self.tick) for mob in self.mobs.living.values() if mob.health > 0]

    def despawn_mob(self, mob: int, cause: str) -> None:
        """Take a mob away."""
        self.mobs.despawn(self.mobs.living[mob], cause)

    # --- blocks ------------------------------------------------------------------------------------------------------

    def block(self, cell: Cell) -> str:
        """What is in the cell."""
        return self.terrain.block(cell)

    def is_solid(self, cell: Cell) -> bool:
        """Whether the cell holds something that one cannot walk through."""
        return self.terrain.is_solid(cell)

    def is_free(self, cell: Cell) -> bool:
        """Whether something may be spawned here: room, ground, and nobody standing in it."""
        return self.terrain.is_free(cell) and not self.occupants(cell)

    def occupants(self, cell: Cell) -> list[Body]:
        """The living agents whose feet or heads are in the cell, in the order of the YAML."""
        if self._occupied is None:
            self._occupied = self._find_occupied()
        return self._occupied.get(cell, [])

    def _find_occupied(self) -> dict[Cell, list[Body]]:
        """Who is where at this tick."""
        occupied: dict[Cell, list[Body]] = {}
        for body in self.bodies.values():
            if body.alive:
                x, y, z = nearest_cell(body.at(self.tick))
                occupied.setdefault((x, y, z), []).append(body)
                occupied.setdefault((x, y + 1, z), []).append(body)
        return occupied

    def bodies_near(self, cells: Collection[Cell], margin: float) -> list[Body]:
        """At least all bodies that are, or on their present way come, within the margin of one of the cells."""
        if not cells:
            return []
        west, east, north, south = extent(cells, margin)
        return [
            body
            for body in self.bodies.values()
            if (way := body.extent)[0] <= east and west <= way[1] and way[2] <= south and north <= way[3]
        ]

    def set_blocks(
        self,
        cells: Sequence[Cell],
        block: str,
        *,
        cause: str,
        source: str,
        vanish_tick: int | None = None,
        contact: Contact | None = None,
    ) -> None:
        """Change blocks, log it once, and see to all whom it concerns."""
        held_up = [cell for cell in cells if self.terrain.is_solid(cell)]
        self.terrain.set_all(cells, block)
        self.emit(
            payloads.BlocksChanged(
                block=block, cells=list(cells), cause=cause, source=source, vanish_tick=vanish_tick
            )
        )
        near = self.bodies_near(cells, 1)
        self._let_fall(held_up, near)
        self._wake_affected(cells, near)
        self.mobs.obstruct(cells)
        if self.hazards.set_cells(list(cells), contact or contact_of(block)):
            self.hazards.review_all()

    def _wake_affected(self, cells: Sequence[Cell], near: list[Body]) -> None:
        affected = {body for cell in cells for body in self._watchers.get(cell, ())}
        for body in near:
            if body.is_moving(self.tick) and leads_by(body.motion, cells):
                if body.is_carried:
                    self.stop(body)
                else:
                    body.obstructed = True
                    affected.add(body)
        for body in sorted(affected, key=lambda one: one.index):
            self._wake(body, self.tick)

    def _let_fall(self, cells: Sequence[Cell], near: list[Body]) -> None:
        """Whoever was on a block that is gone, drops and mobs too, comes down to the next floor."""
        gone = {cell for cell in cells if not self.terrain.is_solid(cell)}
        if not gone:
            return
        for body in near:
            feet = nearest_cell(body.at(self.tick))
            if body.alive and (feet[0], feet[1] - 1, feet[2]) in gone:
                self._fall(body, feet)
        self.drops.let_fall(gone)
        self.mobs.let_fall(gone)

    def _fall(self, body: Body, feet: Cell) -> None:
        floor = self.terrain.floor_below(feet)
        self.put(body, (feet[0], floor, feet[2]))
        self.vitals.hurt(body, max(0, feet[1] - floor - SAFE_FALL), "fall")

    def put(self, body: Body, cell: Cell) -> None:
        """Let a body be in the cell from now on, standing."""
        body.stand_at(cell)
        self._occupied = None
        if body.running is not None:
            self._wake(body, self.tick)
        self.emit(payloads.AgentStopped(agent=body.name, position=cell))
        self.hazards.review(body)
        self.mobs.startle(body)

    # --- perception --------------------------------------------------------------------------------------------------

    def perceives(self, body: Body, position: Position) -> bool:
        """Whether the position is within the body's perception range now."""
        return distance(body.at(self.tick), position) <= body.perception_range

    def sense(self, agent: str, radius: float) -> list[Sighting]:
        """The blocks, flat ground left out, within the radius and the agent's own range; nearest first."""
        body = self.bodies[agent]
        here = body.at(self.tick)
        radius = min(radius, body.perception_range)
        return [Sighting(cell, block) for cell, block in self.terrain.nearest_changed(here, radius)]

    def sense_mobs(self, agent: str, radius: float) -> list[MobSighting]:
        """The living mobs within the radius and the agent's own range; nearest first."""
        return [_sighting(mob, self.tick) for mob in self.mobs_near(self.bodies[agent], radius)]

    def mobs_near(self, body: Body, radius: float) -> list[Mob]:
        """The living mobs within the radius and the body's own range; nearest first."""
        here = body.at(self.tick)
        radius = min(radius, body.perception_range)
        away = [
            (distance(here, mob.at(self.tick)), mob) for mob in self.mobs.living.values() if mob.health > 0
        ]
        near = [(far, mob.number, mob) for far, mob in away if far <= radius]
        return [mob for _, _, mob in sorted(near, key=itemgetter(0, 1))]


def _sighting(mob: Mob, tick: int) -> MobSighting:
    return MobSighting(mob.number, mob.entity, mob.role, mob.at(tick), mob.health)
