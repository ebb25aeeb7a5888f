# ruff: noqa: E501 - a case of the tables stays on as few lines as can be

from __future__ import annotations

import pytest

from engine.errors import Fault
from engine.spec.loader import check_text
from tests.engine.spec.samples import MINE, PREPARE, RAID, changed

LAVA = (
    "      - {type: progressive_fill, block: lava, area: {min: [-10, 64, 5], max: [10, 64, 9]}, "
    "direction: east, speed_bps: 2}\n"
)
EVENTS = "events:\n  - id: gold\n"


def errors(text: str) -> list[Fault]:
    report = check_text(text, "task")
    assert (report.spec is None) == bool(report.errors)
    return report.errors


def warnings(text: str) -> list[Fault]:
    report = check_text(text, "task")
    assert report.errors == []
    return report.warnings


def action(text: str) -> str:
    """The mine task with one more event, `x` on lines 6 to 7."""
    return changed(MINE, "events:\n", f"events:\n  - id: x\n    actions: [{text}]\n")


def environment(text: str) -> str:
    """The mine task with one more line, 22, in the environment."""
    return f"{MINE}  {text}\n"


CASES = {
    "agents.count differs": (changed(MINE, "count: 2", "count: 3"), 11, "agents.count", "expected 2"),
    "agent names differ in capitals only": (
        changed(MINE, "name: Bruno", "name: ADA"), 17, "agents.spawn[1].name", "is taken by agents.spawn[0]"),
    "event id twice": (
        changed(MINE, "events:\n", "events:\n  - {id: gold, actions: [{type: message, text: hi}]}\n"), 7,
        "events[1].id", "event id 'gold' is taken by events[0]"),
    "region id twice": (
        environment("regions: [{id: a, area: {min: [0, 64, 0], max: [1, 64, 1]}}, "
                    "{id: a, area: {min: [0, 64, 0], max: [1, 64, 1]}}]"), 22,
        "environment.regions[1].id", "region id 'a' is taken"),
    "target twice": (
        changed(MINE, "count: 4}]", "count: 4}, {block: gold_ore, count: 1}]"), 4, "task.targets[1].block",
        "target block 'gold_ore' is taken by task.targets[0]"),
    "unknown agent in an action": (
        action("{type: damage, amount: 1, agents: [Ada, Brno]}"), 7, "events[0].actions[0].agents[1]",
        "unknown agent 'Brno'; did you mean 'Bruno'?"),
    "unknown agent in a condition": (
        changed(MINE, "goal: dig", "goal: dig\n  success: [{any: [{agent_in_area: {agent: Zed, area: "
                "{min: [0, 64, 0], max: [1, 64, 1]}}}]}]"), 4,
        "task.success[0].any[0].agent_in_area.agent", "unknown agent 'Zed'; there is Ada, Bruno"),
    "unknown region": (
        action("{type: set_region, region: fog}"), 7, "events[0].actions[0].region",
        "unknown region 'fog'; the task has no regions"),
    "condition without key": (
        changed(MINE, "goal: dig", "goal: dig\n  success: [{}]"), 4, "task.success[0]",
        "expected exactly one of all_alive, alive_at_least"),
    "condition with two keys": (
        changed(MINE, "goal: dig", "goal: dig\n  success: [{all_alive: true, not: {step_reached: 3}}]"), 4,
        "task.success[0]", "found all_alive and not"),
    "dead entity without selector": (
        changed(MINE, "goal: dig", "goal: dig\n  success: [{entity_dead: {}}]"), 4, "task.success[0].entity_dead",
        "expected entity, role or both"),
    "area with agent and count": (
        changed(MINE, "goal: dig", "goal: dig\n  success: [{agent_in_area: {agent: Ada, count: 1, area: "
                "{min: [0, 64, 0], max: [1, 64, 1]}}}]"), 4, "task.success[0].agent_in_area.count", "exclude each other"),
    "at beside start": (
        changed(MINE, "{start: 0, end: 40, interval: 10}", "{at: [3], start: 0}"), 7, "events[0].trigger.start",
        "start cannot stand beside at"),
    "when beside interval": (
        changed(MINE, "{start: 0, end: 40, interval: 10}", "{when: {step_reached: 3}, interval: 2}"), 7,
        "events[0].trigger.interval", "interval cannot stand beside when"),
    "when beside at": (
        changed(MINE, "{start: 0, end: 40, interval: 10}", "{when: {step_reached: 3}, at: [2]}"), 7,
        "events[0].trigger.at", "at cannot stand beside when"),
    "end before start": (
        changed(MINE, "start: 0, end: 40", "start: 41, end: 40"), 7, "events[0].trigger.end", "at least 41"),
    "at lists a step twice": (
        changed(MINE, "{start: 0, end: 40, interval: 10}", "{at: [3, 9, 3]}"), 7, "events[0].trigger.at",
        "lists step 3 2 times"),
    "too many firings": (
        # 64 actions x 10,001 steps = 640,064, plus 5 of the other event
        changed(action(", ".join(["{type: message, text: hi}"] * 64)).replace("max_steps: 60", "max_steps: 10000"),
                "id: x\n", "id: x\n    trigger: {interval: 1}\n"), 5, "events", "fire 640,069 times"),
    "too many changes": (
        # 1,000 x 1,001 firings, plus 5 x 5 of the other event
        changed(action("{type: spawn_blocks, block: stone, count: 1000, center: [0, 64, 0], radius: 9}"),
                "id: x\n", "id: x\n    trigger: {interval: 1, end: 1000}\n").replace("max_steps: 60", "max_steps: 1000"),
        5, "events", "change 1,001,025 blocks and mobs"),
    "spawned air": (
        action("{type: spawn_blocks, block: air, count: 1, center: [0, 64, 0], radius: 9}"), 7,
        "events[0].actions[0].block", "spawn_blocks of air changes nothing"),
    "no targets": (
        changed(MINE, "  targets: [{block: gold_ore, count: 4}]\n", ""), 1, "task.targets", "needs a list of {block, count}"),
    "no chest": (changed(MINE, "  chest: {position: [0, 64, 0]}\n", ""), 18, "environment.chest", "needs a chest"),
    "target that drops nothing": (
        changed(MINE, "[{block: gold_ore,", "[{block: glass,"), 4, "task.targets[0].block", "glass drops nothing"),
    "target that cannot be broken": (
        changed(MINE, "[{block: gold_ore,", "[{block: bedrock,"), 4, "task.targets[0].block", "bedrock drops nothing"),
    "no boss": (
        changed(RAID, "role: boss", "role: minion"), 8, "environment.entities.hostiles", "at least one hostile with role: boss"),
    "custom without success": (
        changed(RAID, "raid_boss", "custom"), 1, "task.success", "a custom task needs a list of conditions"),
    "no crisis": (changed(PREPARE, LAVA, "      - {type: message, text: hi}\n"), 2, "events", "exactly one progressive_fill, found 0"),
    "two crises": (changed(PREPARE, LAVA, LAVA + LAVA), 2, "events", "exactly one progressive_fill, found 2"),
    "crisis on a condition": (
        changed(PREPARE, "{start: 30}", "{when: {step_reached: 3}}"), 4, "events[0].trigger.when", "at a fixed step"),
    "crisis too late": (
        # covered at 31 + 20 / 2 = 41, so 51 are needed
        changed(PREPARE, "start: 30", "start: 31"), 11, "environment.max_steps", "expected at least 51, found 50"),
    "crisis too late, with a fraction": (
        # covered at 30 + 20 / 1.6 = 42.5
        changed(PREPARE, "speed_bps: 2", "speed_bps: 1.6"), 11, "environment.max_steps", "expected at least 52.5"),
    "crisis along z too late": (
        # covered at 37 + (9 - 5) / 1 = 41
        PREPARE.replace("east, speed_bps: 2", "north, speed_bps: 1").replace("start: 30", "start: 37"), 11,
        "environment.max_steps", "expected at least 51"),
    "crisis that ends before it covers its area": (
        changed(PREPARE, "{start: 30}", "{start: 30, end: 39}"), 4, "events[0].trigger.end", "before it covers its area at step 40"),
    "min above max": (
        changed(PREPARE, "min: [-10, 64, 5]", "min: [-10, 64, 10]"), 6, "events[0].actions[0].area.min",
        "z 10 is greater than max's z 9"),
    "region's min above max": (
        environment("regions: [{id: a, area: {min: [0, 65, 0], max: [1, 64, 1]}}]"), 22,
        "environment.regions[0].area.min", "y 65 is greater"),
    "area too large": (
        # 50 x 1 x 2001 = 100,050
        action("{type: set_blocks, block: stone, area: {min: [0, 64, -1000], max: [49, 64, 1000]}}"), 7,
        "events[0].actions[0].area", "has 100,050 blocks; expected at most 100,000"),
    "grid beyond the world": (
        environment("materials: {grid: [{block: stone, position: [990, 64, 9], width: 12}]}"), 22,
        "environment.materials.grid[0].width", "reaches 1001, beyond the world's 1000"),
    "grid above the world": (
        environment("materials: {grid: [{block: stone, position: [9, 310, 9], height: 11}]}"), 22,
        "environment.materials.grid[0].height", "reaches 320, beyond the world's 319"),
    "grids too large": (
        # 256 x 1 x 256 = 65,536, twice
        environment("materials: {grid: [" + ", ".join(
            f"{{block: stone, position: [{x}, 64, 20], width: 256, depth: 256}}" for x in (20, 300)) + "]}"), 22,
        "environment.materials.grid", "131,072 blocks in all"),
    "two chests in one place": (
        environment("chests: [{position: [0, 64, 0]}]"), 22, "environment.chests[0].position", "stand in another chest"),
    "chest in a block": (
        environment("materials: {grid: [{block: stone, position: [-1, 64, 0], width: 3}]}").replace("[2, 64, 0]", "[5, 64, 0]")
        .replace("[-2, 64, 0]", "[-5, 64, 0]"), 20, "environment.chest.position", "stand in stone"),
    "chest in the ground": (
        changed(MINE, "chest: {position: [0, 64, 0]}", "chest: {position: [0, 63, 0]}"), 20,
        "environment.chest.position", "stand in the ground"),
    "agent with its feet in a block": (
        environment("materials: {grid: [{block: stone, position: [2, 64, 0]}]}"), 14, "agents.spawn[0].position",
        "Ada would start with its feet in stone"),
    "agent with its head in a block": (
        environment("materials: {grid: [{block: stone, position: [2, 65, 0]}]}"), 14, "agents.spawn[0].position",
        "with its head in stone"),
    "agent in a chest": (
        changed(MINE, "[2, 64, 0]", "[0, 64, 0]"), 14, "agents.spawn[0].position", "with its feet in chest"),
    "agent in the ground": (
        changed(MINE, "[2, 64, 0]", "[2, 62, 0]"), 14, "agents.spawn[0].position", "with its feet in dirt"),
    "agent in the air": (
        changed(MINE, "[2, 64, 0]", "[2, 65, 0]"), 14, "agents.spawn[0].position", "has nothing to stand on"),
    "agent over a hole": (
        environment("materials: {grid: [{block: air, position: [2, 63, 0]}]}"), 14, "agents.spawn[0].position",
        "has nothing to stand on"),
    "agent on water": (
        environment("materials: {grid: [{block: water, position: [2, 64, 0]}]}").replace("[2, 64, 0]\n", "[2, 65, 0]\n"),
        14, "agents.spawn[0].position", "has nothing to stand on"),
    "mob in a block": (
        changed(RAID, "[0, 64, 9]}", "[0, 64, 9]}\n  materials: {grid: [{block: stone, position: [0, 65, 9]}]}"), 9,
        "environment.entities.hostiles[0].position", "the wither_skeleton would start with its head in stone"),
    "inventory too full": (
        # 37 pickaxes do not stack
        changed(MINE, "iron_pickaxe: {count: 1}", "iron_pickaxe: {count: 37}"), 15, "agents.spawn[0].inventory",
        "takes 37 slots, expected at most 36"),
    "inventory too full of different things": (
        # 35 stacks of 64, one more stone, and one pickaxe: 37
        changed(MINE, "iron_pickaxe: {count: 1}", "iron_pickaxe: {count: 1}, stone: {count: 2241}"), 15,
        "agents.spawn[0].inventory", "takes 37 slots"),
    "chest too full of potions": (
        changed(MINE, "chest: {position: [0, 64, 0]}", "chest: {position: [0, 64, 0], items: {healing_potion: 28}}"), 20,
        "environment.chest.items", "takes 28 slots, expected at most 27"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "line", "path", "words"), CASES.values(), ids=CASES.keys())
