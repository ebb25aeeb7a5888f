"""What the step chart draws: one bar for each condition and team size."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from webapp.core import words
from webapp.runs.tables.conditions import Condition
from webapp.runs.tables.steps import StepsRow


def bars(rows: Sequence[StepsRow]) -> list[dict[str, Any]]:
    """Each bar's label and its shares in per cent, `{"label", "agents", "episodes", "shares"}`."""
    return [
        {
            "label": name(row.condition),
            "agents": row.agents,
            "episodes": row.episodes,
            "shares": {activity: round(share, 2) for activity, share in row.shares.items()},
        }
        for row in rows
    ]


def name(condition: Condition) -> str:
    """A condition in words, models that are none marked: `centralized · scripted:latency=5 (no LLM) · async`."""
    model = f"{condition.model} (no LLM)" if condition.is_scripted else condition.model
    world = condition.world if len(words.WORLDS) > 1 else ""
    return " · ".join(part for part in (condition.policy, model, condition.mode, world) if part)
