from __future__ import annotations

import pytest

from engine.agents.plans import Plan, Step
from engine.episode.executor import Executor
from engine.errors import RuleError
from tests.engine.build import Stage, agent, task


class Desk:
    """A stage whose agents carry out plans."""

    def __init__(self) -> None:
        self.stage = Stage(task(agent("Ada")))
        self.executor = Executor("mine_vanishing_blocks", ["Ada"], self.stage.world, self.stage._emit)

    def run(self, until: int) -> None:
        while True:
            ticks = [self.stage.world.next_tick(), self.executor.next_tick()]
            tick = min((t for t in ticks if t is not None and t <= until), default=None)
            if tick is None:
                return
            self.stage.tick = tick
            self.stage.world.advance(tick)
            self.stage.world.settle(self.executor.on_end)
            self.executor.settle()

    def told(self) -> list[tuple[int, str, str]]:
        kinds = {"action_started", "action_ended", "action_skipped", "plan_ended"}
        return [
            (event.world_time, event.type, getattr(event.payload, "id", ""))
            for event in self.stage.events
            if event.type in kinds
        ]


def wait(name: str, steps: int, *after: str) -> Step:
    return Step(name, "wait", {"duration": steps}, after)


def test_actions_follow_their_dependencies_without_a_gap() -> None:
    desk = Desk()
    desk.executor.set_plan("Ada", Plan((wait("b", 2, "a"), wait("a", 1))))
    desk.run(100)
    assert desk.told() == [
        (0, "action_started", "a"),
        (20, "action_ended", "a"),
        (20, "action_started", "b"),
        (60, "action_ended", "b"),
        (60, "plan_ended", ""),
    ]
    assert not desk.executor.busy


def test_what_comes_after_a_failure_is_skipped_and_the_rest_goes_on() -> None:
    desk = Desk()
    failing = Step("a", "dance")
    desk.executor.set_plan("Ada", Plan((failing, wait("b", 1, "a"), wait("c", 1, "b"), wait("d", 1))))
    desk.run(100)
    assert desk.told() == [
        (0, "action_started", "a"),
        (1, "action_ended", "a"),  # even a refused action costs a tick
        (1, "action_skipped", "b"),
        (1, "action_skipped", "c"),
        (1, "action_started", "d"),
        (21, "action_ended", "d"),
        (21, "plan_ended", ""),
    ]


def test_a_refused_action_says_why() -> None:
    desk = Desk()
    desk.executor.set_plan("Ada", Plan((Step("a", "attack", {"entity_type": "zombie"}),)))
    desk.run(5)
    (ended,) = desk.stage.of("action_ended")
    assert (ended.outcome, ended.reason) == ("failed", "not_offered")


def test_a_new_plan_interrupts_the_running_action_and_forgets_the_rest() -> None:
    desk = Desk()
    desk.executor.set_plan("Ada", Plan((wait("a", 10), wait("b", 1))))
    desk.run(30)
    desk.stage.tick = 30
    desk.stage.world.advance(30)
    desk.executor.set_plan("Ada", Plan((wait("c", 1),)))
    desk.run(200)
    assert desk.told() == [
        (0, "action_started", "a"),
        (30, "action_ended", "a"),
        (30, "action_started", "c"),
        (50, "action_ended", "c"),
        (50, "plan_ended", ""),
    ]
    assert desk.stage.of("action_ended")[0].reason == "interrupted"


def test_a_new_plan_replaces_a_refused_action_too() -> None:
    desk = Desk()
    desk.executor.set_plan("Ada", Plan((Step("a", "dance"),)))
    desk.executor.set_plan("Ada", Plan((wait("b", 1),)))
    desk.run(100)
    assert [event for event in desk.told() if event[1] == "action_ended"] == [
        (0, "action_ended", "a"),
        (20, "action_ended", "b"),
    ]


def test_an_empty_plan_ends_at_once() -> None:
    desk = Desk()
    desk.executor.set_plan("Ada", Plan())
    assert desk.told() == [(0, "plan_ended", "")]


def test_a_plan_that_is_no_dag_is_the_planners_defect() -> None:
    with pytest.raises(RuleError, match="wait for one another"):
        Desk().executor.set_plan("Ada", Plan((wait("a", 1, "a"),)))
