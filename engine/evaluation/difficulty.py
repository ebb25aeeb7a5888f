"""Difficulty metrics of a task (the paper, section 2.2; SPEC section 8).

How different its agents are, how much they need each other, how much happens by itself, and how soon it is too late.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

from engine.evaluation.abilities import (
    PLACE_SECONDS,
    blocks_required,
    crisis,
    dig_seconds,
    dps,
    enemy_health,
    enemy_types,
    survival_kinds,
)
from engine.evaluation.environment import Forecast, forecast
from engine.evaluation.parameters import Bounds, bounds
from engine.spec.model import Agent, SpawnBlocks, TaskSpec
from engine.spec.schedule import schedule

NO_SINGLE_AGENT = "no single agent can do all of it, however long it takes"


@dataclass(frozen=True, slots=True)
class Metrics:
    """The four metrics.

    Attributes:
        heterogeneity: H, from 0 (all agents alike) to 1.
        necessity: N, the time that the best single agent would need without moving or planning, as a share of the time
            that there is: above 1, collaboration is mandatory. None with a note if infinite or undefined.
        dynamicity: D, state changes a second that no agent causes.
        time_to_failure: τ in seconds. None with a note if undefined.
        necessity_note, time_to_failure_note: why there is no figure; None if there is one.
    """

    heterogeneity: float
    necessity: float | None
    dynamicity: float
    time_to_failure: float | None
    necessity_note: str | None = None
    time_to_failure_note: str | None = None

    @property
    def no_single_agent(self) -> bool:
        """Whether necessity is infinite."""
        return self.necessity_note == NO_SINGLE_AGENT

    def as_dict(self) -> dict[str, Any]:
        """For JSON: the four figures, and the notes that there are."""
        return {
            name: value
            for name, value in asdict(self).items()
            if not name.endswith("_note") or value is not None
        }


def metrics(spec: TaskSpec) -> Metrics:
    """The metrics of a task.

    Raises:
        TaskError: the specification of the task type's parameter space is missing or wrong.
    """
    coming = forecast(spec)
    necessary, necessity_note = necessity(spec)
    failure, failure_note = time_to_failure(spec, coming)
    return Metrics(
        heterogeneity=heterogeneity(spec),
        necessity=necessary,
        dynamicity=dynamicity(spec, coming),
        time_to_failure=failure,
        necessity_note=necessity_note,
        time_to_failure_note=failure_note,
    )


# --- heterogeneity ------------------------------------------------------------------------------------------


def heterogeneity(spec: TaskSpec) -> float:
    """H = mean over agent pairs of the mean over attributes k of δ_k; without unit, in [0, 1].

    δ = |v_i − v_j| / (v_max − v_min), at most 1, for max_health, speed_bps, perception_range, and in raid_boss the
    damage multiplier against each enemy type of the task; v_min and v_max are the bounds of the task type's parameter
    space. δ = 1 − (items that both carry) / (items that either carries), by name (neither carries any: 0).
    One agent: 0.
    """
    space = bounds(spec.task.type)
    enemies = enemy_types(spec) if spec.task.type == "raid_boss" else []
    distances = [_mean(list(_distances(a, b, space, enemies))) for a, b in combinations(spec.agents.spawn, 2)]
    return _mean(distances) if distances else 0.0


def _distances(a: Agent, b: Agent, space: Bounds, enemies: list[str]) -> Iterator[float]:
    one, other = a.capabilities, b.capabilities
    yield space.max_health.distance(one.max_health, other.max_health)
    yield space.speed_bps.distance(one.speed_bps, other.speed_bps)
    yield space.perception_range.distance(one.perception_range, other.perception_range)
    yield _jaccard(set(a.inventory), set(b.inventory))
    for enemy in enemies:
        yield space.damage_multiplier.distance(
            one.damage_multipliers.get(enemy, 1.0), other.damage_multipliers.get(enemy, 1.0)
        )


def _jaccard(a: set[str], b: set[str]) -> float:
    return 1 - len(a & b) / len(a | b) if a | b else 0.0


def _mean(values: list[float]) -> float:
    """The exact sum divided once, so that the order of agents cannot matter."""
    return math.fsum(values) / len(values)


# --- necessity ----------------------------------------------------------------------------------------------


def necessity(spec: TaskSpec) -> tuple[float | None, str | None]:
    """N = min over agents a of Σ_k Workload_k / Throughput_{a,k}, over T_max = max_steps in seconds; without unit.

    - mine_vanishing_blocks: k are the targets; blocks wanted over blocks a second = 1 / breaking time, which is 0 for
      what the agent cannot harvest.
    - prepare_crisis: `blocks_required` blocks, each mined (the kind of survival block present in materials or
      inventories that the agent is fastest at) and placed at 0.5 s.
    - raid_boss: k are the enemy types; health of all enemies of the type over the agent's damage a second to it.

    Returns the figure, or None and a note: infinite if no agent can do all of it, undefined for custom tasks.
    """
    if spec.task.type == "custom":
        return None, "not defined for custom tasks: their workload is not known"
    alone = _WORK[spec.task.type](spec)
    least = min(alone(agent) for agent in spec.agents.spawn)
    return (least / spec.environment.max_steps, None) if math.isfinite(least) else (None, NO_SINGLE_AGENT)


Alone = Callable[[Agent], float]
"""Seconds that an agent needs for everything, one thing after the other; infinite if it cannot."""


def _mining(spec: TaskSpec) -> Alone:
    def alone(agent: Agent) -> float:
        digging = ((target.count, dig_seconds(agent, target.block)) for target in spec.task.targets)
        return sum(math.inf if seconds is None else count * seconds for count, seconds in digging)

    return alone


def _preparing(spec: TaskSpec) -> Alone:
    required, kinds = blocks_required(spec), survival_kinds(spec)

    def alone(agent: Agent) -> float:
        digging = (dig_seconds(agent, block) for block in kinds)
        fastest = min((seconds for seconds in digging if seconds is not None), default=math.inf)
        return required * (fastest + PLACE_SECONDS)

    return alone


def _raiding(spec: TaskSpec) -> Alone:
    enemies = enemy_health(spec)

    def alone(agent: Agent) -> float:
        rates = ((health, dps(agent, entity)) for entity, health in enemies.items())
        return sum(health / rate if rate > 0 else math.inf for health, rate in rates)

    return alone


_WORK: Mapping[str, Callable[[TaskSpec], Alone]] = {
    "mine_vanishing_blocks": _mining,
    "prepare_crisis": _preparing,
    "raid_boss": _raiding,
}


# --- dynamicity ---------------------------------------------------------------------------------------------


def dynamicity(spec: TaskSpec, coming: Forecast) -> float:
    """D = state changes that no agent causes ÷ T_max, in changes a second.

    One for each block or mob that spawns, one for each that vanishes or is despawned, one for each slice that a crisis
    fills, at steps up to and including `max_steps`. `when` triggers count nothing, `probability` its expectation.
    """
    return coming.changes / spec.environment.max_steps


# --- time to failure ----------------------------------------------------------------------------------------


def time_to_failure(spec: TaskSpec, coming: Forecast) -> tuple[float | None, str | None]:
    """τ, the time before something is lost for good, in seconds.

    - prepare_crisis: T_crisis = t0 + L_area / v, when the crisis reaches the far end.
    - mine_vanishing_blocks: the least lifetime of target blocks that may spawn.
    - raid_boss: mean over spawn events of total agent health ÷ total damage a second of the enemies then alive if none
      had been killed, boss included; events with a probability weigh as much as it.

    Returns the figure, or None and a note where there is none.
    """
    if spec.task.type == "prepare_crisis":
        return crisis(spec).arrival, None
    if spec.task.type == "mine_vanishing_blocks":
        least = min(_lifetimes(spec), default=None)
        return (least, None) if least is not None else (None, "no target block has a lifetime")
    if spec.task.type == "raid_boss":
        return _raid_failure(spec, coming)
    return None, "not defined for custom tasks: what makes them fail is not known"


def _lifetimes(spec: TaskSpec) -> Iterator[float]:
    wanted = {target.block for target in spec.task.targets}
    possible = {(f.event_index, f.action_index) for f in schedule(spec) if f.probability > 0}
    for event, place in possible:
        action = spec.events[event].actions[place]
        if isinstance(action, SpawnBlocks) and action.block in wanted and action.lifetime is not None:
            yield float(action.lifetime)


def _raid_failure(spec: TaskSpec, coming: Forecast) -> tuple[float | None, str | None]:
    if not coming.spawns:
        return None, "no enemies spawn"
    health = math.fsum(agent.capabilities.max_health for agent in spec.agents.spawn)
    harmful = [spawn for spawn in coming.spawns if spawn.dps > 0]
    if not harmful:
        return None, "no enemy does any damage"
    time = math.fsum(spawn.chance * health / spawn.dps for spawn in harmful)
    return time / math.fsum(spawn.chance for spawn in harmful), None
