"""What a task asks for and what its agents can do, as the figures that metrics and feasibility share.

All are estimates before anybody acts: effects, durability, and whatever agents do to one another are left out.
Times are in seconds of world time.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from engine.spec.model import Agent, ProgressiveFill, SpawnEntities, TaskSpec
from engine.spec.schedule import schedule, steps
from engine.world import combat, rules
from engine.world.geometry import TICKS_PER_STEP, Cell, Position

PLACE_SECONDS = 0.5
"""Placing a block (the paper, appendix C; SPEC section 3)."""
MOB_HITS_PER_SECOND = 1.0
"""How often a mob hits (SPEC section 3)."""


def dig_seconds(agent: Agent, block: str) -> float | None:
    """Time that the agent's best tool takes for one block; None if nothing it has harvests the block."""
    ticks = rules.dig_ticks(agent.inventory, block)
    return None if ticks is None else ticks / TICKS_PER_STEP


def dps(agent: Agent, entity: str) -> float:
    """Damage a second to a type of enemy: best weapon's damage × rate × the agent's multiplier (SPEC section 8)."""
    weapon = combat.weapon(combat.best_weapon(agent.inventory))
    return weapon.dps * agent.capabilities.damage_multipliers.get(entity, 1.0)


# --- enemies ------------------------------------------------------------------------------------------------


def spawn_actions(spec: TaskSpec) -> Iterator[SpawnEntities]:
    """The actions that spawn mobs, each once."""
    for event in spec.events:
        for action in event.actions:
            if isinstance(action, SpawnEntities):
                yield action


def enemy_types(spec: TaskSpec) -> list[str]:
    """Names of the enemies of the task, those of `when` triggers included, in alphabetical order."""
    names = {hostile.entity for hostile in spec.environment.entities.hostiles}
    return sorted(names | {action.entity for action in spawn_actions(spec)})


def enemy_health(spec: TaskSpec) -> dict[str, float]:
    """Health of all enemies by type: who is there at the start and who spawns within `max_steps`.

    `probability` counts with its expectation; what waits for a `when` condition does not count.
    """
    health: dict[str, float] = defaultdict(float)
    for hostile in spec.environment.entities.hostiles:
        health[hostile.entity] += hostile.health or combat.mob(hostile.entity).health
    for firing in schedule(spec):
        action = spec.events[firing.event_index].actions[firing.action_index]
        if isinstance(action, SpawnEntities) and firing.step is not None and firing.probability > 0:
            each = action.health or combat.mob(action.entity).health
            health[action.entity] += each * action.count * firing.probability
    return dict(sorted(health.items()))


# --- crises -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Crisis:
    """The one progressive fill of a prepare_crisis task.

    Attributes:
        block: what comes.
        layers: H, the y levels that it fills.
        arrival: T_crisis, when it reaches the far end: start + length / speed.
        site: where to build, the centre of the last slice.
    """

    block: str
    layers: int
    arrival: float
    site: Position


def crisis(spec: TaskSpec) -> Crisis:
    """The crisis of a prepare_crisis task (SPEC sections 8, 9 and 13; the paper, appendix C.1)."""
    event, fill = next(
        (event, action)
        for event in spec.events
        for action in event.actions
        if isinstance(action, ProgressiveFill)
    )
    axis = fill.axis
    low, high = fill.area.min, fill.area.max
    start = steps(event.trigger, fill, spec.environment.max_steps)[0]
    centre = [(a + b) / 2 for a, b in zip(low, high, strict=True)]
    centre[axis] = high[axis] if fill.direction in ("east", "south", "up") else low[axis]
    return Crisis(
        block=fill.block,
        layers=high[1] - low[1] + 1,
        arrival=start + (high[axis] - low[axis]) / fill.speed_bps,
        site=(centre[0], centre[1], centre[2]),
    )


def blocks_required(spec: TaskSpec) -> int:
    """How many blocks the shelter takes: as the task says, by default (H + 1) × agents (SPEC section 2)."""
    if spec.task.shelter is not None:
        return spec.task.shelter.blocks_required
    return (crisis(spec).layers + 1) * len(spec.agents.spawn)


@dataclass(frozen=True, slots=True)
class Pile:
    """Blocks of a kind that can be gathered in one place: a box of the task's materials."""

    block: str
    count: int
    centre: Position


def withstands(block: str, threat: str) -> bool:
    """Whether a shelter can be built of the block: solid, and not burning if lava comes (SPEC section 3)."""
    return rules.block(block).solid and not (threat == "lava" and combat.burns(block))


def piles(spec: TaskSpec) -> list[Pile]:
    """The boxes of the task's materials in the order of the file; a cell that a later box overwrites counts there."""
    grids = spec.environment.materials.grid
    owner: dict[Cell, int] = {}
    for index, grid in enumerate(grids):
        owner.update(dict.fromkeys(grid.cells, index))
    counts = Counter(owner.values())
    return [
        Pile(grid.block, counts[index], _centre(grid.position, (grid.width, grid.height, grid.depth)))
        for index, grid in enumerate(grids)
        if counts[index]
    ]


def survival_piles(spec: TaskSpec) -> list[Pile]:
    """The piles of survival blocks.

    What mining such a block gives must be a survival block itself: an ore leaves nothing that can be placed.
    """
    threat = crisis(spec).block
    return [
        pile for pile in piles(spec) if withstands(pile.block, threat) and _gives_blocks(pile.block, threat)
    ]


def _centre(corner: Cell, size: Cell) -> Position:
    x, y, z = (low + (length - 1) / 2 for low, length in zip(corner, size, strict=True))
    return x, y, z


def _gives_blocks(block: str, threat: str) -> bool:
    return any(drop in rules.blocks() and withstands(drop, threat) for drop in rules.block(block).drops)


def survival_carried(spec: TaskSpec, agent: Agent) -> dict[str, int]:
    """Survival blocks in an agent's inventory."""
    threat = crisis(spec).block
    return {
        item: stack.count
        for item, stack in agent.inventory.items()
        if item in rules.blocks() and withstands(item, threat)
    }


def survival_kinds(spec: TaskSpec) -> list[str]:
    """Kinds of survival block present, in piles first, then in inventories."""
    kinds = [pile.block for pile in survival_piles(spec)]
    kinds += [block for agent in spec.agents.spawn for block in survival_carried(spec, agent)]
    return list(dict.fromkeys(kinds))
