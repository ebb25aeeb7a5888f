"""What holds for a whole server and not for a place on it: read before it is changed, so that it can be put back.

The weather is not among it: no command before 1.20.5 tells it, and nothing here changes it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import get_args

from pydantic import BaseModel, ConfigDict

from engine.minecraft.answers import last, last_number
from engine.minecraft.commands import GAMERULES, Commands
from engine.world.combat import Difficulty

DAY_TICKS = 24_000
Ask = Callable[[str], str]
"""Gives a command; returns the server's answer without colours."""


class ServerSettings(BaseModel):
    """Settings of a server; those that are absent are not known, or not of interest.

    Attributes:
        rules: game rules by name.
        difficulty: the server's.
        time: ticks since the first morning, days included.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    rules: dict[str, bool | int] = {}
    difficulty: Difficulty | None = None
    time: int | None = None

    def restoring(self, commands: Commands) -> list[str]:
        """Commands that make it so again."""
        return [
            *(commands.gamerule(rule, value) for rule, value in self.rules.items()),
            *([] if self.difficulty is None else [commands.difficulty(self.difficulty)]),
            *([] if self.time is None else [commands.time(self.time)]),
        ]

    def unknown(self, rules: Iterable[str]) -> list[str]:
        """What of these rules, of difficulty and time could not be read."""
        missing = [rule for rule in rules if rule not in self.rules]
        missing += ["difficulty"] if self.difficulty is None else []
        return missing + (["time"] if self.time is None else [])


def read_rules(ask: Ask, commands: Commands, rules: Iterable[str]) -> dict[str, bool | int]:
    """Game rules as they are now, but for those that are answered in words that cannot be read."""
    read = {rule: _rule(rule, ask(commands.gamerule(rule))) for rule in rules}
    return {rule: value for rule, value in read.items() if value is not None}


def read_settings(ask: Ask, commands: Commands, rules: Iterable[str]) -> ServerSettings:
    """Settings as they are now, but for those that are answered in words that cannot be read."""
    level = last(r"\w+", ask(commands.difficulty())).lower()
    days, daytime = (last_number(ask(commands.ask_time(clock))) for clock in ("day", "daytime"))
    return ServerSettings(
        rules=read_rules(ask, commands, rules),
        difficulty=next((known for known in get_args(Difficulty) if known == level), None),
        time=None if days is None or daytime is None else int(days) * DAY_TICKS + int(daytime) % DAY_TICKS,
    )


def _rule(rule: str, answer: str) -> bool | int | None:
    if GAMERULES[rule] is bool:
        word = last(r"\b(true|false)\b", answer)
        return word == "true" if word else None
    number = last_number(answer)
    return None if number is None or number < 0 else int(number)
