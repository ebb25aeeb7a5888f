"""The wall: many episodes of a run at once, each as a small map and timeline."""

from __future__ import annotations

from typing import Any

from django.db.models import Case, IntegerField, Value, When
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from webapp.access import get_run_for_user
from webapp.core.templatetags.ui import policy_name
from webapp.runs.models import Episode, Run, Status
from webapp.runs.scene import scene
from webapp.tasks.models import Task

SHOWN = 16
"""Episodes on one wall; each has a socket of its own."""
_ORDER = Case(
    When(status=Status.RUNNING, then=Value(0)),
    When(status=Status.QUEUED, then=Value(2)),
    default=Value(1),
    output_field=IntegerField(),
)
"""What runs first, then what has ended, then what waits."""


@require_safe
def wall(request: HttpRequest, run_id: int) -> HttpResponse:
    """The page; its script asks `episodes` now and then which episodes to show."""
    run = get_run_for_user(request.user, run_id)
    shown = _shown(run)
    tasks = {episode.task_id: episode.task for episode in shown}
    return render(
        request,
        "runs/wall.html",
        {
            "run": run,
            "episodes": shown,
            "wall": _described(run, shown),
            "scenes": {str(pk): scene(task) for pk, task in tasks.items()},
        },
    )


@require_safe
def episodes(request: HttpRequest, run_id: int) -> JsonResponse:
    """Which episodes to show: `{"episodes": [...], "running": n, "done": bool}`, and `scenes` of tasks asked for.

    `?known=<task>` (repeated) names tasks whose scenes the page has; others come along, by task.
    """
    run = get_run_for_user(request.user, run_id)
    shown = _shown(run)
    known = set(request.GET.getlist("known"))
    fresh: dict[int, Task] = {one.task_id: one.task for one in shown if str(one.task_id) not in known}
    scenes = {str(pk): scene(task) for pk, task in fresh.items()}
    return JsonResponse({**_described(run, shown), "scenes": scenes})


def _shown(run: Run) -> list[Episode]:
    found = run.episodes.select_related("task__suite").defer("result", "latencies")
    return list(found.order_by(_ORDER, "-started_at", "index")[:SHOWN])


def _described(run: Run, shown: list[Episode]) -> dict[str, Any]:
    return {
        "episodes": [_tile(episode) for episode in shown],
        "running": run.episodes.filter(status=Status.RUNNING).count(),
        "done": run.is_finished,
    }


def _tile(episode: Episode) -> dict[str, Any]:
    condition = [policy_name(episode.policy), episode.model, f"seed {episode.seed}"]
    return {
        "pk": episode.pk,
        "title": f"{episode.task.title}, episode {episode.index}",
        "condition": " · ".join(part for part in condition if part),
        "task": str(episode.task_id),
        "status": episode.status,
        "success": episode.success,
        "attempt": episode.attempt,
        "max_steps": episode.task.max_steps,
        "url": reverse("runs:episode", args=[episode.run_id, episode.index]),
        "socket": f"/ws/episodes/{episode.pk}/",
    }
