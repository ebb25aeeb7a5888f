from __future__ import annotations

import pytest

from engine.spec.loader import load_task_text
from engine.spec.model import TaskSpec
from engine.spec.schedule import Firing, schedule

HEAD = """\
task: {type: custom, goal: wait, success: [{step_reached: 1}]}
agents: {spawn: [{name: Ada, position: [0, 64, 0]}]}
environment: {max_steps: 30}
events:
"""
MESSAGE = "{type: message, text: hi}"
FILL = "{type: progressive_fill, block: lava, area: {min: [5, 64, 5], max: [9, 64, 9]}, direction: east, speed_bps: 1}"


def task(*events: str) -> TaskSpec:
    return load_task_text(HEAD + "".join(f"  - {event}\n" for event in events), "task").spec


def fired(trigger: str, action: str = MESSAGE) -> list[int | None]:
    return [firing.step for firing in schedule(task(f"{{id: a, trigger: {trigger}, actions: [{action}]}}"))]


@pytest.mark.parametrize(
    ("trigger", "steps"),
    [
        ("{}", [0]),
        ("{start: 7}", [7]),
        ("{start: 10, end: 13}", [10, 11, 12, 13]),
        ("{start: 10, interval: 6}", [10, 16, 22, 28]),
        ("{start: 0, interval: 10}", [0, 10, 20, 30]),
        ("{start: 5, end: 26, interval: 7}", [5, 12, 19, 26]),
        ("{start: 5, end: 25, interval: 7}", [5, 12, 19]),
        ("{start: 28, end: 40}", [28, 29, 30]),
        ("{start: 9, end: 9, interval: 5}", [9]),
        ("{start: 30}", [30]),
        ("{start: 31}", []),
        ("{start: 31, end: 60, interval: 2}", []),
        ("{at: [9, 2, 31, 30]}", [2, 9, 30]),
        ("{at: [31]}", []),
        ("{when: {step_reached: 4}}", [None]),
    ],
)
def test_a_trigger_fires_at_these_steps(trigger: str, steps: list[int | None]) -> None:
    assert fired(trigger) == steps


@pytest.mark.parametrize(
    ("trigger", "steps"),
    [
        ("{start: 7}", [7]),
        ("{start: 7, end: 20, interval: 3}", [7]),
        ("{at: [9, 4]}", [4]),
        ("{start: 31}", []),
    ],
)
def test_a_fill_starts_once(trigger: str, steps: list[int | None]) -> None:
    assert fired(trigger, FILL) == steps


def test_firings_come_by_step_then_event_then_action_and_conditions_last() -> None:
    spec = task(
        f"{{id: late, trigger: {{when: {{step_reached: 1}}}}, actions: [{MESSAGE}]}}",
        f"{{id: wave, trigger: {{start: 4, end: 6, interval: 2, probability: 0.5}}, actions: [{FILL}, {MESSAGE}]}}",
        f"{{id: early, trigger: {{at: [4, 1]}}, actions: [{MESSAGE}]}}",
    )
    assert schedule(spec) == [
        Firing("early", 2, 0, 1, 0, "time", 1.0),
        Firing("wave", 1, 0, 4, 0, "time", 0.5),
        Firing("wave", 1, 1, 4, 0, "time", 0.5),
        Firing("early", 2, 0, 4, 1, "time", 1.0),
        Firing("wave", 1, 1, 6, 1, "time", 0.5),
        Firing("late", 0, 0, None, 0, "condition", 1.0),
    ]


def test_a_task_without_events_has_an_empty_schedule() -> None:
    assert schedule(load_task_text(HEAD.replace("events:\n", ""), "task").spec) == []
