"""The launch form."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from engine.agents.policies import POLICIES
from webapp.core import words
from webapp.core.params import number
from webapp.launch.actions import MAX_EPISODES, launch
from webapp.launch.forms import LaunchForm, default_name, episodes, write_seeds
from webapp.runs.models import Run
from webapp.tasks.models import Task


@require_http_methods(["GET", "HEAD", "POST"])
def launch_form(request: HttpRequest) -> HttpResponse:
    """Show the form, filled for a task (`?task=`) or like an earlier run (`?run=`); POST launches."""
    if request.method != "POST":
        return _page(request, LaunchForm(initial=_initial(request)))
    form = LaunchForm(request.POST)
    if not form.is_valid():
        return _page(request, form, status=400)
    data = form.cleaned_data
    try:
        run = launch(
            name=data["name"] or default_name(data["tasks"], data["policies"], data["modes"]),
            tasks=list(data["tasks"]),
            policies=data["policies"],
            modes=data["modes"],
            worlds=data["worlds"],
            seeds=data["seeds"],
            repeats=data["repeats"],
            pace=data["pace"],
        )
    except ValidationError as fault:
        form.add_error(None, fault)
        return _page(request, form, status=400)
    return redirect(run.episodes.get() if episodes(data) == 1 else run)


def _page(request: HttpRequest, form: LaunchForm, status: int = 200) -> HttpResponse:
    chosen = {str(value) for value in form["tasks"].value() or []}
    tasks = list(form.fields["tasks"].queryset)  # type: ignore[attr-defined]
    return render(
        request,
        "launch/form.html",
        {
            "form": form,
            "suites": [(suite, list(group)) for suite, group in groupby(tasks, key=lambda task: task.suite)],
            "chosen": chosen,
            "options": _options(form),
            "max_episodes": MAX_EPISODES,
        },
        status=status,
    )


def _options(form: LaunchForm) -> list[dict[str, Any]]:
    """The checkbox groups besides the tasks, each choice with a hint."""
    hints = {
        "policies": {name: info.description for name, info in POLICIES.items()},
        "modes": dict(words.MODE_HINTS),
        "worlds": dict(words.WORLD_HINTS),
    }
    return [
        {
            "field": form[name],
            "choices": [
                {
                    "value": value,
                    "label": label,
                    "hint": hint.get(value, ""),
                    "on": value in (form[name].value() or []),
                }
                for value, label in form.fields[name].choices  # type: ignore[attr-defined]
            ],
        }
        for name, hint in hints.items()
    ]


def _initial(request: HttpRequest) -> dict[str, Any]:
    """What to fill in beforehand. A number in the address that names nothing is passed over."""
    earlier = number(request.GET.get("run"))
    run = Run.objects.filter(pk=earlier).first() if earlier is not None else None
    if run:
        return {
            **{name: run.settings[name] for name in ("tasks", "policies", "modes", "worlds", "repeats")},
            "seeds": write_seeds(run.settings["seeds"]),
            "pace": f"{run.pace:g}",
            "name": run.name,
        }
    asked = [pk for value in request.GET.getlist("task") if (pk := number(value)) is not None]
    chosen = (
        Task.objects.filter(pk__in=asked) if asked else Task.objects.filter(source=Task.Source.SAMPLE)[:1]
    )
    return {"tasks": [task.pk for task in chosen]}
