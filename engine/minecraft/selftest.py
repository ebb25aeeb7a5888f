"""The self-test of a Minecraft server of the user's own: whether it does what the environment manager will ask of it.

It works in a small empty box, with one mob that it summons, and puts back what it changes. An answer alone is not
believed: what can be read back is read back.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal

from engine.minecraft.answers import (
    Holds,
    anything,
    gives,
    is_no_refusal,
    last,
    last_number,
    says,
    without_colours,
)
from engine.minecraft.arguments import EVERYONE, player, tagged
from engine.minecraft.commands import Attribute, Commands
from engine.minecraft.rcon import Rcon, RconError
from engine.minecraft.server_settings import read_settings
from engine.minecraft.status import StatusError, ask_status
from engine.minecraft.versions import CHANGES, Feature, name_in
from engine.world.geometry import Cell
from engine.world.rules import effects

State = Literal["works", "fails", "absent", "skipped"]

TAG = "ticking_selftest"
MOB = "pillager"
"""Takes every effect, since it is not undead, and does not burn in the sun."""
MOB_HEALTH = 100
SIDE = 3
EFFECT_SECONDS = 30
INSTANT = {"instant_damage", "instant_health", "saturation"}
"""Effects that are over before they could be read back."""
PLAYERS_ONLY = "attack_speed"
"""The attribute that mobs lack."""
TRIAL: dict[Attribute, float] = {
    "max_health": 60,
    "movement_speed": 0.25,
    "attack_damage": 7,
    "attack_speed": 4,
    "follow_range": 24,
    "knockback_resistance": 0.5,
}
"""A value for each attribute; that of `attack_speed` is what players have anyway."""
LOOKS = 50
PAUSE = 0.2
"""Seconds between two looks."""


@dataclass(frozen=True, slots=True)
class Row:
    """One thing that was tried.

    Attributes:
        what: in words.
        state: `works`; `fails`; `absent` if this version cannot do it; `skipped` if it was not tried.
        detail: what the server said, or why not.
    """

    what: str
    state: State
    detail: str


@dataclass(frozen=True, slots=True)
class Place:
    """Where to find the server, and where on it to try things.

    Attributes:
        corner: the least corner of a box of 3 × 3 × 3 blocks of air.
        expected: the release that the server should be; any known one if None.
        player: who receives items and loses them again; nobody if None.
    """

    host: str
    port: int
    rcon_port: int
    corner: Cell
    expected: str | None = None
    player: str | None = None


def check(
    place: Place,
    password: str,
    pause: Callable[[float], None] = time.sleep,
    tell: Callable[[Row], None] = lambda _row: None,
) -> list[Row]:
    """Try everything; the rows, in the order in which it was tried. What cannot go on ends with a row that fails.

    Args:
        place: where to try things.
        password: of RCON.
        pause: waits some seconds.
        tell: is told each row at once. If it raises, the test ends so; what was changed is put back all the same.
    """
    rows: list[Row] = []

    def note(row: Row) -> None:
        rows.append(row)
        tell(row)

    try:
        status = ask_status(place.host, place.port)
    except StatusError as fault:
        note(Row("status", "fails", str(fault)))
        return rows
    misfit = status.misfit(place.expected)
    if misfit or status.version is None:
        note(Row("status", "fails", misfit or ""))
        return rows
    note(Row("status", "works", f"{status.where} is {status.name}, Minecraft {status.version}"))
    try:
        with Rcon(place.host, place.rcon_port, password) as connection:
            note(Row("RCON", "works", f"logged in at {place.host}:{place.rcon_port}"))
            _Trial(connection.ask, Commands(status.version), place, pause, note).run()
    except RconError as fault:
        note(Row("RCON" if len(rows) == 1 else "RCON to the end", "fails", str(fault)))
    return rows


class _Trial:
    """All that is tried on one server."""

    def __init__(
        self,
        ask: Callable[[str], str],
        commands: Commands,
        place: Place,
        pause: Callable[[float], None],
        note: Callable[[Row], None],
    ) -> None:
        self._send, self._commands, self._place, self._pause, self._tell = ask, commands, place, pause, note
        x, y, z = place.corner
        self._low, self._high = place.corner, (x + SIDE - 1, y + SIDE - 1, z + SIDE - 1)
        self._middle: Cell = (x + 1, y + 1, z + 1)
        self._mob, self._mobs = tagged(TAG, one=True), tagged(TAG)

    def run(self) -> None:
        """Try everything and put back what was changed."""
        commands = self._commands
        if not self._try("operator rights", (commands.difficulty(), says("The difficulty is"))):
            return
        undo = read_settings(self._ask, commands, ["doDaylightCycle"]).restoring(commands)
        try:
            if self._is_ready():
                undo += commands.fill(self._low, self._high, "air")
                self._blocks()
                if self._summon():
                    self._mob_itself()
                    self._attributes()
                    self._effects()
                else:
                    self._note("attributes and effects", "skipped", "there is no mob to try them on")
                self._freeze()
                self._words()
                self._items()
                self._kill()
                self._try_settings()
        finally:
            undo = [commands.unfreeze(self._mobs), commands.kill(self._mobs), *undo]
            with suppress(RconError):  # what broke the connection is the news
                for command in [*undo, commands.forceload(self._low, self._high, on=False)]:
                    self._ask(command)

    # --- what is tried -----------------------------------------------------------------------------------------------

    def _is_ready(self) -> bool:
        """Whether the box is loaded and empty."""
        self._ask(self._commands.forceload(self._low, self._high))
        for _ in range(LOOKS):
            answer = self._ask(self._commands.is_block(self._middle, "air"))
            if answer.startswith("Test"):
                break
            self._pause(PAUSE)
        else:
            return self._note("forceload", "fails", f"the place is not loaded: {answer}")
        for cell in itertools.product(*(range(low, low + SIDE) for low in self._low)):
            if not self._ask(self._commands.is_block((cell[0], cell[1], cell[2]), "air")).startswith(
                "Test passed"
            ):
                return self._note(
                    "an empty place", "fails", f"there is something at {cell}; choose another place"
                )
        return self._note("forceload", "works", f"the place is loaded and empty, at {self._low}")

    def _blocks(self) -> None:
        commands, cell = self._commands, self._middle
        placed = commands.is_block(cell, "stone"), says("Test passed")
        self._try("place a block", (commands.setblock(cell, "stone"), says("Changed")), placed)
        self._try(
            "break a block",
            (commands.setblock(cell, "air"), says("Changed")),
            (commands.is_block(cell, "air"), says("Test passed")),
        )
        (fill,) = commands.fill(self._low, (self._high[0], self._low[1], self._high[2]), "stone")
        corner = (self._high[0], self._low[1], self._high[2])
        filled = commands.is_block(corner, "stone"), says("Test passed")
        self._try("fill a layer", (fill, says(f"filled {SIDE * SIDE} block")), filled)
        self._try(
            "store in a chest",
            (commands.setblock(self._low, "chest"), says("Changed")),
            (commands.store(self._low, 0, "gold_ore", 3), says("Replaced")),
            (commands.block_data(self._low, "Items"), says("minecraft:gold_ore")),
        )

    def _summon(self) -> bool:
        commands, (x, y, z) = self._commands, self._middle
        self._ask(commands.difficulty("easy"))  # on peaceful, hostile mobs vanish
        return self._try(
            "summon",
            (
                commands.summon(MOB, (x + 0.5, y, z + 0.5), TAG, health=MOB_HEALTH, ai=False),
                says("Summoned"),
            ),
            (commands.is_there(self._mobs), says("Test passed")),
            (commands.entity_data(self._mob, "Health"), gives(MOB_HEALTH)),
        )

    def _mob_itself(self) -> None:
        commands, mob, (x, y, z) = self._commands, self._mob, self._middle
        self._try_if(
            "damage",
            "damage",
            lambda: [
                (commands.damage(mob, 4), says("Applied")),
                (commands.entity_data(mob, "Health"), gives(MOB_HEALTH - 4)),
            ],
        )
        self._try(
            "tp",
            (commands.teleport(mob, (x + 0.25, y, z + 0.25)), says("Teleported")),
            (commands.entity_data(mob, "Pos"), says(f"{x + 0.25}")),
        )

    def _attributes(self) -> None:
        commands = self._commands
        for attribute, value in TRIAL.items():
            whose = self._mob
            if attribute == PLAYERS_ONLY:
                if self._place.player is None:
                    self._note(
                        f"attribute {attribute}", "skipped", "only players have it; name one who is online"
                    )
                    continue
                whose = player(self._place.player)
            self._try(
                f"attribute {attribute}",
                (commands.set_attribute(whose, attribute, value), says("set to")),
                (commands.get_attribute(whose, attribute), gives(value)),
            )

    def _effects(self) -> None:
        commands, mob = self._commands, self._mob
        for effect in sorted(effects()):
            steps = [
                (
                    commands.give_effect(mob, effect, 1 if effect in INSTANT else EFFECT_SECONDS),
                    says("Applied effect"),
                )
            ]
            if effect not in INSTANT:
                # Before 1.20.2 the data has numbers for names.
                given = says(
                    name_in(commands.version, effect) if commands.has("active_effects") else "entity data"
                )
                steps.append((commands.entity_data(mob, commands.effects_path()), given))
                steps.append((commands.clear_effect(mob), says("Removed")))
            self._try(f"effect {effect}", *steps)
        endless = commands.give_effect(mob, "speed", None)
        self._try("an effect for good", (endless, says("Applied effect")))

    def _freeze(self) -> None:
        commands, mobs = self._commands, self._mobs
        if not commands.has("tick"):
            detail = (
                f"only mobs can be stopped, blocks and time go on; {CHANGES['tick'].since} has `tick freeze`"
            )
            self._note("freeze the world", "absent", detail)
            stands = (commands.entity_data(self._mob, "NoAI"), gives(1))
            goes = (
                commands.entity_data(self._mob, "NoAI"),
                says("Found no elements"),
            )  # it is left out if 0
            self._try(
                "freeze the mobs",
                (commands.unfreeze(mobs), anything),
                goes,
                (commands.freeze(mobs), anything),
                stands,
            )
            return
        self._ask(commands.freeze(mobs))
        stood = self._ages()
        self._ask(commands.unfreeze(mobs))
        went = self._ages()
        is_sound = stood[0] is not None and stood[0] == stood[1] and went[0] != went[1]
        detail = f"age of the world: {stood[0]}, {stood[1]} frozen; {went[0]}, {went[1]} afterwards"
        self._note("freeze the world", "works" if is_sound else "fails", detail)

    def _ages(self) -> tuple[int | None, int | None]:
        """The world's age twice, some ticks apart."""
        question = self._commands.ask_time("gametime")
        first = last_number(self._ask(question))
        self._pause(PAUSE)
        second = last_number(self._ask(question))
        return None if first is None else int(first), None if second is None else int(second)

    def _words(self) -> None:
        self._try("say", (self._commands.say("The self-test of TickingCollab is running."), is_no_refusal))
        self._try("tellraw", (self._commands.tellraw(EVERYONE, "All is well."), is_no_refusal))

    def _items(self) -> None:
        if self._place.player is None:
            self._note("give and clear", "skipped", "they need somebody who is online; name a player")
            return
        commands, who = self._commands, player(self._place.player)
        before = int(last(r"Found (\d+)", self._ask(commands.clear(who, "gold_ore", 0))) or 0)
        self._try(
            "give and clear",
            (commands.give(who, "gold_ore", 2), says("Gave 2")),
            (commands.clear(who, "gold_ore", 0), gives(before + 2, first=True)),
            (commands.clear(who, "gold_ore", 2), says("Removed 2")),
        )
        tool = commands.give(who, "wooden_pickaxe", unbreakable=True), says("Gave 1")
        self._try(
            "give what never wears out", tool, (commands.clear(who, "wooden_pickaxe", 1), says("Removed 1"))
        )

    def _try_settings(self) -> None:
        commands = self._commands
        off = commands.gamerule("doDaylightCycle", False), says("now set to: false")
        self._try("gamerule", off, (commands.gamerule("doDaylightCycle"), says("set to: false")))
        noon = commands.time("noon"), says("Set the time to 6000")
        self._try("time", noon, (commands.ask_time("daytime"), gives(6_000)))
        self._try(
            "difficulty",
            (commands.difficulty("hard"), says("set to")),
            (commands.difficulty(), says("Hard")),
        )

    def _kill(self) -> None:
        gone = self._commands.is_there(self._mobs), says("Test failed")
        self._try("kill", (self._commands.kill(self._mobs), says("Killed")), gone)

    # --- how it is tried ---------------------------------------------------------------------------------------------

    def _ask(self, command: str) -> str:
        """Give a command; its answer, without colours."""
        return without_colours(self._send(command))

    def _try(self, what: str, *steps: tuple[str, Holds]) -> bool:
        """Do the steps one after the other, and note how far that went."""
        answer = ""
        for command, holds in steps:
            answer = self._ask(command)
            if not holds(answer):
                return self._note(what, "fails", f"`{command}` was answered {answer!r}")
        return self._note(what, "works", answer)

    def _try_if(self, what: str, feature: Feature, steps: Callable[[], list[tuple[str, Holds]]]) -> None:
        if self._commands.has(feature):
            self._try(what, *steps())
        else:
            change = CHANGES[feature]
            self._note(what, "absent", f"{change.what} came with {change.since}")

    def _note(self, what: str, state: State, detail: str) -> bool:
        self._tell(Row(what, state, detail))
        return state == "works"
