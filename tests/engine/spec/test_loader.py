# ruff: noqa: E501 - a case of the tables stays on as few lines as can be

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

import pytest

from engine.errors import Fault, TaskError
from engine.spec.loader import check_file, check_text, digest, load_task, load_task_text
from tests.engine.spec.samples import MINE, PREPARE, RAID, changed


def only_error(text: str) -> Fault:
    report = check_text(text, "task")
    assert report.spec is None
    assert len(report.errors) == 1, [str(fault) for fault in report.errors]
    return report.errors[0]


@pytest.mark.parametrize("text", [MINE, PREPARE, RAID])
def test_the_samples_of_these_tests_are_valid_without_warnings(text: str) -> None:
    report = check_text(text, "task")
    assert report.errors == report.warnings == []


@pytest.mark.parametrize(
    ("old", "new", "line", "path", "words"),
    [
        # unknown keys
        ("  goal: dig", "  goal: dig\n  gaol: x", 4, "task.gaol", "unknown key 'gaol'; did you mean 'goal'?"),
        ("events:", "evnts: []\nevents:", 5, "evnts", "did you mean 'events'?"),
        ("speed_bps: 4.3", "sped_bps: 4.3", 16, "agents.spawn[0].capabilities.sped_bps", "did you mean 'speed_bps'?"),
        ("radius: 6", "radius: 6, Radios: 7", 9, "events[0].actions[0].Radios", "did you mean 'radius'?"),
        ("interval: 10", "qqq: 10", 7, "events[0].trigger.qqq", "expected one of start, end, interval, at, when"),
        # missing keys
        ("  goal: dig\n", "", 1, "task.goal", "is missing; expected text"),
        ("  max_steps: 60\n", "", 18, "environment.max_steps", "is missing; expected a whole number"),
        (", radius: 6", "", 9, "events[0].actions[0].radius", "is missing; expected a whole number"),
        (", position: [-2, 64, 0]", "", 17, "agents.spawn[1].position", "is missing; expected a point [x, y, z]"),
        # wrong types
        ("max_steps: 60", "max_steps: sixty", 19, "environment.max_steps", "a whole number, found 'sixty'"),
        ("max_steps: 60", "max_steps: 060", 19, "environment.max_steps", "found '060'; write it in plain digits"),
        ("max_steps: 60", "max_steps: '60'", 19, "environment.max_steps", "without quotes"),
        ("max_steps: 60", "max_steps: 60.0", 19, "environment.max_steps", "a whole number, found 60.0"),
        ("max_steps: 60", "max_steps: true", 19, "environment.max_steps", "a whole number, found true"),
        ("max_steps: 60", "max_steps:", 19, "environment.max_steps", "a whole number, found nothing"),
        ("max_steps: 60", "max_steps: [60]", 19, "environment.max_steps", "a whole number, found a list"),
        ("goal: dig", "goal: 7", 3, "task.goal", "expected text, found 7"),
        ("goal: dig", "goal: {a: 1}", 3, "task.goal", "expected text, found a mapping"),
        ("goal: dig", "goal: dig\n  guidance: go", 4, "task.guidance", "expected a mapping with text, found 'go'"),
        ("{speed_bps: 4.3}", "fast", 16, "agents.spawn[0].capabilities", "expected a mapping with max_health"),
        ("{speed_bps: 4.3}", "{speed_bps: on}", 16, "agents.spawn[0].capabilities.speed_bps", "a number, found 'on'"),
        ("{difficulty: hard}", "{gamerules: {a: off}}", 21, "environment.world.gamerules.a", "write true or false"),
        ("{difficulty: hard}", "{gamerules: {a: 1.5}}", 21, "environment.world.gamerules.a", "true or false or a whole"),
        ("{count: 1}", "{unbreakable: yes}", 15, "agents.spawn[0].inventory.iron_pickaxe.unbreakable", "write true"),
        ("[2, 64, 0]", "[2, 64]", 14, "agents.spawn[0].position", "expected a point [x, y, z], found a list"),
        ("[2, 64, 0]", "here", 14, "agents.spawn[0].position", "expected a point [x, y, z], found 'here'"),
        ("[2, 64, 0]", "{x: 2, y: 64}", 14, "agents.spawn[0].position", "expected a point [x, y, z], found a mapping"),
        ("[2, 64, 0]", "[2, 64, 0.5]", 14, "agents.spawn[0].position[2]", "expected a whole number, found 0.5"),
        ("[{block: gold_ore, count: 4}]", "gold_ore", 4, "task.targets", "expected a list, found 'gold_ore'"),
        ("  chest:", "  chests:\n  chest:", 20, "environment.chests", "expected a list, found nothing"),
        # bounds
        ("max_steps: 60", "max_steps: 10001", 19, "environment.max_steps", "of at most 10000, found 10001"),
        ("max_steps: 60", "max_steps: 0", 19, "environment.max_steps", "of at least 1, found 0"),
        ("speed_bps: 4.3", "speed_bps: 0", 16, "agents.spawn[0].capabilities.speed_bps", "greater than 0, found 0"),
        ("speed_bps: 4.3", "speed_bps: 20.5", 16, "agents.spawn[0].capabilities.speed_bps", "of at most 20, found 20.5"),
        ("speed_bps: 4.3", "max_health: 0", 16, "agents.spawn[0].capabilities.max_health", "greater than 0"),
        ("[2, 64, 0]", "[1001, 64, 0]", 14, "agents.spawn[0].position[0]", "of at most 1000, found 1001"),
        ("radius: 6", "radius: 129", 9, "events[0].actions[0].radius", "of at most 128, found 129"),
        ("count: 5", "count: 1001", 9, "events[0].actions[0].count", "of at most 1000, found 1001"),
        ("interval: 10", "interval: 0", 7, "events[0].trigger.interval", "of at least 1, found 0"),
        ("start: 0", "start: -1", 7, "events[0].trigger.start", "of at least 0, found -1"),
        ("goal: dig", "goal: ''", 3, "task.goal", "at least 1 character, found ''"),
        ("goal: dig", f"goal: {'x' * 4001}", 3, "task.goal", "at most 4000 characters, found more"),
        ("{start: 0, end: 40, interval: 10}", "{at: []}", 7, "events[0].trigger.at", "at least 1 entry, found an empty list"),
        # names
        ("type: mine_vanishing_blocks", "type: mine_blocks", 2, "task.type", "did you mean 'mine_vanishing_blocks'?"),
        ("difficulty: hard", "difficulty: hrad", 21, "environment.world.difficulty", "did you mean 'hard'?"),
        ("type: spawn_blocks", "type: spawn_block", 9, "events[0].actions[0].type", "did you mean 'spawn_blocks'?"),
        ("type: spawn_blocks", "type: 7", 9, "events[0].actions[0].type", "found 7"),
        ("type: spawn_blocks, ", "", 9, "events[0].actions[0].type", "is missing; expected one of progressive_fill"),
        ("[{block: gold_ore,", "[{block: gold_orr,", 4, "task.targets[0].block", "unknown block 'gold_orr'; did you mean 'gold_ore'?"),
        ("[{block: gold_ore,", "[{block: minecraft:stone,", 4, "task.targets[0].block", "did you mean 'stone'?"),
        ("[{block: gold_ore,", "[{block: qqq,", 4, "task.targets[0].block", "unknown block 'qqq'; expected a name of Minecraft 1.19"),
        ("iron_pickaxe", "iron_pickax", 15, "agents.spawn[0].inventory.iron_pickax", "unknown item 'iron_pickax'; did you mean 'iron_pickaxe'?"),
        ("iron_pickaxe", "Iron Pickaxe", 15, "agents.spawn[0].inventory['Iron Pickaxe']", "did you mean 'iron_pickaxe'?"),
        ("{speed_bps: 4.3}", "{damage_multipliers: {zombi: 2}}", 16, "agents.spawn[0].capabilities.damage_multipliers.zombi", "unknown entity 'zombi'; did you mean 'zombie'?"),
        ("{speed_bps: 4.3}", "{}\n      effects: [fire_resistence]", 17, "agents.spawn[0].effects[0].type", "unknown effect 'fire_resistence'; did you mean 'fire_resistance'?"),
        ("name: Ada", "name: Al", 13, "agents.spawn[0].name", "expected 3 to 16 of A-Z a-z 0-9 _, found 'Al'"),
        ("name: Ada", "name: Zoë", 13, "agents.spawn[0].name", "found 'Zoë'"),
        ("id: gold", "id: a/b", 6, "events[0].id", "expected 1 to 64 of A-Z a-z 0-9 _ . -, found 'a/b'"),
        # things of other formats
        ("max_steps: 60", "max_steps: 60\n  materials: {grid: [{block: stone, position: [9, 64, 9], num_blocks: 10}]}", 20,
         "environment.materials.grid[0].num_blocks", "environment.materials.grid, each {block, position, width, height, depth}"),
    ],
)  # fmt: skip
def test_a_fault_names_line_path_and_what_was_expected(
    old: str, new: str, line: int, path: str, words: str
) -> None:
    error = only_error(changed(MINE, old, new))
    assert (error.line, error.path) == (line, path)
    assert words in error.message


