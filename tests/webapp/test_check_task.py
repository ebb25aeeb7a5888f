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
    assert loaded["metrics"] is None
    assert loaded["feasibility"] is None
    assert result.stderr == ""
    return dict(loaded)


@pytest.fixture
def task(tmp_path: Path) -> Path:
    path = tmp_path / "wait.yaml"
    path.write_text(TASK)
    return path


def test_a_valid_task_ends_with_0_and_needs_no_database(task: Path, tmp_path: Path) -> None:
    result = check_task(task, data=tmp_path / "data")
    assert (result.returncode, result.stdout, result.stderr) == (0, f"{task}: valid\n", "")
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
