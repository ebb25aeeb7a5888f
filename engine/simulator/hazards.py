"""Where agents are touched by a crisis or stand in a region, and what follows from it.

Nothing is sampled. Whether something touches an agent can change when it sets out or stops, when it enters another
cell, and when blocks or regions change; each of these leads to a review.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from engine.events import payloads
from engine.simulator.agenda import Phase
from engine.simulator.body import Body
from engine.spec.model import Effect, Region
from engine.world.contact import BURN_INTERVAL, BURNING_TICKS, PUSH_BPS, Contact
from engine.world.geometry import TICKS_PER_STEP, Cell, is_within, nearest_cell

if TYPE_CHECKING:
    from engine.simulator.world import SimulatedWorld


class Zone:
    """A region as it is now."""

    def __init__(self, region: Region) -> None:
        self.id = region.id
        self.effects: list[Effect] = list(region.effects)
        self.active = region.active
        self.low, self.high = region.area.min, region.area.max

    def holds(self, cell: Cell) -> bool:
        """Whether the cell lies in the region and the region is switched on."""
        return self.active and is_within(self.low, cell, self.high)


class Hazards:
    """Cells that hurt and regions that change agents, in one simulated world."""

    def __init__(self, world: SimulatedWorld, regions: list[Region]) -> None:
        self._world = world
        self._cells: dict[Cell, Contact] = {}
        self._zones = {region.id: Zone(region) for region in regions}

    def announce(self) -> None:
        """Log the regions as they are at the start."""
        for zone in self._zones.values():
            self._log(zone)

    # --- changes of the world

    def set_cells(self, cells: list[Cell], contact: Contact | None) -> bool:
        """Note that the cells now do this to whoever is in them; returns whether that is news."""
        if contact is not None:
            self._cells.update(dict.fromkeys(cells, contact))
            return True
        known = [cell for cell in cells if cell in self._cells]
        for cell in known:
            del self._cells[cell]
        return bool(known)

    def set_region(self, region: str, active: bool, area: tuple[Cell, Cell] | None) -> None:
        """Switch a region on or off, or move it."""
        zone = self._zones[region]
        zone.active = active
        if area is not None:
            zone.low, zone.high = area
        self._log(zone)
        self.review_all()

    def _log(self, zone: Zone) -> None:
        effects = [effect.type for effect in zone.effects]
        self._world.emit(
            payloads.RegionChanged(
                region=zone.id, active=zone.active, low=zone.low, high=zone.high, effects=effects
            )
        )

    # --- reviews

    def review_all(self) -> None:
        """Look at every agent again."""
        for body in self._world.bodies.values():
            self.review(body)

    def review(self, body: Body) -> None:
        """See what touches the body now, act on what is new, and find out when that will change on its way."""
        if not (self._cells or self._zones or body.contact or body.regions) or not body.alive:
            return
        feet = nearest_cell(body.at(self._world.tick))
        self._touch(body, self._contact_at(feet))
        self._stay(body, self._regions_at(feet))
        self._drift(body)
        self._plan_review(body)

    def _contact_at(self, feet: Cell) -> Contact | None:
        return self._cells.get(feet) or self._cells.get((feet[0], feet[1] + 1, feet[2]))

    def _regions_at(self, feet: Cell) -> frozenset[str]:
        return frozenset(zone.id for zone in self._zones.values() if zone.holds(feet))

    def _plan_review(self, body: Body) -> None:
        if body.review_ticket is not None:
            body.review_ticket.cancel()
            body.review_ticket = None
        tick = self._next_review(body)
        if tick is not None:
            review = partial(self.review, body)
            body.review_ticket = self._world.agenda.add(tick, Phase.CONTACT, body.index, review)

    def _next_review(self, body: Body) -> int | None:
        """When the body comes to a cell where things are different, or to the end of where it is being carried."""
        now, motion = self._world.tick, body.motion
        for tick, cell in motion.entries() if motion else ():
            if tick > now and (
                self._contact_at(cell) != body.contact or self._regions_at(cell) != body.regions
            ):
                return tick
        return motion.arrival if motion and body.is_carried and now < motion.arrival else None

    # --- contact

    def _touch(self, body: Body, contact: Contact | None) -> None:
        if contact == body.contact:
            return
        left, body.contact = body.contact, contact
        if body.contact_ticket is not None:
            body.contact_ticket.cancel()
        if left is not None and left.burns:
            self._catch_fire(body)
        if contact is not None:
            if contact.cause == "water":
                self._put_out(body)
            self._bite(body, contact)
        self._world.adjust_speed(body)

    def _bite(self, body: Body, contact: Contact) -> None:
        """The contact's damage, now and again as long as it lasts."""
        if not (contact.burns and self._is_fireproof(body)):
            self._world.vitals.hurt(body, contact.amount, contact.cause)
        again = partial(self._bite_again, body, contact)
        body.contact_ticket = self._world.agenda.add(
            self._world.tick + contact.every, Phase.CONTACT, body.index, again
        )

    def _bite_again(self, body: Body, contact: Contact) -> None:
        self.review(body)  # it may be leaving at this very tick
        if body.contact == contact:
            self._bite(body, contact)

    def _drift(self, body: Body) -> None:
        """What carries along takes whoever does not walk to the next cell, and on from there, if there is room."""
        tick = self._world.tick
        if body.contact is None or body.contact.push is None or body.is_moving(tick) or body.health <= 0:
            return
        here = body.at(tick)
        x, y, z = nearest_cell(here)
        dx, dy, dz = body.contact.push
        there = (x + dx, y + dy, z + dz)
        if self._world.terrain.can_stand(there):
            self._world.walk(body, [here, there], PUSH_BPS)

    # --- fire

    def _is_fireproof(self, body: Body) -> bool:
        return "fire_resistance" in body.effects

    def _catch_fire(self, body: Body) -> None:
        self._put_out(body)
        body.burning_until = self._world.tick + BURNING_TICKS
        self._plan_burn(body)

    def _put_out(self, body: Body) -> None:
        body.burning_until = 0
        if body.burn_ticket is not None:
            body.burn_ticket.cancel()

    def _plan_burn(self, body: Body) -> None:
        tick = self._world.tick + BURN_INTERVAL
        if tick <= body.burning_until:
            body.burn_ticket = self._world.agenda.add(
                tick, Phase.CONTACT, body.index, partial(self._burn, body)
            )

    def _burn(self, body: Body) -> None:
        in_lava = body.contact is not None and body.contact.burns
        if not in_lava and not self._is_fireproof(body):
            self._world.vitals.hurt(body, 1, "burning")
        self._plan_burn(body)

    # --- regions

    def _stay(self, body: Body, regions: frozenset[str]) -> None:
        """An effect of a region lasts as long as one stays in it."""
        left, came = body.regions - regions, regions - body.regions
        body.regions = regions
        for region in sorted(left):
            for effect in self._zones[region].effects:
                self._world.vitals.take(body, effect.type, region)
        for region in sorted(came):
            for effect in self._zones[region].effects:
                ticks = None if effect.seconds is None else round(effect.seconds * TICKS_PER_STEP)
                self._world.vitals.give(body, effect.type, effect.amplifier, ticks, region)
