"""The scripted planner in raid_boss: everyone fights what it is good at, and heals in good time."""

from __future__ import annotations

import math

from engine.llm.scripted.situation import Enemy, Member, Situation
from engine.llm.scripted.tasks import Task, fetch
from engine.world import combat
from engine.world.geometry import Cell

HURT_SHARE = 0.5
HEALING = (
    "strong_healing_potion",
    "healing_potion",
    "enchanted_golden_apple",
    "golden_apple",
    "regeneration_potion",
)
"""What heals, the quickest first."""
ROUNDS = 3
"""Fights that a plan holds, one after the other."""
LOST = 6
"""Steps after which an enemy that was not seen again counts as lost."""
NEAR = 8.0
"""An enemy nearer than this is fought before one that is farther away."""


def plan(situation: Situation) -> dict[str, list[Task]]:
    """Tasks for each member."""
    return {member.name: _tasks(situation, member) for member in situation.members}


def _tasks(situation: Situation, member: Member) -> list[Task]:
    tasks = _heal(situation, member) if member.health < HURT_SHARE * member.max_health else []
    weapon = combat.best_weapon(member.inventory)
    if weapon is not None and member.held != weapon:
        tasks.append(("equip_item", {"item": weapon}, "the best weapon"))
    kinds = _kinds(situation, member)
    if not kinds:
        return [*tasks, *_search(situation, member)]
    kinds = (kinds * ROUNDS)[:ROUNDS]
    return [*tasks, *(("attack", {"entity_type": kind}, f"fight the {kind}") for kind in kinds)]


def _kinds(situation: Situation, member: Member) -> list[str]:
    """Kinds of enemies that are known, those that the agent is best at first."""
    known = [enemy for enemy in situation.enemies if situation.step - enemy.seen <= LOST]
    worth: dict[str, float] = {}
    for enemy in known:
        worth[enemy.kind] = max(worth.get(enemy.kind, 0.0), _worth(situation, member, enemy))
    return sorted(worth, key=lambda kind: (-worth[kind], kind))


def _worth(situation: Situation, member: Member, enemy: Enemy) -> float:
    multiplier = member.damage_multipliers.get(enemy.kind, 1.0)
    is_boss = enemy.kind in situation.facts.get("bosses", ())
    is_near = math.dist(member.position, enemy.position) <= NEAR
    return multiplier * (1.5 if is_boss else 1.0) * (1.5 if is_near else 1.0)


def _heal(situation: Situation, member: Member) -> list[Task]:
    for item in HEALING:
        if member.inventory.get(item):
            return [("use_item", {"item": item}, "heal")]
    for chest, item in _remedies(situation):
        if math.dist(chest, member.position) <= 2 * member.perception_range:
            return [fetch(chest, {item: 1}, "something that heals"), ("use_item", {"item": item}, "heal")]
    return []


def _remedies(situation: Situation) -> list[tuple[Cell, str]]:
    return [(chest, item) for chest, items in situation.chests.items() for item in HEALING if items.get(item)]


def _search(situation: Situation, member: Member) -> list[Task]:
    """Towards where an enemy was seen last, else to where the others began: the fight cannot be far."""
    last = max(situation.enemies, key=lambda enemy: enemy.seen, default=None)
    if last is not None:
        place = [round(last.position[0]), 64, round(last.position[2])]
    else:
        number = int(situation.step // 5) + situation.team.index(member.name)
        place = [round(8 * math.cos(number * 2.4)), 64, round(8 * math.sin(number * 2.4))]
    return [("move_to", {"target_pos": place}, "look for the enemy")]
