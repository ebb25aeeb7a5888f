"""What the episode page knows of the task before the log says anything: the map's bounds, and crises to come."""

from __future__ import annotations

from typing import Any

from engine.spec.loader import check_text
from webapp.tasks.models import Task
from webapp.tasks.preview import preview


def scene(task: Task) -> dict[str, Any]:
    """`bounds` and `fills` as the task's preview has them; none where today's rules refuse the task's text."""
    spec = check_text(task.yaml, task.slug).spec
    if spec is None:
        return {"bounds": None, "fills": []}
    data = preview(spec)
    return {"bounds": data["bounds"], "fills": data["fills"]}
