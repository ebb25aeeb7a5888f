"""Whom to fight, in which order: fighters are given to foes over the next seconds so that the foes do least harm.

The coming time is cut into slots; in each, a fighter hits one foe. Healths are in half hearts, rates a slot.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.agents.oracles.planning.solver import new_model, solve

if TYPE_CHECKING:
    from ortools.sat.python.cp_model import CpModel, IntVar, LinearExpr

SLOTS = 16
SCALE = 10
"""Healths and rates are whole numbers to the solver: tenths of half hearts."""


@dataclass(frozen=True, slots=True)
class Foe:
    """An enemy.

    Attributes:
        harm: what it does in a slot while it lives.
        decides: whether all is over when it is dead.
    """

    health: float
    harm: float
    decides: bool = False


@dataclass(frozen=True, slots=True)
class Fighter:
    """Somebody who fights.

    Attributes:
        rates: damage a slot, by foe.
        first: the same in the first slot, of which walking takes a part.
    """

    rates: Sequence[float]
    first: Sequence[float]


def plan_targets(
    fighters: Mapping[str, Fighter], foes: Sequence[Foe], hint: Mapping[str, int], effort: float
) -> dict[str, int] | None:
    """The foe that each fighter is to hit first. None if no plan is found.

    Minimises the harm that foes do over the slots; when one who decides is dead there is no more, and if it still lives
    at the end, what is left of it counts as if all foes went on for as long as the team takes for it. Starts from
    `hint`. `effort` is in deterministic seconds of OR-Tools.
    """
    plan = _Plan(fighters, foes, hint)
    solver = solve(plan.model, effort)
    if solver is None:
        return None
    return {
        name: foe for (name, foe, slot), hits in plan.hits.items() if slot == 0 and solver.boolean_value(hits)
    }


class _Plan:
    def __init__(self, fighters: Mapping[str, Fighter], foes: Sequence[Foe], hint: Mapping[str, int]) -> None:
        self.model: CpModel = new_model()
        self._fighters = fighters
        self._foes = foes
        self.hits = {
            (name, foe, slot): self.model.new_bool_var("")
            for name in fighters
            for foe in range(len(foes))
            for slot in range(SLOTS)
        }
        for name in fighters:
            for slot in range(SLOTS):
                self.model.add_exactly_one(self.hits[name, foe, slot] for foe in range(len(foes)))
        for (name, foe, _), hits in self.hits.items():
            self.model.add_hint(hits, hint.get(name) == foe)
        alive = [self._lives(number, foe) for number, foe in enumerate(foes)]
        self._minimise(alive)

    def _lives(self, number: int, foe: Foe) -> list[IntVar]:
        """Whether the foe lives after each slot: until the damage so far has come up to its health."""
        dealt: list[LinearExpr] = []
        alive = []
        for slot in range(SLOTS):
            for name, fighter in self._fighters.items():
                rate = (fighter.first if slot == 0 else fighter.rates)[number]
                dealt.append(math.floor(rate * SCALE) * self.hits[name, number, slot])
            living = self.model.new_bool_var("")
            self.model.add(sum(dealt) >= math.ceil(foe.health * SCALE)).only_enforce_if(~living)
            alive.append(living)
        return alive

    def _minimise(self, alive: list[list[IntVar]]) -> None:
        total = math.ceil(sum(foe.harm for foe in self._foes) * SCALE)
        harms = []
        for slot in range(SLOTS):
            harm = self.model.new_int_var(0, total, "")
            sum_of_living = sum(
                math.ceil(foe.harm * SCALE) * alive[number][slot] for number, foe in enumerate(self._foes)
            )
            spared = [
                total * (1 - alive[number][slot]) for number, foe in enumerate(self._foes) if foe.decides
            ]
            self.model.add(harm >= sum_of_living - sum(spared))
            harms.append(harm)
        self.model.minimize(
            sum(harms) + sum(self._rest(number) for number, foe in enumerate(self._foes) if foe.decides)
        )

    def _rest(self, number: int) -> IntVar:
        """Harm after the last slot, for what is then left of a foe who decides."""
        health = self._foes[number].health
        team = sum(fighter.rates[number] for fighter in self._fighters.values())
        total = sum(foe.harm for foe in self._foes)
        price = math.ceil(total / team) if team > 0 else 0
        left = self.model.new_int_var(0, math.ceil(health * SCALE), "")
        dealt = sum(
            math.floor((fighter.first if slot == 0 else fighter.rates)[number] * SCALE)
            * self.hits[name, number, slot]
            for name, fighter in self._fighters.items()
            for slot in range(SLOTS)
        )
        self.model.add(left >= math.ceil(health * SCALE) - dealt)
        rest = self.model.new_int_var(0, price * math.ceil(health * SCALE), "")
        self.model.add(rest == price * left)
        return rest
