"""The greedy oracle for raid_boss.

Everyone fights, with its best weapon, the enemy whose death spares the team most for the time it takes. Whoever is
badly hurt and out of the enemies' reach drinks what heals, out of its own bag or a chest's.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import ClassVar

from engine.agents.oracles.common import Planner, walk_ticks
from engine.agents.plans import Plan
from engine.agents.policy import Call, Moment, Policy, Reply
from engine.episode.state import AgentState, MobState, WorldState
from engine.events.payloads import Payload
from engine.spec.model import TaskSpec
from engine.world import combat
from engine.world.geometry import BLOCK_REACH, Cell, distance, nearest_cell

HURT_SHARE = 0.5
"""Below this share of its health an agent that no enemy is near looks for something that heals."""
NEAR = 4.0
"""An enemy this near is about to hit."""
SMALLEST = 0.1
"""Added to what a mob weighs, so that harmless ones are told apart as well."""
HEALING = (
    "strong_healing_potion",
    "healing_potion",
    "enchanted_golden_apple",
    "golden_apple",
    "regeneration_potion",
)
"""What heals, the quickest first."""


class GreedyRaider(Policy):
    """Everyone fights whom it pays most to kill."""

    hears: ClassVar[Collection[type[Payload]]] = ()

    def __init__(self, spec: TaskSpec, state: WorldState) -> None:
        self._state = state
        self._planner = Planner()
        self._held = {agent.name: next(iter(agent.inventory), None) for agent in spec.agents.spawn}
        self._boss_decides = spec.task.type == "raid_boss" and not spec.task.success
        self._healing: set[str] = set()

    def calls(self, moment: Moment) -> list[Call]:
        """Decide for whoever is free or badly hurt, without taking any time."""
        self._healing -= set(moment.idle)
        hurt = [name for name in moment.busy if self._must_heal(self._state.agents[name], moment.tick)]
        if not moment.idle and not hurt:
            return []
        return [Call((*moment.idle, *hurt), lambda: Reply(self._decide(moment, hurt)))]

    def _decide(self, moment: Moment, hurt: list[str]) -> dict[str, Plan]:
        plans = {}
        for name in (*moment.idle, *hurt):
            agent = self._state.agents[name]
            plan = self._heal(agent, moment.tick) if self._must_heal(agent, moment.tick) else None
            if plan is not None:
                self._healing.add(name)
            elif name in moment.idle:
                plan = self._fight(agent, moment.tick)
            if plan is not None:
                plans[name] = plan
        return plans

    def _living(self) -> list[MobState]:
        return [mob for mob in self._state.living.values() if mob.health > 0]

    # --- healing

    def _must_heal(self, agent: AgentState, tick: int) -> bool:
        """Whether the agent is badly hurt and nobody is about to hit it: enemies hurt faster than anything heals."""
        if agent.health >= HURT_SHARE * agent.max_health or agent.name in self._healing:
            return False
        here = agent.at(tick)
        return all(distance(here, mob.at(tick)) > NEAR for mob in self._living())

    def _heal(self, agent: AgentState, tick: int) -> Plan | None:
        own = _remedy(agent.inventory)
        if own is not None:
            return self._planner.plan(agent.name, "heal", ("use_item", {"item": own}))
        nearest = self._nearest_remedy(agent, tick)
        if nearest is None:
            return None
        chest, item = nearest
        take = ("get_from_chest", {"chest_pos": list(chest), "items": [item], "quantities": [1]})
        return self._planner.plan(
            agent.name, "fetch something that heals", take, ("use_item", {"item": item})
        )

    def _nearest_remedy(self, agent: AgentState, tick: int) -> tuple[Cell, str] | None:
        best: tuple[float, Cell, str] | None = None
        for chest, items in self._state.chests.items():
            item = _remedy(items)
            if item is None:
                continue
            walk = walk_ticks(self._state, agent, agent.at(tick), chest, BLOCK_REACH)
            if walk is not None and (best is None or walk < best[0]):
                best = (walk, chest, item)
        return None if best is None else best[1:]

    # --- fighting

    def _fight(self, agent: AgentState, tick: int) -> Plan | None:
        target = self._choose(agent, tick)
        if target is None:
            return None
        actions: list[tuple[str, dict[str, object]]] = []
        weapon = combat.best_weapon(agent.inventory)
        if weapon is not None and self._held[agent.name] != weapon:
            self._held[agent.name] = weapon
            actions.append(("equip_item", {"item": weapon}))
        there = nearest_cell(target.at(tick))
        if distance(agent.at(tick), target.at(tick)) > agent.perception_range:
            actions.append(("move_to", {"target_pos": list(there)}))
        actions.append(("attack", {"entity_type": target.entity}))
        return self._planner.plan(agent.name, f"fight the {target.entity}", *actions)

    def _choose(self, agent: AgentState, tick: int) -> MobState | None:
        """The mob whose death spares the team most for each second that it takes this agent.

        To kill first what does most damage for the time it takes is what keeps the damage taken in all least. A boss
        whose death ends the task weighs as much as all enemies together.
        """
        living = self._living()
        everything = sum(mob.damage for mob in living)
        here = agent.at(tick)
        dps = _dps(agent)

        def rank(mob: MobState) -> tuple[float, float, int]:
            away = distance(here, mob.at(tick))
            strength = dps * agent.damage_multipliers.get(mob.entity, 1.0)
            weight = everything if mob.role == "boss" and self._boss_decides else mob.damage
            seconds = away / agent.speed_bps + mob.health / max(strength, SMALLEST)
            return (weight + SMALLEST) / seconds, -away, -mob.number

        return max(living, key=rank, default=None)


def _dps(agent: AgentState) -> float:
    """Damage a second of the agent's best weapon, before multipliers."""
    return combat.weapon(combat.best_weapon(agent.inventory)).dps


def _strength(agent: AgentState, mob: MobState) -> float:
    """Damage a second of the agent to the mob."""
    return _dps(agent) * agent.damage_multipliers.get(mob.entity, 1.0)


def _remedy(items: Iterable[str]) -> str | None:
    """The quickest of the items that heals; None if none does."""
    carried = set(items)
    return next((item for item in HEALING if item in carried), None)
