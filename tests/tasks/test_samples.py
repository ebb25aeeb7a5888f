"""The sample tasks hold what they promise: the oracle wins them, and no short cut does."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from engine.agents.oracles import Idler, greedy
from engine.agents.oracles.common import Planner
from engine.agents.oracles.planning import planning
from engine.agents.policies import POLICIES
from engine.agents.policy import Call, Moment, Policy, PolicyInfo, Reply, Setting
from engine.episode.result import EpisodeResult
from engine.episode.run import run_episode
from engine.episode.settings import EpisodeSettings
from engine.evaluation.feasibility import feasibility
from engine.evaluation.scores import crisis
from engine.events.payloads import Payload
from engine.spec.loader import Loaded, load_task
from engine.spec.model import Agent, Agents, TaskSpec
from engine.world.contact import TOWARDS
from engine.world.geometry import Cell

ROOT = Path(__file__).parents[2]
SAMPLES = {path.stem: path for path in sorted((ROOT / "tasks" / "samples").glob("*.yaml"))}
POSSIBLE = [name for name in SAMPLES if not name.startswith("impossible_")]
STRICT = ["far_seams", "long_fight", "patient_gold", "quick_hands"]
"""The oracle that plans wins these, the greedy one does not."""
HARD = [name for name in SAMPLES if "easy" not in name]
FAR = 60
"""Blocks that somebody who walks away goes."""


class WalksAway(Policy):
    """Sends everybody straight away from the action, and lets them stay there."""

    def __init__(self, setting: Setting) -> None:
        spec = setting.spec
        self._state = setting.state
        self._planner = Planner()
        self._from = _centre(spec)
        # In mine_vanishing_blocks, scouting is the only way to walk.
        self._walk = "scout_blocks_at" if spec.task.type == "mine_vanishing_blocks" else "move_to"
        self._gone: set[str] = set()

    def calls(self, moment: Moment) -> list[Call]:
        leaving = [name for name in moment.idle if name not in self._gone]
        self._gone.update(leaving)
        plans = {name: self._planner.plan(name, "leave", self._leave(name, moment.tick)) for name in leaving}
        return [Call(tuple(leaving), lambda: Reply(plans))] if leaving else []

    def _leave(self, name: str, tick: int) -> tuple[str, dict[str, object]]:
        x, _, z = self._state.agents[name].at(tick)
        east, south = x - self._from[0], z - self._from[2]
        length = max(abs(east), abs(south))
        step = (east / length, south / length) if length else (1.0, 0.0)
        return self._walk, {"target_pos": [round(x + FAR * step[0]), 64, round(z + FAR * step[1])]}


def _centre(spec: TaskSpec) -> Cell:
    """Where the action is: the side from which a crisis comes, the boss, or the middle of the map."""
    if spec.task.type == "prepare_crisis":
        _, fill = crisis(spec)
        low, high, step = fill.area.min, fill.area.max, TOWARDS[fill.direction]
        middle = [(a + b) // 2 for a, b in zip(low, high, strict=True)]
        first = [
            a if s > 0 else b if s < 0 else m for a, b, s, m in zip(low, high, step, middle, strict=True)
        ]
        return first[0], first[1], first[2]
    for hostile in spec.environment.entities.hostiles:
        return hostile.position
    return 0, 64, 0


class Alone(Policy):
    """The oracle, but only one agent hears of it; the others stand where they are."""

    def __init__(self, oracle: Policy, agent: str) -> None:
        self._oracle = oracle
        self._agent = agent

    def follow(self, tick: int, payload: Payload) -> None:
        self._oracle.follow(tick, payload)

    def calls(self, moment: Moment) -> list[Call]:
        idle, busy = (tuple(n for n in names if n == self._agent) for names in (moment.idle, moment.busy))
        return self._oracle.calls(Moment(moment.tick, idle, busy))

    def next_tick(self) -> int | None:
        return self._oracle.next_tick()


@cache
def _loaded(name: str) -> Loaded:
    return load_task(SAMPLES[name])


def _play(
    monkeypatch: pytest.MonkeyPatch,
    spec: TaskSpec,
    build: Callable[[Setting], Policy],
    seed: int = 0,
) -> EpisodeResult:
    monkeypatch.setitem(POLICIES, "test", PolicyInfo("test", "", "", build))
    result = run_episode(spec, EpisodeSettings("test", seed=seed), lambda event, line: None)
    assert result.status == "finished", result.error
    return result


@pytest.mark.parametrize("name", SAMPLES)
def test_it_is_valid_without_warnings_and_named_like_its_file(name: str) -> None:
    loaded = _loaded(name)
    assert loaded.warnings == []
    assert loaded.spec.id == f"{name}_v1"


@pytest.mark.parametrize("name", SAMPLES)
def test_it_begins_with_a_comment_on_what_it_shows(name: str) -> None:
    assert SAMPLES[name].read_text(encoding="utf-8").startswith("# ")


@pytest.mark.parametrize("name", SAMPLES)
def test_it_counts_as_feasible_unless_it_is_impossible_or_custom(name: str) -> None:
    spec = _loaded(name).spec
    expected = None if spec.task.type == "custom" else name in POSSIBLE
    assert feasibility(spec).feasible is expected


@pytest.mark.parametrize("name", POSSIBLE)
def test_the_oracle_wins(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    for seed in range(3):
        result = _play(monkeypatch, _loaded(name).spec, planning, seed)
        assert result.success, (seed, result.checkpoints)


@pytest.mark.parametrize("name", [name for name in POSSIBLE if name not in STRICT])
def test_the_greedy_oracle_wins_what_takes_no_plan(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    for seed in range(3):
        result = _play(monkeypatch, _loaded(name).spec, greedy, seed)
        assert result.success, (seed, result.checkpoints)


@pytest.mark.parametrize("name", STRICT)
def test_the_greedy_oracle_loses_what_takes_a_plan(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    lost = [seed for seed in range(10) if not _play(monkeypatch, _loaded(name).spec, greedy, seed).success]
    assert len(lost) >= 8


@pytest.mark.parametrize("name", [name for name in SAMPLES if name not in POSSIBLE])
def test_nobody_wins_the_impossible(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    assert "impossible" in _loaded(name).spec.task.goal
    assert not any(_play(monkeypatch, _loaded(name).spec, planning, seed).success for seed in range(3))


@pytest.mark.parametrize("name", HARD)
def test_doing_nothing_loses(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    assert not _play(monkeypatch, _loaded(name).spec, lambda _: Idler()).success


@pytest.mark.parametrize("name", HARD)
def test_walking_away_loses(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    assert not _play(monkeypatch, _loaded(name).spec, WalksAway).success


@pytest.mark.parametrize("name", HARD)
def test_no_agent_wins_alone(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    winners = [
        agent.name for agent in _loaded(name).spec.agents.spawn if _wins_alone(monkeypatch, name, agent)
    ]
    assert winners == []


def _wins_alone(monkeypatch: pytest.MonkeyPatch, name: str, agent: Agent) -> bool | None:
    spec = _loaded(name).spec
    if spec.task.type == "mine_vanishing_blocks":
        # Somebody who only stands about picks up what falls beside him, and keeps it: better without the others.
        spec = spec.model_copy(update={"agents": Agents(count=1, spawn=[agent])})
    # Whom to fight first is all that there is to plan for one alone, and the greedy oracle's rule is as good at that.
    best = greedy if spec.environment.entities.hostiles else planning
    return _play(monkeypatch, spec, lambda setting: Alone(best(setting), agent.name)).success


def test_each_type_has_four_and_teams_have_two_to_eight_agents() -> None:
    specs = [_loaded(name).spec for name in SAMPLES]
    types = [spec.task.type for spec in specs]
    assert all(types.count(kind) >= 4 for kind in ("prepare_crisis", "mine_vanishing_blocks", "raid_boss"))
    assert "custom" in types
    assert {len(spec.agents.spawn) for spec in specs} == set(range(2, 9))


def test_the_guide_lists_them_all() -> None:
    text = (ROOT / "templates" / "docs" / "samples.md").read_text(encoding="utf-8")
    assert sorted(re.findall(r"^\| `(\w+)`", text, re.MULTILINE)) == sorted(SAMPLES)
