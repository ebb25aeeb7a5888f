"""The blocks of a flat world: endless ground, and whatever differs from it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from engine.world import rules
from engine.world.geometry import Cell, Position, distance

GROUND_Y = 63
"""y of the topmost ground block; agents walk at y = 64."""
BEDROCK_Y = 60
AIR = "air"
MAX_DROP = 3
"""The deepest step down that does not hurt (SPEC section 3)."""

_GROUND = {GROUND_Y: "grass_block", GROUND_Y - 1: "dirt", GROUND_Y - 2: "dirt", BEDROCK_Y: "bedrock"}
_SOLID_GROUND = frozenset(range(BEDROCK_Y, GROUND_Y + 1))
_FREE_FLOORS = (GROUND_Y + 1,)
_OFFSET = 1 << 20
"""Makes coordinates positive: in Python -1 and -2 have the same hash."""


class Terrain:
    """Block by cell. Ground needs no storage; only cells that ever changed are kept.

    Attributes:
        shape: a number for the shape of the ground; two terrains of the same history have the same.
        steps: belongs to `engine.world.paths`: by column and height, where one gets in one step. What the ground's
            shape no longer warrants is forgotten here.
    """

    def __init__(self) -> None:
        self._changed: dict[Cell, str] = {}
        self._columns: dict[tuple[int, int], set[int]] = {}
        self._floors: dict[tuple[int, int], tuple[int, ...]] = {}
        self.shape = 0
        self.steps: dict[tuple[int, int], dict[int, list[tuple[Cell, float]]]] = {}
        self._shaped: set[tuple[int, int]] = set()
        self._rough: set[tuple[int, int]] = set()
        self._low = [0, 0]
        self._high = [0, 0]

    def block(self, cell: Cell) -> str:
        """Name of the block in the cell."""
        return self._changed.get(cell) or _GROUND.get(cell[1], AIR)

    def is_solid(self, cell: Cell) -> bool:
        """Whether the cell can be stood on and cannot be walked through."""
        name = self._changed.get(cell)
        return cell[1] in _SOLID_GROUND if name is None else rules.block(name).solid

    def has_changed(self, cell: Cell) -> bool:
        """Whether the cell has ever held anything but what the flat world has there."""
        return cell in self._changed

    def set(self, cell: Cell, block: str) -> None:
        """Put a block into the cell."""
        self._changed[cell] = block
        column = (cell[0], cell[2])
        levels = self._columns.get(column)
        if levels is None:
            levels = self._columns[column] = set()
        levels.add(cell[1])
        if column in self._shaped or rules.block(block).solid != (cell[1] in _SOLID_GROUND):
            self.shape = hash((self.shape, *(value + _OFFSET for value in cell), block))
            self._reshape(column)

    def _reshape(self, column: tuple[int, int]) -> None:
        """The column may have other floors now: forget what was worked out about it and those around it."""
        self._floors.pop(column, None)
        around = [(column[0] + dx, column[1] + dz) for dx in (-1, 0, 1) for dz in (-1, 0, 1)]
        if column not in self._shaped:
            self._shaped.add(column)
            self._rough.update(around)
        for other in around:
            self.steps.pop(other, None)
        for axis, value in enumerate(column):
            self._low[axis] = min(self._low[axis], value)
            self._high[axis] = max(self._high[axis], value)

    def bounds(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """Least and greatest (x, z) of all columns that ever had another shape than flat ground."""
        return (self._low[0], self._low[1]), (self._high[0], self._high[1])

    def is_plain_around(self, x: int, z: int) -> bool:
        """Whether the column and the eight around it have the shape of flat ground, and always had."""
        return (x, z) not in self._rough

    def floors(self, x: int, z: int) -> tuple[int, ...]:
        """The y at which one can stand in the column: solid below, two free cells above; ascending."""
        column = (x, z)
        if column not in self._shaped:
            return _FREE_FLOORS
        floors = self._floors.get(column)
        if floors is None:
            solid = {y for y in self._columns[column] | _SOLID_GROUND if self.is_solid((x, y, z))}
            floors = tuple(sorted(y + 1 for y in solid if y + 1 not in solid and y + 2 not in solid))
            self._floors[column] = floors
        return floors

    def can_stand(self, cell: Cell) -> bool:
        """Whether an agent fits into the cell with ground under its feet."""
        return cell[1] in self.floors(cell[0], cell[2])

    def floor_below(self, cell: Cell) -> int:
        """The y at which something that falls from the cell comes to rest."""
        x, y, z = cell
        while y > BEDROCK_Y and not self.is_solid((x, y - 1, z)):
            y -= 1
        return y

    def is_free(self, cell: Cell) -> bool:
        """Whether something may be spawned here: no collision box in the cell, solid ground under it."""
        return not self.is_solid(cell) and self.is_solid((cell[0], cell[1] - 1, cell[2]))

    def changed_near(self, centre: Position, radius: float) -> Iterator[tuple[Cell, str]]:
        """Blocks that differ from flat ground within the radius of their centres, air left out, in cell order."""
        yield from sorted(
            (cell, name)
            for cell, name in self._candidates(centre, radius)
            if name != AIR and distance(cell, centre) <= radius
        )

    def _candidates(self, centre: Position, radius: float) -> Iterable[tuple[Cell, str]]:
        reach = int(radius) + 1
        if (2 * reach + 1) ** 2 > len(self._changed):
            return self._changed.items()
        xs = range(int(centre[0]) - reach, int(centre[0]) + reach + 1)
        zs = range(int(centre[2]) - reach, int(centre[2]) + reach + 1)
        return [
            ((x, y, z), self._changed[x, y, z]) for x in xs for z in zs for y in self._columns.get((x, z), ())
        ]
