"""The trace that Perfetto opens, by hand."""

from __future__ import annotations

import json
from typing import Any

from engine.evaluation.trace import chrome_trace
from engine.events.log import decode

AGENT = {
    "position": [0, 64, 0],
    "max_health": 20.0,
    "speed_bps": 4.3,
    "perception_range": 16.0,
    "damage_multipliers": {},
    "inventory": {},
    "effects": [],
}
START = {
    "engine_version": "1",
    "task_id": "t",
    "task_type": "custom",
    "task_digest": "",
    "goal": "g",
    "policy": "centralized",
    "model": "m",
    "mode": "async",
    "world": "simulator",
    "seed": 0,
    "max_steps": 10,
    "ground_y": 63,
    "agents": [{"name": "Ada", **AGENT}, {"name": "Bruno", **AGENT}],
    "chests": [],
    "checkpoints": [{"name": "alive", "have": 2, "need": 2}],
}
INFERENCE = {
    "caller": "(master)",
    "agents": ["Ada", "Bruno"],
    "call": 1,
    "attempt": 1,
    "asked_tick": 0,
    "prompt": "p",
    "completion": "c",
    "prompt_tokens": 7,
    "completion_tokens": 3,
    "reasoning_tokens": 0,
    "latency_s": 1.5,
    "cost_usd": None,
    "outcome": "ok",
    "fault": "",
    "took_effect": True,
}
MOVE = {"agent": "Ada", "id": "a", "do": "move_to"}
LOG: list[tuple[int, str, dict[str, Any]]] = [
    (0, "episode_started", START),
    (0, "planning_started", {"agents": ["Ada", "Bruno"]}),
    (30, "inference_ended", INFERENCE),
    (30, "planning_ended", {"agents": ["Ada", "Bruno"]}),
    (30, "action_started", {**MOVE, "with": {"target_pos": [2, 64, 0]}}),
    (40, "message_sent", {"sender": "Ada", "to": ["Bruno"], "text": "[STATUS] going", "tag": "STATUS"}),
    (
        60,
        "event_fired",
        {"event": "wave", "firing": 0, "action": "damage", "subject": "4", "wanted": 1, "done": 1},
    ),
    (
        70,
        "action_ended",
        {**MOVE, "outcome": "failed", "reason": "timeout", "done": 0, "wanted": 1, "detail": "d"},
    ),
    (90, "agent_died", {"agent": "Bruno", "cause": "lava", "position": [0, 64, 0]}),
    (90, "checkpoint_changed", {"name": "alive", "have": 1, "need": 2}),
    (
        200,
        "episode_ended",
        {"status": "finished", "success": False, "partial_score": 0.5, "reason": "", "checkpoints": []},
    ),
]


def trace() -> dict[str, Any]:
    lines = [
        json.dumps({"seq": seq, "world_time": tick, "type": kind, "version": 1, "payload": payload})
        for seq, (tick, kind, payload) in enumerate(LOG, start=1)
    ]
    return chrome_trace(decode(lines))


def of(phase: str) -> list[dict[str, Any]]:
    return [entry for entry in trace()["traceEvents"] if entry["ph"] == phase]


def test_each_agent_and_caller_has_a_named_thread() -> None:
    names = {entry["tid"]: entry["args"]["name"] for entry in of("M") if entry["name"] == "thread_name"}
    assert names == {1: "environment", 2: "Ada", 3: "Bruno", 4: "(master): decisions"}


def test_segments_are_complete_events_in_microseconds_of_world_time() -> None:
    shown = [(entry["tid"], entry["name"], entry["ts"], entry["dur"]) for entry in of("X")]
    assert shown == [
        (4, "call 1", 0, 1_500_000),
        (2, "planning", 0, 1_500_000),
        (2, "move_to", 1_500_000, 2_000_000),
        (2, "idle", 3_500_000, 6_500_000),
        (3, "planning", 0, 1_500_000),
        (3, "idle", 1_500_000, 3_000_000),
        (3, "dead", 4_500_000, 5_500_000),
    ]


def test_an_action_carries_its_parameters_and_outcome_and_a_decision_its_tokens() -> None:
    decision, _, action, *_ = of("X")
    assert action["args"] == {
        "id": "a",
        "with": {"target_pos": [2, 64, 0]},
        "outcome": "failed",
        "reason": "timeout",
        "detail": "d",
    }
    assert (decision["args"]["prompt_tokens"], decision["args"]["latency_s"]) == (7, 1.5)


def test_messages_are_arrows_and_events_instants() -> None:
    (start,), (end,) = of("s"), of("f")
    assert (start["tid"], end["tid"], start["ts"], start["id"]) == (2, 3, 2_000_000, end["id"])
    instants = [(entry["tid"], entry["name"], entry["ts"]) for entry in of("i")]
    assert instants == [(2, "STATUS", 2_000_000), (1, "wave: damage", 3_000_000), (3, "dies", 4_500_000)]


def test_checkpoints_are_counters() -> None:
    assert [(entry["ts"], entry["args"]["have"]) for entry in of("C")] == [(0, 2), (4_500_000, 1)]


def test_the_trace_says_what_it_is_of() -> None:
    assert trace()["otherData"]["task_id"] == "t"
    assert json.loads(json.dumps(trace())) == trace()
