"""Mobs: they hunt the nearest living agent in sight, and hit it once a second when they are near (SPEC section 3)."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from engine.events import payloads
from engine.simulator.agenda import Phase, Ticket
from engine.simulator.body import Body
from engine.world import combat
from engine.world.geometry import TICKS_PER_STEP, Cell, Position, distance, nearest_cell
from engine.world.motion import Motion, leads_by
from engine.world.paths import find_way

if TYPE_CHECKING:
    from engine.simulator.world import SimulatedWorld

SIGHT = 32.0
"""How far a mob sees agents."""
HIT_REACH = 2.0
HIT_TICKS = TICKS_PER_STEP
"""Between two hits of a mob."""
CHASE_TICKS = 10
"""How often a mob on its way looks where its prey, and who else, is."""
IDLE_TICKS = TICKS_PER_STEP
"""How often a mob without prey looks round."""


@dataclass(slots=True, eq=False)
class Mob:
    """One mob."""

    number: int
    entity: str
    role: str
    position: Position
    health: float
    damage: float
    speed: float
    motion: Motion | None = None
    ticket: Ticket | None = None
    expiry: Ticket | None = None
    next_hit: int = 0
    prey: Body | None = None
    aim: Position | None = None
    """Where the prey was when the mob's present way was planned."""

    def at(self, tick: int) -> Position:
        """Where the mob is."""
        return self.motion.at(tick) if self.motion else self.position