def test_a_broken_rule_is_named_with_its_place(text: str, line: int, path: str, words: str) -> None:
    found = errors(text)
    assert [(fault.line, fault.path) for fault in found] == [(line, path)], [str(fault) for fault in found]
    assert words in found[0].message


VALID = {
    "agents.count left out": changed(MINE, "  count: 2\n", ""),
    "no events": changed(MINE, MINE[MINE.index("events:") : MINE.index("agents:")], ""),
    "one step": changed(MINE, "max_steps: 60", "max_steps: 1"),
    "one agent": changed(changed(MINE, "    - {name: Bruno, position: [-2, 64, 0]}\n", ""), "count: 2", "count: 1"),
    "no hostiles": environment("entities: {hostiles: []}"),
    "zero probability": changed(MINE, "interval: 10", "interval: 10, probability: 0"),
    "crisis as late as can be": PREPARE,
    "fill as long as can be": changed(PREPARE, "{start: 30}", "{start: 30, end: 40}"),
    "fill that ends early, with a success of the task's own": changed(
        changed(PREPARE, "{start: 30}", "{start: 30, end: 39}"), "goal: survive", "goal: survive, success: {all_alive: true}"
    ),
    "fill on a condition in a custom task": changed(
        changed(PREPARE, "{start: 30}", "{when: {step_reached: 3}}"),
        "{type: prepare_crisis, goal: survive}", "{type: custom, goal: survive, success: {all_alive: true}}"),
    "nulls are as good as absent": changed(MINE, "{start: 0, end: 40, interval: 10}", "{at: [3], start: 0, end: null}").replace(
        ", start: 0, end: null", ", end: null"),
    "agent on a block": environment("materials: {grid: [{block: stone, position: [2, 64, 0]}]}").replace(
        "[2, 64, 0]\n", "[2, 65, 0]\n"),
    "agent in tall grass": environment("materials: {grid: [{block: grass, position: [2, 64, 0]}]}"),
    "agent on a chest": changed(MINE, "[2, 64, 0]", "[0, 65, 0]"),
    "full inventory": changed(MINE, "iron_pickaxe: {count: 1}", "iron_pickaxe: {count: 36}"),
    "full chest": changed(MINE, "[0, 64, 0]}", "[0, 64, 0], items: {stone: 1728}}"),
    "grid up to the world's corner": environment("materials: {grid: [{block: stone, position: [999, 318, 999], "
                                                 "width: 2, height: 2, depth: 2}]}"),
    "alive at the end": changed(MINE, "goal: dig", "goal: dig\n  success: [{all_alive: true}, {step_reached: 60}]"),
    "boss and minions": changed(RAID, "[0, 64, 9]}", "[0, 64, 9]}\n      - {entity: zombie, position: [1, 64, 9]}"),
}  # fmt: skip


