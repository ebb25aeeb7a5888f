"""Health, damage and status effects of agents.

Figures come from `engine.world.combat`. There is no hunger and no natural regeneration (SPEC section 3).
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from engine.events import payloads
from engine.simulator.agenda import Phase
from engine.simulator.body import ActiveEffect, Body, Grant
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
            amount *= combat.resistance_factor(body.amplifiers["resistance"])
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

    # --- effects

    def give(self, body: Body, effect: str, amplifier: int, ticks: int | None, source: str = "") -> None:
        """Grant an effect for so many ticks (None: for good, or until `source` takes it).

        Of several grants the strongest is at work; a weaker one that lasts longer shows when that is over, as in
        Minecraft.
        """
        if not body.alive or self._is_instant(body, effect, amplifier):
            return
        grant = Grant(source, amplifier, None if ticks is None else self._world.tick + ticks)
        grants = body.grants.setdefault(effect, [])
        if not any(_covers(old, grant) for old in grants):
            grants[:] = [old for old in grants if not _covers(grant, old)] + [grant]
            self._choose(body, effect)

    def take(self, body: Body, effect: str, source: str) -> None:
        """End what the source granted of an effect."""
        body.grants[effect] = [grant for grant in body.grants.get(effect, []) if grant.source != source]
        self._choose(body, effect)

    def forget_all(self, body: Body) -> None:
        """The dead have no effects."""
        for active in body.effects.values():
            active.cancel()
        body.effects.clear()
        body.grants.clear()

    def _choose(self, body: Body, effect: str) -> None:
        """Put the strongest grant that is left to work."""
        now = self._world.tick
        left = [grant for grant in body.grants[effect] if grant.until is None or grant.until > now]
        body.grants[effect] = left
        best = max(left, key=lambda grant: grant.strength, default=None)
        active = body.effects.get(effect)
        if best is (active.grant if active else None):
            return
        if active is not None:
            active.cancel()
            del body.effects[effect]
        if best is not None:
            self._begin(body, effect, best)
        if effect == "absorption":
            body.absorption = combat.absorbed(best.amplifier) if best else 0.0
        self._world.emit(
            payloads.EffectChanged(
                agent=body.name,
                effect=effect,
                amplifier=best.amplifier if best else None,
                until_tick=best.until if best else None,
            )
        )
        self._world.adjust_speed(body)

    def _begin(self, body: Body, effect: str, grant: Grant) -> None:
        active = body.effects[effect] = ActiveEffect(grant)
        if grant.until is not None:
            end = partial(self._end, body, effect, active)
            active.end_ticket = self._world.agenda.add(grant.until, Phase.CONTACT, body.index, end)
        self._plan_beat(body, effect, active)

    def _end(self, body: Body, effect: str, active: ActiveEffect) -> None:
        """An effect wears off, after it has worked for the last time."""
        if active.beat == self._world.tick:
            self._beat(body, effect, active)
        self._choose(body, effect)

    def _is_instant(self, body: Body, effect: str, amplifier: int) -> bool:
        amount = combat.instant(effect, amplifier)
        if amount > 0:
            self.heal(body, amount, effect)
        elif amount < 0:
            self.hurt(body, -amount, effect)
        return amount != 0

    def _plan_beat(self, body: Body, effect: str, active: ActiveEffect) -> None:
        """Plan the next time that an effect which works over time does so."""
        pulse = combat.pulse(effect, active.grant.amplifier)
        if pulse is None:
            return
        if active.beat_ticket is not None:
            active.beat_ticket.cancel()
        active.beat = self._world.tick + pulse.interval
        call = partial(self._beat, body, effect, active)
        active.beat_ticket = self._world.agenda.add(active.beat, Phase.CONTACT, body.index, call)

    def _beat(self, body: Body, effect: str, active: ActiveEffect) -> None:
        pulse = combat.pulse(effect, active.grant.amplifier)
        if pulse is None:
            return
        if pulse.amount > 0:
            self.heal(body, pulse.amount, effect)
        elif body.health > pulse.floor:
            self.hurt(body, min(-pulse.amount, body.health - pulse.floor), effect)
        self._plan_beat(body, effect, active)


def _covers(one: Grant, other: Grant) -> bool:
    """Whether a grant makes another of the same source superfluous."""
    return one.source == other.source and (
        one.amplifier >= other.amplifier and one.strength[1] >= other.strength[1]
    )
