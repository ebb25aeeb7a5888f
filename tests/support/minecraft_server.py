"""A small Minecraft server of the tests' own: RCON with Minecraft's habits, the status, and just enough of a world.

As Minecraft does, it reads at most 1,460 bytes at once, closes the connection when two packets arrive together, splits
its answers at 4,096 characters, and answers unknown types with `Unknown request`. Commands are understood along the
command tree of the version.
"""

from __future__ import annotations

import json
import re
import socket
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from typing import Any

PASSWORD = "correct horse"


def packet(number: int, kind: int, text: str | bytes) -> bytes:
    body = text.encode() if isinstance(text, str) else text
    return struct.pack("<iii", len(body) + 10, number, kind) + body + b"\0\0"


@contextmanager
def listening(serve: Callable[[socket.socket], None]) -> Iterator[int]:
    """Serve every connection to a free port in a thread of its own; all end with the block."""
    listener = socket.create_server(("127.0.0.1", 0))
    connections: list[socket.socket] = []
    threads: list[threading.Thread] = []

    def handle(connection: socket.socket) -> None:
        with closing(connection), suppress(OSError):
            serve(connection)

    def accept() -> None:
        with suppress(OSError):
            while True:
                connection, _ = listener.accept()
                connections.append(connection)
                threads.append(threading.Thread(target=handle, args=(connection,)))
                threads[-1].start()

    acceptor = threading.Thread(target=accept)
    acceptor.start()
    try:
        yield listener.getsockname()[1]
    finally:
        _end(listener)
        acceptor.join()  # after which no more connections come
        for connection in connections:
            _end(connection)
        for thread in threads:
            thread.join()


def _end(one: socket.socket) -> None:
    with suppress(OSError):
        one.shutdown(socket.SHUT_RDWR)
    one.close()


def rcon(answer: Callable[[str], str], password: str = PASSWORD) -> Callable[[socket.socket], None]:
    """Serves RCON as Minecraft does."""

    def serve(connection: socket.socket) -> None:
        is_in = False
        while data := connection.recv(1_460):
            length, number, kind = struct.unpack("<iii", data[:12])
            if length != len(data) - 4:
                return
            text = data[12:-2].decode()
            if kind == 3:
                is_in = text == password
                connection.sendall(packet(number if is_in else -1, 2, ""))
            elif kind == 2 and not is_in:
                connection.sendall(packet(-1, 2, ""))
            else:
                whole = answer(text) if kind == 2 else f"Unknown request {kind:x}"
                for start in range(0, max(len(whole), 1), 4_096):
                    connection.sendall(packet(number, 0, whole[start : start + 4_096]))

    return serve


def status(document: Any) -> Callable[[socket.socket], None]:
    """Serves the status, after having read both requests."""

    def serve(connection: socket.socket) -> None:
        asked = b""
        while not asked.endswith(
            b"\x01\x01\x00"
        ):  # next state: status; then a packet with nothing but the number 0
            more = connection.recv(1_024)
            if not more:
                return
            asked += more
        text = (document if isinstance(document, str) else json.dumps(document)).encode()
        body = b"\0" + _varint(len(text)) + text
        connection.sendall(_varint(len(body)) + body)

    return serve


def named(name: str, protocol: int, online: int = 0) -> dict[str, Any]:
    """The status of a server."""
    return {"version": {"name": name, "protocol": protocol}, "players": {"online": online, "max": 20}}


def _varint(value: int) -> bytes:
    return bytes([value]) if value < 0x80 else bytes([value & 0x7F | 0x80]) + _varint(value >> 7)


