"""What people read for the names that code uses: task types, modes, worlds, paces."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

KINDS: Mapping[str, str] = {
    "prepare_crisis": "Prepare for a crisis",
    "mine_vanishing_blocks": "Mine vanishing blocks",
    "raid_boss": "Raid a boss",
    "custom": "Custom",
}
MODES: Mapping[str, str] = {"sync": "Synchronous", "async": "Asynchronous"}
MODE_HINTS: Mapping[str, str] = {
    "sync": "the world stands still while a policy decides",
    "async": "the world goes on while a policy decides",
}
WORLDS: Mapping[str, str] = {"simulator": "Simulator", "minecraft": "Minecraft"}
WORLD_HINTS: Mapping[str, str] = {
    "simulator": "built in, needs nothing else, runs faster than real time",
    "minecraft": "Mineflayer bots on a Minecraft server, the embedded one or your own; slower than the simulator",
}
PACES: Mapping[float, str] = {1.0: "1×", 4.0: "4×", 16.0: "16×", 0.0: "As fast as possible"}


def choices(names: Iterable[str], words: Mapping[str, str]) -> list[tuple[str, str]]:
    """Form choices of a registry's names; a name without words stands for itself."""
    return [(name, words.get(name, name)) for name in names]
