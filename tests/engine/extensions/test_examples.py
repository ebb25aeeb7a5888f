"""The examples of the guide's page on extending, run as a reader would: as files that are loaded."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

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
    settings = EpisodeSettings(policy=sys.argv[3])
    run_episode(report.spec, settings, lambda event, line: events.append(json.loads(line)))
print(json.dumps({"errors": [str(fault) for fault in report.errors], "events": events}))
"""


KNOW = """
import json, os, sys
import engine.extensions
engine.extensions.__path__.append(sys.argv[1])
"""
KNOW_ENGINE = (
    KNOW
    + """
from engine.episode.run import check
from engine.episode.settings import EpisodeSettings
from engine.errors import SettingsError
words = []
for name in ("nearest", "neares"):
    try:
        check(EpisodeSettings(policy=name))
        words.append("known")
    except SettingsError as error:
        words.append(str(error))
print(json.dumps(words))
"""
)
KNOW_PAGES = (
    KNOW
    + """
os.environ |= {"DJANGO_SETTINGS_MODULE": "webapp.settings", "TICKING_DATA": sys.argv[2]}
import django
django.setup()
from webapp.core.templatetags.ui import policy_name
from webapp.launch.forms import POLICIES
print(json.dumps([POLICIES["nearest"].label, policy_name("nearest")]))
"""
)


def python(code: str, *arguments: str) -> Any:
    """What the code prints, as JSON, in a process of its own."""
    command = [sys.executable, "-c", code, *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def run(folder: Path, text: str, policy: str = "oracle") -> dict[str, list[dict[str, object]]]:
    found: dict[str, list[dict[str, object]]] = python(RUN, str(folder), text, policy)
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


def test_the_policy_of_the_guide_does_what_it_says(folder: Path) -> None:
    found = run(folder, TASK, "nearest")
    assert found["errors"] == []
    begun = [(one["do"], one["with"]) for one in payloads(found, "action_started")]
    home = {"chest_pos": [0, 64, -4], "items": ["oak_log"], "quantities": [1]}
    # Both logs are three blocks away; the chest is nearer to neither.
    assert begun == [
        ("mine_blocks_at", {"block_positions": [[-3, 64, 0]]}),
        ("deposit_to_chest", home),
        ("mine_blocks_at", {"block_positions": [[3, 64, 0]]}),
        ("deposit_to_chest", home),
    ]
    assert [one["count"] for one in payloads(found, "chest_changed")] == [1, 2]
    # Nothing is left to see: an empty plan at every step until the end.
    assert payloads(found, "plan_set")[-1]["steps"] == []


def test_an_episode_and_its_check_know_policies_from_files(folder: Path) -> None:
    known, unknown = python(KNOW_ENGINE, str(folder))
    assert known == "known"
    assert unknown.startswith("unknown policy 'neares'; did you mean 'nearest'?")


def test_the_launch_form_and_every_page_know_policies_from_files(folder: Path, tmp_path: Path) -> None:
    assert python(KNOW_PAGES, str(folder), str(tmp_path / "data")) == ["Nearest first", "Nearest first"]
