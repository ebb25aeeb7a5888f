"""The planning oracle for raid_boss.

Whenever an enemy comes or goes it is planned for the whole team whom each is to fight over the next seconds, so that
the enemies do least harm. Against a last enemy the blows are taken in turns: whoever would soon be dead steps back and
lets a stronger comrade be hit. Where the team wins anyway, the greedy oracle's rules do.
"""

from __future__ import annotations

from engine.agents.oracles.planning.targets import Fighter, Foe, plan_targets
from engine.agents.oracles.raiding import GreedyRaider, _remedy, _strength
from engine.agents.plans import Plan
from engine.agents.policy import Call, Moment, Reply
from engine.episode.state import AgentState, MobState, WorldState
from engine.events.payloads import AgentDied, MobDespawned, MobDied, MobSpawned, Payload
from engine.spec.model import TaskSpec
from engine.world import combat
from engine.world.geometry import ATTACK_REACH, Cell, distance, nearest_cell
from engine.world.terrain import GROUND_Y

EFFORT = 0.05
"""OR-Tools' deterministic seconds for one plan."""
SLOT_SECONDS = 1.0
TURN_SECONDS = 0.7
"""What going for another enemy costs beside walking: blows begin anew."""
MAX_FOES = 12
MAX_FIGHTERS = 12
"""Larger problems are left to the greedy oracle."""
TOUCH = 3.0
"""An enemy this near is hitting, or about to."""
LAST_BLOWS = 2
"""Whoever would be dead after so many blows more steps back."""
MARGIN = 2.0
"""So many times as long as its victory takes the team must be able to stand the blows, or else it needs a plan."""
AT_HAND = 4.0
"""A comrade this near to an enemy is hunted next."""
BACK = 6.0
"""Blocks that one steps back."""


