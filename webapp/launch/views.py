"""The launch form."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from engine.agents.policies import POLICIES
from webapp.core import words
from webapp.core.params import number
from webapp.launch.actions import MAX_EPISODES, launch
from webapp.launch.estimates import estimate
from webapp.launch.forms import LaunchForm, budget, default_name, grid, write_budget, write_seeds
from webapp.runs import providers
from webapp.runs.models import Run
from webapp.servers.models import MinecraftServer
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
    chosen = grid(data)
    try:
        run = launch(
            chosen,
            name=data["name"] or default_name(chosen),
            pace=data["pace"],
            budget=budget(data, "budget"),
            run_budget=budget(data, "run_budget"),
        )
    except ValidationError as fault:
        form.add_error(None, fault)
        return _page(request, form, status=400)
    return redirect(run.episodes.get() if len(chosen) == 1 else run)


@require_POST
def launch_estimate(request: HttpRequest) -> HttpResponse:
    """What the form, as it stands, will probably take, as a fragment; empty while the form is not valid."""
    form = LaunchForm(request.POST)
    if not form.is_valid():
        return HttpResponse("")
    return render(request, "launch/_estimate.html", {"estimate": _estimate(form.cleaned_data)})


def _estimate(data: dict[str, Any]) -> dict[str, Any]:
    chosen = grid(data)
    return estimate(chosen.kinds(), chosen.real_pace(data["pace"])).plain()


def _page(request: HttpRequest, form: LaunchForm, status: int = 200) -> HttpResponse:
    chosen = {str(value) for value in form["tasks"].value() or []}
    budgets = _budgets(form)
    tasks = list(form.fields["tasks"].queryset)  # type: ignore[attr-defined]
    return render(
        request,
        "launch/form.html",
        {
            "form": form,
            "suites": [(suite, list(group)) for suite, group in groupby(tasks, key=lambda task: task.suite)],
            "chosen": chosen,
            "options": _options(form),
            "budgets": budgets,
            "budget_open": any(field.errors for group in budgets for field in group["fields"]),
            "servers": MinecraftServer.objects.all(),
            "asking": " ".join(name for name, info in POLICIES.items() if info.needs_model),
            "max_episodes": MAX_EPISODES,
        },
        status=status,
    )


def _budgets(form: LaunchForm) -> list[dict[str, Any]]:
    """The fields of what an episode, and the whole run, may spend."""
    limits = ("minutes", "inferences", "tokens", "usd")
    return [
        {"title": title, "fields": [form[f"{prefix}_{name}"] for name in limits]}
        for prefix, title in (("budget", "Each episode may spend"), ("run_budget", "The whole run may spend"))
    ]


def _options(form: LaunchForm) -> list[dict[str, Any]]:
    """The checkbox groups besides the tasks, each choice with a hint."""
    hints = {
        "policies": {name: info.description for name, info in POLICIES.items()},
        "models": {providers.SCRIPTED: providers.SCRIPTED_HINT},
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
            **_models(run.settings.get("models", [])),
            **(write_budget(run.settings["budget"], "budget") if "budget" in run.settings else {}),
            **write_budget(run.settings.get("run_budget", {}), "run_budget"),
            "seeds": write_seeds(run.settings["seeds"]),
            "pace": f"{run.pace:g}",
            "server": run.settings.get("server", ""),
            "name": run.name,
        }
    asked = [pk for value in request.GET.getlist("task") if (pk := number(value)) is not None]
    chosen = (
        Task.objects.filter(pk__in=asked) if asked else Task.objects.filter(source=Task.Source.SAMPLE)[:1]
    )
    return {"tasks": [task.pk for task in chosen]}


def _models(names: list[str]) -> dict[str, Any]:
    """An earlier run's models: those that can be ticked, and the others by name."""
    known = [name for name, _ in providers.known_models()]
    if not names:
        return {}
    return {
        "models": [name for name in names if name in known],
        "more_models": " ".join(name for name in names if name not in known),
    }
