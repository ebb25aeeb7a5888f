"""Success and partial score (SPEC sections 7 and 13), one class for each way of scoring.

A score reads the state that the log tells. It names checkpoints, and says when a task is won or lost for good.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from operator import attrgetter
from typing import ClassVar, Protocol

from engine.episode.state import AgentState, MobState, WorldState
from engine.evaluation.conditions import all_hold, amount
from engine.events.payloads import (
    AgentDied,
    Checkpoint,
    ChestChanged,
    MobDespawned,
    MobDied,
    MobHealthChanged,
    MobSpawned,
    Payload,
)
from engine.spec.model import Condition, ProgressiveFill, TaskSpec
from engine.spec.schedule import schedule
from engine.world import combat, rules
from engine.world.geometry import TICKS_PER_STEP, nearest_cell, rounded_up

AFTERMATH_STEPS = 10
"""How long agents must outlive the moment at which a crisis has covered its area (SPEC section 7)."""

Heard = Collection[type[Payload]] | None
"""Types of events; None for all."""


class Score(Protocol):
    """What a task counts.

    Attributes:
        hears: the types of events that can change figures or verdict before `end_tick`; None if time alone can.
    """

    hears: ClassVar[Heard]

    @property
    def end_tick(self) -> int:
        """The tick at which the episode ends at the latest."""

    def checkpoints(self, tick: int) -> list[Checkpoint]:
        """The figures now, in a fixed order."""

    def verdict(self, tick: int) -> bool | None:
        """True if the task is won, False if it is lost for good, None while it is open. Never None at `end_tick`."""


def completion(checkpoint: Checkpoint) -> float:
    """How far a checkpoint has come, 0 to 1."""
    if checkpoint.need <= 0:
        return 1.0
    return min(1.0, max(0.0, checkpoint.have / checkpoint.need))


def partial_score(checkpoints: list[Checkpoint]) -> float:
    """Mean completion over the checkpoints (SPEC section 7)."""
    return sum(map(completion, checkpoints)) / len(checkpoints)


def needed_items(spec: TaskSpec) -> dict[str, int]:
    """Items that the targets ask for: blocks wanted times the block's drop, added up by item (SPEC section 11)."""
    needed: dict[str, int] = {}
    for target in spec.task.targets:
        for item in rules.block(target.block).drops[:1]:
            needed[item] = needed.get(item, 0) + target.count
    return needed


_is_alive = attrgetter("alive")


class _Base:
    hears: ClassVar[Heard] = None

    def __init__(self, spec: TaskSpec, state: WorldState) -> None:
        self._spec = spec
        self._state = state
        self.end_tick = spec.environment.max_steps * TICKS_PER_STEP

    @property
    def _living(self) -> list[AgentState]:
        return [agent for agent in self._state.agents.values() if agent.alive]

    @property
    def _does_anybody_live(self) -> bool:
        return any(map(_is_alive, self._state.agents.values()))

    def _open(self, tick: int) -> bool | None:
        """The verdict on a task that is not won: lost when nobody lives or time is up."""
        return None if self._does_anybody_live and tick < self.end_tick else False


class MineScore(_Base):
    """mine_vanishing_blocks: the chests hold the drops of every target in its count."""

    hears: ClassVar[Heard] = (ChestChanged, AgentDied)

    def __init__(self, spec: TaskSpec, state: WorldState) -> None:
        super().__init__(spec, state)
        self._needed = needed_items(spec)

    def checkpoints(self, tick: int) -> list[Checkpoint]:  # noqa: ARG002 - of all scores
        """One for each item: how many lie in chests, of how many wanted."""
        return [
            Checkpoint(name=f"deposit {item}", have=self._stored(item), need=need)
            for item, need in self._needed.items()
        ]

    def _stored(self, item: str) -> int:
        return sum(chest.get(item, 0) for chest in self._state.chests.values())

    def verdict(self, tick: int) -> bool | None:
        """Won as soon as every quota is met."""
        if all(self._stored(item) >= need for item, need in self._needed.items()):
            return True
        return self._open(tick)


