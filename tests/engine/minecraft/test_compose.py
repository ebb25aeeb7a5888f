"""The compose file for a server of one's own. It was never started: no such image was at hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import yaml

from engine.minecraft.commands import Commands

FILE = Path(__file__).resolve().parents[3] / "compose.minecraft.yaml"


def services() -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = yaml.safe_load(FILE.read_text(encoding="utf-8"))["services"]
    return found


def test_each_profile_is_one_server_of_a_known_version() -> None:
    assert list(services()) == ["fabric-1.19.4", "fabric-1.21.4"]
    for name, service in services().items():
        assert service["profiles"] == [name]
        assert Commands(service["environment"]["VERSION"]).version == name.removeprefix("fabric-")


def test_ports_are_open_to_this_machine_only_and_no_password_is_written_down() -> None:
    for service in services().values():
        assert [port.split(":") for port in service["ports"]] == [
            ["127.0.0.1", "25565", "25565"],
            ["127.0.0.1", "25575", "25575"],
        ]
        assert service["environment"]["RCON_PASSWORD"].startswith("${TICKING_RCON_PASSWORD:?")
        assert service["environment"]["EULA"].startswith("${EULA:?")


def test_the_ground_is_where_tasks_have_it() -> None:
    """A world begins at y = -64; the ground's top block is at y = 63."""
    for service in services().values():
        layers = json.loads(service["environment"]["GENERATOR_SETTINGS"])["layers"]
        assert -64 + sum(layer["height"] for layer in layers) - 1 == 63
        assert layers[-1] == {"block": "minecraft:grass_block", "height": 1}
