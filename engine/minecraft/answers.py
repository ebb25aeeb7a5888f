"""What a Minecraft server's answer to a command must be, in the words of a vanilla server in English."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

Holds = Callable[[str], bool]
"""Whether an answer is as it must be."""


def says(words: str) -> Holds:
    """The answer contains the words."""
    return lambda answer: words in answer


def gives(number: float, *, first: bool = False) -> Holds:
    """The last number of the answer, or the first, is this one."""

    def holds(answer: str) -> bool:
        found = list(numbers(answer))
        return bool(found) and abs(found[0 if first else -1] - number) < 1e-4

    return holds


def anything(_answer: str) -> bool:
    """Whatever it is."""
    return True


def is_no_refusal(answer: str) -> bool:
    """The command was understood and allowed; some answer nothing."""
    return "<--[HERE]" not in answer and "permission" not in answer


def without_colours(answer: str) -> str:
    """The answer without the codes for colours that some servers put in."""
    return re.sub("§.", "", answer).strip()


def numbers(answer: str) -> Iterator[float]:
    """The numbers in an answer, those within names left out."""
    return map(float, re.findall(r"(?<![\w.])-?\d+(?:\.\d+)?", answer))


def last_number(answer: str) -> float | None:
    """The last of them; None if there is none."""
    return next(iter(reversed(list(numbers(answer)))), None)


def last(pattern: str, answer: str) -> str:
    """The last match of a pattern; empty if there is none."""
    found = re.findall(pattern, answer)
    return str(found[-1]) if found else ""
