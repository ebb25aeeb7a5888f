"""OR-Tools' CP-SAT, bounded by work done and not by time passed, so that every run and machine finds the same.

OR-Tools is heavy (about 80 MB), so it is imported when a model is first made and not before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ortools.sat.python.cp_model import CpModel, CpSolver

SEED = 1


def new_model() -> CpModel:
    """An empty CP-SAT model."""
    from ortools.sat.python.cp_model import CpModel

    return CpModel()


def solve(model: CpModel, effort: float) -> CpSolver | None:
    """The best solution found with so much work (OR-Tools' deterministic seconds); None if there is none.

    One thread and a fixed seed; the search strategies take turns on it in a fixed order.
    """
    from ortools.sat.python import cp_model

    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = SEED
    solver.parameters.max_deterministic_time = effort
    solver.parameters.interleave_search = True
    found = solver.solve(model) in (cp_model.OPTIMAL, cp_model.FEASIBLE)
    return solver if found else None
