"""Health, damage and status effects of agents.

Figures come from `engine.world.combat`. There is no hunger and no natural regeneration (SPEC section 3).
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from engine.events import payloads
from engine.simulator.agenda import Phase
from engine.simulator.body import ActiveEffect, Body
from engine.world import combat

if TYPE_CHECKING:
    from engine.simulator.world import SimulatedWorld


class Vitals:
    """What makes agents of a simulated world weaker or stronger."""

    def __init__(self, world: SimulatedWorld) -> None:
        self._world = world

    def hurt(self, body: Body, amount: float, cause: str, *, armour: bool = False) -> None:
        """Take health away; armour helps against blows only. At 0 the agent dies at the end of the tick."""
        if armour:
            amount = combat.after_armour(amount, body.inventory)
        if "resistance" in body.effects:
            amount *= combat.resistance_factor(body.effects["resistance"].amplifier)
        if amount > 0 and body.alive and body.health > 0:
            absorbed = min(amount, body.absorption)
            body.absorption -= absorbed
            self._change(body, -min(amount - absorbed, body.health), cause)
            if body.health <= 0:
                self._world.agenda.add(
                    self._world.tick, Phase.DEATHS, body.index, partial(self._world.die, body, cause)
                )

    def heal(self, body: Body, amount: float, cause: str) -> None:
        """Give health back, up to the most that the agent can have."""
        amount = min(amount, body.max_health - body.health)
        if amount > 0 and body.alive and body.health > 0:
            self._change(body, amount, cause)

    def _change(self, body: Body, delta: float, cause: str) -> None:
        body.health = round(body.health + delta, 6)
        self._world.emit(
            payloads.AgentHealthChanged(
                agent=body.name,
                health=body.health,
                delta=round(delta, 6),
                absorption=round(body.absorption, 6),
                cause=cause,
            )
        )

    def give(self, body: Body, effect: str, amplifier: int, ticks: int | None) -> None:
        """Begin an effect for so many ticks (None: for good). A weaker one does not replace a stronger one."""
        if not body.alive or self._is_instant(body, effect, amplifier):
            return
        now = self._world.tick
        until = None if ticks is None else now + ticks
        old = body.effects.get(effect)
        if old is not None and (old.amplifier, _end(old.until)) > (amplifier, _end(until)):
            return
        self._forget(body, effect)
        active = body.effects[effect] = ActiveEffect(amplifier, until)
        if until is not None:
            end = partial(self.take, body, effect)
            active.tickets.append(self._world.agenda.add(until, Phase.CONTACT, body.index, end))
        self._world.emit(
            payloads.EffectChanged(agent=body.name, effect=effect, amplifier=amplifier, until_tick=until)
        )
        if effect == "absorption":
            body.absorption = combat.absorbed(amplifier)
        self._beat(body, effect, active)
        self._world.adjust_speed(body)

    def take(self, body: Body, effect: str) -> None:
        """End an effect."""
        if effect not in body.effects:
            return
        self._forget(body, effect)
        if effect == "absorption":
            body.absorption = 0.0
        self._world.emit(
            payloads.EffectChanged(agent=body.name, effect=effect, amplifier=None, until_tick=None)
        )
        self._world.adjust_speed(body)

    def _forget(self, body: Body, effect: str) -> None:
        active = body.effects.pop(effect, None)
        for ticket in active.tickets if active else ():
            ticket.cancel()

    def _is_instant(self, body: Body, effect: str, amplifier: int) -> bool:
        amount = combat.instant(effect, amplifier)
        if amount > 0:
            self.heal(body, amount, effect)
        elif amount < 0:
            self.hurt(body, -amount, effect)
        return amount != 0

    def _beat(self, body: Body, effect: str, active: ActiveEffect) -> None:
        """Plan the next time that an effect which works over time does so."""
        pulse = combat.pulse(effect, active.amplifier)
        if pulse is None:
            return
        tick = self._world.tick + pulse.interval
        if active.until is None or tick <= active.until:
            call = partial(self._pulse, body, effect, active)
            active.tickets.append(self._world.agenda.add(tick, Phase.CONTACT, body.index, call))

    def _pulse(self, body: Body, effect: str, active: ActiveEffect) -> None:
        pulse = combat.pulse(effect, active.amplifier)
        if pulse is None or not body.alive:
            return
        if pulse.amount > 0:
            self.heal(body, pulse.amount, effect)
        elif body.health - pulse.floor > 0:
            self.hurt(body, min(-pulse.amount, body.health - pulse.floor), effect)
        self._beat(body, effect, active)


def _end(until: int | None) -> float:
    return float("inf") if until is None else until
