from __future__ import annotations

import json
from itertools import groupby
from pathlib import Path
from typing import Any

from engine.episode.run import run_episode
from engine.episode.settings import EpisodeSettings
from engine.evaluation.timeline import Segment, Timeline
from engine.events.log import Event, decode
from engine.spec.loader import load_task
from tests.support.node import ROOT, node

GOLD_RUSH = ROOT / "tasks" / "samples" / "gold_rush.yaml"


def merged(segments: list[list[Any]]) -> list[list[Any]]:
    """Neighbours of one activity and action as one, since the folds may cut them differently."""
    runs = [list(group) for _, group in groupby(segments, key=lambda segment: (segment[0], segment[3]))]
    return [[run[0][0], run[0][1], run[-1][2], run[0][3]] for run in runs]


def plain(segment: Segment) -> list[Any]:
    return [segment.activity, segment.start, segment.end, segment.label]


def compare(log: Path, timeline: Timeline) -> None:
    shown = json.loads(node("tests/js/lanes.js", str(log)))
    assert list(shown) == list(timeline.lanes)
    breakdown = timeline.breakdown()
    for agent, segments in timeline.lanes.items():
        assert merged(shown[agent]["segments"]) == merged([plain(segment) for segment in segments])
        steps = {activity: ticks / 20 for activity, ticks in shown[agent]["ticks"].items()}
        spent = breakdown[agent]
        assert steps == {
            "planning": spent.planning,
            "action": spent.action,
            "idle": spent.idle,
            "dead": spent.dead,
        }


def test_browser_modules_pass_their_own_tests() -> None:
    report = node("--test", "--test-reporter=tap", "tests/js/*.test.js")
    assert "# fail 0" in report
    assert "# pass 0" not in report


def test_browser_and_engine_draw_the_same_timeline_of_an_episode(tmp_path: Path) -> None:
    log, timeline = tmp_path / "log.jsonl", Timeline()

    with log.open("wb") as lines:

        def sink(event: Event, line: bytes) -> None:
            timeline.apply(event)
            lines.write(line + b"\n")

        result = run_episode(load_task(GOLD_RUSH).spec, EpisodeSettings(), sink)

    assert result.status == "finished", result.error
    compare(log, timeline)


def test_browser_and_engine_draw_the_same_timeline_of_planning_and_death(tmp_path: Path) -> None:
    log, timeline = tmp_path / "log.jsonl", Timeline()
    log.write_text("\n".join(json.dumps(event) for event in planning_and_death()), encoding="utf-8")
    for event in decode(log.read_text(encoding="utf-8").splitlines()):
        timeline.apply(event)
    assert [plain(segment) for segment in timeline.lanes["Bruno"]] == [
        ["planning", 0, 30, ""],
        ["action", 30, 90, "move_to"],
        ["dead", 90, 200, ""],
    ]
    compare(log, timeline)


def test_browser_and_engine_draw_the_same_timeline_of_negotiating(tmp_path: Path) -> None:
    log, timeline = tmp_path / "log.jsonl", Timeline()
    log.write_text("\n".join(json.dumps(event) for event in negotiating()), encoding="utf-8")
    for event in decode(log.read_text(encoding="utf-8").splitlines()):
        timeline.apply(event)
    lanes = {name: merged([plain(one) for one in lane]) for name, lane in timeline.lanes.items()}
    assert lanes == {
        "Ada": [
            ["idle", 0, 10, ""],
            ["planning", 10, 60, ""],
            ["action", 60, 80, "move_to"],
            ["planning", 80, 90, ""],
            ["idle", 90, 200, ""],
        ],
        "Bruno": [["idle", 0, 10, ""], ["planning", 10, 60, ""], ["idle", 60, 200, ""]],
    }
    compare(log, timeline)


def negotiating() -> list[dict[str, Any]]:
    """Both wait; Ada proposes, Bruno counters, she acts on it, and later waits for a decision."""
    wait = {"id": "w", "do": "wait"}
    move = {"id": "m", "do": "move_to"}
    over = {"outcome": "ok", "reason": "", "done": 1, "wanted": 1, "detail": ""}
    proposal = {"sender": "Ada", "to": ["Bruno"], "text": "[PROPOSAL] I mine", "tag": "PROPOSAL"}
    counter = {"sender": "Bruno", "to": ["Ada"], "text": "[COUNTER-PROPOSAL] I do", "tag": "COUNTER-PROPOSAL"}
    agree = {"sender": "Ada", "to": ["Bruno"], "text": "[AGREE] well", "tag": "AGREE"}
    return logged(
        (0, "action_started", {"agent": "Ada", **wait, "with": {"duration": 3}}),
        (0, "action_started", {"agent": "Bruno", **wait, "with": {"duration": 9}}),
        (10, "message_sent", proposal),
        (30, "message_sent", counter),
        (60, "message_sent", agree),
        (60, "action_ended", {"agent": "Ada", **wait, **over}),
        (60, "action_started", {"agent": "Ada", **move, "with": {"target_pos": [2, 64, 0]}}),
        (80, "action_ended", {"agent": "Ada", **move, **over}),
        (80, "action_started", {"agent": "Ada", **wait, "with": {"duration": 9}}),
        (80, "planning_started", {"agents": ["Ada"]}),
        (90, "planning_ended", {"agents": ["Ada"]}),
    )


def planning_and_death() -> list[dict[str, Any]]:
    """Ada waits for a decision while she acts; Bruno dies in the middle of an action."""
    action = {"id": "a", "do": "move_to"}
    over = {**action, "reason": "", "done": 1, "wanted": 1, "detail": ""}
    return logged(
        (0, "planning_started", {"agents": ["Ada", "Bruno"]}),
        (30, "planning_ended", {"agents": ["Ada", "Bruno"]}),
        (30, "action_started", {"agent": "Ada", **action, "with": {"target_pos": [2, 64, 0]}}),
        (30, "action_started", {"agent": "Bruno", **action, "with": {"target_pos": [9, 64, 0]}}),
        (50, "planning_started", {"agents": ["Ada"]}),
        (70, "action_ended", {"agent": "Ada", **over, "outcome": "ok"}),
        (90, "agent_died", {"agent": "Bruno", "cause": "lava", "position": [0, 64, 0]}),
        (90, "action_ended", {"agent": "Bruno", **over, "outcome": "failed"}),
        (95, "planning_ended", {"agents": ["Ada"]}),
    )


def logged(*happened: tuple[int, str, dict[str, Any]]) -> list[dict[str, Any]]:
    """A log of an episode of 10 steps in which this happens to Ada and Bruno."""
    agent = {
        "position": [0, 64, 0],
        "max_health": 20.0,
        "speed_bps": 4.3,
        "perception_range": 16.0,
        "damage_multipliers": {},
        "inventory": {},
        "effects": [],
    }
    start = {
        "engine_version": "1",
        "task_id": "t",
        "task_type": "custom",
        "task_digest": "",
        "goal": "g",
        "policy": "oracle",
        "model": None,
        "mode": "async",
        "world": "simulator",
        "seed": 0,
        "max_steps": 10,
        "ground_y": 63,
        "agents": [{"name": "Ada", **agent}, {"name": "Bruno", **agent}],
        "chests": [],
        "checkpoints": [],
    }
    end = {"status": "finished", "success": False, "partial_score": 0.0, "reason": "", "checkpoints": []}
    events = [(0, "episode_started", start), *happened, (200, "episode_ended", end)]
    return [
        {"seq": seq, "world_time": tick, "type": kind, "version": 1, "payload": payload}
        for seq, (tick, kind, payload) in enumerate(events, start=1)
    ]
