"""Budgets on the command line."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django.core.management.base import CommandParser

from engine.episode.settings import Budget
from engine.errors import Fault
from webapp.runs.spending import LIMITS

NONE = "none"
"""Written for no limit."""
WHOLE = ("inferences", "tokens")
"""Limits that are counts."""


def add_budget(parser: CommandParser, prefix: str, what: str) -> None:
    """Add `--PREFIX-usd` and its like.

    Args:
        parser: the command's.
        prefix: `budget`, or `episode-budget` where there is also one of the whole run.
        what: whose budget it is, as `of the episode`.
    """
    for name, words in LIMITS.items():
        parser.add_argument(
            f"--{prefix}-{name.replace('_', '-')}",
            metavar="N",
            help=f"most {words} {what}, or `{NONE}`",
        )


def read_budget(options: Mapping[str, Any], prefix: str, default: Budget) -> tuple[Budget, list[Fault]]:
    """The budget that the options ask for, and what is wrong with them; what they leave out is as in the default."""
    found: dict[str, Any] = {}
    faults = []
    for name in LIMITS:
        text: str | None = options[f"{prefix}_{name}".replace("-", "_")]
        if text is None:
            continue
        try:
            found[name] = None if text == NONE else _amount(text, whole=name in WHOLE)
        except ValueError:
            kind = "a whole number" if name in WHOLE else "a number"
            path = f"--{prefix}-{name.replace('_', '-')}"
            faults.append(Fault(None, path, f"{text[:40]!r} is not {kind} above 0, nor `{NONE}`"))
    return replace(default, **found), faults


def _amount(text: str, *, whole: bool) -> float | int:
    number = int(text) if whole else float(text)
    if not (math.isfinite(number) and number > 0):
        raise ValueError(text)
    return number
