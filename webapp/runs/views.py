"""Pages of runs and episodes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from webapp.access import get_episode_for_user, get_run_for_user
from webapp.core import words
from webapp.core.params import number
from webapp.launch import what_if
from webapp.launch.forms import write_seeds
from webapp.live import log
from webapp.runs import beside
from webapp.runs import views_parts as parts
from webapp.runs.causes import told
from webapp.runs.forecast import forecast
from webapp.runs.models import ORACLE_OF, Episode, Run, Status
from webapp.runs.scene import scene
from webapp.runs.spending import LIMITS, TOO_LATE
from webapp.runs.summary import tallies, with_tallies
from webapp.runs.tables.conditions import AXES
from webapp.runs.views_parts import fragment
from webapp.tasks.models import Task

RUNS_A_PAGE = 50
EPISODES_A_PAGE = 100
EVENTS_A_PAGE = 500
SHOWN_FAULTS = 5
NARROWING = {"status": "status", "type": "task_type", "task": "task", **{axis: axis for axis in AXES}}
"""What a list of episodes can be narrowed by: its name in the address → the column."""


@require_safe
def run_list(request: HttpRequest) -> HttpResponse:
    """All runs, newest first; `?before=<id>` goes on from there, `?oracles=1` has also what oracles were watched in."""
    before, with_oracles = number(request.GET.get("before")), request.GET.get("oracles") == "1"
    found = Run.objects.all() if with_oracles else Run.objects.launched()
    if before is not None:
        found = found.filter(pk__lt=before)
    runs = list(found[: RUNS_A_PAGE + 1])
    shown = runs[:RUNS_A_PAGE]
    oracle_of = _oracle_of(shown)
    return render(
        request,
        "runs/list.html",
        {
            "runs": [(one, tally, oracle_of.get(one.pk)) for one, tally in with_tallies(shown)],
            "older": shown[-1].pk if len(runs) > RUNS_A_PAGE else None,
            "first_page": before is None,
            "with_oracles": with_oracles,
            "oracles": Run.objects.of_oracles().count(),
        },
    )


def _oracle_of(runs: Iterable[Run]) -> dict[int, Episode]:
    """By run: the episode beside which its oracle was first watched, where there is one."""
    keys = {run.pk: run.settings[ORACLE_OF] for run in runs if ORACLE_OF in run.settings}
    found = Episode.objects.only("run_id", "index").in_bulk(keys.values())
    return {run: found[key] for run, key in keys.items() if key in found}


@require_safe
def run(request: HttpRequest, run_id: int) -> HttpResponse:
    """One run: how far it is, what came out, and its episodes."""
    found = get_run_for_user(request.user, run_id)
    context = {"run": found, **_progress(found), **_episodes(request, found), "settings": _settings(found)}
    for part in parts.PARTS.values():
        context |= part.context(request, found)
    context["latency_changes"] = what_if.CHOICES if what_if.can_replay(found) else ()
    context["oracle_of"] = _oracle_of([found]).get(found.pk)
    return render(request, "runs/run.html", context)


@require_safe
def run_progress(request: HttpRequest, run_id: int) -> HttpResponse:
    """The part of a run's page above its episodes, as a fragment."""
    found = get_run_for_user(request.user, run_id)
    context = {"run": found, **_progress(found)}
    return fragment(request, "runs/_progress.html", context, done=not context["tally"].active)


@require_safe
def run_episodes(request: HttpRequest, run_id: int) -> HttpResponse:
    """One page of a run's episodes, as a fragment."""
    found = get_run_for_user(request.user, run_id)
    done = found.is_finished
    return fragment(request, "runs/_episodes.html", {"run": found, **_episodes(request, found)}, done=done)


def _progress(run: Run) -> dict[str, Any]:
    faulty = run.episodes.filter(status__in=(Status.ERROR, Status.LOST)).order_by("index")
    return {
        "tally": tallies([run.pk])[run.pk],
        "forecast": forecast(run),
        "replayed": what_if.replayed(run),
        "stopped_early": run.episodes.filter(status=Status.CANCELLED, error=TOO_LATE).count(),
        "faulty": faulty.only("run_id", "index", "error", "status")[:SHOWN_FAULTS],
    }


def _episodes(request: HttpRequest, run: Run) -> dict[str, Any]:
    """A page of episodes: those that the address asks for (`NARROWING`), that come after an index (`?after=`)."""
    after = number(request.GET.get("after")) or 0
    found = (
        run.episodes.select_related("task__suite")
        .defer("result", "latencies", "task__yaml", "task__goal")
        .order_by("index")
    )
    narrowed = _narrowed(request)
    page = list(found.filter(**narrowed, index__gt=after)[: EPISODES_A_PAGE + 1])
    shown = page[:EPISODES_A_PAGE]
    return {
        "episodes": shown,
        "status": narrowed.get("status", ""),
        "statuses": Status.choices,
        "narrowed": _words(narrowed),
        "kept": [(name, value) for name, value in request.GET.items() if name not in ("status", "after")],
        "after": after,
        "next": shown[-1].index if len(page) > EPISODES_A_PAGE else None,
        "query": request.GET.urlencode(),
    }


