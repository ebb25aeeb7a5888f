"""An agent's way: straight lines at constant speed, exact at every tick."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import accumulate, chain, pairwise

from engine.world.geometry import TICKS_PER_STEP, Cell, Position, distance, nearest_cell, rounded_up

Extent = tuple[float, float, float, float]
"""Least and greatest x, least and greatest z."""

_SLACK = 1e-6
"""Keeps rounding from deciding whether something is near."""


class Motion:
    """A walk along `points` that began at `start` (a tick) with `speed` blocks a second.

    Attributes:
        arrival: the tick at which it is over.
    """

    __slots__ = ("_cells", "_entries", "_extent", "_reached", "arrival", "points", "speed", "start")

    def __init__(self, start: int, points: Sequence[Position], speed: float) -> None:
        self.start = start
        self.points = list(points)
        self.speed = speed
        self._reached = list(accumulate(map(distance, self.points, self.points[1:]), initial=0.0))
        self.arrival = start + rounded_up(self._reached[-1] / speed * TICKS_PER_STEP)
        self._extent: Extent | None = None
        self._cells: frozenset[Cell] | None = None
        self._entries: list[tuple[int, Cell]] | None = None

    def at(self, tick: int) -> Position:
        """Where the walker is at the tick."""
        points, reached = self.points, self._reached
        length = self._walked(tick)
        if tick >= self.arrival or length >= reached[-1]:
            return points[-1]
        leg = bisect_right(reached, length)
        before = reached[leg - 1]
        share = (length - before) / (reached[leg] - before)
        return _between(points[leg - 1], points[leg], share)

    def _walked(self, tick: int) -> float:
        return min((tick - self.start) * self.speed / TICKS_PER_STEP, self._reached[-1])

    @property
    def extent(self) -> Extent:
        """Between which x and z the way lies."""
        if self._extent is None:
            self._extent = extent(self.points)
        return self._extent

    def passes(self, place: Position, margin: float) -> bool:
        """Whether the place lies in the extent of the way, widened by the margin.

        What does not is nowhere within the margin of the way, which is much cheaper to find out than how near it is.
        """
        west, east, north, south = self.extent
        return west - margin <= place[0] <= east + margin and north - margin <= place[2] <= south + margin

    def cells(self) -> frozenset[Cell]:
        """Every cell whose centre the way passes."""
        if self._cells is None:
            legs = chain.from_iterable(map(_passed, self.points, self.points[1:]))
            self._cells = frozenset((nearest_cell(self.points[-1]), *legs))
        return self._cells

    def entries(self) -> list[tuple[int, Cell]]:
        """The cells that the walker is in, one after the other, each with the first tick at which it is there."""
        if self._entries is None:
            self._entries = [(self.start, nearest_cell(self.points[0]))]
            for leg, (a, b) in enumerate(pairwise(self.points)):
                span = self._reached[leg + 1] - self._reached[leg]
                shares = sorted({share for p, q in zip(a, b, strict=True) for share in _crossings(p, q)})
                for share, until in pairwise([*shares, 1.0]):
                    cell = nearest_cell(_between(a, b, (share + until) / 2))
                    length = self._reached[leg] + span * share
                    tick = self.start + rounded_up(length / self.speed * TICKS_PER_STEP)
                    if cell != self._entries[-1][1]:
                        self._entries.append((tick, cell))
        return self._entries

    def rest(self, tick: int) -> list[Position]:
        """The way that is left at the tick: where the walker is, then the corners still before it."""
        leg = bisect_right(self._reached, self._walked(tick))
        return [self.at(tick), *self.points[leg:]]

    def first_tick_within(self, target: Position, radius: float, since: int) -> int | None:
        """The first tick at or after `since` at which the walker is within `radius` of the target, if any."""
        if not self.passes(target, radius + _SLACK):
            return None
        done = self._walked(since)
        for leg, (a, b) in enumerate(pairwise(self.points)):
            if self._reached[leg + 1] < done:
                continue
            entry = _entry(a, b, target, radius)
            if entry is None:
                continue
            enters, leaves = entry
            if self._reached[leg] + leaves < done:
                continue
            length = max(self._reached[leg] + enters, done)
            tick = self.start + rounded_up(length / self.speed * TICKS_PER_STEP)
            tick = max(tick, since)
            if distance(self.at(tick), target) <= radius + 1e-9:
                return tick
        return since if distance(self.at(since), target) <= radius else None


def extent(places: Collection[Position], margin: float = 0) -> Extent:
    """Between which x and z the places lie, of which there is at least one; widened by the margin on every side."""
    xs = [place[0] for place in places]
    zs = [place[2] for place in places]
    return min(xs) - margin, max(xs) + margin, min(zs) - margin, max(zs) + margin


def leads_by(motion: Motion | None, cells: Iterable[Cell]) -> bool:
    """Whether the way leads through one of the cells, right over or right under it."""
    if motion is None:
        return False
    near = [cell for cell in cells if motion.passes(cell, 1)]
    if not near:
        return False
    passed = motion.cells()
    return any(not passed.isdisjoint(((x, y - 1, z), (x, y, z), (x, y + 1, z))) for x, y, z in near)


def _passed(a: Position, b: Position) -> Iterator[Cell]:
    """The cells whose centres the line from a to b passes, both ends included."""
    (x, y, z), (east, up, south) = a, (b[0] - a[0], b[1] - a[1], b[2] - a[2])
    count = max(1, round(max(abs(east), abs(up), abs(south))))
    for i in range(count + 1):
        share = i / count
        yield nearest_cell((x + east * share, y + up * share, z + south * share))


def _between(a: Position, b: Position, share: float) -> Position:
    return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share, a[2] + (b[2] - a[2]) * share


def _crossings(p: float, q: float) -> list[float]:
    """The shares of the line from p to q at which the nearest whole number changes."""
    if p == q:
        return []
    low, high = min(p, q), max(p, q)
    return [(half + 0.5 - p) / (q - p) for half in range(math.floor(low + 0.5), math.floor(high + 0.5))]


def _entry(a: Position, b: Position, target: Position, radius: float) -> tuple[float, float] | None:
    """Lengths along the line a→b between which it is within the radius of the target; None if it never is."""
    length = distance(a, b)
    if length == 0:
        return (0.0, 0.0) if distance(a, target) <= radius else None
    (ax, ay, az), (bx, by, bz), (tx, ty, tz) = a, b, target
    along = ((tx - ax) * (bx - ax) + (ty - ay) * (by - ay) + (tz - az) * (bz - az)) / length
    off_squared = distance(a, target) ** 2 - along**2
    half_squared = radius**2 - off_squared
    if half_squared < 0:
        return None
    half = math.sqrt(half_squared)
    if along + half < 0 or along - half > length:
        return None
    return max(0.0, along - half), min(length, along + half)