def test_messages_are_free_of_the_validator_s_own_language() -> None:
    text = "task: [1]\nevents: [x, {id: 1, actions: [{type: damage, amount: z}]}]\nagents: 7\nenvironment: {world: 3}\n"
    report = check_text(text, "task")
    assert len(report.errors) > 5
    for fault in report.errors:
        assert not any(
            word in str(fault) for word in ("Input", "should", "valid ", "dictionary", "pydantic", "Extra")
        )


def test_all_faults_are_listed_in_the_order_of_lines() -> None:
    text = changed(changed(changed(MINE, "goal: dig", "gaol: dig"), "name: Ada", "name: Al"), "60", "no")
    places = [(fault.line, fault.path) for fault in check_text(text, "task").errors]
    assert places == [
        (1, "task.goal"),
        (3, "task.gaol"),
        (13, "agents.spawn[0].name"),
        (19, "environment.max_steps"),
    ]


def test_a_fault_of_the_yaml_hides_no_other_and_is_told_once() -> None:
    text = changed(changed(MINE, "60", "*steps"), "name: Ada", "name: Al")
    assert [(fault.line, fault.path) for fault in check_text(text, "task").errors] == [
        (13, "agents.spawn[0].name"),
        (19, "environment.max_steps"),
    ]


@pytest.mark.parametrize("text", ["", "# only a comment\n", "~"])
def test_an_empty_text_says_so(text: str) -> None:
    assert "the text is empty; expected a mapping with task, events" in only_error(text).message


