"""Random draws that depend on nothing but the seed and what is drawn for.

Draws are keyed by (seed, event, firing, …) and never by what happened before, so that every policy meets the same
world (SPEC section 13).
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterator
from functools import lru_cache
from itertools import accumulate
from random import Random

from engine.world.geometry import Cell


def generator(seed: int, *key: object) -> Random:
    """A generator of its own for the key; the same key gives the same numbers on every Python."""
    return Random("/".join(map(str, (seed, *key))))  # noqa: S311 - a benchmark's dice, not a secret


def shuffled_disc(centre: Cell, radius: int, random: Random) -> Iterator[Cell]:
    """The cells of the horizontal disc around the centre, each once, in random order.

    Drawn one by one (a lazy Fisher-Yates shuffle), since usually only the first few are needed.
    """
    spans, starts = _rows(radius)
    moved: dict[int, int] = {}
    for left in range(starts[-1] - 1, -1, -1):
        drawn = random.randint(0, left)
        index = moved.get(drawn, drawn)
        moved[drawn] = moved.get(left, left)
        yield _cell(centre, radius, spans, starts, index)


@lru_cache(maxsize=256)
def _rows(radius: int) -> tuple[list[int], list[int]]:
    """How far a disc's rows reach to either side, and how many of its cells come before each row, and in all."""
    spans = [math.isqrt(radius * radius - dx * dx) for dx in range(-radius, radius + 1)]
    return spans, list(accumulate([2 * span + 1 for span in spans], initial=0))


def _cell(centre: Cell, radius: int, spans: list[int], starts: list[int], index: int) -> Cell:
    row = bisect_right(starts, index) - 1
    return centre[0] + row - radius, centre[1], centre[2] + index - starts[row] - spans[row]
