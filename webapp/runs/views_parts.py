"""The tables of a run's page, each as a part that refreshes by itself, and as files."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from webapp.access import get_run_for_user
from webapp.runs.causes import summed
from webapp.runs.models import Run
from webapp.runs.tables.chart import bars
from webapp.runs.tables.costs import COUNTED, costs
from webapp.runs.tables.files import TABLES, Row, as_csv, as_json
from webapp.runs.tables.oracle import beside_oracle
from webapp.runs.tables.steps import steps
from webapp.runs.tables.success import success

SHOWN_ROWS = 200
"""Most rows of a table on the page; the files hold all."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the run's page.

    Attributes:
        template: draws it.
        context: what the template needs, by names that no other part uses.
    """

    template: str
    context: Callable[[HttpRequest, Run], dict[str, Any]]


def _success(request: HttpRequest, run: Run) -> dict[str, Any]:
    by_task = request.GET.get("by") == "task"
    rows = success(run, by_task=by_task, limit=SHOWN_ROWS + 1)
    return {
        "by_task": by_task,
        "success_rows": rows[:SHOWN_ROWS],
        "more_success_rows": len(rows) > SHOWN_ROWS,
        "success_file": "success-by-task" if by_task else "success",
    }


def _steps(request: HttpRequest, run: Run) -> dict[str, Any]:
    waiting_is_idle = request.GET.get("waiting") == "idle"
    rows = steps(run, waiting_is_idle=waiting_is_idle)
    return {
        "waiting_is_idle": waiting_is_idle,
        "steps_rows": rows[:SHOWN_ROWS],
        "more_steps_rows": len(rows) > SHOWN_ROWS,
        "steps_bars": bars(rows[:SHOWN_ROWS]),
        "steps_file": "steps-waiting-is-idle" if waiting_is_idle else "steps",
    }


def _costs(_request: HttpRequest, run: Run) -> dict[str, Any]:
    rows = costs(run)
    cells = [
        (row, {name: (row.means[name], row.sums[name]) for name in COUNTED}) for row in rows[:SHOWN_ROWS]
    ]
    return {"costs_rows": cells, "more_costs_rows": len(rows) > SHOWN_ROWS}


def _oracle(_request: HttpRequest, run: Run) -> dict[str, Any]:
    return {"oracle_rows": beside_oracle(run)[:SHOWN_ROWS]}


def _causes(_request: HttpRequest, run: Run) -> dict[str, Any]:
    return {"causes": summed(run)}


PARTS: Mapping[str, Part] = {
    "success": Part("runs/_success.html", _success),
    "steps": Part("runs/_steps.html", _steps),
    "causes": Part("runs/_causes.html", _causes),
    "oracle": Part("runs/_oracle.html", _oracle),
    "costs": Part("runs/_costs.html", _costs),
}
"""The parts by their name in the address."""


@require_safe
def part(request: HttpRequest, run_id: int, name: str) -> HttpResponse:
    """One part as a fragment."""
    found = get_run_for_user(request.user, run_id)
    if name not in PARTS:
        raise Http404
    done = found.is_finished  # asked first, so that the last refresh shows the last episode
    context = {"run": found, **PARTS[name].context(request, found)}
    return fragment(request, PARTS[name].template, context, done=done)


def fragment(request: HttpRequest, template: str, context: dict[str, Any], *, done: bool) -> HttpResponse:
    """A part of a page that refreshes itself until it is told that nothing will change any more."""
    response = render(request, template, context)
    if done:
        response["X-Refresh-Done"] = "1"
    return response


@require_safe
def table_csv(request: HttpRequest, run_id: int, name: str) -> HttpResponse:
    """A table as CSV."""
    _, rows = _table(request, run_id, name)
    return _file(as_csv(rows), "text/csv; charset=utf-8", f"run-{run_id}-{name}.csv")


@require_safe
def table_json(request: HttpRequest, run_id: int, name: str) -> HttpResponse:
    """A table as JSON: `{"run", "name", "table", "rows"}`."""
    run, rows = _table(request, run_id, name)
    return _file(as_json(run, name, rows), "application/json", f"run-{run_id}-{name}.json")


def _table(request: HttpRequest, run_id: int, name: str) -> tuple[Run, list[Row]]:
    run = get_run_for_user(request.user, run_id)
    if name not in TABLES:
        raise Http404
    return run, TABLES[name](run)


def _file(body: str, content_type: str, name: str) -> HttpResponse:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(body, content_type=content_type, headers=headers)
