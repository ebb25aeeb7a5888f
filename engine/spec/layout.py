"""Rules about space: what stands where at the start, how much there is of it, and what fits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from engine.spec.document import Path, show
from engine.spec.explain import Problem
from engine.spec.model import (
    MAX_COORDINATE,
    MAX_Y,
    Area,
    Grid,
    ProgressiveFill,
    RemoveBlocks,
    SetBlocks,
    SpawnBlocks,
    SpawnEntities,
    Stack,
    TaskSpec,
)
from engine.spec.names import slots
from engine.spec.walk import actions, parts
from engine.world import rules

GROUND_Y = 63
"""The flat world's topmost layer of ground; what stands on it has y = 64."""
MAX_CELLS = 100_000
"""Blocks that all grids together, or the area of one action, may have."""
INVENTORY_SLOTS = 36
CHEST_SLOTS = 27

Cell = tuple[int, int, int]
_CORNERS = ("min", "max")


class Start:
    """Which cells are taken when an episode starts."""

    def __init__(self, spec: TaskSpec) -> None:
        self.blocks: dict[Cell, str] = {}
        for grid in spec.environment.materials.grid:
            self.blocks.update(dict.fromkeys(cells(grid), grid.block))
        self.chests = {chest.position for chest in spec.all_chests}

    def obstacle(self, cell: Cell) -> str | None:
        """What keeps an agent or a mob out of the cell."""
        if cell in self.chests:
            return "a chest"
        if cell in self.blocks:
            name = self.blocks[cell]
            return name if rules.block(name).solid else None
        return "the ground" if cell[1] <= GROUND_Y else None


def cells(grid: Grid) -> Iterator[Cell]:
    """The cells of a grid."""
    x, y, z = grid.position
    for dy in range(grid.height):
        for dx in range(grid.width):
            for dz in range(grid.depth):
                yield x + dx, y + dy, z + dz


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
    return sum(grid.width * grid.height * grid.depth for grid in spec.environment.materials.grid)


def chests(spec: TaskSpec) -> Iterator[Problem]:
    """Chests stand in cells of their own."""
    if grid_volume(spec) > MAX_CELLS:
        return
    start, seen = Start(spec), set()
    for path, cell in chest_places(spec):
        if cell in seen:
            yield path, "another chest stands there; move one"
        elif cell in start.blocks and start.blocks[cell] != "air":
            yield path, f"{start.blocks[cell]} of environment.materials is there; move one"
        elif cell[1] <= GROUND_Y and cell not in start.blocks:
            yield (
                path,
                f"the chest is in the ground, whose top is y = {GROUND_Y}; expected y of at least {GROUND_Y + 1}",
            )
        seen.add(cell)


def chest_places(spec: TaskSpec) -> Iterator[tuple[Path, Cell]]:
    """The positions of all chests."""
    if spec.environment.chest:
        yield ("environment", "chest", "position"), spec.environment.chest.position
    for index, chest in enumerate(spec.environment.chests):
        yield ("environment", "chests", index, "position"), chest.position


def bodies(spec: TaskSpec) -> Iterator[Problem]:
    """Agents and mobs start with feet and head in free cells; agents have something to stand on."""
    if grid_volume(spec) > MAX_CELLS:
        return
    start = Start(spec)
    for index, agent in enumerate(spec.agents.spawn):
        path: Path = ("agents", "spawn", index, "position")
        x, y, z = agent.position
        if inside := _inside(start, agent.position):
            yield path, f"{agent.name} would start {inside}; move it"
        elif start.obstacle((x, y - 1, z)) is None:
            yield (
                path,
                f"{agent.name} has nothing to stand on; the ground's first free layer is y = {GROUND_Y + 1}",
            )
    for index, hostile in enumerate(spec.environment.entities.hostiles):
        if inside := _inside(start, hostile.position):
            path = ("environment", "entities", "hostiles", index, "position")
            yield path, f"the {hostile.entity} would start {inside}; move it"


def _inside(start: Start, feet: Cell) -> str | None:
    x, y, z = feet
    for cell, part in ((feet, "feet"), ((x, y + 1, z), "head")):
        if what := start.obstacle(cell):
            return f"with its {part} in {what}"
    return None


def spawn_ground(spec: TaskSpec) -> Iterator[Problem]:
    """Warning: a spawn above everything that is there at the start finds no ground."""
    if grid_volume(spec) > MAX_CELLS:
        return
    start = Start(spec)
    layers = {GROUND_Y} | {cell[1] for cell in (*start.blocks, *start.chests) if start.obstacle(cell)}
    for _, path, action in actions(spec):
        if isinstance(action, SpawnBlocks | SpawnEntities) and action.center[1] - 1 not in layers:
            yield (
                (*path, "center", 1),
                f"nothing to stand on at y = {action.center[1]} at the start; the ground needs y = {GROUND_Y + 1}",
            )


def capacity(spec: TaskSpec) -> Iterator[Problem]:
    """What is carried and what lies in chests fits into its slots."""
    for index, agent in enumerate(spec.agents.spawn):
        yield from _fits(agent.inventory, INVENTORY_SLOTS, ("agents", "spawn", index, "inventory"))
    if spec.environment.chest:
        yield from _fits(spec.environment.chest.items, CHEST_SLOTS, ("environment", "chest", "items"))
    for index, chest in enumerate(spec.environment.chests):
        yield from _fits(chest.items, CHEST_SLOTS, ("environment", "chests", index, "items"))


def _fits(items: Mapping[str, Stack], size: int, path: Path) -> Iterator[Problem]:
    needed = sum(slots(name, stack.count) for name, stack in items.items())
    if needed > size:
        yield (
            path,
            f"takes {needed} slots; expected at most {size} (see the stack sizes of {show(path[-1:])})",
        )
