"""Cells by where they are, so that the nearest ones are found without looking at all."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from engine.world.geometry import Cell, octile

SQUARE = 16
"""Width of the squares that cells are kept by, in blocks: about as far as the nearest of a few cells is."""

FEW = 8
"""So many cells are sorted sooner than the squares around are gone through."""


class Places:
    """A set of cells."""

    def __init__(self) -> None:
        self._squares: dict[tuple[int, int], set[Cell]] = {}
        self._count = 0

    def __len__(self) -> int:
        """How many cells there are."""
        return self._count

    def __contains__(self, cell: Cell) -> bool:
        """Whether the cell is in."""
        return cell in self._squares.get(_square(cell[0], cell[2]), ())

    def add(self, cell: Cell) -> None:
        """Put a cell in that is not in yet."""
        self._squares.setdefault(_square(cell[0], cell[2]), set()).add(cell)
        self._count += 1

    def remove(self, cell: Cell) -> None:
        """Take a cell out that is in; `KeyError` if it is not."""
        square = _square(cell[0], cell[2])
        cells = self._squares[square]
        cells.remove(cell)
        if not cells:
            del self._squares[square]
        self._count -= 1

    def nearest(self, x: int, z: int) -> Iterator[tuple[float, Cell]]:
        """All cells, each after how far it is to walk there over free flat ground; nearest first, ties by cell.

        Few are looked at all at once. Of many, square after square is looked at, from the one with (x, z) in it
        outwards, as cells are asked for; none may be put in or taken out meanwhile.
        """
        if self._count <= FEW:
            everything = chain.from_iterable(self._squares.values())
            yield from sorted([(octile(cell[0] - x, cell[2] - z), cell) for cell in everything])
            return
        found: list[tuple[float, Cell]] = []
        looked_at = ring = 0
        centre = _square(x, z)
        # Whatever is in none of the squares looked at is no nearer than the first cell outside them.
        outside = 1 + min(x % SQUARE, z % SQUARE, -(x + 1) % SQUARE, -(z + 1) % SQUARE)
        while looked_at < self._count:
            for cells in self._ring(centre, ring):
                looked_at += len(cells)
                found += [(octile(cell[0] - x, cell[2] - z), cell) for cell in cells]
            found.sort(reverse=True)
            while found and found[-1][0] < outside:
                yield found.pop()
            ring += 1
            outside += SQUARE
        yield from reversed(found)

    def _ring(self, centre: tuple[int, int], radius: int) -> Iterator[set[Cell]]:
        """The squares with cells in them whose greater distance from the centre is the radius, in squares."""
        if (2 * radius + 1) ** 2 > 4 * len(self._squares):
            for (x, z), cells in self._squares.items():
                if max(abs(x - centre[0]), abs(z - centre[1])) == radius:
                    yield cells
            return
        for dx in range(-radius, radius + 1):
            for dz in (-radius, radius) if abs(dx) < radius else range(-radius, radius + 1):
                if (square := (centre[0] + dx, centre[1] + dz)) in self._squares:
                    yield self._squares[square]


def _square(x: int, z: int) -> tuple[int, int]:
    return x // SQUARE, z // SQUARE
