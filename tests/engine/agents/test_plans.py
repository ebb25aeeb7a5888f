from __future__ import annotations

import pytest

from engine.agents.actions import ACTIONS, Refusal, offered, parse
from engine.agents.plans import Step, faults
from engine.simulator.actions import ABILITIES


def step(name: str, *after: str) -> Step:
    return Step(name, "wait", {"duration": 1}, after)


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        ([], []),
        ([step("a"), step("b", "a"), step("c", "a", "b")], []),
        ([step("b", "a"), step("a")], []),  # the order of listing is not the order of doing
        ([step("a"), step("a")], ["id 'a' is used more than once"]),
        ([step("a", "x")], ["step 'a' comes after 'x', which is not in this plan"]),
        ([step("a", "a")], ["steps a wait for one another"]),
        ([step("a", "c"), step("b", "a"), step("c", "b"), step("d")], ["steps a, b, c wait for one another"]),
    ],
)
def test_what_is_not_a_dag_is_named(steps: list[Step], expected: list[str]) -> None:
    assert faults(steps) == expected


def test_each_task_type_offers_the_papers_tools() -> None:
    # Table 5 of the paper; find_blocks and wait come from its prompts.
    assert {info.name for info in offered("mine_vanishing_blocks")} == {
        "scout_blocks_at",
        "mine_blocks_at",
        "deposit_to_chest",
        "find_blocks",
        "wait",
    }
    assert {info.name for info in offered("raid_boss")} == {
        "move_to",
        "find_entities",
        "attack",
        "equip_item",
        "use_item",
        "deposit_to_chest",
        "get_from_chest",
        "wait",
    }
    assert {info.name for info in offered("custom")} == set(ACTIONS)


def test_the_simulator_can_do_all_that_mining_tasks_offer() -> None:
    assert {info.name for info in offered("mine_vanishing_blocks")} <= ABILITIES.keys()


@pytest.mark.parametrize(
    ("name", "parameters", "reason"),
    [
        ("dance", {}, "unknown_action"),
        ("attack", {"entity_type": "zombie"}, "not_offered"),
        ("mine_blocks_at", {}, "bad_parameters"),
        ("mine_blocks_at", {"block_positions": []}, "bad_parameters"),
        ("mine_blocks_at", {"block_positions": [[1, 2]]}, "bad_parameters"),
        ("wait", {"duration": 51}, "bad_parameters"),
        ("wait", {"duration": 1, "mood": "patient"}, "bad_parameters"),
        (
            "deposit_to_chest",
            {"chest_pos": [0, 64, 0], "items": ["oak_log"], "quantities": [1, 2]},
            "bad_parameters",
        ),
    ],
)
def test_what_cannot_begin_is_refused_with_a_typed_reason(
    name: str, parameters: dict[str, object], reason: str
) -> None:
    refusal = parse("mine_vanishing_blocks", name, parameters)
    assert isinstance(refusal, Refusal)
    assert refusal.reason == reason
