"""Conditions of `success` and `when`: whether they hold, and how far they are met (SPEC section 7).

Both are read off the state that the log tells, and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from engine.episode.state import WorldState
from engine.spec.model import (
    AgentArea,
    AgentItemCount,
    BlockCount,
    Condition,
    EntityCount,
    EntitySelector,
    ItemCount,
)
from engine.world.geometry import TICKS_PER_STEP, is_within, nearest_cell

Amount = tuple[float, float]
"""How much there is, and how much is needed; met when there is no less."""


def all_hold(conditions: Iterable[Condition], state: WorldState, tick: int) -> bool:
    """Whether every one of the conditions holds."""
    return all(holds(condition, state, tick) for condition in conditions)


def holds(condition: Condition, state: WorldState, tick: int) -> bool:
    """Whether the condition holds at the tick."""
    have, need = amount(condition, state, tick)
    return have >= need


def amount(condition: Condition, state: WorldState, tick: int) -> Amount:
    """How far the condition is met."""
    kind = condition.kind
    value = getattr(condition, "not_" if kind == "not" else kind)
    return _AMOUNTS[kind](value, state, tick)


def _alive(state: WorldState) -> int:
    return sum(agent.alive for agent in state.agents.values())


def _all_alive(_: bool, state: WorldState, __: int) -> Amount:
    return _alive(state), len(state.agents)


def _alive_at_least(count: int, state: WorldState, _: int) -> Amount:
    return _alive(state), count


def _chest_contains(wanted: ItemCount, state: WorldState, _: int) -> Amount:
    return sum(chest.get(wanted.item, 0) for chest in state.chests.values()), wanted.count


def _inventory_contains(wanted: AgentItemCount, state: WorldState, _: int) -> Amount:
    carriers = [agent for agent in state.agents.values() if wanted.agent in (None, agent.name)]
    return sum(agent.inventory.get(wanted.item, 0) for agent in carriers), wanted.count


def _entity_dead(selector: EntitySelector, state: WorldState, _: int) -> Amount:
    """One of the selected mobs has been killed."""
    return min(1, _killed(selector, state)), 1


def _entities_dead(wanted: EntityCount, state: WorldState, _: int) -> Amount:
    """So many have been killed; without a count, every one that has ever been there, and at least one."""
    known = sum(_fits(wanted, mob.entity, mob.role) for mob in state.mobs.values())
    return _killed(wanted, state), wanted.count or max(1, known)


def _killed(selector: EntitySelector, state: WorldState) -> int:
    return sum(mob.killed and _fits(selector, mob.entity, mob.role) for mob in state.mobs.values())


def _fits(selector: EntitySelector, entity: str, role: str) -> bool:
    return selector.entity in (None, entity) and selector.role in (None, role)


def _blocks_placed(wanted: BlockCount, state: WorldState, _: int) -> Amount:
    """Blocks that agents placed and that still stand."""
    return sum(wanted.block in (None, state.placed[cell].block) for cell in state.built), wanted.count


def _agent_in_area(wanted: AgentArea, state: WorldState, tick: int) -> Amount:
    low, high = wanted.area.min, wanted.area.max
    inside = [
        agent.name
        for agent in state.agents.values()
        if agent.alive and is_within(low, nearest_cell(agent.at(tick)), high)
    ]
    if wanted.agent is not None:
        return float(wanted.agent in inside), 1
    return len(inside), wanted.count or max(1, _alive(state))


def _step_reached(step: int, _: WorldState, tick: int) -> Amount:
    return tick / TICKS_PER_STEP, step


def _all(conditions: list[Condition], state: WorldState, tick: int) -> Amount:
    return sum(holds(one, state, tick) for one in conditions), len(conditions)


def _any(conditions: list[Condition], state: WorldState, tick: int) -> Amount:
    return float(any(holds(one, state, tick) for one in conditions)), 1


def _not(condition: Condition, state: WorldState, tick: int) -> Amount:
    return float(not holds(condition, state, tick)), 1


_AMOUNTS: dict[str, Callable[[Any, WorldState, int], Amount]] = {
    "all_alive": _all_alive,
    "alive_at_least": _alive_at_least,
    "chest_contains": _chest_contains,
    "inventory_contains": _inventory_contains,
    "entity_dead": _entity_dead,
    "entities_dead": _entities_dead,
    "blocks_placed": _blocks_placed,
    "agent_in_area": _agent_in_area,
    "step_reached": _step_reached,
    "all": _all,
    "any": _any,
    "not": _not,
}
