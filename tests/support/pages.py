"""Looking at pages in tests."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Any

from django.http import HttpResponse

from tests.support.builders import make_task
from webapp.launch.actions import Grid, launch
from webapp.runs.models import Run
from webapp.tasks.models import Task


class Page(HTMLParser):
    """What a test asks of an answer: its elements, and the text of each.

    Attributes:
        elements: (tag, attributes) in order.
        scripts: the text of scripts that would be executed, of which there should be none.
        text: all text outside scripts, white space collapsed.
    """

    def __init__(self, answer: HttpResponse | Any) -> None:
        super().__init__()
        self.status = answer.status_code
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.scripts: list[str] = []
        self._words: list[str] = []
        self._in: list[bool] = []
        self.html = answer.content.decode()
        self.feed(self.html)
        self.text = " ".join(" ".join(self._words).split())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        self.elements.append((tag, values))
        if tag == "script":
            self._in.append(values.get("type") != "application/json")

    def handle_endtag(self, tag: str) -> None:
        if tag == "script":
            self._in.pop()

    def handle_data(self, data: str) -> None:
        if not self._in:
            self._words.append(data)
        elif self._in[-1] and data.strip():
            self.scripts.append(data)

    def all(self, tag: str, **wanted: str) -> list[dict[str, str]]:
        """The attributes of the elements of that kind that have the wanted ones."""
        wanted = {name.rstrip("_").replace("_", "-"): value for name, value in wanted.items()}
        return [found for kind, found in self.elements if kind == tag and wanted.items() <= found.items()]

    def ids(self) -> list[str]:
        """All ids, in order."""
        return [found["id"] for _, found in self.elements if "id" in found]


def make_launch(tasks: list[Task] | None = None, **changes: Any) -> Run:
    """A run as the launch form makes it: one episode of the sample task unless something else is asked for."""
    choices: dict[str, Any] = {
        "tasks": [Task.objects.first() or make_task()] if tasks is None else tasks,
        "policies": ["oracle"],
        "modes": ["sync"],
        "worlds": ["simulator"],
        "seeds": [0],
    }
    how: dict[str, Any] = {"name": "A run", "pace": 4.0}
    for name, value in changes.items():
        (choices if name in Grid.__annotations__ else how)[name] = value
    return launch(Grid(**choices), **how)


RESULT: dict[str, Any] = {
    "success": True,
    "partial_score": 0.75,
    "checkpoints": [{"name": "deposit raw_gold", "have": 6, "need": 8}],
    "steps": 20.0,
    "status": "finished",
    "breakdown": {"Ada": {"planning": 1.0, "action": 12.5, "idle": 6.5, "dead": 0.0}},
    "costs": {
        "inferences": 3,
        "latency_s": {"total": 60.0, "mean": 20.0, "p50": 20.0, "p95": 21.0},
        "prompt_tokens": 1234,
        "completion_tokens": 56,
        "cost_usd": None,
        "messages": 0,
        "message_bytes": 0,
        "re_asks": 0,
        "parse_errors": 0,
        "replayed": 0,
    },
    "events": 1234,
    "wall_seconds": 0.31,
}
"""A result as an ended episode stores it."""

CAUSES: list[dict[str, Any]] = [
    {
        "name": "death",
        "agent": "Ada",
        "tick": 250,
        "events": [7, 12],
        "detail": "Ada was killed by lava at step 12.5.",
        "weight": 87.5,
        "subject": "lava",
    },
    {
        "name": "stale_target",
        "agent": "<b>Ben</b>",
        "tick": 40,
        "events": [600],
        "detail": "<b>Ben</b> went for the oak log at [1, 64, 2], which vanished at step 2.",
        "weight": 1.0,
        "subject": "",
    },
]
"""Causes of failure as a failed episode stores them; the names in them are whatever a task says."""
