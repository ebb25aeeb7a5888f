"""Latencies that a scripted model declares: `20`, `constant(20)`, `uniform(10, 30)`, `lognormal(20, 0.5)`."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from engine.errors import SettingsError

PAPER_LATENCY_S = 20.0
"""What a call took in the paper on average."""
LONGEST_S = 3_600.0

_FORM = re.compile(r"(?P<kind>[a-z]+)\((?P<numbers>[^()]*)\)")


@dataclass(frozen=True, slots=True)
class Latency:
    """A distribution of seconds.

    Attributes:
        text: as it is written in a model's name.
        draw: a value, by the given generator.
    """

    text: str
    draw: Callable[[Random], float]


def parse(text: str) -> Latency:
    """The distribution that the text names.

    Raises:
        SettingsError: it names none, or one that reaches below 0 or above an hour.
    """
    found = _FORM.fullmatch(text)
    kind, inside = (found["kind"], found["numbers"]) if found else ("constant", text)
    numbers = _numbers(inside)
    make = _KINDS.get(kind)
    if numbers is None or make is None or len(numbers) != make[0]:
        raise SettingsError(
            f"unknown latency {text!r}: expected seconds, constant(s), uniform(low, high) or lognormal(mean, sigma)"
        )
    if not all(0 <= number <= LONGEST_S for number in numbers) or (
        kind == "uniform" and numbers[0] > numbers[1]
    ):
        raise SettingsError(f"latency {text!r} is out of range: 0 to {LONGEST_S:g} s, the lower bound first")
    return Latency(text, make[1](*numbers))


def _numbers(text: str) -> list[float] | None:
    try:
        numbers = [float(part) for part in text.split(",")]
    except ValueError:
        return None
    return numbers if all(map(math.isfinite, numbers)) else None


def _constant(seconds: float) -> Callable[[Random], float]:
    return lambda _: seconds


def _uniform(low: float, high: float) -> Callable[[Random], float]:
    return lambda random: round(random.uniform(low, high), 3)


def _lognormal(mean: float, sigma: float) -> Callable[[Random], float]:
    """The mean is that of the seconds, sigma the standard deviation of their logarithm."""
    if mean == 0:
        return _constant(0.0)
    mu = math.log(mean) - sigma * sigma / 2
    return lambda random: round(min(random.lognormvariate(mu, sigma), LONGEST_S), 3)


_KINDS: dict[str, tuple[int, Callable[..., Callable[[Random], float]]]] = {
    "constant": (1, _constant),
    "uniform": (2, _uniform),
    "lognormal": (2, _lognormal),
}
