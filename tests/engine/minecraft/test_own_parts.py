"""The parts of an episode on a server of the user's own that need no server: places, names, figures, words."""

from __future__ import annotations

import fcntl
import itertools
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import SecretStr

from engine.errors import InfrastructureError, SettingsError
from engine.minecraft import servers
from engine.minecraft.arguments import player
from engine.minecraft.commands import Commands
from engine.minecraft.own import slots
from engine.minecraft.own.arena import Arena, arena, boxes
from engine.minecraft.own.bodies import usernames
from engine.minecraft.own.harm import HURTS_BY_ITSELF, IGNITES, Harm
from engine.minecraft.own.limits import unfrozen
from engine.minecraft.own.mobs import blow_attribute, pace_attribute
from engine.minecraft.own.operator import Operator, explain
from engine.minecraft.own.originals import originals
from engine.minecraft.server_settings import ServerSettings, read_settings
from engine.minecraft.servers import Server
from engine.minecraft.versions import EMBEDDED
from engine.world import rules
from engine.world.contact import Contact
from engine.world.geometry import Cell
from tests.engine.build import agent, area, event, mob, task
from tests.support.minecraft_server import PASSWORD, listening, named, rcon, status

ADDRESS = "play.example:25565"
COMMANDS = Commands("1.19")


class Notebook(Operator):
    """An operator of no server, who notes commands."""

    def __init__(self, version: str) -> None:
        self.commands = Commands(version)
        self.given: list[str] = []

    def ask(self, command: str) -> str:
        self.given.append(command)
        return ""


# --- which server


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    for name in ("HOST", "PORT", "RCON_PORT", "VERSION"):
        monkeypatch.delenv(f"TICKING_MINECRAFT_{name}", raising=False)
    monkeypatch.setenv("TICKING_RCON_PASSWORD", "correct horse")
    return monkeypatch


def test_the_environment_describes_a_server(environment: pytest.MonkeyPatch) -> None:
    assert servers.from_environment() is None
    environment.setenv("TICKING_MINECRAFT_HOST", "mc.lan")
    server = servers.from_environment()
    assert server is not None
    assert (server.address, server.rcon_port, server.version) == ("mc.lan:25565", 25575, "")
    environment.setenv("TICKING_MINECRAFT_RCON_PORT", "4000")
    environment.setenv("TICKING_MINECRAFT_VERSION", "1.20.4")
    server = servers.at("10.0.0.2:3000")
    assert (server.address, server.rcon_port, server.version) == ("10.0.0.2:3000", 4000, "1.20.4")
    assert "correct horse" not in repr(server)


@pytest.mark.parametrize(
    ("variable", "value", "words"),
    [
        ("TICKING_MINECRAFT_PORT", "70000", "TICKING_MINECRAFT_PORT: .*65535"),
        ("TICKING_MINECRAFT_RCON_PORT", "x", "TICKING_MINECRAFT_RCON_PORT: .*integer"),
        ("TICKING_MINECRAFT_VERSION", "1.8", "TICKING_MINECRAFT_VERSION: .*from 1.19 to 1.21.4"),
        ("TICKING_RCON_PASSWORD", "", "set TICKING_RCON_PASSWORD"),
    ],
)
def test_a_variable_that_will_not_do_is_named(
    environment: pytest.MonkeyPatch, variable: str, value: str, words: str
) -> None:
    environment.setenv("TICKING_MINECRAFT_HOST", "mc.lan")
    environment.setenv(variable, value)
    with pytest.raises(SettingsError, match=words):
        servers.from_environment()


def test_who_may_give_no_commands_is_no_operator() -> None:
    def answer(_command: str) -> str:
        return "Sorry, you do not have permission."

    with listening(status(named("1.19", 759))) as port, listening(rcon(answer)) as rcon_port:
        password = SecretStr(PASSWORD)
        server = Server(host="127.0.0.1", port=port, rcon_port=rcon_port, rcon_password=password)
        with pytest.raises(InfrastructureError, match=r"lacks the rights of an operator: .*Sorry"):
            Operator(server)


