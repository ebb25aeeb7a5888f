# ruff: noqa: E501 - a case of the table stays on as few lines as can be
"""Whatever a text says, checking it ends soon and with a verdict."""

from __future__ import annotations

import time
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import TaskError
from engine.spec.loader import MAX_FAULTS, check_text, load_task_text
from tests.engine.spec.samples import MINE, PREPARE, RAID, changed

SECONDS = 60
"""Of the processor: far more than any of these needs (2 s), far less than a runaway would take."""


def hostile(text: str) -> None:
    started = time.process_time()
    report = check_text(text, "hostile")
    assert time.process_time() - started < SECONDS
    assert report.spec is None
    assert 1 <= len(report.errors) <= MAX_FAULTS + 1
    assert all(len(str(fault)) < 1000 and "\n" not in str(fault) for fault in report.errors + report.warnings)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
            f"{chr(98 + i)}: &{chr(98 + i)} [{','.join([f'*{chr(97 + i)}'] * 9)}]\n" for i in range(8)), id="billion laughs"),
        pytest.param("[" * 500, id="500 brackets"),
        pytest.param("[" * 250_000, id="250,000 brackets"),
        pytest.param("&x {y: *x}", id="a mapping that holds itself"),
        pytest.param("task: 1\n" * 30_000, id="duplicate keys"),
        pytest.param("{" + ", ".join(f"key_number_{i}: 1" for i in range(12_000)) + "}", id="unknown keys"),
        pytest.param(changed(MINE, "iron_pickaxe: {count: 1}", ", ".join(
            f"gold_thing_{i}: 3" for i in range(12_000))), id="unknown items"),
        pytest.param(changed(MINE, "events:\n", "events:\n  - {id: x, actions: [{type: message, text: hi, agents: [" +
                             "Abc," * 50_000 + "]}]}\n"), id="unknown agents"),
        pytest.param("events: [" + "{id: a, actions: [{type: damagee}]}," * 6_000 + "]", id="wrong actions"),
        pytest.param(MINE.replace("goal: dig", "goal: " + "9" * 200_000), id="a number of 200,000 digits"),
        pytest.param(MINE.replace("goal: dig", f"? {'k' * 200_000}\n  : 1"), id="a key of 200,000 characters"),
        pytest.param(changed(MINE, "{count: 1}", "!!python/object/apply:os.system [ls]"), id="a tag that would run code"),
        pytest.param("task: {success: " + "{not: " * 18 + "{step_reached: 1}" + "}" * 18 + "}", id="nested conditions"),
        pytest.param(changed(MINE, "  max_steps: 60", "  max_steps: 60\n  materials: {grid: [" +
            "{block: stone, position: [0, 70, 0], width: 256, height: 64, depth: 256}," * 900 + "]}"), id="huge grids"),
        pytest.param("events: [" + "{id: a, trigger: {interval: 1}, actions: [" + (
            "{type: set_blocks, block: stone, area: {min: [-1000,0,-1000], max: [1000,300,1000]}}," * 60) + "]}," * 1 + "]",
            id="huge areas"),
    ],
)  # fmt: skip
def test_a_hostile_text_gets_a_short_answer_soon(text: str) -> None:
    hostile(text)


def test_a_small_file_cannot_ask_for_endless_work() -> None:
    events = "".join(
        f"  - {{id: e{i}, trigger: {{interval: 1}}, actions: [{{type: spawn_entities, entity: zombie, count: 1000, "
        f"center: [0, 64, 0], radius: 9}}]}}\n"
        for i in range(250)
    )
    hostile(changed(MINE, "events:\n", "events:\n" + events).replace("max_steps: 60", "max_steps: 10000"))


WORDS = st.sampled_from(
    [
        "task",
        "events",
        "agents",
        "environment",
        "type",
        "damage",
        "at",
        "when",
        "not",
        "all",
        "speed",
        "position",
        "items",
    ]
)
SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8), WORDS, st.just("gold_pickaxe")
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(WORDS | st.text(max_size=4), inner, max_size=4)
    ),
    max_leaves=12,
)
YAMLISH = st.text(
    alphabet=st.sampled_from(list("abct:-[]{}?,&*!|>%@`'\"#\\ \n\t~<=.0123456789é\x00\x85\ufeff")),
    max_size=80,
)


def verdict(text: str) -> None:
    """Either a task or a `TaskError` with faults, and the same from both functions."""
    report = check_text(text, "random")
    if report.spec is None:
        with pytest.raises(TaskError) as caught:
            load_task_text(text, "random")
        assert caught.value.faults == report.errors != []
    else:
        assert load_task_text(text, "random").spec == report.spec
        assert report.errors == []


@settings(max_examples=400)
@given(YAMLISH)
def test_any_text_gets_a_verdict(text: str) -> None:
    verdict(text)


@settings(max_examples=150)
@given(st.binary(max_size=60))
def test_any_bytes_get_a_verdict(source: bytes) -> None:
    report = check_text(source, "random")
    assert report.spec is None
    assert report.errors


@settings(max_examples=200)
@given(VALUES)
def test_any_document_gets_a_verdict(value: Any) -> None:
    verdict(yaml.safe_dump(value, allow_unicode=True))


def _places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    children = (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    )
    return [path, *(place for key, child in children for place in _places(child, (*path, key)))]


@settings(max_examples=300)
@given(st.sampled_from([MINE, PREPARE, RAID]), st.data())
def test_a_valid_task_with_a_part_replaced_gets_a_verdict(text: str, data: st.DataObject) -> None:
    document = yaml.safe_load(text)
    place = data.draw(st.sampled_from(_places(document)[1:]))
    owner = document
    for key in place[:-1]:
        owner = owner[key]
    if data.draw(st.booleans()):
        owner[place[-1]] = data.draw(VALUES)
    elif isinstance(owner, dict):
        owner[data.draw(WORDS)] = owner.pop(place[-1])
    else:
        owner.append(owner[place[-1]])
    verdict(yaml.safe_dump(document, allow_unicode=True))


@settings(max_examples=200)
@given(st.sampled_from([MINE, PREPARE, RAID]), st.data())
def test_a_valid_text_with_characters_changed_gets_a_verdict(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 12)))
    verdict(text[:start] + data.draw(YAMLISH) + text[end:])
