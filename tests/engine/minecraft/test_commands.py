"""Every command that the environment manager can emit is one that the server of that version understands."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, get_args
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import RuleError, SettingsError
from engine.minecraft.arguments import EVERYONE, Target, inside, player, tagged
from engine.minecraft.commands import BOUNDS, GAMERULES, Attribute, Commands, Daytime, GameMode
from engine.minecraft.versions import CHANGES, RENAMED, protocols
from engine.world import rules
from engine.world.combat import Difficulty
from engine.world.geometry import Cell
from tests.engine.minecraft.brigadier import Refused, Tree, known

TREES = {
    # The tree of 1.19 is not in minecraft-data; 1.16.2's differs from it, in what is used here, by `item`, which came
    # with 1.17 (the Minecraft Wiki, "Commands/item").
    "1.19": Tree("1.16.2", "1.19", components=False, borrowed={"item": "1.20.2"}),
    "1.20.4": Tree("1.20.4", "1.20.4", components=False),
    "1.21.4": Tree("1.21.4", "1.21.4", components=True),
}
COMMANDS = {version: Commands(version) for version in TREES}

coordinates = st.integers(-30_000_000, 30_000_000)
cells = st.tuples(coordinates, coordinates, coordinates)
places = st.floats(-30_000_000, 30_000_000)
positions = st.tuples(places, places, places)
tags = st.from_regex(r"[A-Za-z0-9_.-]{1,64}", fullmatch=True)
names = st.from_regex(r"[A-Za-z0-9_]{3,16}", fullmatch=True)
singles = st.one_of(names.map(player), tags.map(lambda tag: tagged(tag, one=True)))
entities = st.one_of(singles, tags.map(tagged), st.just(EVERYONE))
players = st.one_of(names.map(player), st.just(EVERYONE))
blocks = st.sampled_from(sorted(rules.blocks()))
items = st.sampled_from(sorted(rules.items()))
effects = st.sampled_from(sorted(rules.effects()))
attributes = st.sampled_from(get_args(Attribute))
texts = st.text(min_size=1).filter(lambda text: any(not c.isspace() and c.isprintable() for c in text))
counts = st.integers(1, 64)


@st.composite
def boxes(draw: st.DrawFn) -> tuple[Cell, Cell]:
    x, y, z = draw(st.tuples(*[st.integers(-1_000, 1_000)] * 3))
    width, height, depth = draw(st.tuples(*[st.integers(0, 60)] * 3))
    return (x, y, z), (x + width, y + height, z + depth)


@st.composite
def bases(draw: st.DrawFn) -> dict[Attribute, float]:
    chosen = draw(st.sets(attributes))
    return {name: draw(st.floats(*BOUNDS[name])) for name in sorted(chosen)}


@st.composite
def base(draw: st.DrawFn) -> tuple[Attribute, float]:
    name = draw(attributes)
    return name, draw(st.floats(*BOUNDS[name]))


rule_values = st.sampled_from(sorted(GAMERULES)).flatmap(
    lambda rule: st.tuples(
        st.just(rule), st.none() | (st.booleans() if GAMERULES[rule] is bool else st.integers(0, 2**31 - 1))
    )
)

Emitted = Callable[[Commands], str | list[str]]
EMITTED: dict[str, st.SearchStrategy[Emitted]] = {
    "setblock": st.builds(lambda c, b: lambda m: m.setblock(c, b), cells, blocks),
    "fill": st.builds(
        lambda c, b, o: lambda m: m.fill(c[0], c[1], b, only=o), boxes(), blocks, st.none() | blocks
    ),
    "store": st.builds(
        lambda c, s, i, n: lambda m: m.store(c, s, i, n), cells, st.integers(0, 26), items, counts
    ),
    "is_block": st.builds(lambda c, b: lambda m: m.is_block(c, b), cells, blocks),
    "summon": st.builds(
        lambda e, p, t, h, a, ai, u: lambda m: m.summon(e, p, *t, health=h, attributes=a, ai=ai, uuid=u),
        st.sampled_from(sorted(rules.entities())),
        positions,
        st.lists(tags, min_size=1, max_size=2),
        st.none() | st.floats(1, 1_024),
        bases(),
        st.booleans(),
        st.none() | st.uuids(),
    ),
    "kill": st.builds(lambda t: lambda m: m.kill(t), entities | boxes().map(lambda box: inside(*box))),
    "is_there": st.builds(lambda t: lambda m: m.is_there(t), entities),
    "damage": st.builds(lambda t, a: lambda m: m.damage(t, a), singles, st.floats(0, 2_048)),
    "gamemode": st.builds(
        lambda t, g: lambda m: m.gamemode(t, g), players, st.sampled_from(get_args(GameMode))
    ),
    "teleport": st.builds(lambda t, p: lambda m: m.teleport(t, p), entities, positions),
    "give_effect": st.builds(
        lambda t, e, s, a: lambda m: m.give_effect(t, e, s, a),
        entities,
        effects,
        st.none() | st.integers(1, 1_000_000),
        st.integers(0, 255),
    ),
    "clear_effect": st.builds(lambda t, e: lambda m: m.clear_effect(t, e), entities, st.none() | effects),
    "set_attribute": st.builds(lambda t, b: lambda m: m.set_attribute(t, *b), singles, base()),
    "scale_attribute": st.builds(
        lambda t, a, f: lambda m: m.scale_attribute(t, a, f), singles, attributes, st.floats(0, 100)
    ),
    "unscale_attribute": st.builds(lambda t, a: lambda m: m.unscale_attribute(t, a), singles, attributes),
    "get_attribute": st.builds(lambda t, a: lambda m: m.get_attribute(t, a), singles, attributes),
    "give": st.builds(
        lambda t, i, n, u: lambda m: m.give(t, i, n, unbreakable=u), players, items, counts, st.booleans()
    ),
    "clear": st.builds(
        lambda t, i, n: lambda m: m.clear(t, i, n), players, st.none() | items, st.none() | st.integers(0, 64)
    ),
    "gamerule": st.builds(lambda r: lambda m: m.gamerule(*r), rule_values),
    "time": st.builds(
        lambda t: lambda m: m.time(t), st.sampled_from(get_args(Daytime)) | st.integers(0, 2**31 - 1)
    ),
    "ask_time": st.builds(lambda c: lambda m: m.ask_time(c), st.sampled_from(["daytime", "gametime"])),
    "difficulty": st.builds(
        lambda d: lambda m: m.difficulty(d), st.none() | st.sampled_from(get_args(Difficulty))
    ),
    "freeze": st.builds(lambda t, w: lambda m: m.freeze(t, whole=w), tags.map(tagged), st.booleans()),
    "unfreeze": st.builds(lambda t, w: lambda m: m.unfreeze(t, whole=w), tags.map(tagged), st.booleans()),
    "forceload": st.builds(lambda c, o: lambda m: m.forceload(c[0], c[1], on=o), boxes(), st.booleans()),
    "say": st.builds(lambda t: lambda m: m.say(t), texts),
    "tellraw": st.builds(lambda t, s: lambda m: m.tellraw(t, s), players, texts),
    "online": st.just(lambda m: m.online()),
    "entity_data": st.builds(
        lambda t, p: lambda m: m.entity_data(t, p),
        singles,
        st.sampled_from(["Health", "Pos", "ActiveEffects"]),
    ),
    "block_data": st.builds(lambda c: lambda m: m.block_data(c, "Items"), cells),
}
OF_THE_TREE = {
    # The tree that minecraft-data gives for 1.21.4 is that of 1.20.5, before modifiers were known by names.
    (builder, "1.21.4"): (Tree("1.21.4", "1.20.6", components=True), Commands("1.20.6"))
    for builder in ("scale_attribute", "unscale_attribute")
}
NO_COMMANDS = {"has", "attribute_name", "effects_path"}


def test_every_builder_is_tried() -> None:
    builders = {name for name in vars(Commands) if not name.startswith("_")} - NO_COMMANDS
    assert builders == set(EMITTED)


@pytest.mark.parametrize("version", TREES)
@pytest.mark.parametrize("builder", EMITTED)
def test_whatever_is_emitted_is_understood(builder: str, version: str) -> None:
    @settings(max_examples=40)
    @given(EMITTED[builder])
    def check(emit: Emitted) -> None:
        tree, commands = OF_THE_TREE.get((builder, version), (TREES[version], COMMANDS[version]))
        try:
            emitted = emit(commands)
        except RuleError:
            assert (builder, version) == ("damage", "1.19")
            return
        for command in [emitted] if isinstance(emitted, str) else emitted:
            assert command.isprintable()
            tree.read(command)

    check()


@pytest.mark.parametrize("version", TREES)
def test_every_name_of_a_task_is_one_of_the_server(version: str) -> None:
    tree, manager = TREES[version], COMMANDS[version]
    for block in rules.blocks():
        tree.read(manager.setblock((0, 64, 0), block))
    for item in rules.items():
        tree.read(manager.give(EVERYONE, item, unbreakable=True))
    for entity in rules.entities():
        tree.read(manager.summon(entity, (0, 64, 0), "mob"))
    for effect in rules.effects():
        tree.read(manager.give_effect(EVERYONE, effect, None))


def test_no_tree_understands_what_is_wrong() -> None:
    tree = TREES["1.20.4"]
    for wrong in (
        "setblock 0 64 minecraft:stone",
        "setblock 0 64 0 minecraft:ston",
        "setblock 0 64 0 minecraft:stone now",
        "damage @e[tag=a] 3",
        "damage @e[tag=a,limit=1] -1",
        "give @e[tag=a] minecraft:stone 1",
        "give Ada minecraft:stone[unbreakable={}] 1",
        "effect give Ada minecraft:speed 0",
        "effect give Ada minecraft:speed 5 256",
        "summon minecraft:zombie 0.0 64.0 0.0 {Tags:[}",
        "attribute Ada minecraft:max_health base set 3",
        "gamerule doNothing true",
        "execute if block 0 64 0 minecraft:stone run",
        "say",
        "explode",
    ):
        with pytest.raises(Refused):
            tree.read(wrong)


def test_commands_are_spelt_as_each_version_wants() -> None:
    old, middle, new = COMMANDS.values()
    ada, mob = player("Ada"), tagged("m1", one=True)
    assert (
        old.give(ada, "diamond_pickaxe", unbreakable=True)
        == "give Ada minecraft:diamond_pickaxe{Unbreakable:1b} 1"
    )
    assert (
        new.give(ada, "diamond_pickaxe", unbreakable=True)
        == "give Ada minecraft:diamond_pickaxe[unbreakable={}] 1"
    )
    assert middle.give(ada, "healing_potion", 3) == 'give Ada minecraft:potion{Potion:"minecraft:healing"} 3'
    assert new.give(ada, "healing_potion", 3) == (
        'give Ada minecraft:potion[potion_contents={potion:"minecraft:healing"}] 3'
    )
    assert (
        old.set_attribute(ada, "max_health", 40) == "attribute Ada minecraft:generic.max_health base set 40"
    )
    assert new.set_attribute(ada, "max_health", 40) == "attribute Ada minecraft:max_health base set 40"
    assert old.freeze(tagged("m")) == "execute as @e[tag=m] run data merge entity @s {NoAI:1b}"
    assert old.unfreeze(tagged("m")) == "execute as @e[tag=m] run data merge entity @s {NoAI:0b}"
    assert (middle.freeze(tagged("m")), new.unfreeze(tagged("m"))) == ("tick freeze", "tick unfreeze")
    assert old.give_effect(ada, "speed", None) == "effect give Ada minecraft:speed 1000000 0 true"
    assert middle.give_effect(ada, "speed", None, 1) == "effect give Ada minecraft:speed infinite 1 true"
    assert new.damage(mob, 4.5) == "damage @e[tag=m1,limit=1] 4.5"
    assert old.summon(
        "zombie", (1, 64, -2.5), "m1", health=35, attributes={"attack_damage": 4}, ai=False
    ) == (
        'summon minecraft:zombie 1.0 64.0 -2.5 {Tags:["m1"],PersistenceRequired:1b,Health:35f,NoAI:1b,'
        'Attributes:[{Name:"minecraft:generic.attack_damage",Base:4d},{Name:"minecraft:generic.max_health",Base:35d}]}'
    )
    assert new.summon("zombie", (0, 64, 0), "m1", health=35) == (
        'summon minecraft:zombie 0.0 64.0 0.0 {Tags:["m1"],PersistenceRequired:1b,Health:35f,'
        'attributes:[{id:"minecraft:max_health",base:35d}]}'
    )
    one = UUID("00000001-ffff-ffff-0000-0002ffffffff")
    assert old.summon("zombie", (0, 64, 0), "a", "b", uuid=one) == (
        'summon minecraft:zombie 0.0 64.0 0.0 {Tags:["a","b"],PersistenceRequired:1b,UUID:[I;1,-1,2,-1]}'
    )
    assert old.scale_attribute(ada, "attack_damage", 1.5) == (
        "attribute Ada minecraft:generic.attack_damage modifier add 7469636b-696e-4067-8063-6f6c6c616201"
        " ticking_scale 0.5 multiply"
    )
    assert new.scale_attribute(ada, "attack_damage", 0.25) == (
        "attribute Ada minecraft:attack_damage modifier add ticking:scale -0.75 add_multiplied_total"
    )
    assert new.unscale_attribute(ada, "attack_damage") == (
        "attribute Ada minecraft:attack_damage modifier remove ticking:scale"
    )
    assert (old.freeze(tagged("m"), whole=False), new.unfreeze(tagged("m"), whole=False)) == (
        "execute as @e[tag=m] run data merge entity @s {NoAI:1b}",
        "execute as @e[tag=m] run data merge entity @s {NoAI:0b}",
    )
    assert (old.setblock((0, 1, 2), "grass"), new.setblock((0, 1, 2), "grass")) == (
        "setblock 0 1 2 minecraft:grass",
        "setblock 0 1 2 minecraft:short_grass",
    )


def test_a_feature_is_there_from_its_version_on() -> None:
    assert [Commands(version).has("damage") for version in ("1.19.3", "1.19.4", "1.20")] == [
        False,
        True,
        True,
    ]
    assert [Commands(version).has("bare attributes") for version in ("1.21.1", "1.21.2")] == [False, True]
    assert [Commands(version).has("tick") for version in ("1.20.2", "1.20.3")] == [False, True]
    assert {change.since for change in CHANGES.values()} | {since for since, _ in RENAMED.values()} <= set(
        protocols()
    )


@pytest.mark.parametrize("version", ["1.18.2", "1.21.5", "26.1", "1.19.9"])
def test_versions_that_are_not_known_are_refused_by_name(version: str) -> None:
    with pytest.raises(SettingsError, match=rf"Minecraft {version} are not known.*1\.19 to 1\.21\.4"):
        Commands(version)


def test_what_is_no_release_is_refused() -> None:
    with pytest.raises(SettingsError, match="'latest' is no release"):
        Commands("latest")


def test_a_large_box_is_filled_in_pieces_that_cover_each_cell_once() -> None:
    commands = COMMANDS["1.19"].fill((-20, 60, 0), (79, 69, 99), "stone")
    assert len(commands) == 4  # 100 × 10 × 100 = 100,000 blocks: halved twice, 25,000 each
    seen: set[tuple[int, int, int]] = set()
    for command in commands:
        x0, y0, z0, x1, y1, z1 = map(int, command.split()[1:7])
        piece = {(x, y, z) for x in range(x0, x1 + 1) for y in range(y0, y1 + 1) for z in range(z0, z1 + 1)}
        assert len(piece) == 25_000
        assert not piece & seen
        seen |= piece
    assert len(seen) == 100_000


@pytest.mark.parametrize(
    "build",
    [
        lambda m: m.setblock((0, 64, 0), "stone\nop Eve"),
        lambda m: m.setblock((0, 64, 0), "stone[lit=true]"),
        lambda m: m.fill((1, 0, 0), (0, 0, 0), "stone"),
        lambda m: m.kill(tagged("a,type=player")),
        lambda m: m.kill(player("@a")),
        lambda m: m.damage(EVERYONE, 3),
        lambda m: m.kill(inside((0, 64, 0), (0, 63, 0))),
        lambda m: m.gamemode(tagged("mob"), "survival"),
        lambda m: m.scale_attribute(player("Ada"), "attack_damage", -0.5),
        lambda m: m.give(tagged("mob"), "stone"),
        lambda m: m.give_effect(EVERYONE, "speed", 0),
        lambda m: m.gamerule("doNothing", True),
        lambda m: m.gamerule("doMobSpawning", 1),
        lambda m: m.gamerule("randomTickSpeed", True),
        lambda m: m.set_attribute(player("Ada"), "max_health", 1_025),
        lambda m: m.set_attribute(player("Ada"), "max_health", float("nan")),
        lambda m: m.forceload((0, 0, 0), (256, 0, 255)),
        lambda m: m.say(" \n"),
    ],
)
def test_what_no_command_could_carry_is_refused(build: Callable[[Commands], Any]) -> None:
    with pytest.raises(RuleError):
        build(COMMANDS["1.21.4"])


def test_text_stays_on_its_line_and_selects_nobody() -> None:
    assert COMMANDS["1.19"].say("hello @a\nop Eve") == "say hello \uff20a op Eve"
    assert COMMANDS["1.19"].tellraw(EVERYONE, 'a "b"') == 'tellraw @a {"text": "a \\"b\\""}'


def test_game_rules_and_bounds_are_those_of_the_game() -> None:
    for version, tree in TREES.items():
        rule = next(node for node in tree.root["children"] if node["name"] == "gamerule")
        kinds = {node["name"]: node["children"][0]["parser"]["parser"] for node in rule["children"]}
        for name, kind in GAMERULES.items():
            assert kinds[name] == ("brigadier:bool" if kind is bool else "brigadier:integer"), (version, name)
        found = known(tree.names, "attributes")
        assert {COMMANDS[version].attribute_name(name).removeprefix("minecraft:") for name in BOUNDS} <= found
    rows = json.loads((rules.DATA / "pc" / "1.21.3" / "attributes.json").read_bytes())
    limits = {row["resource"].removeprefix("minecraft:"): (row["min"], row["max"]) for row in rows}
    assert all(limits[name] == bounds for name, bounds in BOUNDS.items())


def test_a_target_is_written_as_it_is_spelt() -> None:
    assert [str(target) for target in (player("Ada"), tagged("m"), tagged("m", one=True), EVERYONE)] == [
        "Ada", "@e[tag=m]", "@e[tag=m,limit=1]", "@a",
    ]  # fmt: skip
    assert str(inside((-3, 60, 2), (4, 80, 2))) == "@e[type=!minecraft:player,x=-3,y=60,z=2,dx=7,dy=20,dz=0]"
    assert isinstance(EVERYONE, Target)