@pytest.mark.parametrize("text", ["12:30:00", "- a\n- b\n", "true"])
def test_a_text_that_is_no_mapping_is_refused(text: str) -> None:
    assert "expected a mapping with task, events, agents, environment" in only_error(text).message


# --- older spellings ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "line", "path", "words"),
    [
        ("speed_bps: 4.3", "speed: 4.3", 16, "agents.spawn[0].capabilities.speed", "speed_bps"),
        ("{speed_bps: 4.3}", "{speed_bps: 4.3, perception range: 16}", 16,
         "agents.spawn[0].capabilities['perception range']", "perception_range"),
        ("{count: 1}", "1", 15, "agents.spawn[0].inventory.iron_pickaxe", "{count: 1}"),
        ("[2, 64, 0]", "{x: 2, y: 64, z: 0}", 14, "agents.spawn[0].position", "[x, y, z]"),
        ("[0, 64, 10]", "{z: 10, y: 64, x: 0}", 9, "events[0].actions[0].center", "[x, y, z]"),
        ("\n      - {type", "\n        {type", 8, "events[0].actions", "as a list"),
        ("\n  - id: gold", "\n    id: gold", 5, "events", "as a list"),
    ],
)  # fmt: skip
def test_an_older_spelling_gives_the_same_task_with_a_warning(
    old: str, new: str, line: int, path: str, words: str
) -> None:
    report = check_text(changed(MINE, old, new), "task")
    assert report.errors == []
    assert [(fault.line, fault.path) for fault in report.warnings] == [(line, path)]
    assert "older spelling" in report.warnings[0].message
    assert words in report.warnings[0].message
    assert report.spec == load_task_text(MINE, "task").spec