class World:
    """What the commands of the self-test come to.

    Attributes:
        broken: commands, by their first words, that are answered with a refusal.
        players: who is online.
        asked: all commands that came.
    """

    def __init__(self, understand: Callable[[str], object], refusal: type[Exception]) -> None:
        self._understand, self._refusal = understand, refusal
        self.broken: set[str] = set()
        self.players: list[str] = []
        self.asked: list[str] = []
        self.blocks: dict[str, str] = {}
        self.slots: dict[str, str] = {}
        self.mobs: dict[str, dict[str, str]] = {}
        self.carried: dict[str, int] = {}
        self.difficulty, self.daytime, self.age, self.frozen = "easy", 1_000, 0, False
        self.rules = {"doDaylightCycle": "true"}

    def __call__(self, command: str) -> str:
        """The answer to a command, in the words of a vanilla server."""
        self.asked.append(command)
        self.age += 0 if self.frozen else 1
        try:
            self._understand(command)
        except self._refusal:
            return f"Unknown or incomplete command, see below for error{command[-9:]}<--[HERE]"
        if any(command.startswith(words) for words in self.broken):
            return "Unknown or incomplete command, see below for error<--[HERE]"
        for pattern, answer in self._answers.items():
            if found := re.fullmatch(pattern, command):
                return answer(self, *found.groups())
        raise AssertionError(f"no answer to {command!r}")

    def _setblock(self, cell: str, block: str) -> str:
        if self.blocks.get(cell, "air") == block:
            return "Could not set the block"
        self.blocks[cell] = block
        return f"Changed the block at {', '.join(cell.split())}"

    def _fill(self, low: str, high: str, block: str) -> str:
        ranges = [range(int(a), int(b) + 1) for a, b in zip(low.split(), high.split(), strict=True)]
        cells = [f"{x} {y} {z}" for x in ranges[0] for y in ranges[1] for z in ranges[2]]
        changed = [cell for cell in cells if self.blocks.get(cell, "air") != block]
        self.blocks |= dict.fromkeys(changed, block)
        return f"Successfully filled {len(changed)} block(s)" if changed else "No blocks were filled"

    def _is_block(self, cell: str, block: str) -> str:
        return "Test passed" if self.blocks.get(cell, "air") == block else "Test failed"

    def _store(self, cell: str, slot: str, item: str, count: str) -> str:
        self.slots[cell] = f'[{{Slot: {slot}b, id: "minecraft:{item}", Count: {count}b}}]'
        return f"Replaced a slot at {cell} with {count} [{item}]"

    def _summon(self, entity: str, place: str, tag: str, rest: str) -> str:
        health = re.search(r"Health:([\d.]+)f", rest)
        self.mobs[tag] = {"Health": health[1] if health else "20", "place": place} | (
            {"NoAI": "1"} if "NoAI:1b" in rest else {}
        )
        self.mobs[tag] |= {
            found[1]: found[2]
            for found in re.finditer(r'"minecraft:(?:generic\.)?(\w+)",[Bb]ase:([\d.]+)d', rest)
        }
        return f"Summoned new {entity.title()}"

    def _mob(self, tag: str, act: Callable[[dict[str, str]], str]) -> str:
        return act(self.mobs[tag]) if tag in self.mobs else "No entity was found"

    def _set(self, tag: str, name: str, value: str, words: str) -> str:
        def act(mob: dict[str, str]) -> str:
            mob[name] = value
            return words

        return self._mob(tag, act)

    def _get(self, tag: str, name: str, words: str) -> str:
        return self._mob(
            tag, lambda mob: words + mob[name] if name in mob else f"Found no elements matching {name}"
        )

    def _effects(self, tag: str, path: str) -> str:
        return self._get(tag, "effects", f"Husk has the following entity data ({path}): ")

    def _set_ai(self, tag: str, off: str) -> str:
        def act(mob: dict[str, str]) -> str:
            mob.pop("NoAI", None)  # Minecraft keeps it only where it is 1
            mob |= {"NoAI": off} if off == "1" else {}
            return "Modified entity data of Husk"

        return self._mob(tag, act)

    def _damage(self, tag: str, amount: str) -> str:
        def act(mob: dict[str, str]) -> str:
            mob["Health"] = f"{float(mob['Health']) - float(amount):g}"
            return f"Applied {amount} damage to Husk"

        return self._mob(tag, act)

    def _clear_effects(self, tag: str) -> str:
        return self._mob(
            tag, lambda mob: "Removed every effect from Husk" if mob.pop("effects", "") else "None"
        )

    def _kill(self, tag: str) -> str:
        return self._mob(tag, lambda mob: "Killed Husk" if self.mobs.pop(tag) is mob else "")

    def _give(self, name: str, item: str, count: str) -> str:
        if name not in self.players:
            return "No player was found"
        self.carried[item] = self.carried.get(item, 0) + int(count)
        return f"Gave {count} [{item}] to {name}"

    def _clear(self, name: str, item: str, most: str | None) -> str:
        have = self.carried.get(item, 0)
        taken = have if most in (None, "0") else min(have, int(most or 0))
        if most == "0":
            return f"Found {have} matching item(s) on player {name}"
        self.carried[item] = have - taken
        return (
            f"Removed {taken} item(s) from player {name}"
            if taken
            else f"No items were found on player {name}"
        )

    def _rule(self, name: str, value: str | None) -> str:
        if value is None:
            return f"Gamerule {name} is currently set to: {self.rules[name]}"
        self.rules[name] = value
        return f"Gamerule {name} is now set to: {value}"

    def _difficulty(self, value: str | None) -> str:
        if value is None:
            return f"The difficulty is {self.difficulty.title()}"
        self.difficulty = value
        return f"The difficulty has been set to {value.title()}"

    def _time(self, value: str) -> str:
        self.daytime = int({"day": "1000", "noon": "6000", "night": "13000"}.get(value, value))
        return f"Set the time to {self.daytime}"

    def _tick(self, word: str) -> str:
        self.frozen = word == "freeze"
        return "The game is frozen" if self.frozen else "The game is running normally"

    _ANYONE = r"(?:@e\[tag=)?(\w+)(?:,limit=1\])?"
    _ONE = r"@e\[tag=(\w+),limit=1\]"
    _answers: dict[str, Callable[..., str]] = {
        r"setblock (\S+ \S+ \S+) minecraft:(\w+)": _setblock,
        r"fill (\S+ \S+ \S+) (\S+ \S+ \S+) minecraft:(\w+)": _fill,
        r"execute if block (\S+ \S+ \S+) minecraft:(\w+)": _is_block,
        r"execute if entity @e\[tag=(\w+)\]": lambda w, tag: (
            "Test passed, count: 1" if tag in w.mobs else "Test failed"
        ),
        r"item replace block (\S+ \S+ \S+) container\.(\d+) with minecraft:(\w+) (\d+)": _store,
        r"data get block (\S+ \S+ \S+) Items": lambda w, cell: (
            f"It has the following block data: {w.slots[cell]}"
        ),
        r"summon minecraft:(\w+) (\S+ \S+ \S+) \{Tags:\[\"(\w+)\"\](.*)\}": _summon,
        rf"data get entity {_ONE} Health": lambda w, tag: w._get(tag, "Health", "Husk has: ") + "f",
        rf"data get entity {_ONE} NoAI": lambda w, tag: w._get(tag, "NoAI", "Husk has: ") + "b",
        rf"data get entity {_ONE} Pos": lambda w, tag: w._get(tag, "place", "Husk has: "),
        rf"data get entity {_ONE} (active_effects|ActiveEffects)": _effects,
        rf"attribute {_ANYONE} minecraft:(?:generic\.)?(\w+) base set (\S+)": lambda w, tag, name, value: (
            w._set(tag, name, value, f"Base value for attribute {name} for entity Husk set to {value}")
        ),
        rf"attribute {_ANYONE} minecraft:(?:generic\.)?(\w+) base get": lambda w, tag, name: w._get(
            tag, name, f"Base value of attribute {name} for entity Husk is "
        ),
        rf"effect give {_ONE} minecraft:(\w+) \w+ \d+ true": lambda w, tag, effect: w._set(
            tag, "effects", f'[{{id: "minecraft:{effect}"}}]', f"Applied effect {effect} to Husk"
        ),
        rf"effect clear {_ONE}": _clear_effects,
        rf"damage {_ONE} (\S+)": _damage,
        rf"tp {_ONE} (\S+ \S+ \S+)": lambda w, tag, place: w._set(tag, "place", place, "Teleported Husk"),
        r"kill @e\[tag=(\w+)\]": _kill,
        r"execute as @e\[tag=(\w+)\] run data merge entity @s \{NoAI:(\d)b\}": _set_ai,
        r"give (\w+) minecraft:(\w+)(?:[{\[].*)? (\d+)": _give,
        r"clear (\w+) minecraft:(\w+)(?: (\d+))?": _clear,
        r"gamerule (\w+)(?: (\w+))?": _rule,
        r"difficulty(?: (\w+))?": _difficulty,
        r"time set (\w+)": _time,
        r"time query daytime": lambda w: f"The time is {w.daytime}",
        r"time query day": lambda w: "The time is 0",
        r"time query gametime": lambda w: f"The time is {w.age}",
        r"tick (freeze|unfreeze)": _tick,
        r"forceload (?:add|remove) .*": lambda w: "Marked chunk",
        r"list": lambda w: (
            f"There are {len(w.players)} of a max of 20 players online: {', '.join(w.players)}"
        ),
        r"(?:say|tellraw) .*": lambda w: "",
    }
