"""The first page: what to click first, what runs now, what ran lately."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from webapp.runs.models import Episode, Run, Status
from webapp.runs.summary import with_tallies
from webapp.tasks.models import Task

SHOWN_LIVE = 12
SHOWN_RECENT = 8
FIRST_TASK = "gold-rush"


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """The whole page."""
    samples = Task.objects.filter(source=Task.Source.SAMPLE).select_related("suite")
    first = samples.filter(slug=FIRST_TASK).first() or samples.first()
    return render(request, "home/index.html", {"first": first, **_live(), **_recent()})


@require_safe
def live(request: HttpRequest) -> HttpResponse:
    """The episodes that run now, as a fragment."""
    return render(request, "home/_live.html", _live())


@require_safe
def recent(request: HttpRequest) -> HttpResponse:
    """The latest runs, as a fragment."""
    return render(request, "home/_recent.html", _recent())


def _live() -> dict[str, Any]:
    running = Episode.objects.filter(status=Status.RUNNING)
    episodes = running.select_related("task", "run").order_by("-started_at", "-pk")[: SHOWN_LIVE + 1]
    return {
        "live": episodes[:SHOWN_LIVE],
        "more_live": len(episodes) > SHOWN_LIVE,
        "queued": Episode.objects.filter(status=Status.QUEUED).count(),
    }


def _recent() -> dict[str, Any]:
    return {"runs": with_tallies(Run.objects.launched()[:SHOWN_RECENT])}