@pytest.mark.parametrize("kind", ["pickaxe", "axe", "sword", "shovel", "hoe"])
def test_gold_tools_are_read_as_golden_ones_in_their_place(kind: str) -> None:
    text = changed(MINE, "{iron_pickaxe:", f"{{gold_{kind}: {{count: 2}}, iron_pickaxe:")
    loaded = load_task_text(text, "task")
    assert list(loaded.spec.agents.spawn[0].inventory) == [f"golden_{kind}", "iron_pickaxe"]
    assert [fault.path for fault in loaded.warnings] == [f"agents.spawn[0].inventory.gold_{kind}"]


def test_gold_ore_keeps_its_name() -> None:
    loaded = load_task_text(changed(MINE, "iron_pickaxe:", "gold_ore:"), "task")
    assert list(loaded.spec.agents.spawn[0].inventory) == ["gold_ore"]


def test_a_fill_s_speed_is_an_older_spelling() -> None:
    loaded = load_task_text(changed(PREPARE, "speed_bps: 2", "speed: 2"), "task")
    assert loaded.spec == load_task_text(PREPARE, "task").spec
    assert [(fault.line, fault.path) for fault in loaded.warnings] == [(6, "events[0].actions[0].speed")]


def test_both_spellings_at_once_are_refused() -> None:
    error = only_error(changed(MINE, "{speed_bps: 4.3}", "{speed_bps: 4.3, speed: 5}"))
    assert (error.line, error.path) == (16, "agents.spawn[0].capabilities.speed")
    assert "given twice" in error.message


def test_both_forms_of_effects_and_bare_counts_in_chests_are_current() -> None:
    text = changed(
        MINE, "{speed_bps: 4.3}", "{speed_bps: 4.3}\n      effects: [speed, {type: haste, amplifier: 1}]"
    )
    text = changed(
        text, "{position: [0, 64, 0]}", "{position: [0, 64, 0], items: {healing_potion: 3, bread: {}}}"
    )
    loaded = load_task_text(text, "task")
    assert loaded.warnings == []
    assert [(e.type, e.amplifier) for e in loaded.spec.agents.spawn[0].effects] == [
        ("speed", 0),
        ("haste", 1),
    ]
    assert {name: stack.count for name, stack in loaded.spec.all_chests[0].items.items()} == {
        "healing_potion": 3,
        "bread": 1,
    }


def test_one_condition_may_stand_for_a_list_of_conditions() -> None:
    single = changed(
        PREPARE, "goal: survive", "goal: survive, success: {not: [{step_reached: 0}, {all_alive: true}]}"
    )
    listed = changed(
        PREPARE,
        "goal: survive",
        "goal: survive, success: [{not: {all: [{step_reached: 0}, {all_alive: true}]}}]",
    )
    loaded = load_task_text(single, "task")
    assert loaded.warnings == []
    assert loaded.spec == load_task_text(listed, "task").spec


def test_the_short_listing_s_environment_is_refused_with_the_form_to_use() -> None:
    text = changed(
        PREPARE,
        "environment:\n  max_steps: 50\n",
        "environment: [{type: stone, position: [1, 64, 2], num_blocks: 9}]\n",
    )
    error = only_error(text)
    assert (error.line, error.path) == (10, "environment")
    assert "environment.materials.grid, each {block, position, width, height, depth}" in error.message


