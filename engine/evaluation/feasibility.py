"""Whether a task can be expected to be done at all, by approximate criteria with safety margins.

Source: the paper, figure 4 and appendix C; SPEC sections 9, 11 and 13. A criterion holds when its left side is at least
its right side. A margin multiplies the right side, or divides the left one for lifetimes; the larger it is, the more
time or supply a task must leave, so the easier are the tasks that pass.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

from engine.errors import SettingsError
from engine.evaluation.abilities import (
    PLACE_SECONDS,
    Crisis,
    Pile,
    blocks_required,
    crisis,
    dig_seconds,
    dps,
    enemy_health,
    piles,
    survival_carried,
    survival_piles,
)
from engine.spec.model import Agent, Event, SpawnBlocks, TaskSpec
from engine.spec.schedule import schedule, steps
from engine.world.geometry import Position, distance

Unit = Literal["s", "blocks", "agents"]


@dataclass(frozen=True, slots=True)
class Margins:
    """Safety margins, without unit.

    Attributes:
        alpha: prepare_crisis, on the time to gather and build.
        beta1: mine_vanishing_blocks, on the time to reach and mine a block.
        beta2: mine_vanishing_blocks, on the blocks wanted.
        gamma: raid_boss, on the time to kill all enemies.
    """

    alpha: float = 2.0
    beta1: float = 2.0
    beta2: float = 2.0
    gamma: float = 2.0

    def __post_init__(self) -> None:
        """Refuse what is no margin."""
        for name, value in asdict(self).items():
            if not (math.isfinite(value) and value > 0):
                raise SettingsError(f"the margin {name} must be a number above 0, found {value:g}")


@dataclass(frozen=True, slots=True)
class Criterion:
    """One comparison, with its margin applied.

    Attributes:
        name: unique within the task, as `supply gold_ore`.
        left, right: both sides; right is None if no number is enough (nobody is able to do it).
        unit: of both sides.
        left_label, right_label: the sides in words, the margin included.
        holds: whether left >= right.
        margin: name of the margin, or None.
        flips_at: the margin above which the criterion fails; None without a margin, or when none can change it.
    """

    name: str
    left: float
    right: float | None
    unit: Unit
    left_label: str
    right_label: str
    holds: bool
    margin: str | None = None
    flips_at: float | None = None


@dataclass(frozen=True, slots=True)
class Feasibility:
    """The verdict.

    Attributes:
        feasible: whether all criteria hold; None for custom tasks, for which there are none.
        note: why there is no verdict.
    """

    feasible: bool | None
    margins: Margins
    criteria: list[Criterion]
    note: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """For JSON; the note only where there is one."""
        fields = asdict(self)
        if self.note is None:
            del fields["note"]
        return fields


def feasibility(spec: TaskSpec, margins: Margins | None = None) -> Feasibility:
    """Judge a task; without margins by the default ones."""
    margins = margins or Margins()
    if spec.task.type == "custom":
        note = "custom tasks are not judged: what their success takes is not known"
        return Feasibility(None, margins, [], note)
    criteria = list(_CRITERIA[spec.task.type](spec, margins))
    return Feasibility(all(criterion.holds for criterion in criteria), margins, criteria)


def _plain(name: str, sides: tuple[float, float], unit: Unit, labels: tuple[str, str]) -> Criterion:
    left, right = sides
    return Criterion(name, left, right, unit, *labels, holds=left >= right)


def _with_margin(
    name: str,
    sides: tuple[float, float],
    margin: tuple[str, float],
    unit: Unit,
    labels: tuple[str, str],
    *,
    divides: bool = False,
) -> Criterion:
    """A criterion whose margin multiplies the right side, or divides the left one."""
    (left, right), (margin_name, factor) = sides, margin
    flips_at = left / right if right > 0 else math.inf
    if not math.isfinite(right) or not math.isfinite(right * factor):
        return Criterion(name, left, None, unit, *labels, holds=False, margin=margin_name)
    if divides:
        left, labels = left / factor, (f"{labels[0]} ÷ {factor:g}", labels[1])
    else:
        right, labels = right * factor, (labels[0], f"{labels[1]}, × {factor:g}")
    known = flips_at if math.isfinite(flips_at) else None
    return Criterion(name, left, right, unit, *labels, left >= right, margin_name, known)


def _able(spec: TaskSpec, block: str) -> list[Agent]:
    return [agent for agent in spec.agents.spawn if dig_seconds(agent, block) is not None]


def _tools(able: Mapping[str, list[Agent]]) -> Iterator[Criterion]:
    """For each target block some agent's tool harvests it."""
    for block, agents in able.items():
        yield _plain(
            f"tool {block}", (len(agents), 1), "agents", (f"agents who can harvest {block}", "needed")
        )


