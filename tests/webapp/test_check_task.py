from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
TASK = """\
task: {type: custom, goal: wait, success: [{step_reached: 1}]}
agents: {spawn: [{name: Ada, position: [0, 64, 0]}]}
environment:
  max_steps: 9
"""


def check_task(*arguments: str | Path, data: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "manage.py", "check_task", *map(str, arguments)],
        cwd=ROOT,
        env=os.environ | {"TICKING_DATA": str(data)},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def document(result: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    """Standard output, which must be one JSON document and nothing else."""
    loaded = json.loads(result.stdout)
    assert sorted(loaded) == ["errors", "feasibility", "metrics", "valid", "warnings"]
    assert (loaded["metrics"] is not None) == loaded["valid"]
    assert (loaded["feasibility"] is not None) == loaded["valid"]
    assert result.stderr == ""
    return dict(loaded)


@pytest.fixture
def task(tmp_path: Path) -> Path:
    path = tmp_path / "wait.yaml"
    path.write_text(TASK)
    return path


def test_a_valid_task_ends_with_0_and_needs_no_database(task: Path, tmp_path: Path) -> None:
    result = check_task(task, data=tmp_path / "data")
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.splitlines() == [
        f"{task}: valid",
        "  heterogeneity    0.00",
        "  necessity        not defined for custom tasks: their workload is not known",
        "  dynamicity       0.00 changes a second",
        "  time to failure  not defined for custom tasks: what makes them fail is not known",
        "  feasibility      custom tasks are not judged: what their success takes is not known",
    ]
    assert not list((tmp_path / "data").rglob("*.sqlite3*"))


def test_faults_and_warnings_are_one_line_each(task: Path, tmp_path: Path) -> None:
    task.write_text(
        TASK.replace("[0, 64, 0]", "{x: 0, y: 64, z: 0}").replace("9", "nine").replace("goal", "gaol")
    )
    result = check_task(task, data=tmp_path)
    assert result.returncode == 2
    assert result.stdout.splitlines() == [
        f"{task}:1: task.goal: is missing; expected text",
        f"{task}:1: task.gaol: unknown key 'gaol'; did you mean 'goal'?",
        f"{task}:4: environment.max_steps: expected a whole number, found 'nine'",
        f"{task}:2: warning: agents.spawn[0].position: older spelling; write the point as [x, y, z]",
    ]


def test_json_is_one_document_for_a_valid_task(task: Path, tmp_path: Path) -> None:
    task.write_text(
        TASK + "  entities: {hostiles: []}\nevents: {id: late, trigger: {start: 10}, actions: []}\n"
    )
    result = check_task(task, "--json", data=tmp_path)
    assert result.returncode == 2
    assert document(result)["errors"] == [
        {"line": 6, "path": "events[0].actions", "message": "expected at least 1 entry, found an empty list"}
    ]
    task.write_text(TASK.replace("max_steps: 9", "max_steps: 9\n  chest: {position: {x: 1, y: 64, z: 1}}"))
    result = check_task(task, "--json", data=tmp_path)
    assert result.returncode == 0
    assert document(result) | {"metrics": 0, "feasibility": 0} == {
        "valid": True,
        "errors": [],
        "warnings": [
            {
                "line": 5,
                "path": "environment.chest.position",
                "message": "older spelling; write the point as [x, y, z]",
            }
        ],
        "metrics": 0,
        "feasibility": 0,
    }


MINE = """\
task: {type: mine_vanishing_blocks, goal: dig, targets: [{block: gold_ore, count: 4}, {block: oak_log, count: 1}]}
agents:
  spawn:
    - {name: Ada, position: [0, 64, 0], capabilities: {speed_bps: 4}, inventory: {stone_pickaxe: {count: 1}}}
events:
  - id: gold
    trigger: {start: 0, end: 5, interval: 5}
    actions: [{type: spawn_blocks, block: gold_ore, count: 2, center: [0, 64, 6], radius: 3, lifetime: 10}]
  - id: timber
    actions: [{type: spawn_blocks, block: oak_log, count: 3, center: [0, 64, 6], radius: 3, lifetime: 10}]
environment: {max_steps: 20, chest: {position: [2, 64, 0]}}
"""


def test_metrics_and_feasibility_are_in_the_document(task: Path, tmp_path: Path) -> None:
    task.write_text(MINE)
    result = check_task(task, "--json", data=tmp_path)
    assert result.returncode == 0, "a task that is not feasible is valid"
    loaded = document(result)
    assert loaded["metrics"] == {
        "heterogeneity": 0,
        "necessity": None,
        "necessity_note": "no single agent can do all of it, however long it takes",
        "dynamicity": (4 + 4 + 3 + 3) / 20,
        "time_to_failure": 10,
    }
    verdict = loaded["feasibility"]
    assert verdict["feasible"] is False
    assert verdict["margins"] == {"alpha": 2, "beta1": 2, "beta2": 2, "gamma": 2}
    criteria = {criterion["name"]: criterion for criterion in verdict["criteria"]}
    assert criteria["supply oak_log"] == {
        "name": "supply oak_log",
        "left": 3,
        "right": 2,
        "unit": "blocks",
        "left_label": "oak_log that will be there in all",
        "right_label": "wanted, × 2",
        "holds": True,
        "margin": "beta2",
        "flips_at": 3,
    }
    assert (criteria["lifetime gold_ore"]["right"], criteria["lifetime gold_ore"]["holds"]) == (None, False)


def test_metrics_and_feasibility_are_printed_for_people(task: Path, tmp_path: Path) -> None:
    task.write_text(MINE)
    result = check_task(task, data=tmp_path)
    assert result.returncode == 0
    # 6 blocks and 2/3 of 3 at 4 a second, then 60 ticks by hand for a log
    assert result.stdout.splitlines() == [
        f"{task}: valid",
        "  heterogeneity    0.00",
        "  necessity        no single agent can do all of it, however long it takes",
        "  dynamicity       0.70 changes a second",
        "  time to failure  10.00 s",
        "  not feasible with margins alpha 2, beta1 2, beta2 2, gamma 2:",
        "  FAIL tool gold_ore: 0 (agents who can harvest gold_ore) < 1 (needed)",
        "  ok   tool oak_log: 1 (agents who can harvest oak_log) >= 1 (needed)",
        "  FAIL lifetime gold_ore: 10 s (lifetime of gold_ore) < never enough (for the quickest able agent to reach "
        "and mine one)",
        "  FAIL supply gold_ore: 4 (gold_ore that will be there in all) < 8 (wanted, × 2); fails above beta2 1",
        "  ok   lifetime oak_log: 5 s (lifetime of oak_log ÷ 2) >= 5 s (for the quickest able agent to reach and mine "
        "one); fails above beta1 2",
        "  ok   supply oak_log: 3 (oak_log that will be there in all) >= 2 (wanted, × 2); fails above beta2 3",
    ]


@pytest.mark.parametrize(
    ("name", "words"),
    [("none.yaml", "there is no such file"), ("", "this is not a file"), ("binary", "is not UTF-8")],
)
def test_a_file_that_is_no_text_still_gives_a_document(name: str, words: str, tmp_path: Path) -> None:
    (tmp_path / "binary").write_bytes(b"\x89PNG\r\n")
    result = check_task(tmp_path / name, "--json", data=tmp_path)
    loaded = document(result)
    assert (result.returncode, loaded["valid"], len(loaded["errors"])) == (2, False, 1)
    assert words in loaded["errors"][0]["message"]


@pytest.mark.parametrize("arguments", [(), ("a.yaml", "b.yaml"), ("a.yaml", "--jsonn")])
def test_a_wrong_command_line_ends_with_2(arguments: tuple[str, ...], tmp_path: Path) -> None:
    result = check_task(*arguments, data=tmp_path)
    assert result.returncode == 2
    assert "usage: manage.py check_task" in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_reader_that_leaves_gets_no_traceback(task: Path, tmp_path: Path, unbuffered: str) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    result = subprocess.run(
        [sys.executable, "manage.py", "check_task", str(task), "--json"],
        cwd=ROOT,
        env=os.environ | {"TICKING_DATA": str(tmp_path), "PYTHONUNBUFFERED": unbuffered},
        stdout=writing,
        stderr=subprocess.PIPE,
        check=False,
        timeout=60,
    )
    os.close(writing)
    assert (result.returncode, result.stderr) == (1, b"")
