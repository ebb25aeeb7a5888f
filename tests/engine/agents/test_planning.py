"""The planning oracle: its plans on small problems, its falling back to the greedy one, and that it repeats itself."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

from engine.agents.oracles.planning import mining, raiding, sheltering
from engine.agents.oracles.planning.roles import Climb, Job, choose_roles
from engine.agents.oracles.planning.routes import RouteProblem, Stop, Traveller, greedy_routes, plan_routes
from engine.agents.oracles.planning.targets import SLOTS, Fighter, Foe, plan_targets
from engine.spec.loader import load_task
from engine.spec.model import TaskSpec
from tests.engine.build import Played, agent, task

ROOT = Path(__file__).parents[3]
SAMPLES = ROOT / "tasks" / "samples"
EFFORT = 10_000


def _sample(name: str) -> TaskSpec:
    return load_task(SAMPLES / f"{name}.yaml").spec


# --- routes


def _problem(latest: dict[int, int], wanted: int = 2) -> RouteProblem:
    """One traveller at x = 0, five ticks a block; stops at x = 4 and x = −8 take ten ticks each."""
    one = Traveller((0, 0), 0, 5.0, {0: 10, 1: 10}, latest)
    return RouteProblem([one], [Stop((4, 0), "ore"), Stop((-8, 0), "ore")], {"ore": wanted}, 0, 0)


def test_the_nearest_stop_comes_first_where_there_is_time() -> None:
    # 4 blocks and 10 ticks: done at 30; 12 blocks back and 10 ticks: done at 100. The other way it were 50 and 120.
    assert plan_routes(_problem({0: 200, 1: 200}), EFFORT) == [[0, 1]]


def test_what_closes_first_comes_first_where_the_nearest_would_cost_it() -> None:
    # The far one is done at 50 if it comes first, and at 100 if it does not.
    problem = _problem({0: 200, 1: 99})
    assert greedy_routes(problem) == [[0]]
    assert plan_routes(problem, EFFORT) == [[1, 0]]


def test_no_more_is_visited_than_is_wanted() -> None:
    assert plan_routes(_problem({0: 200, 1: 200}, wanted=1), EFFORT) == [[0]]


def test_what_nobody_can_be_in_time_for_is_left_out() -> None:
    assert plan_routes(_problem({0: 29, 1: 49}), EFFORT) == [[]]


def test_who_alone_can_serve_a_stop_leaves_the_others_to_the_rest() -> None:
    stops = [Stop((1, 0), "coal"), Stop((3, 0), "gold")]
    ada = Traveller((0, 0), 0, 5.0, {0: 10, 1: 10}, {0: 30, 1: 30})
    bob = Traveller((2, 0), 0, 5.0, {0: 10}, {0: 30})
    # Ada has time for one of the two: coal is done at 15, gold at 25, gold after coal at 35.
    assert plan_routes(RouteProblem([ada, bob], stops, {"coal": 1, "gold": 1}, 0, 0), EFFORT) == [[1], [0]]


def test_without_stops_there_is_nothing_to_plan() -> None:
    assert plan_routes(RouteProblem([Traveller((0, 0), 0, 5.0, {}, {})], [], {}, 0, 0), EFFORT) is None


# --- roles


def test_the_quick_one_builds_steps_for_those_who_would_be_late() -> None:
    # Bob alone would be done at 120, too late at 100; on Ada's steps he is on top at 60 + 20.
    slow = Job("Bob", {0: 2}, 120, 100)
    quick = [Job("Ada", {0: 2}, 40, 100), Job("Ada", {0: 3}, 60, 100, site=0)]
    climb = Climb("Bob", 0, arrive=50, up=20, latest=100)
    roles = choose_roles(["Bob", "Ada"], [*quick, slow], [climb], [5], 1.0)
    assert roles is not None
    assert (roles.jobs, roles.climbers) == ([quick[1]], ["Bob"])


def test_nobody_takes_more_than_a_pile_has() -> None:
    jobs = [Job(name, {0: 2}, 40, 100) for name in ("Ada", "Bob")]
    roles = choose_roles(["Ada", "Bob"], jobs, [], [3], 1.0)
    assert roles is not None
    assert len(roles.jobs) == 1


def test_nobody_climbs_steps_that_are_not_done_in_time() -> None:
    # Done at 90, and 20 ticks to the top, but at 100 it is too late.
    job, climb = Job("Ada", {0: 3}, 90, 100, site=0), Climb("Bob", 0, arrive=10, up=20, latest=100)
    roles = choose_roles(["Ada", "Bob"], [job], [climb], [3], 1.0)
    assert roles is not None
    assert roles.climbers == []


# --- targets


def test_all_go_for_the_one_whose_death_ends_it_if_that_is_quickest() -> None:
    fighters = {name: Fighter([10, 10], [10, 10]) for name in ("Ada", "Bob")}
    # Together they do 20 a slot. Boss first: dead after two slots, 6 of harm after the first. Minion first: 6 after the
    # first slot, then 3 and 3 while the boss is felled, 12 in all.
    foes = [Foe(40, 3, decides=True), Foe(30, 3)]
    assert plan_targets(fighters, foes, {}, 1.0) == {"Ada": 0, "Bob": 0}


def test_everybody_fights_whom_it_hits_hardest_where_all_must_die() -> None:
    fighters = {"Ada": Fighter([20, 5], [20, 5]), "Bob": Fighter([5, 20], [5, 20])}
    assert plan_targets(fighters, [Foe(40, 3), Foe(40, 3)], {}, 1.0) == {"Ada": 0, "Bob": 1}


def test_a_boss_too_strong_for_the_slots_is_still_fought() -> None:
    fighters = {"Ada": Fighter([1.0], [1.0])}
    assert plan_targets(fighters, [Foe(10.0 * SLOTS, 3, decides=True)], {}, 1.0) == {"Ada": 0}


# --- falling back


@pytest.mark.parametrize(
    ("sample", "module", "planner"),
    [
        ("patient_gold", mining, "plan_routes"),
        ("quick_hands", sheltering, "choose_roles"),
        ("wither_lord", raiding, "plan_targets"),
    ],
)
def test_without_a_plan_it_does_what_the_greedy_oracle_does(
    monkeypatch: pytest.MonkeyPatch, sample: str, module: object, planner: str
) -> None:
    monkeypatch.setattr(module, planner, lambda *_: None)
    spec = _sample(sample)
    planned, greedy = Played(spec, "oracle"), Played(spec, "oracle-greedy")
    assert planned.lines[1:] == greedy.lines[1:]  # the first line names the policy


def test_what_is_too_large_is_left_to_the_greedy_oracle(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mining, "MAX_STOPS", 3)
    monkeypatch.setattr(mining, "plan_routes", lambda *_: pytest.fail("it was asked"))
    logs = {(x, 64, 6): "oak_log" for x in range(4)}
    assert Played(task(agent("Ada"), targets={"oak_log": 4}, blocks=logs), "oracle").result.success


# --- repeating itself


def _digest(name: str) -> str:
    return hashlib.sha256(b"".join(Played(_sample(name), "oracle", 1).lines)).hexdigest()


STRICT = ["far_seams", "patient_gold", "quick_hands", "long_fight"]


def test_logs_are_the_same_in_this_and_in_another_process() -> None:
    program = f"from tests.engine.agents.test_planning import _digest; print(*map(_digest, {STRICT}))"
    here = [_digest(name) for name in STRICT]
    assert here == [_digest(name) for name in STRICT]
    there = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": "77", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert there.stdout.split() == here


def test_the_solver_is_loaded_only_when_it_is_needed() -> None:
    program = (
        "import sys, engine.agents.policies, engine.evaluation.prospects, engine.episode.run as run;"
        "print([name for name in sys.modules if name.startswith('ortools')])"
    )
    found = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert found.stdout.strip() == "[]"