# --- prepare_crisis -----------------------------------------------------------------------------------------


def _prepare(spec: TaskSpec, margins: Margins) -> Iterator[Criterion]:
    """Tools, survival blocks, and T_crisis ≥ alpha × (T_gather + T_construct).

    Survival blocks are counted in `materials` and inventories, never in the ground.
    """
    threat, stock, required = crisis(spec), survival_piles(spec), blocks_required(spec)
    carried = sum(sum(survival_carried(spec, agent).values()) for agent in spec.agents.spawn)
    able = {pile.block: _able(spec, pile.block) for pile in stock}
    yield from _tools(able)
    needed = max((threat.layers + 1) * len(spec.agents.spawn), required)
    labels = "survival blocks in materials and inventories", "for a shelter above the crisis"
    yield _plain("survival_blocks", (sum(pile.count for pile in stock) + carried, needed), "blocks", labels)
    gather = _gather_seconds(spec, threat, stock, able, required - carried)
    construct = _construct_seconds(spec, able, required)
    yield _with_margin(
        "time_to_prepare",
        (threat.arrival, gather + construct),
        ("alpha", margins.alpha),
        "s",
        ("until the crisis reaches the far end", "to gather and build"),
    )


Able = Mapping[str, list[Agent]]
"""Agents whose tool harvests a block, by block."""


def _gather_seconds(spec: TaskSpec, threat: Crisis, stock: list[Pile], able: Able, wanted: int) -> float:
    """T_gather, the greatest load of an agent, in seconds.

    Piles in order of nearness to the site, until as many blocks are gathered as are wanted beyond those carried; each
    goes to the agent with the least load so far of those who can harvest it (the first in the file of equals). Load =
    Σ (distance from the place before ÷ speed + blocks × breaking time) + the way from the last place to the site,
    which all agents must reach. Distances are Euclidean, from the agent's spawn and between the centres of piles.
    """
    places: dict[str, Position] = {agent.name: agent.position for agent in spec.agents.spawn}
    loads = dict.fromkeys(places, 0.0)
    for pile in sorted(stock, key=lambda pile: distance(pile.centre, threat.site)):
        if wanted > 0 and able[pile.block]:
            agent = min(able[pile.block], key=lambda agent: loads[agent.name])
            count = min(pile.count, wanted)
            wanted -= count
            way = distance(places[agent.name], pile.centre) / agent.capabilities.speed_bps
            loads[agent.name] += way + count * (dig_seconds(agent, pile.block) or 0.0)
            places[agent.name] = pile.centre
    return max(
        loads[agent.name] + distance(places[agent.name], threat.site) / agent.capabilities.speed_bps
        for agent in spec.agents.spawn
    )


def _construct_seconds(spec: TaskSpec, able: Able, required: int) -> float:
    """T_construct = 0.5 s × blocks_required ÷ agents able to mine survival blocks.

    If nobody is, those who carry some build; if there are none either, it takes for ever.
    """
    miners = {agent.name for agents in able.values() for agent in agents}
    builders = len(miners) or sum(bool(survival_carried(spec, agent)) for agent in spec.agents.spawn)
    return PLACE_SECONDS * required / builders if builders else math.inf


# --- mine_vanishing_blocks ----------------------------------------------------------------------------------