# --- where on it


def test_episodes_at_the_same_time_have_different_slots(tmp_path: Path) -> None:
    nobody = lambda _letter: False  # noqa: E731
    first = slots.take(ADDRESS, nobody, tmp_path)
    second = slots.take(ADDRESS, nobody, tmp_path)
    elsewhere = slots.take("other.example:25565", nobody, tmp_path)
    assert [first.letter, second.letter, elsewhere.letter] == ["0", "1", "0"]
    assert not slots.is_alone(ADDRESS, second, tmp_path)
    first.release()
    assert slots.is_alone(ADDRESS, second, tmp_path)
    assert len(list(tmp_path.iterdir())) == 2  # no file for a slot that nobody has
    third = slots.take(ADDRESS, nobody, tmp_path)
    assert third.letter == "0"
    for slot in (second, third, elsewhere):
        slot.release()
    assert list(tmp_path.iterdir()) == []


def test_a_slot_whose_file_was_removed_while_it_was_waited_for_is_held_by_one_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    holder = slots.take(ADDRESS, lambda _letter: False, tmp_path)
    lock = fcntl.flock

    def late(file: int, how: int) -> None:
        """The holder lets go between the opening of the file and its locking."""
        monkeypatch.setattr(fcntl, "flock", lock)
        holder.release()
        lock(file, how)

    monkeypatch.setattr(fcntl, "flock", late)
    first = slots.take(ADDRESS, lambda _letter: False, tmp_path)
    second = slots.take(ADDRESS, lambda _letter: False, tmp_path)
    assert [first.letter, second.letter] == ["0", "1"]


def test_a_place_for_slots_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(InfrastructureError, match=r"ticking-minecraft-.* cannot be locked \(No such file"):
        slots.take(ADDRESS, lambda _letter: False, tmp_path / "nowhere")


def test_a_slot_with_bots_of_another_machine_is_left_alone(tmp_path: Path) -> None:
    assert slots.take(ADDRESS, lambda letter: letter in "01", tmp_path).letter == "2"
    with pytest.raises(InfrastructureError, match=r"all 36 places .* play\.example:25565 are taken"):
        slots.take(ADDRESS, lambda _letter: True, tmp_path)


def test_a_slot_remembers_what_was_left_there(tmp_path: Path) -> None:
    box = (-20, 60, -30), (20, 80, 30)
    slot = slots.take(ADDRESS, lambda _letter: False, tmp_path)
    assert slot.leftovers() is None
    slot.note(box)
    slot.release()
    slot = slots.take(ADDRESS, lambda _letter: False, tmp_path)
    assert slot.leftovers() == box
    slot.note(None)
    assert slot.leftovers() is None


# --- what holds for all of it


def test_settings_that_are_answered_in_other_words_are_not_known() -> None:
    answers = {
        "gamerule doFireTick": "Gamerule doFireTick is currently set to: true",
        "gamerule keepInventory": "Spielregel: an",
        "gamerule randomTickSpeed": "Gamerule randomTickSpeed is currently set to: 3",
        "difficulty": "The difficulty is Peaceful",
        "time query day": "The time is 2",
        "time query daytime": "Es ist Nacht",
    }
    rules = ["doFireTick", "keepInventory", "randomTickSpeed"]
    found = read_settings(answers.__getitem__, COMMANDS, rules)
    assert found == ServerSettings(rules={"doFireTick": True, "randomTickSpeed": 3}, difficulty="peaceful")
    assert found.unknown(rules) == ["keepInventory", "time"]
    assert found.restoring(COMMANDS) == [
        "gamerule doFireTick true",
        "gamerule randomTickSpeed 3",
        "difficulty peaceful",
    ]