@pytest.mark.parametrize(
    ("text", "line", "path", "name"),
    [
        ("text: Defeat it.\ncustom_init_commands:\n- /time set night\n", 1, "text", "MCU"),
        ("milestone_reward_cfg: []\ntext: Build it.\n", 1, "milestone_reward_cfg", "MCU"),
        (
            "task:\n  name: x\nobjectives: {}\nmax_action_steps: 25\nagent_1: {}\n",
            3,
            "objectives",
            "AgentWorld",
        ),
        ('{\n"cook": {"goal": "x", "agent_count": 2, "initial_inventory": {}}}', 2, "cook", "mindcraft"),
    ],
)
def test_another_benchmark_s_task_is_refused_by_its_first_unknown_key(
    text: str, line: int, path: str, name: str
) -> None:
    error = only_error(text)
    assert (error.line, error.path) == (line, path)
    assert f"unknown key '{path}'" in error.message
    assert name in error.message


# --- the paper's full listing -------------------------------------------------------------------------------

_GRIDS = [
    ("cobblestone", (20, 64, 30), 4, 5),
    ("cobblestone", (25, 64, 35), 3, 4),
    ("cobblestone", (10, 64, 40), 4, 5),
    ("stone", (5, 64, 30), 3, 3),
    ("stone", (10, 64, 25), 4, 3),
    ("stone_bricks", (0, 64, 20), 3, 4),
    ("stone_bricks", (25, 64, 5), 3, 3),
    ("bricks", (20, 64, -12), 3, 3),
    ("oak_log", (-10, 64, 10), 3, 4),
    ("oak_log", (15, 64, 20), 3, 4),
    ("oak_planks", (15, 64, 5), 4, 3),
    ("oak_planks", (-5, 64, 10), 3, 4),
]
LISTING_2 = """\
task:
  type: prepare_crisis
  goal: "Identify the type and origin of the crisis and build a shelter to survive"
  guidance:
    text: |
      Each agent has different tools, speeds, and perception ranges.
events:
  - id: lava_wave
    trigger: {start: 30, end: 200}
    actions:
      - type: progressive_fill
        block: lava
        area:
          min: {x: -30, y: 64, z: 0}
          max: {x: 40, y: 64, z: 40}
        direction: east
        speed_bps: 1
agents:
  count: 4
  spawn:
    - name: MineflayerBot0
      position: [8, 64, 18]
      inventory: {diamond_pickaxe: {count: 1, unbreakable: true}}
      capabilities: {max_health: 40, speed_bps: 4.3, perception_range: 24}
      effects: [fire_resistance]
    - name: MineflayerBot1
      position: [12, 64, 18]
      inventory: {diamond_axe: {count: 1, unbreakable: true}}
      capabilities: {max_health: 30, speed_bps: 6.5, perception_range: 16}
      effects: [fire_resistance]
    - name: MineflayerBot2
      position: [8, 64, 22]
      inventory: {iron_pickaxe: {count: 1, unbreakable: true}}
      capabilities: {speed_bps: 3.0, perception_range: 20}
    - name: MineflayerBot3
      position: [12, 64, 22]
      inventory: {golden_axe: {count: 1, unbreakable: true}}
      capabilities: {speed_bps: 8.0, perception_range: 10}
environment:
  max_steps: 100
  world:
    world_type: flatgrass
    difficulty: hard
    time: day
    gamerules: {doMobSpawning: false, doImmediateRespawn: false, doDaylightCycle: false}
  chest: {position: [0, 64, 0]}
  entities: {hostiles: []}
  materials:
    grid:
""" + "".join(
    f"      - {{block: {block}, position: {list(position)}, width: {width}, height: 1, depth: {depth}}}\n"
    for block, position, width, depth in _GRIDS
)


