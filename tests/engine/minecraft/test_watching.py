"""Joining an episode's server with another client than the bots, while the episode goes on."""

from __future__ import annotations

from typing import Any

from engine.episode.run import Episode
from engine.spec.model import TaskSpec
from tests.engine.build import Actors, Played, agent, custom, do, mob
from tests.engine.minecraft.test_world import wait_until
from tests.support.minecraft_bot import Bot

ORE = (2, 64, 0)
CENTRE = {"x": 2, "y": 64, "z": 0}


class Guest:
    """A control that lets somebody join when the world is there, and meddle while it goes on."""

    def __init__(self) -> None:
        self.episode: Episode | None = None
        self.saw: dict[str, Any] = {}

    def opened(self, address: str) -> None:
        host, port = address.split(":")
        assert host == "127.0.0.1"
        self.bot = Bot(int(port), "Watcher")
        self.saw["mode"] = self.bot("mode")

    def before(self, tick: int) -> None:
        if tick == 5:
            wait_until(lambda: self.bot("entity", "zombie") is not None)
            self.saw |= {"ore": self.bot("block", *ORE), "players": sorted(self.bot("players"))}
            # What no honest client does that watches: break a block, hit an agent, talk.
            self.bot("send", "block_dig", {"status": 2, "location": CENTRE, "face": 1, "sequence": 0})
            self.bot("send", "use_entity", {"target": self.bot("idOf", "Ada"), "mouse": 1, "sneaking": False})
            self.bot("send", "chat_command", {"command": "kill @a", "timestamp": 0, "salt": 0,
                                              "argumentSignatures": [], "signedPreview": False})  # fmt: skip
            # The clock stands meanwhile, and yet there is a sign of life.
            times = self.bot("times")
            wait_until(lambda: self.bot("times") > times)
        if tick == 100:
            wait_until(lambda: self.bot("block", *ORE) == "air")
            self.saw["zombie"] = self.bot("entity", "zombie")
            self.bot.close()

    def waiting(self) -> None:
        pass


def stage() -> TaskSpec:
    """Ada mines ore while a zombie comes near; it has 12 blocks to walk, at 2 a second."""
    return custom(
        agent("Ada", tools=["iron_pickaxe"], items={"golden_apple": 1}),
        blocks={ORE: "gold_ore"},
        hostiles=[mob((12, 64, 8), health=20, damage=2, speed_bps=2)],
        max_steps=8,
    )


def play(control: Guest | None) -> Played:
    lines = {"Ada": [do("mine_blocks_at", block_positions=[list(ORE)]), do("wait", duration=50)]}
    return Played(stage(), Actors(lines), world="minecraft", control=control)


def test_a_guest_sees_everything_and_changes_nothing() -> None:
    guest = Guest()
    watched, alone = play(guest), play(None)
    assert guest.saw.pop("zombie") != [12.5, 64, 8.5]
    assert guest.saw == {"mode": "spectator", "ore": "gold_ore", "players": ["Ada", "Watcher"]}
    assert watched.of("mob_moved")
    assert watched.hurts("Ada")
    assert watched.lines == alone.lines