@pytest.mark.parametrize("text", VALID.values(), ids=VALID.keys())
def test_what_is_unusual_and_right_is_valid(text: str) -> None:
    assert errors(text) == []


def test_success_at_the_end_is_not_warned_of() -> None:
    assert warnings(VALID["alive at the end"]) == []


WARNED = {
    "event after the end": (
        changed(MINE, "id: gold\n    trigger: {start: 0, end: 40,", "id: gold\n    trigger: {start: 61, end: 90,"),
        [(4, "task.targets[0].count"), (7, "events[0].trigger")], "never fires: its first step is 61"),
    "listed steps after the end": (
        action("{type: message, text: hi}").replace("id: x\n", "id: x\n    trigger: {at: [80, 70]}\n"),
        [(7, "events[0].trigger")], "never fires: its first step is 70"),
    "quota above what spawns": (
        # 5 firings of 5 gold ore
        changed(MINE, "[{block: gold_ore, count: 4}]", "[{block: gold_ore, count: 26}]"),
        [(4, "task.targets[0].count")], "26 wanted, but no more than 25 gold_ore will ever be there"),
    "targets of another type": (
        changed(PREPARE, "goal: survive", "goal: survive, targets: [{block: lava, count: 1}]").replace("block: lava, count", "block: stone, count"),
        [(1, "task.targets"), (1, "task.targets[0].count")], "has no effect in a task of type prepare_crisis"),
    "shelter of another type": (
        changed(MINE, "goal: dig", "goal: dig\n  shelter: {blocks_required: 3}"), [(4, "task.shelter")],
        "has no effect in a task of type mine_vanishing_blocks"),
    "won before it begins": (
        changed(MINE, "goal: dig", "goal: dig\n  success: [{all_alive: true}, {not: {step_reached: 1}}]"),
        [(4, "task.success")], "add {step_reached: 60}"),
    "spawn in the air": (
        changed(MINE, "[0, 64, 10]", "[0, 66, 10]"), [(9, "events[0].actions[0].center[1]")], "nothing to stand on at y = 66"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "places", "words"), WARNED.values(), ids=WARNED.keys())