class PlanningRaider(GreedyRaider):
    """Plans whom each is to fight, and takes the blows in turns, where the team would not win anyway."""

    hears = frozenset({AgentDied, MobDespawned, MobDied, MobSpawned})

    def __init__(self, spec: TaskSpec, state: WorldState) -> None:
        super().__init__(spec, state)
        self._speeds: dict[int, float] = {}
        self._targets: dict[str, int] = {}
        self._fights: dict[str, str] = {}
        self._is_stale = True

    def follow(self, tick: int, payload: Payload) -> None:  # noqa: ARG002 - of all policies
        """Note what makes the plan out of date, and how fast enemies are."""
        if isinstance(payload, MobSpawned):
            self._speeds[payload.mob] = payload.speed_bps
        self._is_stale = True

    def calls(self, moment: Moment) -> list[Call]:
        """Decide for whoever is free, badly hurt, or had better fight another enemy now."""
        if self._is_stale:
            self._is_stale = False
            self._plan(moment.tick)
        self._healing -= set(moment.idle)
        hurt = [name for name in moment.busy if self._must_heal(self._state.agents[name], moment.tick)]
        turning = [name for name in moment.busy if name not in hurt and self._must_turn(name)]
        agents = (*moment.idle, *hurt, *turning)
        if not agents:
            return []
        turned = Moment(moment.tick, (*moment.idle, *turning), moment.busy)
        return [Call(agents, lambda: Reply(self._decide(turned, hurt)))]

    # --- whom to fight

    def _plan(self, tick: int) -> None:
        self._targets = {}
        foes = self._living()
        agents = [agent for agent in self._state.agents.values() if agent.alive]
        if (
            self._is_winning()
            or len(foes) < 2
            or len(foes) > MAX_FOES
            or not agents
            or len(agents) > MAX_FIGHTERS
        ):
            return
        fighters = {agent.name: self._fighter(agent, foes, tick) for agent in agents}
        numbers = [mob.number for mob in foes]
        chosen = {agent.name: super(PlanningRaider, self)._choose(agent, tick) for agent in agents}
        hint = {name: numbers.index(mob.number) for name, mob in chosen.items() if mob}
        plan = plan_targets(fighters, [self._foe(mob) for mob in foes], hint, EFFORT)
        self._targets = {name: numbers[foe] for name, foe in (plan or {}).items()}

    def _foe(self, mob: MobState) -> Foe:
        decides = mob.role == "boss" and self._boss_decides
        return Foe(mob.health, max(mob.damage, 0.1) * SLOT_SECONDS, decides)

    def _fighter(self, agent: AgentState, foes: list[MobState], tick: int) -> Fighter:
        rates, first = [], []
        for mob in foes:
            rate = _strength(agent, mob)
            way = max(0.0, distance(agent.at(tick), mob.at(tick)) - ATTACK_REACH)
            walk = way / (agent.speed_bps + self._speeds[mob.number])
            is_new = self._fights.get(agent.name, mob.entity) != mob.entity
            rates.append(rate * SLOT_SECONDS)
            first.append(rate * max(0.0, SLOT_SECONDS - walk - (TURN_SECONDS if is_new else 0.0)))
        return Fighter(rates, first)

    def _choose(self, agent: AgentState, tick: int) -> MobState | None:
        mob = self._state.mobs.get(self._targets.get(agent.name, 0))
        if mob is None or not mob.alive or mob.health <= 0:
            mob = super()._choose(agent, tick)
        if mob is not None:
            self._fights[agent.name] = mob.entity
        return mob

    def _must_turn(self, name: str) -> bool:
        """Whether the plan wants a busy agent to fight another kind of enemy than it does."""
        mob = self._state.mobs.get(self._targets.get(name, 0))
        if mob is None or not mob.alive or mob.health <= 0 or name in self._healing:
            return False
        return self._fights.get(name) != mob.entity

    # --- taking turns

    def _must_heal(self, agent: AgentState, tick: int) -> bool:
        return super()._must_heal(agent, tick) or self._refuge(agent, tick) is not None

    def _heal(self, agent: AgentState, tick: int) -> Plan | None:
        refuge = self._refuge(agent, tick)
        if refuge is None:
            return super()._heal(agent, tick)
        actions: list[tuple[str, dict[str, object]]] = [("move_to", {"target_pos": list(refuge)})]
        if remedy := _remedy(agent.inventory):
            actions.append(("use_item", {"item": remedy}))
        return self._planner.plan(agent.name, "let somebody else take the blows", *actions)

    def _refuge(self, agent: AgentState, tick: int) -> Cell | None:
        """Where to step back to, if the agent will soon be dead and a stronger comrade can take the blows.

        Only from a last enemy that is slower: among several, stepping back costs more than it saves.
        """
        foes = self._living()
        if len(foes) != 1 or agent.name in self._healing or agent.speed_bps <= self._speeds[foes[0].number]:
            return None
        here, there = agent.at(tick), foes[0].at(tick)
        last_blows = LAST_BLOWS * combat.after_armour(foes[0].damage, agent.inventory)
        away = distance(here, there)
        others = [other for other in self._state.agents.values() if other.alive and other is not agent]
        if (
            not agent.health <= last_blows
            or away > TOUCH
            or any(distance(other.at(tick), there) < away for other in others)
            or not any(
                other.health > last_blows and distance(other.at(tick), there) <= AT_HAND for other in others
            )
            or self._is_winning()
        ):
            return None
        share = BACK / (away or 1.0)
        x, z = (here[axis] + (here[axis] - there[axis]) * share for axis in (0, 2))
        cell = nearest_cell((x, GROUND_Y + 1, z))
        return cell if self._state.terrain.can_stand(cell) else None

    # --- how it stands

    def _is_winning(self) -> bool:
        """Whether the team, if everybody just goes on hitting, will have won long before it is beaten."""
        team = [agent for agent in self._state.agents.values() if agent.alive]
        foes = self._living()
        wanted = [mob for mob in foes if mob.role == "boss"] if self._boss_decides else foes
        harm = sum(mob.damage for mob in foes)
        seconds = sum(mob.health / max(0.1, sum(_strength(agent, mob) for agent in team)) for mob in wanted)
        return MARGIN * seconds * harm <= sum(agent.health for agent in team)
