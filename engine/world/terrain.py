"""The blocks of a flat world: endless ground, and whatever differs from it."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import lru_cache

from engine.world import rules
from engine.world.geometry import Cell, Position, distance

GROUND_Y = 63
"""y of the topmost ground block; agents walk at y = 64."""
FREE_Y = GROUND_Y + 1
"""The level on which one walks over flat ground."""
BEDROCK_Y = 60
AIR = "air"
MAX_DROP = 3
"""The deepest step down that does not hurt (SPEC section 3)."""

Form = frozenset[int]
"""The shape of a column: the heights at which it is solid."""
FLAT: Form = frozenset(range(BEDROCK_Y, GROUND_Y + 1))
"""The shape of flat ground."""

ROW = 1 << 20
"""How many columns there are to a row; no coordinate comes near half of it."""
_FIRST = ROW // 2 * (ROW + 1)
"""Keeps the numbers of columns positive, so that their hashes differ: in Python -1 and -2 have the same."""

_GROUND = {GROUND_Y: "grass_block", GROUND_Y - 1: "dirt", GROUND_Y - 2: "dirt", BEDROCK_Y: "bedrock"}


def column_at(x: int, z: int) -> int:
    """The column's number: `ROW` more for each block east, 1 more for each block south."""
    return x * ROW + z + _FIRST


def place_of(column: int) -> tuple[int, int]:
    """The x and z of the column of that number."""
    return (column // ROW) - ROW // 2, column % ROW - ROW // 2


@lru_cache(maxsize=4_096)
def floors_in(form: Form) -> tuple[int, ...]:
    """The y at which one can stand in a column of that shape: solid below, two free cells above; ascending."""
    return tuple(sorted(y + 1 for y in form if y + 1 not in form and y + 2 not in form))


@lru_cache(maxsize=4_096)
def _toggled(form: Form, y: int) -> Form:
    """The shape that differs at one height."""
    return form ^ {y}


class Terrain:
    """Block by cell. Ground needs no storage; only cells that ever changed are kept.

    Attributes:
        shape: a number for the shape of the ground; two terrains of the same history have the same.
        forms: by number, the shape of every column that is not flat ground now; for reading only.
    """

    def __init__(self) -> None:
        self._changed: dict[Cell, str] = {}
        self._levels: set[int] = set()
        self.shape = 0
        self.forms: dict[int, Form] = {}
        self._bounds = (0, 0, 0, 0)

    def block(self, cell: Cell) -> str:
        """Name of the block in the cell."""
        return self._changed.get(cell) or _GROUND.get(cell[1], AIR)

    def is_solid(self, cell: Cell) -> bool:
        """Whether the cell can be stood on and cannot be walked through."""
        return cell[1] in self.forms.get(cell[0] * ROW + cell[2] + _FIRST, FLAT)

    def has_changed(self, cell: Cell) -> bool:
        """Whether the cell has ever held anything but what the flat world has there."""
        return cell in self._changed

    def set(self, cell: Cell, block: str) -> None:
        """Put a block into the cell."""
        self.set_all((cell,), block)

    def set_all(self, cells: Collection[Cell], block: str) -> None:
        """Put a block into each of the cells."""
        self._changed.update(dict.fromkeys(cells, block))
        solid = rules.block(block).solid
        levels, forms = self._levels, self.forms
        west, north, east, south = self._bounds
        for x, y, z in cells:
            levels.add(y)
            column = x * ROW + z + _FIRST
            form = forms.get(column, FLAT)
            if (y in form) == solid:
                continue
            self.shape = hash((self.shape, column, y))
            forms[column] = _toggled(form, y)
            if forms[column] == FLAT:
                del forms[column]
            if not (west <= x <= east and north <= z <= south):
                west, north, east, south = min(west, x), min(north, z), max(east, x), max(south, z)
        self._bounds = west, north, east, south

    def bounds(self) -> tuple[int, int, int, int]:
        """Least x and z, greatest x and z of the origin and all columns that ever were not flat ground."""
        return self._bounds

    def floors(self, x: int, z: int) -> tuple[int, ...]:
        """The y at which one can stand in the column: solid below, two free cells above; ascending."""
        return floors_in(self.forms.get(x * ROW + z + _FIRST, FLAT))

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

    def changed_near(self, centre: Position, radius: float) -> list[tuple[Cell, str]]:
        """Blocks that differ from flat ground within the radius of their centres, air left out, in cell order."""
        return sorted(
            [
                (cell, name)
                for cell, name in self._candidates(centre, radius)
                if name != AIR and distance(cell, centre) <= radius
            ]
        )

    def nearest_changed(self, centre: Position, radius: float) -> list[tuple[Cell, str]]:
        """The same blocks, the nearest first and those as near in cell order."""
        found = [
            (away, cell, name)
            for cell, name in self._candidates(centre, radius)
            if name != AIR and (away := distance(cell, centre)) <= radius
        ]
        return [(cell, name) for _, cell, name in sorted(found)]

    def _candidates(self, centre: Position, radius: float) -> Iterable[tuple[Cell, str]]:
        reach = int(radius) + 1
        if (2 * reach + 1) ** 2 * len(self._levels) > len(self._changed):
            return self._changed.items()
        xs = range(int(centre[0]) - reach, int(centre[0]) + reach + 1)
        zs = range(int(centre[2]) - reach, int(centre[2]) + reach + 1)
        near = ((x, y, z) for x in xs for z in zs for y in self._levels)
        return [(cell, self._changed[cell]) for cell in near if cell in self._changed]