class RaidScore(_Base):
    """raid_boss: every boss is dead, and somebody lives to tell."""

    hears: ClassVar[Heard] = (MobSpawned, MobHealthChanged, MobDied, MobDespawned, AgentDied)

    def __init__(self, spec: TaskSpec, state: WorldState) -> None:
        super().__init__(spec, state)
        difficulty = spec.environment.world.difficulty
        bosses = [hostile for hostile in spec.environment.entities.hostiles if hostile.role == "boss"]
        self._health = sum(
            combat.mob(boss.entity, difficulty).health if boss.health is None else boss.health
            for boss in bosses
        )
        self._health = round(self._health, 6)
        self._count = len(bosses)
        self._known: list[MobState] = []
        self._looked_at = 0

    @property
    def _bosses(self) -> list[MobState]:
        """Those of the task's beginning; whoever joins them later is not asked for."""
        mobs = self._state.mobs
        if len(mobs) != self._looked_at:
            self._looked_at = len(mobs)
            self._known = [mob for mob in mobs.values() if mob.role == "boss" and not mob.source]
        return self._known

    def checkpoints(self, tick: int) -> list[Checkpoint]:  # noqa: ARG002 - of all scores
        """Health taken from the bosses of the task's beginning, of all that they had; and somebody alive."""
        taken = sum([mob.max_health - mob.health for mob in self._bosses])
        return [
            Checkpoint(name="boss health", have=round(taken, 6), need=self._health),
            Checkpoint(
                name="somebody alive", have=int(self._does_anybody_live or not self._state.agents), need=1
            ),
        ]

    def verdict(self, tick: int) -> bool | None:
        """Won when all bosses are dead and somebody lives; lost when one has gone away alive."""
        bosses = self._bosses
        if self._does_anybody_live and sum([boss.killed for boss in bosses]) >= self._count:
            return True
        if any(not boss.alive and not boss.killed for boss in bosses):
            return False
        return self._open(tick)


class PrepareScore(_Base):
    """prepare_crisis: when the crisis has covered its area, everyone stands in it on what an agent built, and lives on.

    The paper asks only for survival; without the shelter an agent could simply walk away (SPEC section 13).
    """

    def __init__(self, spec: TaskSpec, state: WorldState) -> None:
        super().__init__(spec, state)
        start, self._fill = crisis(spec)
        self._covered = covered_step(start, self._fill) * TICKS_PER_STEP
        self._sheltered_then: int | None = None
        self.end_tick = min(self.end_tick, self._covered + AFTERMATH_STEPS * TICKS_PER_STEP)

    def checkpoints(self, tick: int) -> list[Checkpoint]:
        """How many agents live, and how many stand (or stood, when the crisis came) where they are safe."""
        sheltered = self._sheltered(tick) if self._sheltered_then is None else self._sheltered_then
        everyone = len(self._spec.agents.spawn)
        return [
            Checkpoint(
                name="alive", have=len(self._living) or everyone * (not self._state.agents), need=everyone
            ),
            Checkpoint(name="sheltered", have=sheltered, need=everyone),
        ]

    def _sheltered(self, tick: int) -> int:
        area = self._fill.area
        count = 0
        for agent in self._living:
            x, y, z = nearest_cell(agent.at(tick))
            inside = area.min[0] <= x <= area.max[0] and area.min[2] <= z <= area.max[2]
            count += inside and (x, y - 1, z) in self._state.built
        return count

    def verdict(self, tick: int) -> bool | None:
        """Lost with the first death; else decided at the end."""
        if self._sheltered_then is None and tick >= self._covered:
            self._sheltered_then = self._sheltered(tick)
        everyone = len(self._state.agents)
        if len(self._living) < everyone:
            return False
        if self._sheltered_then is not None and self._sheltered_then < everyone:
            return False
        return None if tick < self.end_tick else self._sheltered_then == everyone


class ConditionScore(_Base):
    """A task with conditions of its own: won as soon as all of them hold."""

    def __init__(self, spec: TaskSpec, state: WorldState) -> None:
        super().__init__(spec, state)
        self._conditions: list[Condition] = spec.task.success or []

    def checkpoints(self, tick: int) -> list[Checkpoint]:
        """One for each condition."""
        points = []
        for number, condition in enumerate(self._conditions, 1):
            have, need = amount(condition, self._state, tick)
            points.append(Checkpoint(name=f"{number}. {condition.kind}", have=have, need=need))
        return points

    def verdict(self, tick: int) -> bool | None:
        """Won when all conditions hold."""
        return True if all_hold(self._conditions, self._state, tick) else self._open(tick)


def crisis(spec: TaskSpec) -> tuple[int, ProgressiveFill]:
    """The step at which the task's crisis starts, and the crisis; a valid prepare_crisis task has exactly one."""
    for firing in schedule(spec):
        action = spec.events[firing.event_index].actions[firing.action_index]
        if isinstance(action, ProgressiveFill) and firing.step is not None:
            return firing.step, action
    raise ValueError(f"task {spec.id} has no progressive_fill at a fixed step")


def covered_step(start: int, fill: ProgressiveFill) -> int:
    """The step at which the last slice is filled: start + (max - min) / speed, on a step boundary."""
    return start + rounded_up((fill.slices - 1) / fill.speed_bps)


SCORES: dict[str, Callable[[TaskSpec, WorldState], Score]] = {
    "mine_vanishing_blocks": MineScore,
    "raid_boss": RaidScore,
    "prepare_crisis": PrepareScore,
    "custom": ConditionScore,
}
"""The score by task type; a task that names its own conditions is scored by them."""


def score_for(spec: TaskSpec, state: WorldState) -> Score:
    """The score of a task."""
    return ConditionScore(spec, state) if spec.task.success else SCORES[spec.task.type](spec, state)