def test_of_episodes_at_the_same_time_each_reads_only_what_none_has_changed(tmp_path: Path) -> None:
    rules = {"doFireTick": "true", "keepInventory": "true"}

    def ask(command: str) -> str:
        word = command.split()[-1]
        return f"… is {rules.get(word, 500 if command.startswith('time') else 'Hard')}"

    with originals(ADDRESS, folder=tmp_path) as kept:
        assert kept.settings is None
        kept.keep(ask, COMMANDS, ["doFireTick"])
    rules |= {"doFireTick": "false"}  # the first one has changed it
    with originals(ADDRESS, folder=tmp_path) as kept:
        found = kept.keep(ask, COMMANDS, ["doFireTick", "keepInventory"])
        assert found.rules == {"doFireTick": True, "keepInventory": True}
        kept.forget()
    assert list(tmp_path.iterdir()) == []


def test_an_arena_holds_all_that_the_task_names() -> None:
    ore = {"type": "spawn_blocks", "block": "stone", "count": 1, "center": [0, 64, 40], "radius": 9}
    spec = task(
        agent("Ada", (-50, 64, 0)),
        blocks={(0, 90, 7): "stone"},
        events=[
            event("ore", {}, ore),
            event("gap", {}, {"type": "set_blocks", "block": "stone", "area": area((0, 64, 0), (70, 64, 1))}),
        ],
        hostiles=[mob((0, 64, 33))],
        chest=(0, 64, -40),
    )
    place = arena(spec, 2, (1_000, -160))
    # 16 blocks beyond Ada in the west, the gap in the east, the chest in the north, the ore's last cell in the south.
    assert place == Arena((1_000 + 2 * 2_304, -160), (-66, 60, -56), (86, 106, 65))
    assert place.cell((-66, 60, -56)) == (5_542, 60, -216)
    assert place.middle((0, 64, 0)) == (5_608.5, 64, -159.5)


def test_an_arena_is_cleared_to_flat_ground() -> None:
    commands = Arena((160, 0), (0, 60, 0), (9, 79, 9)).clear(Commands("1.19"))
    assert commands == [
        "kill @e[type=!minecraft:player,x=160,y=60,z=0,dx=9,dy=19,dz=9]",
        "fill 160 60 0 169 60 9 minecraft:bedrock",
        "fill 160 61 0 169 62 9 minecraft:dirt",
        "fill 160 63 0 169 63 9 minecraft:grass_block",
        "fill 160 64 0 169 79 9 minecraft:air",
    ]


def test_a_slice_is_one_box() -> None:
    plane = itertools.product([3], [64, 65], range(-5, 6))
    assert boxes(plane) == [((3, 64, -5), (3, 65, 5))]
    assert boxes([(0, 64, 0), (2, 64, 0)]) == [((0, 64, 0), (0, 64, 0)), ((2, 64, 0), (2, 64, 0))]


@given(st.sets(st.tuples(*[st.integers(0, 4)] * 3)))
def test_boxes_hold_each_cell_once_and_no_other(cells: set[Cell]) -> None:
    found = [
        cell
        for low, high in boxes(cells)
        for cell in itertools.product(*(range(a, b + 1) for a, b in zip(low, high, strict=True)))
    ]
    assert len(found) == len(set(found))
    assert set(found) == cells


# --- who


def test_bots_have_names_that_no_other_slot_has() -> None:
    names = usernames(["Ada", "MineflayerBot0", "MineflayerBot0x", "MineflayerBot0y"], "3")
    assert names == {
        "Ada": "Ada_3",
        "MineflayerBot0": "MineflayerBot0_3",
        "MineflayerBot0x": "MineflayerBot2_3",
        "MineflayerBot0y": "MineflayerBot3_3",
    }


def test_mobs_are_as_fast_and_as_strong_as_the_task_says() -> None:
    # A zombie's 0.23: 20 × 0.23² / 0.454 = 2.33 blocks a second.
    assert pace_attribute(2.3304) == pytest.approx(0.23, abs=1e-4)
    # A blow of 3 becomes 4.5 when it is hard, and 2.5 when it is easy; up to 2 it stays when it is easy.
    assert blow_attribute(4.5, "hard") == 3
    assert blow_attribute(2.5, "easy") == 3
    assert blow_attribute(1.5, "easy") == 1.5
    assert blow_attribute(3, "normal") == 3


# --- harm