def _narrowed(request: HttpRequest) -> dict[str, Any]:
    """Filters of episodes that the address names; what cannot be understood is passed over."""
    asked = {
        column: request.GET[name].replace("\0", "")
        for name, column in NARROWING.items()
        if name in request.GET
    }
    if asked.get("status", "") not in Status.values:
        asked.pop("status", None)
    if "task" in asked and number(asked["task"]) is None:
        del asked["task"]
    return asked


def _words(narrowed: dict[str, Any]) -> list[str]:
    """What the list is narrowed to, for people; its status stands in the filter."""
    said = []
    for column, value in narrowed.items():
        if column == "task":
            title = Task.objects.filter(pk=value).values_list("title", flat=True).first()
            said.append(title or f"task {value}")
        elif column == "model":
            said.append(value or "no model")
        elif column == "task_type":
            said.append(words.KINDS.get(value, value))
        elif column != "status":
            said.append(value)
    return said


def _settings(run: Run) -> dict[str, Any]:
    tasks = Task.objects.filter(pk__in=run.settings.get("tasks", [])).order_by("title")
    limits = {
        name: {LIMITS[what]: limit for what, limit in run.settings.get(name, {}).items() if limit is not None}
        for name in ("budget", "run_budget")
    }
    return {
        **run.settings,
        **limits,
        "seeds": write_seeds(run.settings.get("seeds", [])),
        "tasks": tasks,
    }


@require_safe
def episode(request: HttpRequest, run_id: int, index: int) -> HttpResponse:
    """One episode: its live timeline, its events, and what came out; `?beside=<key>` shows another one beside it."""
    found = get_episode_for_user(request.user, run_id, index)
    other, fault = beside.chosen(request.user, found, request.GET)
    neighbours = Episode.objects.filter(run=run_id, index__in=(index - 1, index + 1)).values_list(
        "index", flat=True
    )
    return render(
        request,
        "runs/episode.html",
        {
            "episode": found,
            "breakdown": _breakdown(found),
            "latency_changes": what_if.CHOICES if found.model and found.status in what_if.REPLAYABLE else (),
            "causes": told(found),
            "scene": scene(found.task),
            **beside.context(found, other),
            "beside_fault": fault,
            "offered": beside.offered(found),
            "previous": index - 1 if index - 1 in neighbours else None,
            "next": index + 1 if index + 1 in neighbours else None,
        },
    )


@require_safe
def episode_head(request: HttpRequest, run_id: int, index: int) -> HttpResponse:
    """Where the episode stands, and what can be done about it, as a fragment."""
    found = get_episode_for_user(request.user, run_id, index)
    other, _ = beside.chosen(request.user, found, request.GET)
    context = {"episode": found, **beside.context(found, other)}
    return fragment(request, "runs/_head.html", context, done=not found.is_active)


def _breakdown(episode: Episode) -> list[dict[str, Any]]:
    """How each agent spent its steps, and as shares for the bars."""
    result = episode.result or {}
    rows = []
    for agent, steps in result.get("breakdown", {}).items():
        total = sum(steps.values()) or 1
        parts = [
            (kind, steps[kind], 100 * steps[kind] / total) for kind in ("planning", "action", "idle", "dead")
        ]
        rows.append({"agent": agent, "parts": parts})
    return rows


@require_safe
def event_table(request: HttpRequest, run_id: int, index: int) -> HttpResponse:
    """The event log as a plain table, a page at a time (`?after=<seq>`); needs no JavaScript."""
    found = get_episode_for_user(request.user, run_id, index)
    after = number(request.GET.get("after")) or 0
    events = _events(found, after, EVENTS_A_PAGE + 1)
    shown = events[:EVENTS_A_PAGE]
    return render(
        request,
        "runs/events.html",
        {
            "episode": found,
            "events": shown,
            "after": after,
            "next": shown[-1]["seq"] if len(events) > EVENTS_A_PAGE else None,
        },
    )


def _events(episode: Episode, after: int, limit: int) -> list[dict[str, Any]]:
    """The first `limit` events with a number above `after`, decoded."""
    events = [msgspec.json.decode(line) for line in log.page(episode, after, limit)]
    return [{**event, "agent": event["payload"].get("agent", "")} for event in events]
