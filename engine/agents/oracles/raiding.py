"""The greedy oracle for raid_boss.

Everyone fights what it can hurt most, with its best weapon: minions that are close first, then the boss. Whoever is
badly hurt drinks what heals, out of its own bag or a chest's.
"""

from __future__ import annotations

from engine.agents.oracles.common import Planner, walk_ticks
from engine.agents.plans import Plan
from engine.agents.policy import Call, Moment, Reply
from engine.episode.state import AgentState, MobState, WorldState
from engine.events.payloads import Payload
from engine.spec.model import TaskSpec
from engine.world import combat
from engine.world.geometry import BLOCK_REACH, Cell, distance, nearest_cell

HURT_SHARE = 0.4
"""Below this share of its health an agent looks for something that heals."""
CLOSE = 5.0
"""A minion this near is fought before the boss."""
HEALING = (
    "strong_healing_potion",
    "healing_potion",
    "enchanted_golden_apple",
    "golden_apple",
    "regeneration_potion",
)
"""What heals, the quickest first."""


class GreedyRaider:
    """Implements `engine.agents.policy.Policy`."""

    def __init__(self, spec: TaskSpec, state: WorldState) -> None:
        self._state = state
        self._planner = Planner()
        self._held = {agent.name: next(iter(agent.inventory), None) for agent in spec.agents.spawn}
        self._healing: set[str] = set()

    def follow(self, tick: int, payload: Payload) -> None:
        """Nothing: the state that it reads is kept by the episode."""

    def calls(self, moment: Moment) -> list[Call]:
        """Decide for whoever is free or in danger, without taking any time."""
        self._healing -= set(moment.idle)
        hurt = [name for name in moment.busy if self._must_heal(name)]
        if not moment.idle and not hurt:
            return []
        return [Call((*moment.idle, *hurt), lambda: Reply(self._decide(moment, hurt)))]

    def _decide(self, moment: Moment, hurt: list[str]) -> dict[str, Plan]:
        plans = {}
        for name in (*moment.idle, *hurt):
            agent = self._state.agents[name]
            plan = self._heal(agent, moment.tick) if self._must_heal(name) else None
            if plan is None and name in moment.idle:
                plan = self._fight(agent, moment.tick)
            if plan is not None:
                plans[name] = plan
        return plans

    # --- healing

    def _must_heal(self, name: str) -> bool:
        agent = self._state.agents[name]
        return agent.alive and name not in self._healing and agent.health < HURT_SHARE * agent.max_health

    def _heal(self, agent: AgentState, tick: int) -> Plan | None:
        own = next((item for item in HEALING if agent.inventory.get(item)), None)
        if own is not None:
            self._healing.add(agent.name)
            return self._planner.plan(agent.name, "heal", ("use_item", {"item": own}))
        nearest = self._nearest_remedy(agent, tick)
        if nearest is None:
            return None
        chest, item = nearest
        self._healing.add(agent.name)
        take = ("get_from_chest", {"chest_pos": list(chest), "items": [item], "quantities": [1]})
        return self._planner.plan(
            agent.name, "fetch something that heals", take, ("use_item", {"item": item})
        )

    def _nearest_remedy(self, agent: AgentState, tick: int) -> tuple[Cell, str] | None:
        best: tuple[float, Cell, str] | None = None
        for chest, items in self._state.chests.items():
            item = next((one for one in HEALING if items.get(one)), None)
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
        living = [mob for mob in self._state.mobs.values() if mob.alive and mob.health > 0]
        if not living:
            return None
        here = agent.at(tick)

        def rank(mob: MobState) -> tuple[bool, float, float, int]:
            away = distance(here, mob.at(tick))
            threat = mob.role == "minion" and away <= CLOSE
            strength = agent.damage_multipliers.get(mob.entity, 1.0)
            if mob.role == "boss":
                strength *= 1.5
            return threat, strength, -away, -mob.number

        return max(living, key=rank)