def test_what_touches_water_is_hurt_in_its_rhythm() -> None:
    operator = Notebook("1.20.4")
    harm, ada = Harm(operator), player("Ada")
    harm.place([(1, 64, 0)], Contact("water", 2, 20))
    harm.place([(3, 64, 0)], Contact("lava", 4, 10))  # of which the server takes care
    assert [harm.touch(ada, (1.2, 64, 0), tick) for tick in (5, 24, 25)] == ["water", "", "water"]
    assert harm.touch(ada, (0, 64, 0), 26) == ""
    assert harm.touch(ada, (1, 63, 0), 27) == "water"  # with the head; a new touch
    assert harm.touch(ada, (3, 64, 0), 60) == ""
    harm.place([(1, 64, 0)], None)
    assert harm.touch(ada, (1, 64, 0), 80) == ""
    assert operator.given == ["damage Ada 2"] * 3


def test_before_the_command_damage_harm_comes_in_portions() -> None:
    operator = Notebook("1.19")
    harm, ada = Harm(operator), player("Ada")
    for amount in (4, 4, 10):  # 18 in all: one portion at the second, two at the third
        harm.deal(ada, amount)
    assert operator.given == ["effect give Ada minecraft:instant_damage 1 0 true"] * 3


NOT_BY_TOUCH = frozenset(
    (
        "arrow", "bad_respawn_point", "cramming", "dragon_breath", "drown", "dry_out", "ender_pearl", "explosion",
        "fall", "falling_anvil", "falling_block", "falling_stalactite", "fireball", "fireworks", "fly_into_wall",
        "generic", "generic_kill", "in_wall", "indirect_magic", "lightning_bolt", "mace_smash", "magic", "mob_attack",
        "mob_attack_no_aggro", "mob_projectile", "on_fire", "out_of_world", "outside_border", "player_attack",
        "player_explosion", "sonic_boom", "spit", "stalagmite", "starve", "sting", "thorns", "thrown", "trident",
        "unattributed_fireball", "wind_charge", "wither_skull",
    )
)  # fmt: skip
"""Types of damage that no block deals to whoever touches it."""


def test_every_type_of_damage_by_touch_has_its_blocks() -> None:
    paths = json.loads((rules.DATA / "dataPaths.json").read_bytes())["pc"]
    login = json.loads((rules.DATA / paths["1.21.4"]["loginPacket"] / "loginPacket.json").read_bytes())
    types = {entry["key"] for entry in login["dimensionCodec"]["minecraft:damage_type"]["entries"]}
    dealt = {name.removeprefix("minecraft:") for name in types} - NOT_BY_TOUCH
    assert dealt == set(HURTS_BY_ITSELF.values())
    for version in EMBEDDED:
        known = json.loads((rules.DATA / paths[version]["blocks"] / "blocks.json").read_bytes())
        assert HURTS_BY_ITSELF.keys() <= {block["name"] for block in known}
    assert HURTS_BY_ITSELF.keys() > IGNITES


# --- words


@pytest.mark.parametrize(
    ("said", "hint"),
    [
        ("multiplayer.disconnect.not_whitelisted", "whitelist"),
        ("You are not white-listed on this server!", "whitelist"),
        ("multiplayer.disconnect.unverified_username", "online-mode=false"),
        ("Failed to verify username!", "online-mode=false"),
        ("multiplayer.disconnect.flying", "allow-flight=true"),
        ("multiplayer.disconnect.server_full", "max-players"),
        ("multiplayer.disconnect.duplicate_login", "under the bot's name"),
        ("This server requires Fabric with the following mods: lithium", "mods"),
    ],
)
def test_who_is_turned_away_is_told_what_to_do(said: str, hint: str) -> None:
    assert explain(said).startswith(f"{said} (")
    assert hint in explain(said)


def test_other_words_are_left_as_they_are() -> None:
    assert explain("Go away.") == "Go away."


def test_what_goes_on_while_frozen_depends_on_the_version() -> None:
    assert any("only mobs" in line and "1.20.3" in line for line in unfrozen("1.19.4"))
    assert not any("liquids" in line for line in unfrozen("1.20.4"))
