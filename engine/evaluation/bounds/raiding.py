"""The bound for raid_boss: the damage that the team can do to the bosses in the time that there is."""

from __future__ import annotations

from collections import Counter

from engine.evaluation.bounds.limits import as_effects, gap, top_speed, walk_ticks
from engine.spec.model import Agent, Hostile, TaskSpec
from engine.world import combat
from engine.world.geometry import ATTACK_REACH, TICKS_PER_STEP


def raid_bound(spec: TaskSpec) -> float:
    """The mean of somebody alive and the share of the bosses' health that can be taken from them.

    Every agent hits a boss from the moment at which the two can have come together, if they run at each other, until
    the end; with the best weapon of the whole task that is free, since weapons can change hands through chests and when
    their owners die, but each at one time in one hand; with the best effects all the time. Left out, and so in the
    agents' favour: that they can die or are hindered, minions, obstacles, and that a blow must be begun anew.
    """
    difficulty = spec.environment.world.difficulty
    bosses = [hostile for hostile in spec.environment.entities.hostiles if hostile.role == "boss"]
    health = [
        combat.mob(boss.entity, difficulty).health if boss.health is None else boss.health for boss in bosses
    ]
    if not bosses or sum(health) <= 0:
        return 1.0
    taken = _most_damage(spec, bosses, health)
    return (1 + min(1.0, taken / sum(health))) / 2


def _most_damage(spec: TaskSpec, bosses: list[Hostile], health: list[float]) -> float:
    """The optimum of a transport problem: ticks of agents with weapons on bosses."""
    from ortools.linear_solver import pywraplp

    end = spec.environment.max_steps * TICKS_PER_STEP
    solver = pywraplp.Solver.CreateSolver("GLOP")
    by_boss: list[list[object]] = [[] for _ in bosses]
    by_weapon: dict[str, list[object]] = {}
    for agent in spec.agents.spawn:
        own: list[object] = []
        for number, boss in enumerate(bosses):
            left = max(0, end - _meeting(spec, agent, boss))
            spent = []
            for weapon in _arsenal(spec):
                ticks = solver.NumVar(0, left, "")
                by_boss[number].append(ticks * _damage_a_tick(spec, agent, boss, weapon))
                by_weapon.setdefault(weapon, []).append(ticks)
                spent.append(ticks)
            own += spent
            solver.Add(solver.Sum(spent) <= left)
        solver.Add(solver.Sum(own) <= end)
    for weapon, ticks in by_weapon.items():
        if weapon:
            solver.Add(solver.Sum(ticks) <= end * _arsenal(spec)[weapon])
    dealt = [solver.NumVar(0, each, "") for each in health]
    for number, share in enumerate(dealt):
        solver.Add(share <= solver.Sum(by_boss[number]))
    solver.Maximize(solver.Sum(dealt))
    solver.Solve()
    return float(solver.Objective().Value()) * (1 + 1e-7)  # the solver's tolerance


def _meeting(spec: TaskSpec, agent: Agent, boss: Hostile) -> int:
    """Ticks before the two can be within reach of each other."""
    way = gap(agent.position, boss.position, ATTACK_REACH)
    return walk_ticks(way, top_speed(spec, agent) + boss.speed_bps)


def _arsenal(spec: TaskSpec) -> Counter[str]:
    """How many of each weapon there are in the task; the empty name is the bare hand."""
    weapons = Counter({"": len(spec.agents.spawn)})
    for holder in (*(agent.inventory for agent in spec.agents.spawn), *(c.items for c in spec.all_chests)):
        for item, stack in holder.items():
            if item in combat.WEAPONS:
                weapons[item] += stack.count
    return weapons


def _damage_a_tick(spec: TaskSpec, agent: Agent, boss: Hostile, item: str) -> float:
    """At most: hit n lands no earlier than n cooldowns after the first moment in reach."""
    weapon = combat.weapon(item or None)
    effects = as_effects(spec, "haste", "strength")
    damage = combat.attack_damage(weapon.damage, effects)
    rate = weapon.attacks_per_second * combat.attack_rate_factor(effects)
    multiplier = agent.capabilities.damage_multipliers.get(boss.entity, 1.0)
    return damage * rate * multiplier / TICKS_PER_STEP