def test_the_paper_s_full_listing_lacks_only_the_ten_steps_after_the_crisis() -> None:
    # The crisis covers its area at step 30 + (40 - -30) / 1 = 100; ten steps later is 110.
    error = only_error(LISTING_2)
    assert (error.line, error.path) == (40, "environment.max_steps")
    assert "expected at least 110, found 100" in error.message


def test_the_paper_s_full_listing_is_valid_with_these_ten_steps() -> None:
    loaded = load_task_text(changed(LISTING_2, "max_steps: 100", "max_steps: 110"), "listing_2")
    assert [(fault.line, fault.path) for fault in loaded.warnings] == [
        (14, "events[0].actions[0].area.min"),
        (15, "events[0].actions[0].area.max"),
    ]
    assert [agent.capabilities.max_health for agent in loaded.spec.agents.spawn] == [40, 30, 20, 20]
    assert sum(grid.width * grid.depth for grid in loaded.spec.environment.materials.grid) == 151


# --- files, ids, digests ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("lava_east.yaml", "lava_east"),
        ("a b/gold rush!.yml", "gold_rush"),
        ("v1.2", "v1.2"),
        ("ü.yaml", "task"),
        ("x" * 80 + ".yaml", "x" * 64),
    ],
)
def test_the_id_comes_from_the_file_s_name(name: str, expected: str) -> None:
    assert load_task_text(MINE, name).spec.id == expected


def test_an_id_of_the_task_s_own_wins(tmp_path: Path) -> None:
    path = tmp_path / "other.yaml"
    path.write_text(changed(MINE, "goal: dig", "goal: dig\n  id: mine_v1"))
    assert load_task(path).spec.id == "mine_v1"


def test_a_file_that_cannot_be_read_is_a_task_error(tmp_path: Path) -> None:
    for path, words in (
        (tmp_path / "none.yaml", "no such file"),
        (tmp_path, "not a file"),
        (Path("x" * 300), "file"),
    ):
        with pytest.raises(TaskError) as caught:
            load_task(path)
        assert [(fault.line, words in fault.message) for fault in caught.value.faults] == [(None, True)]


def test_a_file_is_not_read_beyond_the_limit(tmp_path: Path) -> None:
    path = tmp_path / "large.yaml"
    with path.open("wb") as file:
        file.truncate(2**33)
    assert "more than 256 KB" in check_file(path).errors[0].message


def test_a_task_error_carries_all_faults_and_its_source() -> None:
    with pytest.raises(TaskError, match=r"x\.yaml: line 3, task\.goal: expected text, found 7") as caught:
        load_task_text(changed(MINE, "goal: dig", "goal: 7"), "x.yaml")
    assert not caught.value.retryable


def test_the_digest_does_not_depend_on_spelling_and_order_of_fields() -> None:
    spec = load_task_text(MINE, "task").spec
    same = changed(
        changed(MINE, "count: 2\n  spawn", "count: 2\n\n  spawn"), "{speed_bps: 4.3}", "{speed: 4.3}"
    )
    assert digest(load_task_text(same, "task").spec) == digest(spec)
    plain = json.dumps(spec.model_dump(mode="json", by_alias=True), ensure_ascii=False, separators=(",", ":"))
    assert digest(spec) == sha256(plain.encode()).hexdigest()


@pytest.mark.parametrize(
    ("old", "new"), [("4.3", "4.4"), ("{iron_pickaxe: {count: 1}}", "{bread: {}, iron_pickaxe: {}}")]
)
def test_the_digest_changes_with_the_task(old: str, new: str) -> None:
    assert digest(load_task_text(changed(MINE, old, new), "task").spec) != digest(
        load_task_text(MINE, "task").spec
    )


def test_the_digest_tells_which_item_is_held() -> None:
    one, two = (
        changed(MINE, "{iron_pickaxe: {count: 1}}", inventory)
        for inventory in ("{iron_axe: {}, bread: {}}", "{bread: {}, iron_axe: {}}")
    )
    assert digest(load_task_text(one, "task").spec) != digest(load_task_text(two, "task").spec)