def test_what_is_valid_and_hardly_meant_is_warned_of(
    text: str, places: list[tuple[int, str]], words: str
) -> None:
    found = warnings(text)
    assert [(fault.line, fault.path) for fault in found] == places
    assert any(words in fault.message for fault in found)


@pytest.mark.parametrize(
    "text",
    [
        changed(MINE, "count: 4}]", "count: 25}]"),
        # 25 spawn, 2 stand there, 1 is carried and 1 lies in the chest as what it drops
        environment("materials: {grid: [{block: gold_ore, position: [9, 64, 9], width: 2}]}")
        .replace("count: 4}]", "count: 29}]")
        .replace("{iron_pickaxe: {count: 1}}", "{iron_pickaxe: {}, raw_gold: {}}")
        .replace("{position: [0, 64, 0]}", "{position: [0, 64, 0], items: {raw_gold: 1}}"),
        environment("materials: {grid: [{block: stone, position: [0, 64, 9], height: 2}]}").replace(
            "center: [0, 64, 10]", "center: [0, 66, 10]"
        ),
    ],
)
def test_a_quota_or_a_place_that_can_be_met_is_not_warned_of(text: str) -> None:
    assert warnings(text) == []


def test_all_broken_rules_are_listed_together() -> None:
    text = changed(
        changed(changed(MINE, "count: 2", "count: 3"), "[2, 64, 0]", "[2, 65, 0]"), "end: 40", "end: -0"
    )
    text = changed(text, "start: 0", "start: 5")
    assert [fault.path for fault in errors(text)] == [
        "events[0].trigger.end",
        "agents.count",
        "agents.spawn[0].position",
    ]
