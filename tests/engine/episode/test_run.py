from __future__ import annotations

import dataclasses
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from engine.agents.plans import Plan, Step
from engine.agents.policies import POLICIES
from engine.agents.policy import Call, Moment, Policy, PolicyInfo, Reply
from engine.episode.result import StepBreakdown
from engine.episode.run import run_episode
from engine.episode.settings import Cancelled, EpisodeSettings, Mode, Unhurried
from engine.errors import SettingsError
from engine.events import Event, Payload, decode
from engine.spec.loader import load_task
from tests.engine.build import agent, task

ROOT = Path(__file__).resolve().parents[3]
GOLD_RUSH = ROOT / "tasks" / "samples" / "gold_rush.yaml"


class Recording:
    """A sink that keeps everything."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.lines: list[bytes] = []

    def __call__(self, event: Event, line: bytes) -> None:
        self.events.append(event)
        self.lines.append(line)

    def of(self, kind: str) -> list[tuple[int, Payload]]:
        return [(event.world_time, event.payload) for event in self.events if event.type == kind]


class Fixed(Policy):
    """A policy that gives every agent the same plan whenever it is free, each time after the same latency."""

    def __init__(self, plan: Plan, latency_s: float = 0.0) -> None:
        self.plan, self.latency_s = plan, latency_s
        self.asked: list[tuple[int, tuple[str, ...]]] = []

    def calls(self, moment: Moment) -> list[Call]:
        if not moment.idle:
            return []
        self.asked.append((moment.tick, moment.idle))
        return [
            Call(moment.idle, lambda: Reply(dict.fromkeys(moment.idle, self.plan), latency_s=self.latency_s))
        ]


Use = Callable[[Policy], EpisodeSettings]


@pytest.fixture
def use() -> Iterator[Use]:
    """Registers a policy for one test and returns settings that name it."""

    def register(policy: Policy) -> EpisodeSettings:
        POLICIES["test"] = PolicyInfo("test", "Test", "", lambda _setting: policy)
        return EpisodeSettings(policy="test")

    yield register
    POLICIES.pop("test", None)


def wait(steps: int) -> Plan:
    return Plan((Step("w", "wait", {"duration": steps}),))


LOOK = Plan((Step("l", "find_blocks", {"block_types": ["oak_log"]}),))
"""Takes 10 ticks."""


@pytest.mark.parametrize("seed", range(10))
def test_the_oracle_wins_the_gold_rush(seed: int) -> None:
    result = run_episode(load_task(GOLD_RUSH).spec, EpisodeSettings(seed=seed), Recording())
    assert (result.status, result.success, result.partial_score) == ("finished", True, 1.0)
    assert {point.name: (point.have, point.need) for point in result.checkpoints} == {
        "deposit raw_gold": (24, 24),
        "deposit oak_log": (22, 22),
    }


def test_one_seed_gives_the_same_bytes_in_every_process(tmp_path: Path) -> None:
    logs = []
    for hash_seed in ("1", "2"):
        log = tmp_path / f"{hash_seed}.jsonl"
        command = [
            sys.executable,
            "manage.py",
            "run_episode",
            str(GOLD_RUSH),
            "--seed",
            "4",
            "--log",
            str(log),
        ]
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
        subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True)
        logs.append(log.read_bytes())
    assert logs[0] == logs[1]
    assert logs[0].count(b"\n") > 300


def test_two_seeds_give_two_worlds() -> None:
    one, other = Recording(), Recording()
    for seed, sink in ((1, one), (2, other)):
        run_episode(load_task(GOLD_RUSH).spec, EpisodeSettings(seed=seed), sink)
    assert one.of("blocks_changed") != other.of("blocks_changed")


def test_a_log_reads_back_as_it_was_written() -> None:
    sink = Recording()
    run_episode(load_task(GOLD_RUSH).spec, EpisodeSettings(), sink)
    assert list(decode(sink.lines)) == sink.events
    assert [event.seq for event in sink.events] == list(range(1, len(sink.events) + 1))
    times = [event.world_time for event in sink.events]
    assert times == sorted(times)


def test_breakdowns_add_up_to_the_steps_of_the_episode() -> None:
    result = run_episode(load_task(GOLD_RUSH).spec, EpisodeSettings(seed=1), Recording())
    for lane in result.breakdown.values():
        assert sum(dataclasses.astuple(lane)) == pytest.approx(result.steps)


def test_nothing_to_do_ends_at_max_steps_as_a_failure() -> None:
    spec = task(agent("Ada"), targets={"oak_log": 2}, max_steps=7)
    result = run_episode(spec, EpisodeSettings(), Recording())
    assert (result.status, result.success, result.partial_score, result.steps) == (
        "finished",
        False,
        0.0,
        7.0,
    )
    assert result.breakdown == {"Ada": StepBreakdown(idle=7.0)}


def test_targets_already_met_end_at_tick_zero() -> None:
    spec = task(agent("Ada"), targets={"oak_log": 2}, chest_items={"oak_log": 2}, max_steps=1)
    result = run_episode(spec, EpisodeSettings(), Recording())
    assert (result.success, result.partial_score, result.steps) == (True, 1.0, 0.0)


def test_what_happens_at_the_last_tick_counts(use: Use) -> None:
    # The chest is in reach and a deposit of one stack takes 7 ticks: begun at tick 13, it ends at 20, the last one.
    spec = task(agent("Ada", items={"oak_log": 1}), targets={"oak_log": 1}, chest=(2, 64, 0), max_steps=1)
    deposit = Step(
        "d", "deposit_to_chest", {"chest_pos": [2, 64, 0], "items": ["oak_log"], "quantities": [1]}
    )
    late = Fixed(Plan((deposit,)), latency_s=13 / 20)
    settings = dataclasses.replace(use(late), mode="async")
    assert run_episode(spec, settings, Recording()).success is True
    too_late = Fixed(Plan((deposit,)), latency_s=14 / 20)
    settings = dataclasses.replace(use(too_late), mode="async")
    assert run_episode(spec, settings, Recording()).success is False


def test_in_sync_mode_deciding_takes_no_world_time(use: Use) -> None:
    policy = Fixed(LOOK, latency_s=20.0)
    result = run_episode(task(agent("Ada"), max_steps=1), use(policy), Recording())
    assert policy.asked == [(0, ("Ada",)), (10, ("Ada",))]
    assert result.breakdown == {"Ada": StepBreakdown(action=1.0)}


def test_in_async_mode_the_world_goes_on_while_a_policy_decides(use: Use) -> None:
    policy = Fixed(LOOK, latency_s=1.01)  # 20.2 ticks: rounded up
    settings = dataclasses.replace(use(policy), mode="async")
    sink = Recording()
    result = run_episode(task(agent("Ada"), max_steps=5), settings, sink)
    assert policy.asked == [(0, ("Ada",)), (31, ("Ada",)), (62, ("Ada",)), (93, ("Ada",))]
    assert [tick for tick, _ in sink.of("planning_ended")] == [21, 52, 83]
    # Planning 0-21, 31-52, 62-83 and from 93 to the end at 100; looking for 10 ticks after each of the first three.
    assert result.breakdown == {"Ada": StepBreakdown(planning=70 / 20, action=30 / 20)}


def test_waiting_is_no_action(use: Use) -> None:
    result = run_episode(task(agent("Ada"), max_steps=4), use(Fixed(wait(2))), Recording())
    assert result.breakdown == {"Ada": StepBreakdown(idle=4.0)}


def test_after_an_empty_plan_an_agent_rests_for_a_step(use: Use) -> None:
    policy = Fixed(Plan())
    run_episode(task(agent("Ada"), max_steps=3), use(policy), Recording())
    assert [tick for tick, _ in policy.asked] == [0, 20, 40]


def test_all_calls_of_a_tick_see_the_same_moment(use: Use) -> None:
    seen: list[int] = []

    class Each(Fixed):
        def calls(self, moment: Moment) -> list[Call]:
            def decide(name: str) -> Reply:
                seen.append(len(sink.of("plan_set")))
                return Reply({name: self.plan})

            return [Call((name,), lambda name=name: decide(name)) for name in moment.idle]  # type: ignore[misc]

    sink = Recording()
    run_episode(task(agent("Ada"), agent("Ben"), max_steps=1), use(Each(wait(5))), sink)
    assert seen == [0, 0]


@pytest.mark.parametrize(("mode", "is_held_back"), [("sync", False), ("async", True)])
def test_only_while_decisions_cost_world_time_does_it_keep_to_the_wall_clock(
    mode: Mode, is_held_back: bool
) -> None:
    waits: list[bool] = []

    class Onlooker(Unhurried):
        def waiting(self) -> None:
            waits.append(True)

    settings = EpisodeSettings(policy="oracle-greedy", mode=mode, clock="real")
    run_episode(task(agent("Ada"), max_steps=1), settings, Recording(), Onlooker())
    assert any(waits) == is_held_back


def test_a_cancelled_episode_ends_with_what_it_has() -> None:
    class Impatient(Unhurried):
        def before(self, tick: int) -> None:
            if tick > 200:
                raise Cancelled

    sink = Recording()
    result = run_episode(load_task(GOLD_RUSH).spec, EpisodeSettings(), sink, Impatient())
    assert (result.status, result.success) == ("cancelled", None)
    assert 0 < result.steps <= 10
    assert sink.events[-1].type == "episode_ended"


def test_a_defect_is_an_error_and_never_a_failure(use: Use, caplog: pytest.LogCaptureFixture) -> None:
    class Broken(Fixed):
        def calls(self, moment: Moment) -> list[Call]:
            raise ZeroDivisionError("boom")

    sink = Recording()
    result = run_episode(task(agent("Ada")), use(Broken(Plan())), sink)
    assert (result.status, result.success) == ("error", None)
    assert "boom" in result.error
    assert sink.events[-1].type == "episode_ended"
    assert "Traceback" not in result.error
    assert caplog.records


def test_what_the_sink_raises_reaches_the_caller_and_nobody_else(caplog: pytest.LogCaptureFixture) -> None:
    def full(event: Event, line: bytes) -> None:
        raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        run_episode(task(agent("Ada")), EpisodeSettings(), full)
    assert not caplog.records


def test_a_policy_that_cannot_even_listen_ends_in_an_error(use: Use) -> None:
    class Deaf(Fixed):
        def follow(self, tick: int, payload: Payload) -> None:
            raise ZeroDivisionError("boom")

    sink = Recording()
    result = run_episode(task(agent("Ada")), use(Deaf(Plan())), sink)
    assert result.status == "error"
    assert [event.type for event in sink.events] == ["episode_started", "episode_ended"]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (EpisodeSettings(policy="orakle"), "did you mean 'oracle'"),
        (EpisodeSettings(mode="asink"), "did you mean 'async'"),  # type: ignore[arg-type]
        (EpisodeSettings(world="simulation"), "did you mean 'simulator'"),  # type: ignore[arg-type]
        (EpisodeSettings(seed=-1), "out of range"),
    ],
)
def test_wrong_settings_name_the_nearest_right_one(settings: EpisodeSettings, message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        run_episode(task(agent("Ada")), settings, Recording())
