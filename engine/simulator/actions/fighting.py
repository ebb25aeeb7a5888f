"""attack: follow a mob and hit it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from engine.agents.actions import Attack
from engine.simulator.actions.walking import stand
from engine.simulator.body import Body, Pause, Progress, Steps
from engine.simulator.mobs import Mob
from engine.world import combat
from engine.world.geometry import ATTACK_REACH, TICKS_PER_STEP, distance, nearest_cell, rounded_up
from engine.world.paths import find_way

if TYPE_CHECKING:
    from engine.simulator.world import SimulatedWorld

ATTACK_TICKS = 15 * TICKS_PER_STEP
"""An attack ends after this, whether its target is dead or not (paper)."""
CHASE_TICKS = 10
"""How often the way to a target that moves is planned anew."""


def attack(world: SimulatedWorld, body: Body, parameters: Attack, progress: Progress) -> Steps:
    """Follow and hit the nearest mob of the type until it is dead; `done` and `wanted` are its health in half hearts.

    Hit n lands n cooldowns after the first moment in reach, rounded up to a tick; whoever loses touch begins anew.
    """
    kind = parameters.entity_type
    mob = next((mob for mob in world.mobs_near(body, math.inf) if mob.entity == kind), None)
    if mob is None:
        yield from stand(world, 1)
        progress.blame("not_found", f"no {kind} in sight")
        return
    start_health = mob.health
    progress.wanted = math.ceil(start_health)
    progress.detail = f"the {kind} is dead"
    end = world.tick + ATTACK_TICKS
    touch, hits = world.tick, 0
    in_reach = False
    while mob.health > 0 and mob.number in world.mobs.living:
        if world.tick >= end:
            progress.blame("timeout", f"the {kind} is still alive after 15 s, with {mob.health:g} health")
            break
        if distance(body.at(world.tick), mob.at(world.tick)) > ATTACK_REACH:
            in_reach = False
            if not _follow(world, body, mob):
                progress.blame("unreachable", f"there is no way to the {kind}")
                break
            yield Pause(min(_next_look(world, body, mob), end))
            continue
        if not in_reach:
            in_reach, touch, hits = True, world.tick, 0
            world.stop(body)
        weapon = combat.weapon(body.held)
        cooldown = _cooldown(body, weapon)
        if world.tick >= touch + rounded_up((hits + 1) * cooldown):
            hits += 1
            world.mobs.hurt(mob, _blow(body, weapon, mob), body)
            progress.done = math.floor(start_health - mob.health)
            if mob.health <= 0:
                break
        yield Pause(min(touch + rounded_up((hits + 1) * cooldown), end))
    if mob.health > 0 and mob.number not in world.mobs.living:
        progress.blame("vanished", f"the {kind} is gone")
    elif mob.health <= 0:
        progress.done = progress.wanted


def _cooldown(body: Body, weapon: combat.Weapon) -> float:
    """Ticks from one hit to the next under the effects at work; if none can land, more than an attack lasts."""
    rate = weapon.attacks_per_second * combat.attack_rate_factor(body.amplifiers)
    return TICKS_PER_STEP / rate if rate else ATTACK_TICKS + 1


def _blow(body: Body, weapon: combat.Weapon, mob: Mob) -> float:
    """Health that one hit takes: the weapon's damage, changed by effects, times the agent's multiplier for the type."""
    damage = combat.attack_damage(weapon.damage, body.amplifiers)
    return damage * body.spec.capabilities.damage_multipliers.get(mob.entity, 1.0)


def _follow(world: SimulatedWorld, body: Body, mob: Mob) -> bool:
    here = body.at(world.tick)
    target = nearest_cell(mob.at(world.tick))
    points = find_way(world.terrain, here, target, ATTACK_REACH - 1)
    if points is None:
        return False
    if len(points) > 1:
        world.walk(body, points)
    return True


def _next_look(world: SimulatedWorld, body: Body, mob: Mob) -> int:
    """When the target may be in reach: at the latest when the way is planned anew."""
    motion = body.motion
    if motion is None:
        return world.tick + 1
    meet = motion.first_tick_within(mob.at(world.tick), ATTACK_REACH, world.tick + 1)
    return max(world.tick + 1, min(meet or motion.arrival, world.tick + CHASE_TICKS))
