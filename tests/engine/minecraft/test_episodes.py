"""Whole episodes on the embedded server, as the command line runs them, each in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.support.minecraft_bot import ROOT

SAMPLE = "tasks/samples/easy_copper_pair.yaml"


def start(data: Path, *more: str, **environment: str) -> subprocess.Popen[str]:
    command = ["manage.py", "run_episode", SAMPLE, "--world", "minecraft", "--seed", "1", "--json", *more]
    return subprocess.Popen(
        [sys.executable, *command],
        cwd=ROOT,
        env=os.environ | {"TICKING_DATA": str(data)} | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finish(episode: subprocess.Popen[str]) -> tuple[int, dict[str, Any]]:
    out, _ = episode.communicate()
    document: dict[str, Any] = json.loads(out)
    return episode.returncode, document


def test_a_bot_that_is_lost_ends_the_episode_as_an_error_and_not_as_a_failure(tmp_path: Path) -> None:
    broken = f"--require={ROOT / 'tests/js/lose.cjs'}"
    status, result = finish(start(tmp_path, NODE_OPTIONS=broken))
    assert status == 1
    assert (result["status"], result["success"]) == ("error", None)
    assert "lost its connection" in result["error"]
    assert result["steps"] > 0


def test_episodes_side_by_side_have_the_log_of_one_alone(tmp_path: Path) -> None:
    logs = [tmp_path / f"{name}.jsonl" for name in ("alone", "left", "right")]
    alone, *both = logs
    assert finish(start(tmp_path, "--log", str(alone)))[1]["status"] == "finished"
    for episode in [start(tmp_path, "--log", str(log)) for log in both]:
        assert finish(episode)[1]["status"] == "finished"
    assert [log.read_bytes() for log in both] == [alone.read_bytes()] * 2
