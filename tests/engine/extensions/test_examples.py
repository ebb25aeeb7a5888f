"""The examples of the guide's page on extending, run as a reader would: as files that are loaded."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / "templates" / "docs" / "extending.md").read_text(encoding="utf-8")
TASK = """
task: {type: mine_vanishing_blocks, goal: dig, targets: [{block: oak_log, count: 3}]}
agents:
  spawn:
    - {name: Ada, position: [0, 64, 0], inventory: {iron_axe: {count: 1}}, capabilities: {speed_bps: 4}}
environment:
  max_steps: 20
  chest: {position: [0, 64, -4]}
  materials:
    grid:
      - {block: stone, position: [5, 64, 5], width: 2, depth: 2}
      - {block: oak_log, position: [3, 64, 0]}
      - {block: oak_log, position: [-3, 64, 0]}
"""
RUN = """
import json, sys
import engine.extensions
engine.extensions.__path__.append(sys.argv[1])
from engine.episode.run import run_episode
from engine.episode.settings import EpisodeSettings
from engine.spec.loader import check_text
report = check_text(sys.argv[2], "task")
events = []
if report.spec:
    run_episode(report.spec, EpisodeSettings(), lambda event, line: events.append(json.loads(line)))
print(json.dumps({"errors": [str(fault) for fault in report.errors], "events": events}))
"""


def run(folder: Path, text: str) -> dict[str, list[dict[str, object]]]:
    command = [sys.executable, "-c", RUN, str(folder), text]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found: dict[str, list[dict[str, object]]] = json.loads(done.stdout)
    return found


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, flags=re.MULTILINE | re.DOTALL)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The page's Python files, under the names that they have there."""
    for code in blocks("python"):
        name = re.match(r"# engine/extensions/(\w+\.py)", code)
        assert name
        (tmp_path / name[1]).write_text(code, encoding="utf-8")
    return tmp_path


def payloads(found: dict[str, list[dict[str, object]]], kind: str) -> list[dict[str, object]]:
    return [event["payload"] for event in found["events"] if event["type"] == kind]  # type: ignore[misc]


def test_the_event_action_of_the_guide_does_what_it_says(folder: Path) -> None:
    found = run(folder, TASK + blocks("yaml")[0])
    assert found["errors"] == []
    assert payloads(found, "agent_health_changed") == [
        {"agent": "Ada", "health": 18.0, "delta": -2.0, "absorption": 0.0, "cause": "event"}
    ]
    (fired,) = payloads(found, "event_fired")
    assert (fired["action"], fired["subject"], fired["wanted"], fired["done"]) == (
        "earthquake",
        "stone",
        3,
        3,
    )


def test_the_mechanic_of_the_guide_does_what_it_says(folder: Path) -> None:
    setting = re.search(r"mechanics: .*", blocks("yaml")[1])
    assert setting
    found = run(folder, TASK.replace("environment:\n", f"environment:\n  {setting[0]}\n"))
    assert found["errors"] == []
    speeds = [moved["speed_bps"] for moved in payloads(found, "agent_moved")]
    # It walks to each drop after breaking the log: at half speed after the first, at a quarter after the second.
    assert speeds[0] == 2.0
    assert speeds[-1] == 1.0


def test_a_misspelt_extension_is_answered_with_the_nearest_name(folder: Path) -> None:
    found = run(folder, TASK + blocks("yaml")[0].replace("earthquake", "earthquak"))
    assert "did you mean 'earthquake'?" in str(found["errors"])


def test_without_its_file_the_name_is_unknown(tmp_path: Path) -> None:
    found = run(tmp_path, TASK + blocks("yaml")[0])
    assert "found 'earthquake'" in str(found["errors"])
