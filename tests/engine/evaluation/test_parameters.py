from __future__ import annotations

from typing import Any, get_args

import pytest

from engine.errors import TaskError
from engine.evaluation import parameters
from engine.evaluation.parameters import (
    DESCRIBED,
    Bounds,
    DescribedType,
    Parameter,
    Range,
    bounds,
    specification,
)
from engine.spec.model import TaskSpec, TaskType
from engine.spec.names import entity_name, item_name
from engine.world import rules

FIELDS: dict[str, Any] = TaskSpec.model_json_schema()
HEAD = "task_type: raid_boss\ndescription: fight\nvariable_parameters:\n"


def resolved(schema: dict[str, Any]) -> list[dict[str, Any]]:
    """The schemas that a value may follow: references followed, unions opened, lists replaced by their entries."""
    if "$ref" in schema:
        return resolved(FIELDS["$defs"][schema["$ref"].rsplit("/", 1)[-1]])
    for key in ("anyOf", "oneOf"):
        if key in schema:
            return [found for option in schema[key] for found in resolved(option)]
    return resolved(schema["items"]) if "items" in schema else [schema]


def exists(path: str) -> bool:
    places = [FIELDS]
    for part in path.split("."):
        if part in ("x", "y", "z") and all("properties" not in place for place in places):
            return True  # of a point, whose schema is a tuple
        places = [
            found
            for place in places
            if part in place.get("properties", {})
            for found in resolved(place["properties"][part])
        ]
    return bool(places)


@pytest.mark.parametrize("kind", DESCRIBED)
def test_every_parameter_is_a_field_of_the_task_file(kind: DescribedType) -> None:
    space = specification(kind)
    assert space.task_type == kind
    assert [path for path in space.variable_parameters if not exists(path)] == []
    assert not exists("agents.spawn.capabilities.strength")


def names(kind: DescribedType, last: str) -> list[str]:
    return [
        value
        for path, parameter in specification(kind).variable_parameters.items()
        if path.rsplit(".", 1)[-1] == last
        for value in parameter.allowed or ()
    ]


@pytest.mark.parametrize("kind", DESCRIBED)
def test_every_name_that_is_allowed_is_minecrafts(kind: DescribedType) -> None:
    assert set(names(kind, "block")) <= set(rules.blocks())
    assert [item_name(name) for name in names(kind, "inventory") + names(kind, "items")]
    assert all(entity_name(name) for name in names(kind, "entity"))


@pytest.mark.parametrize("kind", get_args(TaskType))
def test_the_bounds_of_capabilities_are_those_of_the_rules(kind: TaskType) -> None:
    assert bounds(kind) == Bounds(Range(10, 60), Range(2, 8), Range(8, 32), Range(0, 3))


@pytest.mark.parametrize(
    ("kind", "path", "low", "high"),
    [
        ("prepare_crisis", "agents.count", 2, 8),
        ("prepare_crisis", "events.actions.speed_bps", 1, 3),
        ("mine_vanishing_blocks", "agents.count", 2, 8),
        ("mine_vanishing_blocks", "task.targets", 2, 4),
        ("mine_vanishing_blocks", "events.actions.lifetime", 25, 40),
        ("mine_vanishing_blocks", "events.actions.count", 8, 10),
        ("raid_boss", "agents.count", 3, 8),
        ("raid_boss", "environment.entities.hostiles.health", 210, 280),
        ("raid_boss", "events.actions.health", 25, 40),
        ("raid_boss", "events.actions.count", 2, 4),
        ("raid_boss", "events.trigger.interval", 8, 16),
    ],
)
def test_ranges_are_those_of_the_papers_parameter_table(
    kind: DescribedType, path: str, low: float, high: float
) -> None:
    assert specification(kind).variable_parameters[path].range == [low, high]


def test_distances_are_shares_of_the_range() -> None:
    assert Range(2, 8).distance(3, 6) == 0.5
    assert Range(2, 8).distance(20, 1) == 1
    assert [Range(64, 64).distance(64, other) for other in (64, 65)] == [0, 1]


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("task_type: [", 1, "not valid YAML"),
        ("task_type: custom\ndescription: x\nvariable_parameters: {}", 1, "found 'custom'"),
        (HEAD + "  agents.count: {description: x}", 4, "expected either range or allowed"),
        (HEAD + "  agents.count: {description: x, range: [3, 1]}", 4, "least value is above its greatest"),
        (HEAD + "  agents.count: {description: x, range: [3]}", 4, "expected at least 2 entries"),
        (HEAD + "  agents.count: {description: x, rang: [1, 3]}", 4, "did you mean 'range'?"),
    ],
)
def test_a_wrong_specification_is_refused_with_line_and_reason(text: str, line: int, message: str) -> None:
    with pytest.raises(TaskError) as refused:
        parameters.parse(text, "space.yaml")
    assert any(fault.line == line and message in fault.message for fault in refused.value.faults)
    assert str(refused.value).startswith("space.yaml: line")


def test_a_specification_without_the_bounds_that_metrics_need_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    space = parameters.parse(HEAD + "  agents.count: {description: x, range: [1, 3]}", "raid_boss.yaml")
    monkeypatch.setattr(parameters, "specification", lambda _: space)
    with pytest.raises(TaskError, match=r"raid_boss.yaml: .*expected agents.spawn.capabilities.max_health"):
        parameters.bounds.__wrapped__("raid_boss")


def test_a_parameter_has_a_range_or_a_list() -> None:
    assert Parameter(description="x", allowed=["a"]).range is None
    with pytest.raises(ValueError, match="either range or allowed"):
        Parameter(description="x", allowed=["a"], range=[1, 2])
