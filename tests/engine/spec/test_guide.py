"""The guide's page on task files: every example in it is loaded."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, get_args

import pytest
import yaml

from engine.spec.loader import check_text
from engine.spec.model import Condition, EventAction, TaskSpec
from engine.world.rules import POTIONS

PAGE = (Path(__file__).parents[3] / "templates" / "docs" / "task-yaml.md").read_text(encoding="utf-8")
AROUND: dict[str, Any] = {
    "task": {"type": "custom", "goal": "wait", "success": [{"step_reached": 1}]},
    "agents": {
        "spawn": [{"name": "Ada", "position": [0, 64, 0]}, {"name": "Bruno", "position": [2, 64, 0]}],
    },
    "environment": {"max_steps": 100},
}
"""What an example that shows only some sections is completed with."""


def blocks(kind: str) -> list[str]:
    return re.findall(rf"^```yaml {kind}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def completed(example: str) -> str:
    missing = {key: value for key, value in AROUND.items() if f"\n{key}:" not in f"\n{example}"}
    return example + "\n" + (yaml.safe_dump(missing) if missing else "")


@pytest.mark.parametrize("example", blocks("example"))
def test_every_example_is_a_valid_task_without_warnings(example: str) -> None:
    report = check_text(completed(example), "example")
    assert [str(fault) for fault in report.errors + report.warnings] == []


@pytest.mark.parametrize("example", blocks("legacy"))
def test_the_older_spellings_are_read_with_one_warning_each(example: str) -> None:
    report = check_text(completed(example), "example")
    assert [str(fault) for fault in report.errors] == []
    assert [fault.path for fault in report.warnings] == [
        "events",
        "events[0].actions",
        "events[0].actions[0].speed",
        "events[0].actions[0].area.min",
        "agents.spawn[0].position",
        "agents.spawn[0].inventory.gold_pickaxe",
        "agents.spawn[0].inventory.gold_pickaxe",
        "agents.spawn[0].capabilities['perception range']",
        "agents.spawn[0].capabilities.speed",
    ]


def test_every_action_and_every_condition_has_an_example() -> None:
    examples = [check_text(completed(example), "example").spec for example in blocks("example")]
    specs = [spec for spec in examples if spec is not None]
    shown = {action.type for spec in specs for event in spec.events for action in event.actions}
    assert shown == {
        get_args(action.model_fields["type"].annotation)[0] for action in get_args(get_args(EventAction)[0])
    }
    text = "".join(blocks("example"))
    for name, field in Condition.model_fields.items():
        assert f"{field.alias or name}:" in text


def test_every_field_and_every_potion_is_on_the_page() -> None:
    def fields(model: Any, seen: set[Any]) -> set[str]:
        names: set[str] = set()
        for name, field in model.model_fields.items():
            names.add(field.alias or name)
            for part in re.findall(r"engine\.spec\.model\.(\w+)", str(field.annotation)):
                inner = getattr(__import__("engine.spec.model", fromlist=[part]), part)
                if inner not in seen:
                    names |= fields(inner, seen | {inner})
        return names

    words = set(re.findall(r"[a-z_]+", PAGE))
    assert fields(TaskSpec, set()) | set(POTIONS) <= words
