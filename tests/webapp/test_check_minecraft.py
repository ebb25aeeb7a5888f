"""The self-test of a Minecraft server, against a small server of the tests' own; a vanilla one was never at hand."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from engine.minecraft.selftest import Place, Row, check
from engine.minecraft.versions import protocols
from engine.world.rules import effects
from tests.engine.minecraft.brigadier import Refused
from tests.engine.minecraft.test_commands import TREES
from tests.support.minecraft_server import PASSWORD, World, listening, named, rcon, status
from webapp.core.management.commands import check_minecraft

CORNER = (1_000, 200, 1_000)


@contextmanager
def server(version: str) -> Iterator[tuple[World, Place]]:
    world = World(TREES[version].read, Refused)
    with (
        listening(status(named(version, protocols()[version]))) as port,
        listening(rcon(world)) as rcon_port,
    ):
        yield world, Place("127.0.0.1", port, rcon_port, CORNER)


def try_out(place: Place, password: str = PASSWORD) -> list[Row]:
    return check(place, password, pause=lambda seconds: None)


def states(rows: list[Row]) -> dict[str, str]:
    assert len({row.what for row in rows}) == len(rows)
    return {row.what: row.state for row in rows}


@pytest.mark.parametrize(
    ("version", "absent"),
    [("1.19", {"damage", "freeze the world"}), ("1.20.4", set()), ("1.21.4", set())],
)
def test_a_good_server_works_and_is_left_as_it_was(version: str, absent: set[str]) -> None:
    with server(version) as (world, place):
        rows = try_out(place)
    found = states(rows)
    assert [row for row in rows if row.state == "fails"] == []
    assert {what for what, state in found.items() if state == "absent"} == absent
    assert {what for what, state in found.items() if state == "skipped"} == {
        "attribute attack_speed",
        "give and clear",
    }
    assert {what.removeprefix("effect ") for what in found if what.startswith("effect ")} == effects()
    assert ("freeze the mobs" in found) == (version == "1.19")
    assert set(world.blocks.values()) == {"air"}
    assert world.mobs == {}
    assert (world.difficulty, world.daytime, world.frozen, world.rules) == (
        "easy", 1_000, False, {"doDaylightCycle": "true"},
    )  # fmt: skip
    assert [command for command in world.asked if command.startswith("forceload")] == [
        "forceload add 1000 1000 1002 1002",
        "forceload remove 1000 1000 1002 1002",
    ]


def test_a_player_who_is_named_gets_items_and_loses_them_again() -> None:
    with server("1.20.4") as (world, place):
        world.players, world.carried, world.mobs["Ada"] = ["Ada"], {"gold_ore": 5}, {}
        rows = try_out(Place(place.host, place.port, place.rcon_port, CORNER, player="Ada"))
        assert world.carried == {"gold_ore": 5, "wooden_pickaxe": 0}
        assert world.mobs["Ada"] == {"attack_speed": "4"}
    assert {row.state for row in rows} == {"works"}


@pytest.mark.parametrize(
    ("broken", "what"),
    [
        ("setblock", "place a block"),
        ("fill", "fill a layer"),
        ("item", "store in a chest"),
        ("summon", "summon"),
        ("damage", "damage"),
        ("tp", "tp"),
        ("tick freeze", "freeze the world"),
        ("kill", "kill"),
        ("gamerule doDaylightCycle false", "gamerule"),
        ("time set noon", "time"),
        ("difficulty hard", "difficulty"),
        ("say", "say"),
        ("tellraw", "tellraw"),
        ("effect give @e[tag=ticking_selftest,limit=1] minecraft:wither", "effect wither"),
        (
            "attribute @e[tag=ticking_selftest,limit=1] minecraft:generic.follow_range",
            "attribute follow_range",
        ),
    ],
)
def test_what_a_server_does_not_do_is_named_with_its_answer(broken: str, what: str) -> None:
    with server("1.20.4") as (world, place):
        world.broken.add(broken)
        rows = try_out(place)
    (row,) = [row for row in rows if row.what == what]
    assert row.state == "fails"
    if what != "freeze the world":
        assert f"`{broken}" in row.detail
        assert "Unknown or incomplete command" in row.detail


def test_without_a_mob_nothing_is_tried_on_it() -> None:
    with server("1.20.4") as (world, place):
        world.broken.add("summon")
        rows = try_out(place)
        assert not any(command.startswith(("effect", "attribute", "damage")) for command in world.asked)
    assert states(rows)["attributes and effects"] == "skipped"
    assert {row.what for row in rows if row.state == "fails"} == {"summon", "kill"}


def test_a_kind_answer_is_not_believed() -> None:
    """A server that says that it has placed the block, and has not."""
    with server("1.20.4") as (world, place):
        lie = {r"setblock (.*) minecraft:stone": lambda _world, _cell: "Changed the block"}
        world._answers = lie | world._answers
        rows = try_out(place)
    assert states(rows)["place a block"] == "fails"


def test_without_operator_rights_nothing_more_is_tried() -> None:
    with server("1.20.4") as (world, place):
        world.broken.add("difficulty")
        rows = try_out(place)
        assert world.asked == ["difficulty"]
    assert [(row.what, row.state) for row in rows[-1:]] == [("operator rights", "fails")]


def test_a_place_that_is_not_empty_is_left_alone() -> None:
    with server("1.20.4") as (world, place):
        world.blocks["1002 202 1002"] = "diamond_block"
        rows = try_out(place)
        assert world.blocks == {"1002 202 1002": "diamond_block"}
        assert not any(command.startswith(("setblock", "fill", "summon")) for command in world.asked)
    assert "there is something at (1002, 202, 1002); choose another place" in rows[-1].detail


def test_the_wrong_version_is_named_before_anything_else() -> None:
    with server("1.20.4") as (world, place):
        rows = try_out(Place(place.host, place.port, place.rcon_port, CORNER, expected="1.19"))
        assert world.asked == []
    assert [row.state for row in rows] == ["fails"]
    assert "is Minecraft 1.20.4; expected was 1.19" in rows[0].detail


def test_a_wrong_password_is_one_row() -> None:
    with server("1.20.4") as (_, place):
        rows = try_out(place, "wrong")
    assert [(row.what, row.state) for row in rows] == [("status", "works"), ("RCON", "fails")]


def test_a_connection_that_breaks_off_ends_with_a_row_that_says_so() -> None:
    def breaks(command: str) -> str:
        if command.startswith("summon"):
            raise ConnectionError
        return world(command)

    world = World(TREES["1.20.4"].read, Refused)
    with listening(status(named("1.20.4", 765))) as port, listening(rcon(breaks)) as rcon_port:
        rows = try_out(Place("127.0.0.1", port, rcon_port, CORNER))
    assert states(rows)["store in a chest"] == "works"
    assert (rows[-1].what, rows[-1].state) == ("RCON to the end", "fails")
    assert "closed the RCON connection" in rows[-1].detail


# --- the command -----------------------------------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check_minecraft, "check", try_out)


def run(place: Place, *more: str) -> None:
    call_command("check_minecraft", "--port", str(place.port), "--rcon-port", str(place.rcon_port), *more)


def test_the_command_prints_a_table(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TICKING_RCON_PASSWORD", PASSWORD)
    with server("1.21.4") as (_, place):
        run(place)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].endswith("is 1.21.4, Minecraft 1.21.4")
    assert any(line.startswith("works    place a block") for line in lines)
    assert any(line.startswith("skipped  give and clear") for line in lines)
    assert lines[-1].startswith("Works: ")
    assert PASSWORD not in "\n".join(lines)


def test_the_command_prints_one_document_and_ends_with_1(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TICKING_RCON_PASSWORD", PASSWORD)
    with server("1.19") as (world, place):
        world.broken.add("tp")
        with pytest.raises(SystemExit) as ended:
            run(place, "--json")
    assert ended.value.code == 1
    document: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert sorted(document) == ["errors", "rows", "works"]
    assert document["works"] is False
    assert {
        "what": "damage",
        "state": "absent",
        "detail": "the command `damage` came with 1.19.4",
    } in document["rows"]


@pytest.mark.parametrize(
    ("password", "arguments", "message"),
    [
        ("", [], "Set TICKING_RCON_PASSWORD"),
        ("x", ["--expect", "newest"], "'newest' is no release"),
        ("x", ["--player", "@a"], "'@a' is not a player's name"),
        ("x", ["--port", "0"], "'0' is no port"),
        ("x", ["--at", "1,2"], "'1,2' is no position"),
        ("x", ["--at=0,318,0"], "outside the world"),
    ],
)
def test_wrong_usage_is_named(
    password: str, arguments: list[str], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TICKING_RCON_PASSWORD", password)
    with pytest.raises(CommandError, match=message):
        call_command("check_minecraft", *arguments)


def test_the_command_line_ends_with_2_and_one_document_on_wrong_usage(root: Path, tmp_path: Path) -> None:
    env = {name: value for name, value in os.environ.items() if name != "TICKING_RCON_PASSWORD"}
    for arguments, message in (
        (["--json"], "Set TICKING_RCON_PASSWORD to the RCON password of the server."),
        (["--json", "--speed", "3"], "unrecognized arguments: --speed 3"),
    ):
        ended = subprocess.run(
            [sys.executable, "manage.py", "check_minecraft", *arguments],
            cwd=root,
            env=env | {"TICKING_DATA": str(tmp_path)},
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
        assert ended.returncode == 2
        assert json.loads(ended.stdout) == {"works": False, "rows": [], "errors": [message]}
        assert ended.stderr == ""
