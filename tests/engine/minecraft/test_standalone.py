"""The embedded server without an episode, as an operator and as players meet it: by RCON, by the status, by a bot."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from hypothesis import given, settings

from engine.errors import InfrastructureError, RuleError
from engine.minecraft.arguments import player, tagged
from engine.minecraft.commands import Commands
from engine.minecraft.rcon import Rcon, RconRefused
from engine.minecraft.selftest import Place, check
from engine.minecraft.standalone import StandAlone
from engine.minecraft.status import ask_status
from engine.minecraft.versions import EMBEDDED
from tests.engine.minecraft.test_commands import EMITTED, Emitted
from tests.engine.minecraft.test_world import ROOT, listens, wait_until
from tests.support.minecraft_bot import NODE, Bot
from tests.support.stack import PATIENCE_SECONDS, free_ports

PASSWORD = "correct horse"
COMMANDS = Commands("1.19")
REFUSALS = ("Unknown or incomplete command", "Incorrect argument", "An unexpected error", "this server")


@pytest.fixture(scope="module")
def server() -> Iterator[StandAlone]:
    with StandAlone(PASSWORD) as server:
        yield server


@pytest.fixture
def rcon(server: StandAlone) -> Iterator[Rcon]:
    with Rcon("127.0.0.1", server.rcon_port, PASSWORD) as rcon:
        yield rcon


@pytest.fixture(scope="module")
def fresh() -> Iterator[StandAlone]:
    """A server to which nothing has been said that the dialogues do not know of."""
    with StandAlone(PASSWORD) as server:
        yield server


def test_the_status_names_the_version(server: StandAlone) -> None:
    status = ask_status("127.0.0.1", server.port)
    assert (status.version, status.online, status.misfit("1.19")) == ("1.19", 0, None)


def test_nobody_gives_commands_without_the_password(server: StandAlone) -> None:
    with pytest.raises(RconRefused):
        Rcon("127.0.0.1", server.rcon_port, "wrong")


def test_the_self_test_finds_nothing_that_fails(server: StandAlone) -> None:
    rows = check(Place("127.0.0.1", server.port, server.rcon_port, (1_000, 200, 1_000)), PASSWORD)
    assert [row for row in rows if row.state == "fails"] == []
    assert {row.what for row in rows if row.state == "absent"} == {"damage", "freeze the world"}
    assert {row.what for row in rows if row.state == "skipped"} == {
        "attribute attack_speed",
        "give and clear",
    }


def try_out(rcon: Rcon, commands: Commands, builder: str) -> None:
    """See that whatever a builder emits is understood, and tidy up."""

    @settings(max_examples=10)
    @given(EMITTED[builder])
    def check(emit: Emitted) -> None:
        try:
            emitted = emit(commands)
        except RuleError:
            assert (builder, commands.version) == ("damage", "1.19")
            return
        for command in [emitted] if isinstance(emitted, str) else emitted:
            if len(command.encode()) < 1_400:
                assert not rcon.ask(command).startswith(REFUSALS)

    check()
    for command in (
        "kill @e[type=!player]",
        commands.difficulty("easy"),
        commands.unfreeze(tagged("nobody")),
    ):
        rcon.ask(command)


@pytest.mark.parametrize("builder", EMITTED)
def test_whatever_the_environment_manager_emits_is_understood(builder: str, rcon: Rcon) -> None:
    try_out(rcon, COMMANDS, builder)


HERE = "<--[HERE]"
UNKNOWN = "Unknown or incomplete command, see below for error"
DIALOGUES = {
    "blocks": [
        ("setblock 1 70 2 minecraft:stone", "Changed the block at 1, 70, 2"),
        ("setblock 1 70 2 stone", "Could not set the block"),
        ("setblock 1 70 2 dirt keep", "Could not set the block"),
        ("fill 1 70 2 2 71 3 minecraft:dirt replace minecraft:stone", "Successfully filled 1 blocks"),
        ("fill 2 71 3 1 70 2 minecraft:dirt", "Successfully filled 7 blocks"),
        ("fill 1 70 2 2 71 3 minecraft:dirt", "No blocks were filled"),
        (
            "fill 0 0 0 99 99 99 stone",
            "Too many blocks in the specified area (maximum 32768, specified 1000000)",
        ),
        ("execute if block 2 71 3 minecraft:dirt", "Test passed"),
        ("execute unless block 2 71 3 minecraft:dirt", "Test failed"),
        ("setblock 0 70 0 stony", f"Unknown block type 'minecraft:stony'...ck 0 70 0 stony{HERE}"),
        ("setblock 0 70", f"{UNKNOWN}...block 0 70{HERE}"),
        ("setblock 0 400 0 stone", "That position is out of this world!"),
        ("explode", f"{UNKNOWN}explode{HERE}"),
        ("/explode now", f"{UNKNOWN}explode now{HERE}"),
    ],
    "places that are not loaded": [
        ("setblock 9000 70 2 stone", "That position is not loaded"),
        (
            "forceload add 9000 0 9020 20",
            "Marked 4 chunks in minecraft:overworld from [562, 0] to [563, 1] to be force loaded",
        ),
        ("forceload query 9000 0", "Chunk at [562, 0] in minecraft:overworld is marked for force loading"),
        ("setblock 9000 70 2 stone", "Changed the block at 9000, 70, 2"),
        ("forceload remove 9000 0", "Unmarked chunk [562, 0] in minecraft:overworld for force loading"),
        ("setblock 9000 70 2 air", "That position is not loaded"),
        ("forceload remove all", "Unmarked all force loaded chunks in minecraft:overworld"),
        ("forceload query", "No force loaded chunks were found in minecraft:overworld"),
    ],
    "mobs": [
        (
            'summon minecraft:cow 5.5 64.0 5.5 {Tags:["herd","first"],UUID:[I;1,-2,3,4],'
            'Attributes:[{Name:"minecraft:generic.max_health",Base:30d}],Health:25f}',
            "Summoned new Cow",
        ),
        ("summon minecraft:cow 6 64 6 {UUID:[I;1,-2,3,4]}", "Unable to summon entity due to duplicate UUIDs"),
        ('summon minecraft:cow 9 64 5 {Tags:["herd"],NoAI:1b}', "Summoned new Cow"),
        ("execute if entity @e[tag=herd]", "Test passed, count: 2"),
        ("execute if entity @e[tag=herd,tag=!first]", "Test passed, count: 1"),
        ("execute if entity @e[type=cow,x=5,y=64,z=5,distance=..2]", "Test passed, count: 1"),
        ("execute if entity @e[type=!cow]", "Test failed"),
        ("data get entity @e[tag=first,limit=1] UUID", "Cow has the following entity data: [I; 1, -2, 3, 4]"),
        ("data get entity 00000001-ffff-fffe-0000-000300000004 Health",
         "Cow has the following entity data: 25.0f"),
        ("data get entity @e[tag=!first,type=cow,limit=1] Pos",
         "Cow has the following entity data: [9.5d, 64.0d, 5.5d]"),
        ("data get entity @e[tag=first,limit=1] NoAI", "Found no elements matching NoAI"),
        ("effect give @e[tag=first] minecraft:instant_damage 1 1 true",
         "Applied effect Instant Damage to Cow"),
        ("data get entity @e[tag=first,limit=1] Health", "Cow has the following entity data: 13.0f"),
        ("effect give @e[tag=herd] slowness 5 1", "Applied effect Slowness to 2 targets"),
        ("effect give @e[tag=herd] slowness 5 0",
         "Unable to apply this effect (target is either immune to effects, or has something stronger)"),
        ("effect clear @e[tag=herd] speed", "Target doesn't have the requested effect"),
        ("effect clear @e[tag=first] slowness", "Removed effect Slowness from Cow"),
        ("attribute @e[tag=herd] minecraft:generic.max_health base get",
         "Only one entity is allowed, but the provided selector allows more than one"
         f"attribute @e[tag=herd] minecraft:generic.max_health base get{HERE}"),
        ("attribute @e[tag=first,limit=1] minecraft:generic.attack_speed base get",
         "Entity Cow has no attribute Attack Speed"),
        ("give @e[tag=herd] stone",
         "Only players may be affected by this command, but the provided selector includes entities"
         f"give @e[tag=herd] stone{HERE}"),
        ("tp @e[tag=first] 7.25 65.0 8.75", "Teleported Cow to 7.250000, 65.000000, 8.750000"),
        ("kill @e[tag=herd]", "Killed 2 entities"),
        ("kill @e[tag=herd]", "No entity was found"),
        ("damage @e[limit=1] 3", f"{UNKNOWN}damage @e[limit=1] 3{HERE}"),  # it came with 1.19.4
    ],
    "the world": [
        ("difficulty", "The difficulty is Easy"),
        ("difficulty easy", "The difficulty did not change; it is already set to easy"),
        ("gamerule keepInventory", "Gamerule keepInventory is currently set to: false"),
        ("gamerule keepInventory true", "Gamerule keepInventory is now set to: true"),
        ("gamerule keepInventory false", "Gamerule keepInventory is now set to: false"),
        ("gamerule randomTickSpeed -1", f"Integer must not be less than 0, found -1...TickSpeed -1{HERE}"),
        ("time set 5s", "Set the time to 100"),
        ("list", "There are 0 of a max of 200 players online: "),
        ("give Nobody stone", "No player was found"),
    ],
}  # fmt: skip


@pytest.mark.parametrize("about", DIALOGUES)
def test_answers_are_those_of_a_vanilla_server(about: str, fresh: StandAlone) -> None:
    with Rcon("127.0.0.1", fresh.rcon_port, PASSWORD) as rcon:
        for command, answer in DIALOGUES[about]:
            assert (command, rcon.ask(command)) == (command, answer)


def test_a_long_answer_comes_in_several_packets(rcon: Rcon) -> None:
    for x in (1, 2):
        rcon.ask(f"forceload add {x}0000 0 {x}0255 255")  # 16 × 16 chunks
    answer = rcon.ask("forceload query")
    rcon.ask("forceload remove all")
    assert answer.startswith("512 force loaded chunks were found in minecraft:overworld at: [625, 0], ")
    assert answer.endswith("[1265, 15]")
    assert len(answer) > 4_096


def test_a_player_lives_as_commands_have_it(server: StandAlone, rcon: Rcon) -> None:
    # Not one wait in it but for what the bot has been told: each command has been carried out when it is answered.
    with Bot(server.port, "Ada") as ada:
        assert rcon.ask("list") == "There are 1 of a max of 200 players online: Ada"
        rcon.ask("tp Ada 300.5 64.0 300.5")
        wait_until(lambda: ada("position") == [300.5, 64, 300.5])
        assert rcon.ask("data get entity Ada Pos") == (
            "Ada has the following entity data: [300.5d, 64.0d, 300.5d]"
        )
        assert rcon.ask("setblock 302 64 300 gold_ore") == "Changed the block at 302, 64, 300"
        assert rcon.ask(COMMANDS.give(player("Ada"), "iron_pickaxe", unbreakable=True)) == (
            "Gave 1 [Iron Pickaxe] to Ada"
        )
        wait_until(lambda: ada("block", 302, 64, 300) == "gold_ore")
        wait_until(lambda: ada("carries") == {"iron_pickaxe": 1})
        ada("hold", "iron_pickaxe")
        wait_until(lambda: ada("stands"))
        assert ada("dig", 302, 64, 300) is None
        wait_until(lambda: rcon.ask("execute if block 302 64 300 air") == "Test passed")
        rcon.ask("tp Ada 302.5 64.0 300.5")
        wait_until(lambda: ada("carries") == {"iron_pickaxe": 1, "raw_gold": 1})
        assert rcon.ask("clear Ada raw_gold 0") == "Found 1 matching items on player Ada"
        assert rcon.ask("clear Ada") == "Removed 2 items from player Ada"

        rcon.ask("attribute Ada minecraft:generic.max_health base set 40")
        rcon.ask("effect give Ada instant_damage 1 0")  # 6 of 20
        wait_until(lambda: ada("heard")["health"][-1] == 14)
        assert rcon.ask("kill Ada") == "Killed Ada"
        wait_until(lambda: ada("heard")["health"][-1] == 0)
        assert rcon.ask("execute if entity @e[type=player]") == "Test failed"
        ada("respawn")
        wait_until(lambda: ada("heard")["health"][-1] == 40)
        wait_until(lambda: ada("position") == [0.5, 64, 0.5])
        assert rcon.ask("kick Ada enough") == "Kicked Ada: enough"
    assert rcon.ask("list") == "There are 0 of a max of 200 players online: "


def test_a_mob_is_as_it_was_summoned(server: StandAlone, rcon: Rcon) -> None:
    with Bot(server.port, "Ben") as ben:
        rcon.ask("tp Ben 400.5 64.0 400.5")
        rcon.ask(COMMANDS.difficulty("normal"))
        # It stands in reach and hits at once, and once a second: 20, 16, 12, …
        rcon.ask(
            'summon zombie 402.5 64.0 400.5 {Tags:["foe"],UUID:[I;0,0,0,7],Health:9f,Attributes:['
            '{Name:"generic.max_health",Base:30d},{Name:"generic.attack_damage",Base:4d}]}'
        )
        wait_until(lambda: 12 in ben("heard")["health"])
        assert ben("uuid", "zombie") == "00000000-0000-0000-0000-000000000007"
        rcon.ask(COMMANDS.freeze(tagged("foe")))
        assert rcon.ask("data get entity @e[tag=foe,limit=1] NoAI") == (
            "Zombie has the following entity data: 1b"
        )
        rcon.ask("give Ben diamond_sword")
        wait_until(lambda: ben("carries") == {"diamond_sword": 1})
        ben("hold", "diamond_sword")
        ben("attack", "zombie")  # 7 of 9
        wait_until(lambda: ben("heard")["healthOfMobs"][-1] == 2)
        assert rcon.ask("data get entity @e[tag=foe,limit=1] Health") == (
            "Zombie has the following entity data: 2.0f"
        )
        assert rcon.ask("kill @e[tag=foe]") == "Killed Zombie"
        wait_until(lambda: ben("heard")["healthOfMobs"][-1] == 0 and "zombie" in ben("heard")["gone"])
        rcon.ask(COMMANDS.difficulty("easy"))


def test_a_chest_holds_what_commands_put_there(server: StandAlone, rcon: Rcon) -> None:
    with Bot(server.port, "Cleo") as cleo:
        rcon.ask("tp Cleo 500.5 64.0 500.5")
        assert rcon.ask("item replace block 501 64 500 container.0 with stone") == (
            "Target position 501, 64, 500 is not a container"
        )
        rcon.ask("setblock 501 64 500 chest")
        assert rcon.ask(COMMANDS.store((501, 64, 500), 3, "gold_ore", 5)) == (
            "Replaced a slot at 501, 64, 500 with [Gold Ore]"
        )
        assert rcon.ask(COMMANDS.store((501, 64, 500), 4, "healing_potion")) == (
            "Replaced a slot at 501, 64, 500 with [Potion of Healing]"
        )
        assert rcon.ask("data get block 501 64 500 Items") == (
            '501, 64, 500 has the following block data: [{Slot: 3b, id: "minecraft:gold_ore", Count: 5b}, '
            '{Slot: 4b, id: "minecraft:potion", Count: 1b, tag: {Potion: "minecraft:healing"}}]'
        )
        wait_until(lambda: cleo("block", 501, 64, 500) == "chest")
        assert cleo("chest", 501, 64, 500) == {"gold_ore": 5, "potion": 1}
        rcon.ask("setblock 501 64 500 air")
        assert rcon.ask("data get block 501 64 500 Items") == "The target block is not a block entity"


def test_lava_burns_and_water_does_not_hurt(server: StandAlone, rcon: Rcon) -> None:
    with Bot(server.port, "Dan") as dan:
        rcon.ask("gamemode spectator Dan")
        assert rcon.ask("data get entity Dan playerGameType").endswith(" 3")
        rcon.ask("gamemode survival Dan")
        rcon.ask("tp Dan 600.5 64.0 600.5")
        rcon.ask("setblock 600 64 600 water")
        rcon.ask("effect give Dan resistance 100 4")  # all damage is kept off
        rcon.ask("setblock 600 64 600 lava")
        age = int(rcon.ask("time query gametime").split()[-1])
        wait_until(lambda: int(rcon.ask("time query gametime").split()[-1]) >= age + 11)
        assert rcon.ask("data get entity Dan Health").endswith(" 20.0f")
        rcon.ask("effect clear Dan")
        wait_until(lambda: 12 in dan("heard")["health"])  # 4 each half second


def test_many_players_are_no_reason_to_warn(capfd: pytest.CaptureFixture[str]) -> None:
    with StandAlone(PASSWORD) as server:
        crowd = subprocess.run(
            [str(NODE), "tests/js/crowd.cjs", str(server.port), "12"],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        )
        assert crowd.stdout == "joined\n"
    assert capfd.readouterr().err == ""


def test_a_taken_port_is_named(server: StandAlone) -> None:
    with pytest.raises(InfrastructureError, match=f"address already in use 127.0.0.1:{server.rcon_port}"):
        StandAlone(PASSWORD, rcon_port=server.rcon_port)


@pytest.mark.parametrize("version", EMBEDDED[1:])
def test_other_versions_do_the_same(version: str) -> None:
    commands = Commands(version)
    with (
        StandAlone(PASSWORD, version=version) as server,
        Rcon("127.0.0.1", server.rcon_port, PASSWORD) as rcon,
    ):
        for builder in EMITTED:
            try_out(rcon, commands, builder)
        place = Place("127.0.0.1", server.port, server.rcon_port, (1_000, 200, 1_000), version, "Ada")
        with Bot(server.port, "Ada") as ada:
            rows = check(place, PASSWORD)
            absent = {"freeze the world"} if version == "1.19.4" else set()
            assert {row.what for row in rows if row.state != "works"} == absent
            live_through(rcon, commands, ada)


def live_through(rcon: Rcon, commands: Commands, ada: Bot) -> None:
    """Items, mobs, blocks, chests and death, as the bot meets them."""
    rcon.ask("tp Ada 300.5 64.0 300.5")
    rcon.ask(commands.give(player("Ada"), "iron_pickaxe", unbreakable=True))
    rcon.ask(commands.give(player("Ada"), "strong_healing_potion"))
    rcon.ask(commands.setblock((302, 64, 300), "stone"))
    rcon.ask(commands.summon("zombie", (301.5, 64, 301.5), "foe", health=30, ai=False))
    wait_until(lambda: ada("carries") == {"iron_pickaxe": 1, "potion": 1})
    wait_until(lambda: ada("entity", "zombie") == [301.5, 64, 301.5])
    wait_until(lambda: 30 in ada("heard")["healthOfMobs"])
    ada("hold", "iron_pickaxe")
    ada("attack", "zombie")  # 4 with an iron pickaxe
    wait_until(lambda: ada("heard")["healthOfMobs"][-1] == 26)
    wait_until(lambda: ada("block", 302, 64, 300) == "stone" and ada("stands"))
    assert ada("dig", 302, 64, 300) is None
    wait_until(lambda: rcon.ask("execute if block 302 64 300 air") == "Test passed")
    rcon.ask("tp Ada 302.5 64.0 300.5")
    wait_until(lambda: ada("carries") == {"iron_pickaxe": 1, "potion": 1, "cobblestone": 1})
    rcon.ask(commands.setblock((303, 64, 301), "chest"))
    rcon.ask(commands.store((303, 64, 301), 0, "gold_ore", 3))
    wait_until(lambda: ada("block", 303, 64, 301) == "chest")
    assert ada("chest", 303, 64, 301) == {"gold_ore": 3}
    rcon.ask(commands.kill(player("Ada")))
    wait_until(lambda: ada("heard")["health"][-1] == 0)
    ada("respawn")
    wait_until(lambda: ada("heard")["health"][-1] == 20)


# --- the command -----------------------------------------------------------------------------------------------------


@contextmanager
def serving(data: Path) -> Iterator[tuple[subprocess.Popen[str], int, int]]:
    """`manage.py serve_minecraft` on free ports."""
    port, rcon_port = free_ports(2)
    command = ["manage.py", "serve_minecraft", "--port", str(port), "--rcon-port", str(rcon_port)]
    environment = os.environ | {"TICKING_RCON_PASSWORD": PASSWORD, "TICKING_DATA": str(data)}
    with subprocess.Popen(
        [sys.executable, *command], cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        try:
            assert process.stdout.readline() == (
                f"A Minecraft 1.19 server is at 127.0.0.1:{port}, its RCON at 127.0.0.1:{rcon_port} "
                "(Ctrl-C stops it).\n"
            )
            yield process, port, rcon_port
        finally:
            process.kill()


def test_the_command_serves_and_its_self_test_gives_a_player_items(tmp_path: Path) -> None:
    with serving(tmp_path) as (process, port, rcon_port):
        with Bot(port, "Eve"):
            place = Place("127.0.0.1", port, rcon_port, (1_000, 200, 1_000), player="Eve")
            rows = check(place, PASSWORD)
        assert {row.state for row in rows} == {"works", "absent"}
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE_SECONDS) == 0
        assert process.stdout is not None
        assert process.stdout.read() == "Stopped.\n"
        assert not listens(port)


def test_a_server_ends_with_whoever_started_it_however_that_ends(tmp_path: Path) -> None:
    with serving(tmp_path) as (process, port, rcon_port):
        assert listens(port)
        process.kill()
        wait_until(lambda: not listens(port))
        wait_until(lambda: not listens(rcon_port))


def test_the_command_wants_a_password(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TICKING_RCON_PASSWORD", raising=False)
    with pytest.raises(CommandError, match="Set TICKING_RCON_PASSWORD to the RCON password"):
        call_command("serve_minecraft")


def test_the_command_names_a_port_that_is_taken(server: StandAlone, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TICKING_RCON_PASSWORD", PASSWORD)
    with pytest.raises(CommandError, match=f"address already in use 127.0.0.1:{server.port}"):
        call_command("serve_minecraft", "--port", str(server.port))
