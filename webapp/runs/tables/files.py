"""Tables as files: CSV that a spreadsheet may open without harm, and JSON."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Mapping
from io import StringIO
from typing import Any

from webapp.runs.causes import summed
from webapp.runs.models import Run
from webapp.runs.tables.conditions import AXES, Condition
from webapp.runs.tables.costs import costs
from webapp.runs.tables.oracle import beside_oracle
from webapp.runs.tables.steps import steps
from webapp.runs.tables.success import success

Row = dict[str, Any]

HARMFUL = ("=", "+", "-", "@", "\t", "\0")
"""First characters that make a spreadsheet take a cell's text for a formula (ASVS 1.2.10)."""

EPISODE_COLUMNS = (
    "seed", "repeat", "status", "success", "partial_score", "steps", "n_inferences", "latency_s", "prompt_tokens",
    "completion_tokens", "cost_usd", "messages", "message_bytes", "re_asks", "parse_errors", "planning_steps",
    "action_steps", "idle_steps", "dead_steps", "wall_seconds", "error",
)  # fmt: skip


def _episodes(run: Run) -> list[Row]:
    """One row an episode: what it was, and what it came to."""
    rows = run.episodes.order_by("index").values(
        "index", "task__suite__slug", "task__slug", "task_type", "agents", *AXES, *EPISODE_COLUMNS
    )
    return [
        {
            "episode": row["index"],
            "task": f"{row['task__suite__slug']}/{row['task__slug']}",
            "task_type": row["task_type"],
            "agents": row["agents"],
            **Condition.of(row).plain(),
            **{name.removeprefix("n_"): row[name] for name in EPISODE_COLUMNS},
        }
        for row in rows
    ]


TABLES: Mapping[str, Callable[[Run], list[Row]]] = {
    "success": lambda run: [row.plain() for row in success(run)],
    "success-by-task": lambda run: [row.plain() for row in success(run, by_task=True)],
    "steps": lambda run: [row.plain() for row in steps(run)],
    "steps-waiting-is-idle": lambda run: [row.plain() for row in steps(run, waiting_is_idle=True)],
    "costs": lambda run: [row.plain() for row in costs(run)],
    "oracle": lambda run: [row.plain() for row in beside_oracle(run)],
    "causes": lambda run: [row.plain() for row in summed(run)],
    "episodes": _episodes,
}
"""Every table that can be had as a file, by its name in the address."""


def as_csv(rows: list[Row]) -> str:
    """A header and the rows; nothing at all where there are none."""
    if not rows:
        return ""
    text = StringIO()
    writer = csv.DictWriter(text, fieldnames=list(rows[0]))
    writer.writeheader()
    writer.writerows({name: cell(value) for name, value in row.items()} for row in rows)
    return text.getvalue()


def cell(value: Any) -> Any:
    """The value as a cell: text that looks like a formula gets an apostrophe in front; numbers stay as they are."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str) and value.startswith(HARMFUL) and not _is_number(value):
        return f"'{value}"
    return value


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return text.strip() == text


def as_json(run: Run, name: str, rows: list[Row]) -> str:
    """`{"run", "name", "table", "rows"}`."""
    return json.dumps({"run": run.pk, "name": run.name, "table": name, "rows": rows}, allow_nan=False)
