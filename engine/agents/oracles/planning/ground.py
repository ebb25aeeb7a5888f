"""Where one can get on foot, roughly and quickly."""

from __future__ import annotations

from collections.abc import Iterable

from engine.world.geometry import Cell, Position
from engine.world.paths import entry_cell
from engine.world.terrain import Terrain

BEYOND = 2
"""How far outside of everything of interest a way may lead."""


def reachable(terrain: Terrain, here: Position, targets: Iterable[Cell]) -> set[Cell]:
    """The targets beside which one can stand, walking on one's own level in the four straight directions."""
    targets = list(targets)
    x, y, z = entry_cell(terrain, here)
    low_x, low_z, high_x, high_z = terrain.bounds()
    xs = range(min(low_x, x) - BEYOND, max(high_x, x) + BEYOND + 1)
    zs = range(min(low_z, z) - BEYOND, max(high_z, z) + BEYOND + 1)
    seen = {(x, z)}
    queue = [(x, z)]
    for x, z in queue:
        for column in ((x + 1, z), (x - 1, z), (x, z + 1), (x, z - 1)):
            if column not in seen and column[0] in xs and column[1] in zs and y in terrain.floors(*column):
                seen.add(column)
                queue.append(column)
    beside = [(dx, dz) for dx in (-1, 0, 1) for dz in (-1, 0, 1)]
    return {cell for cell in targets if any((cell[0] + dx, cell[2] + dz) in seen for dx, dz in beside)}
