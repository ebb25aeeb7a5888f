"""Rules about space: what stands where at the start, how much there is of it, and what fits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from engine.spec.document import Path
from engine.spec.explain import Problem
from engine.spec.model import (
    MAX_COORDINATE,
    MAX_Y,
    Area,
    ProgressiveFill,
    RemoveBlocks,
    SetBlocks,
    SpawnBlocks,
    SpawnEntities,
    Stack,
    TaskSpec,
)
from engine.spec.walk import actions, parts
from engine.world import rules
from engine.world.geometry import Cell
from engine.world.inventory import AGENT_SLOTS, CHEST_SLOTS
from engine.world.terrain import AIR, GROUND_Y, Terrain

MAX_CELLS = 100_000
"""Blocks that all grids together, or the area of one action, may have."""


def start(spec: TaskSpec) -> Terrain:
    """The world when an episode starts."""
    terrain = Terrain()
    for grid in spec.environment.materials.grid:
        for cell in grid.cells:
            terrain.set(cell, grid.block)
    for chest in spec.all_chests:
        terrain.set(chest.position, "chest")
    return terrain


def volume(area: Area) -> int:
    """How many cells an area has."""
    size = 1
    for low, high in zip(area.min, area.max, strict=True):
        size *= max(0, high - low + 1)
    return size


def areas(spec: TaskSpec) -> Iterator[Problem]:
    """An area's `min` is its least corner; an action's area has a bounded size."""
    for path, area in parts(spec, Area):
        for axis, low, high in zip("xyz", area.min, area.max, strict=True):
            if low > high:
                yield (*path, "min"), f"{axis} {low} is greater than max's {axis} {high}; swap them"
    for _, path, action in actions(spec):
        if isinstance(action, ProgressiveFill | SetBlocks | RemoveBlocks) and volume(action.area) > MAX_CELLS:
            yield (
                (*path, "area"),
                f"the area has {volume(action.area):,} blocks; expected at most {MAX_CELLS:,}",
            )


def grids(spec: TaskSpec) -> Iterator[Problem]:
    """Grids stay within the world and within a total."""
    for index, grid in enumerate(spec.environment.materials.grid):
        path: Path = ("environment", "materials", "grid", index)
        limits = (MAX_COORDINATE, MAX_Y, MAX_COORDINATE)
        sizes = (grid.width, grid.height, grid.depth)
        for name, start, size, limit in zip(
            ("width", "height", "depth"), grid.position, sizes, limits, strict=True
        ):
            if start + size - 1 > limit:
                yield (*path, name), f"the grid reaches {start + size - 1}, beyond the world's {limit}"
    if (total := grid_volume(spec)) > MAX_CELLS:
        path = ("environment", "materials", "grid")
        yield path, f"the grids have {total:,} blocks in all; expected at most {MAX_CELLS:,}"


def grid_volume(spec: TaskSpec) -> int:
    """Blocks of all grids together."""
    return sum(grid.volume for grid in spec.environment.materials.grid)


def places(spec: TaskSpec) -> Iterator[Problem]:
    """Chests, agents and mobs start in cells of their own, agents with something to stand on."""
    if grid_volume(spec) > MAX_CELLS:
        return
    yield from _chests(spec)
    terrain = start(spec)
    for index, agent in enumerate(spec.agents.spawn):
        path: Path = ("agents", "spawn", index, "position")
        x, y, z = agent.position
        if inside := _inside(terrain, agent.position):
            yield path, f"{agent.name} would start {inside}; move it"
        elif not terrain.is_solid((x, y - 1, z)):
            yield path, f"{agent.name} has nothing to stand on; on flat ground y is {GROUND_Y + 1}"
    for index, hostile in enumerate(spec.environment.entities.hostiles):
        if inside := _inside(terrain, hostile.position):
            path = ("environment", "entities", "hostiles", index, "position")
            yield path, f"the {hostile.entity} would start {inside}; move it"


def _chests(spec: TaskSpec) -> Iterator[Problem]:
    there = {cell: grid.block for grid in spec.environment.materials.grid for cell in grid.cells}
    for path, cell in _chest_positions(spec):
        name = there.get(cell, AIR if cell[1] > GROUND_Y else "the ground")
        if name != AIR:
            yield path, f"the chest would stand in {name}; move it"
        there[cell] = "another chest"


def _chest_positions(spec: TaskSpec) -> Iterator[tuple[Path, Cell]]:
    if spec.environment.chest:
        yield ("environment", "chest", "position"), spec.environment.chest.position
    for index, chest in enumerate(spec.environment.chests):
        yield ("environment", "chests", index, "position"), chest.position


def _inside(terrain: Terrain, feet: Cell) -> str | None:
    x, y, z = feet
    for cell, part in ((feet, "feet"), ((x, y + 1, z), "head")):
        if terrain.is_solid(cell):
            return f"with its {part} in {terrain.block(cell)}"
    return None


def spawn_ground(spec: TaskSpec) -> Iterator[Problem]:
    """Warning: a spawn at a height where nothing can be stood on at the start."""
    if grid_volume(spec) > MAX_CELLS:
        return
    grids = spec.environment.materials.grid
    floors = {GROUND_Y, *(chest.position[1] for chest in spec.all_chests)}
    floors |= {
        grid.position[1] + dy for grid in grids if rules.block(grid.block).solid for dy in range(grid.height)
    }
    for _, path, action in actions(spec):
        if isinstance(action, SpawnBlocks | SpawnEntities) and action.center[1] - 1 not in floors:
            yield (
                (*path, "center", 1),
                f"nothing to stand on at y = {action.center[1]} at the start; on flat ground y is {GROUND_Y + 1}",
            )


def capacity(spec: TaskSpec) -> Iterator[Problem]:
    """What is carried and what lies in chests fits into its slots."""
    for index, agent in enumerate(spec.agents.spawn):
        yield from _fits(agent.inventory, AGENT_SLOTS, ("agents", "spawn", index, "inventory"))
    if spec.environment.chest:
        yield from _fits(spec.environment.chest.items, CHEST_SLOTS, ("environment", "chest", "items"))
    for index, chest in enumerate(spec.environment.chests):
        yield from _fits(chest.items, CHEST_SLOTS, ("environment", "chests", index, "items"))


def _fits(items: Mapping[str, Stack], size: int, path: Path) -> Iterator[Problem]:
    needed = sum(rules.stacks(name, stack.count) for name, stack in items.items())
    if needed > size:
        yield (
            path,
            f"takes {needed} slots, expected at most {size}; list fewer items",
        )
