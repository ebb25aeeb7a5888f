"""The wall: the episodes of a run at once, each as a small map and timeline."""

from __future__ import annotations

from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import Case, F, IntegerField, Q, Value, When
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from webapp.access import get_run_for_user
from webapp.core.templatetags.ui import policy_name, world_name
from webapp.runs.models import Episode, Run, Status
from webapp.runs.scene import scene
from webapp.tasks.models import Task

EPISODES_A_PAGE = 64
"""The page streams only those that are in view."""
_FAULTS = (Status.ERROR, Status.LOST, Status.CANCELLED)
SHOWN = {
    "all": ("all episodes", Q()),
    "running": ("running", Q(status=Status.RUNNING)),
    "queued": ("queued", Q(status=Status.QUEUED)),
    "success": ("successes", Q(success=True)),
    "failure": ("failures", Q(success=False)),
    "broken": ("broken off", Q(status__in=_FAULTS)),
}
"""Which episodes `?show=` asks for: its words, and the filter. The first one unless asked."""
_STATE = Case(
    When(status=Status.RUNNING, then=Value(0)),
    When(status=Status.QUEUED, then=Value(2)),
    default=Value(1),
    output_field=IntegerField(),
)
"""What runs, then what has ended, then what waits."""
SORTED = {
    "running": ("running first", (_STATE, F("started_at").desc(nulls_last=True), "index")),
    "number": ("by number", ("index",)),
    "lowest": ("lowest score first", (F("partial_score").asc(nulls_last=True), "index")),
    "highest": ("highest score first", (F("partial_score").desc(nulls_last=True), "index")),
}
"""In which order `?sort=` asks for them."""


@require_safe
def wall(request: HttpRequest, run_id: int) -> HttpResponse:
    """The page; its script asks `episodes` now and then which episodes to show."""
    run = get_run_for_user(request.user, run_id)
    page = _page(request, run)
    tasks = {episode.task_id: episode.task for episode in page}
    return render(
        request,
        "runs/wall.html",
        {
            "run": run,
            "page": page,
            "choices": [
                ("show", "Which", _options(SHOWN), _asked(request, "show", SHOWN)),
                ("sort", "Order", _options(SORTED), _asked(request, "sort", SORTED)),
            ],
            "wall": _described(run, page),
            "scenes": {str(pk): scene(task) for pk, task in tasks.items()},
            "query": request.GET.urlencode(),
        },
    )


@require_safe
def episodes(request: HttpRequest, run_id: int) -> JsonResponse:
    """Which episodes to show: `{"episodes": [...], "running", "count", "done"}`, and `scenes` of tasks not yet known.

    `?show=`, `?sort=` and `?page=` as on the page; `?known=<task>` (repeated) names tasks whose scenes the page has.
    """
    run = get_run_for_user(request.user, run_id)
    page = _page(request, run)
    known = set(request.GET.getlist("known"))
    fresh: dict[int, Task] = {one.task_id: one.task for one in page if str(one.task_id) not in known}
    scenes = {str(pk): scene(task) for pk, task in fresh.items()}
    return JsonResponse({**_described(run, page), "scenes": scenes})


def _asked(request: HttpRequest, name: str, choices: dict[str, tuple[str, Any]]) -> str:
    """What the address asks for; the first choice where it asks for none of them."""
    asked = request.GET.get(name, "")
    return asked if asked in choices else next(iter(choices))


def _options(choices: dict[str, tuple[str, Any]]) -> list[tuple[str, str]]:
    return [(value, words) for value, (words, _) in choices.items()]


def _page(request: HttpRequest, run: Run) -> Page[Episode]:
    _, wanted = SHOWN[_asked(request, "show", SHOWN)]
    _, order = SORTED[_asked(request, "sort", SORTED)]
    found = run.episodes.filter(wanted).select_related("task__suite").defer("result", "latencies")
    return Paginator(found.order_by(*order), EPISODES_A_PAGE).get_page(request.GET.get("page"))


def _described(run: Run, page: Page[Episode]) -> dict[str, Any]:
    return {
        "episodes": [_tile(episode) for episode in page],
        "running": run.episodes.filter(status=Status.RUNNING).count(),
        "count": page.paginator.count,
        "done": run.is_finished,
    }


def _tile(episode: Episode) -> dict[str, Any]:
    world = "" if episode.world == "simulator" else world_name(episode.world).lower()
    condition = [policy_name(episode.policy), episode.model, episode.mode, world, f"seed {episode.seed}"]
    return {
        "pk": episode.pk,
        "title": f"{episode.task.title}, episode {episode.index}",
        "condition": " · ".join(part for part in condition if part),
        "task": str(episode.task_id),
        "status": episode.status,
        "success": episode.success,
        "attempt": episode.attempt,
        "tick": episode.world_tick,
        "max_steps": episode.task.max_steps,
        "url": episode.get_absolute_url(),
        "socket": f"/ws/episodes/{episode.pk}/",
    }
