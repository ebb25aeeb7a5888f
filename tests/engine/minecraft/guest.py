"""Whoever joins an episode's server with another client than the bots, while the episode goes on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.episode.run import Episode
from engine.world.geometry import Cell
from tests.engine.minecraft.test_world import wait_until
from tests.support.minecraft_bot import Bot


class Guest:
    """A control that lets somebody join when the world is there, and meddle while it goes on.

    Args:
        cell: a cell that is empty at tick 5, with ground below it, and filled with lava at tick 100.
        agent: an agent that can be seen from the middle of the world at tick 5 and walks before tick 100.
        join_in: is called once the guest has meddled.

    Attributes:
        saw: what the guest saw, by what it is.
    """

    def __init__(self, cell: Cell, agent: str, join_in: Callable[[], object]) -> None:
        self.episode: Episode | None = None
        self.saw: dict[str, Any] = {}
        self._cell, self._agent, self._join_in = cell, agent, join_in

    def opened(self, address: str) -> None:
        host, port = address.split(":")
        assert host == "127.0.0.1"
        self.bot = Bot(int(port), "Watcher")
        self.saw["mode"] = self.bot("mode")

    def before(self, tick: int) -> None:
        if tick == 5:
            wait_until(lambda: self.bot("where", self._agent) is not None)
            self.saw |= {"block": self.bot("block", *self._cell), "from": self.bot("where", self._agent)}
            wait_until(lambda: self.bot("entity", "zombie") is not None)
            self._meddle()
            self._join_in()
        if tick == 100:
            wait_until(lambda: self.bot("block", *self._cell) == "lava")
            self.saw["to"] = self.bot("where", self._agent)
            self.bot.close()

    def _meddle(self) -> None:
        """What no honest client does that watches: break a block, hit an agent, talk."""
        x, y, z = self._cell
        place = {"x": x, "y": y - 1, "z": z}
        self.bot("send", "block_dig", {"status": 2, "location": place, "face": 1, "sequence": 0})
        self.bot(
            "send", "use_entity", {"target": self.bot("idOf", self._agent), "mouse": 1, "sneaking": False}
        )
        self.bot("send", "chat_command", {"command": "kill @a", "timestamp": 0, "salt": 0,
                                          "argumentSignatures": [], "signedPreview": False})  # fmt: skip
        # The clock stands meanwhile, and yet there is a sign of life.
        times = self.bot("times")
        wait_until(lambda: self.bot("times") > times)

    def waiting(self) -> None:
        pass
