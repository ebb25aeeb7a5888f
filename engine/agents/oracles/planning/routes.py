"""Who visits which stops in which order: a small vehicle routing problem with time windows, for OR-Tools.

Times are in ticks from now. Nothing here knows of blocks or agents, only of travellers and stops.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.world.geometry import octile

if TYPE_CHECKING:
    from ortools.constraint_solver.pywrapcp import Assignment

Place = tuple[float, float]
"""x and z."""

GAIN = 1_000
"""What a stop is worth, in ticks of all travellers together."""
RARE = 200
"""What it is worth more if only one traveller can serve it; half of that if two can, and so on."""


@dataclass(frozen=True, slots=True)
class Stop:
    """Somewhere to go.

    Attributes:
        kind: what is to be had there; of each kind only so many are wanted.
    """

    place: Place
    kind: str


@dataclass(frozen=True, slots=True)
class Traveller:
    """Somebody who visits stops.

    Attributes:
        place: where the traveller is, `ready` ticks from now.
        pace: ticks for a block of the way.
        service: ticks that each stop takes, by its number; only those that the traveller can serve.
        latest: by stop, when the traveller must be done there.
    """

    place: Place
    ready: int
    pace: float
    service: Mapping[int, int]
    latest: Mapping[int, int]

    def leg(self, here: Place, there: Place, short: float) -> int:
        """Ticks from one place to within `short` blocks of another."""
        way = octile(round(there[0] - here[0]), round(there[1] - here[1]))
        return math.ceil(max(0.0, way - short) * self.pace)


@dataclass(frozen=True, slots=True)
class RouteProblem:
    """Travellers, stops, and how many of each kind are wanted: at least one of each kind that there is.

    Attributes:
        short: how many blocks before a stop a way to it may end.
        on: the same for the way from one stop to the next. It is less, since one does not stand at the stop but as far
            from it, on the side from which one came.
    """

    travellers: Sequence[Traveller]
    stops: Sequence[Stop]
    wanted: Mapping[str, int]
    short: float
    on: float


HORIZON = 1_000_000
"""Ticks, later than everything."""
DESCENT = 1
"""OR-Tools' number for a local search that ends where no neighbour is better: guided search beyond that took thirty
times as long for less than one per cent. Neither draws lots."""
FOREVER = 100_000
"""Seconds: nothing here is limited by the clock."""

Routes = list[list[int]]
"""The stops of each traveller, in order."""


def greedy_routes(problem: RouteProblem, *, urgent: bool = False) -> Routes:
    """Whoever can be done first with a stop goes there, again and again; if `urgent`, what closes first comes first."""
    routes: Routes = [[] for _ in problem.travellers]
    at = [(one.place, one.ready) for one in problem.travellers]
    left = dict(problem.wanted)
    open_stops = set(range(len(problem.stops)))
    while True:
        options = [
            (one.latest[stop] if urgent else 0, done, who, stop)
            for who, one in enumerate(problem.travellers)
            for stop in one.service
            if stop in open_stops and left.get(problem.stops[stop].kind, 0) > 0
            if (done := _done(problem, one, at[who], stop, first=not routes[who])) <= one.latest[stop]
        ]
        if not options:
            return routes
        _, done, who, stop = min(options)
        routes[who].append(stop)
        at[who] = problem.stops[stop].place, done
        open_stops.remove(stop)
        left[problem.stops[stop].kind] -= 1


def _done(problem: RouteProblem, one: Traveller, at: tuple[Place, int], stop: int, *, first: bool) -> int:
    place, ready = at
    short = problem.short if first else problem.on
    return ready + one.leg(place, problem.stops[stop].place, short) + one.service[stop]


def plan_routes(problem: RouteProblem, effort: int) -> Routes | None:
    """Routes that serve as many of the wanted stops as can be in time, with as little work and as early as can be.

    Starts from `greedy_routes`, from those by urgency as well if stops are left out, and is never worse by `_Model`'s
    measure. None if no route is found, or there is nothing to visit. `effort` is the number of branches after which the
    search stops: not time, so that the outcome is the same on every machine.
    """
    if not problem.stops:
        return None
    found = _Model(problem, effort).solve(greedy_routes(problem))
    if found is None or _left_out(problem, found[1]):
        other = _Model(problem, effort).solve(greedy_routes(problem, urgent=True))
        found = min((one for one in (found, other) if one), default=None)
    return None if found is None else found[1]


def _left_out(problem: RouteProblem, routes: Routes) -> int:
    """How many stops that are there and wanted are not visited."""
    there = Counter(stop.kind for stop in problem.stops)
    wanted = sum(min(problem.wanted.get(kind, 0), count) for kind, count in there.items())
    return wanted - sum(map(len, routes))


class _Model:
    """OR-Tools' routing model: nodes are the stops, then where each traveller starts, then one end for all.

    It minimises the gain of wanted stops left out, plus the ticks of all travellers, plus the time at which the last of
    them is done as many times as there are travellers.
    """

    def __init__(self, problem: RouteProblem, effort: int) -> None:
        from ortools.constraint_solver import pywrapcp

        self._problem = problem
        count, stops = len(problem.travellers), len(problem.stops)
        starts = [stops + who for who in range(count)]
        self._index = pywrapcp.RoutingIndexManager(stops + count + 1, count, starts, [stops + count] * count)
        self._model = pywrapcp.RoutingModel(self._index)
        self._parameters = pywrapcp.DefaultRoutingSearchParameters()
        self._parameters.local_search_metaheuristic = DESCENT
        self._parameters.lns_time_limit.seconds = FOREVER
        self._add_travel()
        self._add_windows()
        self._add_gains()
        self._model.AddSearchMonitor(self._model.solver().BranchesLimit(effort))
        self._model.CloseModelWithParameters(self._parameters)

    def _add_travel(self) -> None:
        transits = []
        for who, one in enumerate(self._problem.travellers):
            transit = self._model.RegisterTransitMatrix(self._matrix(one))
            self._model.SetArcCostEvaluatorOfVehicle(transit, who)
            transits.append(transit)
        self._model.AddDimensionWithVehicleTransits(transits, 0, HORIZON, False, "time")
        self._time = self._model.GetDimensionOrDie("time")
        self._time.SetGlobalSpanCostCoefficient(len(self._problem.travellers))

    def _matrix(self, one: Traveller) -> list[list[int]]:
        """Ticks from being done at one node to being done at the next; to the end it takes none."""
        places = [(stop.place, self._problem.on) for stop in self._problem.stops]
        places += [(other.place, self._problem.short) for other in self._problem.travellers]
        rows = [
            [
                one.leg(here, stop.place, short) + one.service.get(number, 0)
                for number, stop in enumerate(self._problem.stops)
            ]
            + [0] * (len(self._problem.travellers) + 1)
            for here, short in places
        ]
        return [*rows, [0] * (len(places) + 1)]

    def _add_windows(self) -> None:
        solver = self._model.solver()
        for who, one in enumerate(self._problem.travellers):
            self._time.CumulVar(self._model.Start(who)).SetValue(one.ready)
        for stop in range(len(self._problem.stops)):
            index = self._index.NodeToIndex(stop)
            able = [
                who
                for who, one in enumerate(self._problem.travellers)
                if stop in one.service and one.latest[stop] > 0
            ]
            latest = max((self._problem.travellers[who].latest[stop] for who in able), default=0)
            self._model.VehicleVar(index).SetValues([-1, *able])  # -1: left out
            self._time.CumulVar(index).SetMax(latest)
            for who in able:
                own = self._problem.travellers[who].latest[stop]
                if own < latest:
                    late = self._time.CumulVar(index) > own
                    solver.Add((self._model.VehicleVar(index) == who) + late <= 1)

    def _add_gains(self) -> None:
        able = Counter(stop for one in self._problem.travellers for stop in one.service)
        for kind, wanted in sorted(self._problem.wanted.items()):
            stops = [number for number, stop in enumerate(self._problem.stops) if stop.kind == kind]
            if not stops:
                continue
            gain = GAIN + RARE // max(1, min(able[stop] for stop in stops))
            indices = [self._index.NodeToIndex(stop) for stop in stops]
            most = min(wanted, len(stops))  # OR-Tools ends the process if this is not at least 1
            self._model.AddDisjunction(indices, gain, most, self._model.PENALIZE_PER_INACTIVE)

    def solve(self, hint: Routes) -> tuple[int, Routes] | None:
        """The best routes found from the hint on, and their cost."""
        start = self._model.ReadAssignmentFromRoutes(hint, True)
        found = self._model.SolveFromAssignmentWithParameters(start, self._parameters) if start else None
        if found is None:
            return None
        return found.ObjectiveValue(), [self._route(found, who) for who in range(len(hint))]

    def _route(self, found: Assignment, who: int) -> list[int]:
        index, route = self._model.Start(who), []
        while not self._model.IsEnd(index := found.Value(self._model.NextVar(index))):
            route.append(self._index.IndexToNode(index))
        return route
