"""The embedded server without an episode: on the real clock, for whoever joins, with RCON.

It stands for a server of the user's own, in tests and wherever no vanilla server is at hand. It answers the commands
that `engine.minecraft.commands` can build, in the words of a vanilla server; `js/server/commands` says which others.
"""

from __future__ import annotations

import json
import selectors
import subprocess
from contextlib import suppress
from dataclasses import asdict
from typing import IO, Any, Self

from engine.errors import InfrastructureError
from engine.minecraft.bridge import ROOT, find_node
from engine.minecraft.setup import tables
from engine.world import combat, rules
from engine.world.contact import Contact

START_SECONDS = 60
SCRIPT = ROOT / "engine" / "minecraft" / "js" / "serve.js"
CONTACTS = {"lava": Contact("lava", 4, 10, burns=True), "water": Contact("water", 0, 20)}
"""What touching a block does, as in Minecraft: water breaks a fall and puts out fire, and does not hurt by itself."""


class StandAlone:
    """A running server. It ends with the `with` block, and with this process however that ends.

    Args:
        password: for RCON; must not be empty.
        host: the address to listen on.
        port, rcon_port: for players and for RCON; 0 takes a free one.
        version: of Minecraft, one of `versions.EMBEDDED`.

    Attributes:
        port, rcon_port: on which it listens.

    Raises:
        InfrastructureError: it could not start, as when a port is taken.
        MissingDataError: Node or its packages are not installed.
    """

    def __init__(
        self,
        password: str,
        host: str = "127.0.0.1",
        port: int = 0,
        rcon_port: int = 0,
        version: str = rules.MINECRAFT_VERSION,
    ) -> None:
        address = {"host": host, "port": port, "rcon_port": rcon_port}
        settings = _settings(version) | address | {"password": password}
        self._process = subprocess.Popen(  # noqa: S603 - our own script
            [str(find_node()), str(SCRIPT)],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            ports = self._start(settings)
        except BaseException:
            self.close()
            raise
        self.port: int = ports["port"]
        self.rcon_port: int = ports["rcon_port"]

    def _start(self, settings: dict[str, Any]) -> dict[str, Any]:
        """Hand over the settings, and wait for the ports."""
        stdin, stdout = self._streams()
        stdin.write(json.dumps(settings) + "\n")
        stdin.flush()
        with selectors.DefaultSelector() as selector:
            selector.register(stdout, selectors.EVENT_READ)
            if not selector.select(START_SECONDS):
                raise InfrastructureError(f"the Minecraft server did not start within {START_SECONDS} s")
        line = stdout.readline()
        ports: dict[str, Any] = json.loads(line) if line else {"fault": "it ended at once"}
        if "fault" in ports:
            raise InfrastructureError(f"the Minecraft server did not start: {ports['fault']}")
        return ports

    def _streams(self) -> tuple[IO[str], IO[str]]:
        """To and from the process."""
        stdin, stdout = self._process.stdin, self._process.stdout
        if stdin is None or stdout is None:
            raise RuntimeError("the process was started without pipes")
        return stdin, stdout

    @property
    def pid(self) -> int:
        """The server's process."""
        return self._process.pid

    def wait(self) -> int:
        """Wait until the server ends by itself, which it does only if something is wrong; its exit status."""
        return self._process.wait()

    def close(self) -> None:
        """End the server."""
        for stream in self._streams():
            with suppress(OSError):
                stream.close()
        self._process.wait()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_fault: object) -> None:
        self.close()


def _settings(version: str) -> dict[str, Any]:
    """What `js/serve.js` must know beside addresses and password."""
    return tables(version) | {
        "agents": [],
        "digging_factor": 1.0,
        "mobs": {name: _mob(name) for name in combat.MOBS},
        "contacts": {block: asdict(contact) for block, contact in CONTACTS.items()},
    }


def _mob(name: str) -> dict[str, Any]:
    vanilla = combat.mob(name, "normal")
    return asdict(vanilla) | {"hostile": name in combat.HOSTILE, "is_unscaled": name in combat.UNSCALED}