def _mine(spec: TaskSpec, margins: Margins) -> Iterator[Criterion]:
    """Tools, lifetime ÷ beta1 ≥ min over able agents (T_move + T_mine) for each spawn, and supply ≥ beta2 × wanted.

    Supply is what spawns within `max_steps`, `probability` with its expectation and `when` triggers with nothing, and
    what stands in `materials`, which does not vanish.
    """
    able = {target.block: _able(spec, target.block) for target in spec.task.targets}
    yield from _tools(able)
    supply = _supply(spec)
    for target in spec.task.targets:
        block = target.block
        fleeting = [(place, action) for place, action in _spawns(spec, block) if action.lifetime is not None]
        for place, action in fleeting:
            yield _with_margin(
                f"lifetime {block}" if len(fleeting) == 1 else f"lifetime {block} ({place})",
                (float(action.lifetime or 0), _fetch_seconds(able[block], action)),
                ("beta1", margins.beta1),
                "s",
                (f"lifetime of {block}", "for the quickest able agent to reach and mine one"),
                divides=True,
            )
        yield _with_margin(
            f"supply {block}",
            (supply[block], target.count),
            ("beta2", margins.beta2),
            "blocks",
            (f"{block} that will be there in all", "wanted"),
        )


def _spawns(spec: TaskSpec, block: str) -> Iterator[tuple[str, SpawnBlocks]]:
    """Actions that may spawn the block, each with a name that tells it from the others."""
    for event in spec.events:
        actions = [
            action for action in event.actions if isinstance(action, SpawnBlocks) and action.block == block
        ]
        for number, action in enumerate(actions, 1):
            if _may_fire(event, action, spec.environment.max_steps):
                yield event.id if len(actions) == 1 else f"{event.id} {number}", action


def _may_fire(event: Event, action: SpawnBlocks, max_steps: int) -> bool:
    trigger = event.trigger
    return trigger.probability != 0 and (trigger.when is not None or bool(steps(trigger, action, max_steps)))


def _fetch_seconds(able: list[Agent], spawn: SpawnBlocks) -> float:
    """Least T_move + T_mine of the agents able to mine the block, in seconds; infinite if there are none.

    T_move: from the able agents' mean position to the spawn centre and ⅔ of the radius more (the mean distance of a
    disc's points from its centre), at the agent's speed.
    """
    if not able:
        return math.inf
    x, y, z = (sum(agent.position[axis] for agent in able) / len(able) for axis in range(3))
    way = distance((x, y, z), spawn.center) + spawn.radius * 2 / 3
    return min(
        way / agent.capabilities.speed_bps + (dig_seconds(agent, spawn.block) or 0.0) for agent in able
    )


def _supply(spec: TaskSpec) -> dict[str, float]:
    supply: dict[str, float] = {target.block: 0.0 for target in spec.task.targets}
    for firing in schedule(spec):
        action = spec.events[firing.event_index].actions[firing.action_index]
        if isinstance(action, SpawnBlocks) and action.block in supply and firing.step is not None:
            supply[action.block] += action.count * firing.probability
    for pile in piles(spec):
        if pile.block in supply:
            supply[pile.block] += pile.count
    return supply


# --- raid_boss ----------------------------------------------------------------------------------------------


def _raid(spec: TaskSpec, margins: Margins) -> Iterator[Criterion]:
    """T_max ≥ gamma × Σ over enemy types of (health of all of the type ÷ the team's damage a second to it)."""
    total = 0.0
    for entity, health in enemy_health(spec).items():
        rate = sum(dps(agent, entity) for agent in spec.agents.spawn)
        total += health / rate if rate > 0 else math.inf
    yield _with_margin(
        "time_to_fight",
        (spec.environment.max_steps, total),
        ("gamma", margins.gamma),
        "s",
        ("time limit", "for the whole team, always hitting, to kill all enemies"),
    )


_CRITERIA: Mapping[str, Callable[[TaskSpec, Margins], Iterator[Criterion]]] = {
    "prepare_crisis": _prepare,
    "mine_vanishing_blocks": _mine,
    "raid_boss": _raid,
}