class Mobs:
    """All living mobs of a simulated world, by number."""

    def __init__(self, world: SimulatedWorld) -> None:
        self._world = world
        self._numbers = 0
        self.living: dict[int, Mob] = {}

    def spawn(
        self,
        entity: str,
        role: str,
        position: Cell,
        *,
        health: float | None,
        damage: float | None,
        speed: float,
        source: str,
        vanish_tick: int | None,
    ) -> None:
        """Let a mob be there; absent figures are the vanilla mob's."""
        self._numbers += 1
        vanilla = combat.mob(entity, self._world.difficulty)
        mob = Mob(
            number=self._numbers,
            entity=entity,
            role=role,
            position=position,
            health=vanilla.health if health is None else health,
            damage=vanilla.damage if damage is None else damage,
            speed=speed,
        )
        self.living[mob.number] = mob
        self._world.emit(
            payloads.MobSpawned(
                mob=mob.number,
                entity=entity,
                role=role,
                position=position,
                health=mob.health,
                damage=mob.damage,
                speed_bps=speed,
                source=source,
                vanish_tick=vanish_tick,
            )
        )
        if vanish_tick is not None:
            leave = partial(self.despawn, mob, "lifetime")
            mob.expiry = self._world.agenda.add(vanish_tick, Phase.CONTACT, mob.number, leave)
        self._think_at(mob, self._world.tick)

    def despawn(self, mob: Mob, cause: str) -> None:
        """Take a mob away."""
        self._remove(mob)
        self._world.emit(payloads.MobDespawned(mob=mob.number, cause=cause))

    def _remove(self, mob: Mob) -> None:
        del self.living[mob.number]
        for ticket in (mob.ticket, mob.expiry):
            if ticket is not None:
                ticket.cancel()

    def hurt(self, mob: Mob, amount: float, by: Body) -> float:
        """An agent hits a mob; returns how much health that took. At 0 it dies at the end of the tick."""
        taken = min(amount, mob.health)
        if taken <= 0:
            return 0.0
        mob.health = round(mob.health - taken, 6)
        self._world.emit(
            payloads.MobHealthChanged(
                mob=mob.number, health=mob.health, delta=-round(taken, 6), agent=by.name
            )
        )
        if mob.health <= 0:
            self._world.agenda.add(
                self._world.tick, Phase.DEATHS, mob.number, partial(self._die, mob, by.name)
            )
        return taken

    def _die(self, mob: Mob, by: str) -> None:
        position = mob.at(self._world.tick)
        self._remove(mob)
        self._world.emit(payloads.MobDied(mob=mob.number, agent=by, position=position))

    # --- hunting

    def obstruct(self, cells: Sequence[Cell]) -> None:
        """Blocks have changed: whoever's way leads through them thinks again."""
        for mob in self.living.values():
            if leads_by(mob.motion, cells):
                mob.aim = None
                self._think_at(mob, self._world.tick)

    def let_fall(self, cells: Collection[Cell]) -> None:
        """Mobs that stood on blocks that are gone come down to the next floor; falls do not hurt them."""
        tick = self._world.tick
        for mob in self.living.values():
            x, y, z = nearest_cell(mob.at(tick))
            if (x, y - 1, z) in cells:
                mob.motion, mob.position = None, (x, self._world.terrain.floor_below((x, y, z)), z)
                self._world.emit(payloads.MobStopped(mob=mob.number, position=mob.position))
                self._think_at(mob, tick)

    def startle(self, body: Body) -> None:
        """An agent has set out or stopped: whoever hunts it thinks again."""
        for mob in self.living.values():
            if mob.prey is body:
                self._think_at(mob, self._world.tick)

    def _think_at(self, mob: Mob, tick: int) -> None:
        if mob.ticket is not None:
            mob.ticket.cancel()
        mob.ticket = self._world.agenda.add(tick, Phase.MOBS, mob.number, partial(self._think, mob))

    def _think(self, mob: Mob) -> None:
        tick = self._world.tick
        if mob.health <= 0:
            return
        here = mob.at(tick)
        mob.prey = self._nearest(here)
        if mob.prey is None:
            self._stand(mob)
            self._think_at(mob, tick + IDLE_TICKS)
        elif distance(here, mob.prey.at(tick)) <= HIT_REACH:
            self._stand(mob)
            self._hit(mob, mob.prey)
        else:
            self._chase(mob, mob.prey, here)

    def _nearest(self, here: Position) -> Body | None:
        tick = self._world.tick
        nearest, least = None, math.inf
        for body in self._world.bodies.values():
            if body.alive and body.health > 0 and (away := distance(here, body.at(tick))) < least:
                nearest, least = body, away
        return nearest if least <= SIGHT else None

    def _hit(self, mob: Mob, prey: Body) -> None:
        tick = self._world.tick
        if tick >= mob.next_hit:
            mob.next_hit = tick + HIT_TICKS
            self._world.vitals.hurt(prey, mob.damage, mob.entity, armour=True)
        again = mob.next_hit
        if prey.is_moving(tick):
            again = min(again, tick + CHASE_TICKS)
        self._think_at(mob, again)

    def _chase(self, mob: Mob, prey: Body, here: Position) -> None:
        tick = self._world.tick
        aim = prey.at(tick)
        motion = mob.motion
        if motion is None or tick >= motion.arrival or aim != mob.aim:
            points = self._way(here, aim)
            if points is None:
                self._stand(mob)
                self._think_at(mob, tick + IDLE_TICKS)
                return
            motion = mob.motion = Motion(tick, points, mob.speed)
            mob.aim = aim
            self._world.emit(payloads.MobMoved(mob=mob.number, points=motion.points, speed_bps=mob.speed))
        near = motion.first_tick_within(aim, HIT_REACH, tick + 1)
        again = min(motion.arrival if near is None else near, tick + CHASE_TICKS)
        self._think_at(mob, max(again, tick + 1))

    def _way(self, here: Position, aim: Position) -> list[Position] | None:
        """A way into reach of the aim; the nearest cell within reach need not be, if the aim lies between cells."""
        terrain = self._world.terrain
        target = nearest_cell(aim)
        points = find_way(terrain, here, target, HIT_REACH - 0.5)
        if points is not None and distance(points[-1], aim) > HIT_REACH:
            points = find_way(terrain, here, target, 0.0)
        return points if points and len(points) > 1 else None

    def _stand(self, mob: Mob) -> None:
        if mob.motion is None:
            return
        tick = self._world.tick
        mob.position = mob.motion.at(tick)
        moving = tick < mob.motion.arrival
        mob.motion = None
        if moving:
            self._world.emit(payloads.MobStopped(mob=mob.number, position=mob.position))
