"""The task library, a task's page, and adding a task."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from django.contrib import messages
from django.core.cache import cache
from django.db import IntegrityError
from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.views.decorators.http import require_http_methods, require_safe

from engine import VERSION
from engine.spec.loader import check_text, digest
from webapp.runs.models import Episode
from webapp.tasks.agenda import agenda
from webapp.tasks.difficulty import difficulty
from webapp.tasks.forms import OWN_SUITE, FilterForm, TaskForm
from webapp.tasks.models import Task
from webapp.tasks.preview import preview
from webapp.tasks.rehearsal import rehearse
from webapp.tasks.store import add_task

SHOWN = 500
"""Tasks listed at most; beyond that the filter must narrow the list."""
SHOWN_EPISODES = 4


@require_safe
def library(request: HttpRequest) -> HttpResponse:
    """All suites and their tasks, narrowed by type and text."""
    form = FilterForm(request.GET)
    tasks = _filtered(form)
    found = list(tasks[: SHOWN + 1])
    shown = found[:SHOWN]
    return render(
        request,
        "tasks/library.html",
        {
            "form": form,
            "suites": [(suite, list(group)) for suite, group in groupby(shown, key=lambda task: task.suite)],
            "shown": len(shown),
            "cut": len(found) > SHOWN,
            "filtered": any(request.GET.get(name) for name in form.fields),
        },
    )


def _filtered(form: FilterForm) -> QuerySet[Task]:
    tasks = Task.objects.select_related("suite").defer("yaml").order_by("suite__title", "suite", "title")
    if not form.is_valid():
        return tasks.none()
    if kind := form.cleaned_data["type"]:
        tasks = tasks.filter(type=kind)
    for word in form.cleaned_data["q"].split():
        tasks = tasks.filter(Q(title__icontains=word) | Q(goal__icontains=word) | Q(slug__icontains=word))
    return tasks


@require_safe
def task(request: HttpRequest, suite: str, slug: str) -> HttpResponse:
    """One task: what is asked, of whom, and what happens meanwhile."""
    found = _find(suite, slug)
    report = check_text(found.yaml, found.slug)
    spec = report.spec
    return render(
        request,
        "tasks/task.html",
        {
            "task": found,
            "spec": spec,
            "faults": report.errors,
            "warnings": report.warnings,
            "agenda": agenda(spec) if spec else [],
            "difficulty": difficulty(spec) if spec else None,
            "preview": preview(spec) if spec else None,
            "lines": numbered(found.yaml),
            "recent": _recent(found),
        },
    )


def _recent(found: Task) -> QuerySet[Episode]:
    begun = found.episodes.filter(started_at__isnull=False).select_related("run").defer("result")
    return begun.order_by("-started_at")[:SHOWN_EPISODES]


@require_safe
def yaml(_request: HttpRequest, suite: str, slug: str) -> HttpResponse:
    """The task's file as it was written."""
    found = _find(suite, slug)
    response = HttpResponse(found.yaml, content_type="application/yaml; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{found.slug}.yaml"'
    return response


@require_safe
def rehearsal(_request: HttpRequest, suite: str, slug: str) -> JsonResponse:
    """What the environment does by itself, for the animation on the task's page; worked out once for each task."""
    found = _find(suite, slug)
    spec = check_text(found.yaml, found.slug).spec
    if spec is None:
        raise Http404("This version cannot run the task.")
    key = f"rehearsal:{VERSION}:{digest(spec)}"
    return JsonResponse(cache.get_or_set(key, lambda: rehearse(spec), timeout=None))


def _find(suite: str, slug: str) -> Task:
    return get_object_or_404(Task.objects.select_related("suite"), suite__slug=suite, slug=slug)


@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """Add a task from pasted YAML or a file. A refused one comes back with its faults and all of its text."""
    if request.method != "POST":
        return render(request, "tasks/new.html", {"form": TaskForm(initial={"suite": OWN_SUITE})})
    form = TaskForm(request.POST, request.FILES)
    if form.is_valid() and form.spec is not None:
        data = form.cleaned_data
        try:
            added = add_task(data["suite"], data["slug"], data["title"], form.yaml, form.spec)
        except IntegrityError:  # somebody else added it since it was checked
            form.add_error("title", f"The suite already has a task “{data['slug']}”. Choose another title.")
        else:
            messages.success(request, f"“{added.title}” is in the library.")
            return redirect(added)
    form.keep()
    marked = {fault.line for fault in form.faults}
    return render(
        request,
        "tasks/new.html",
        {"form": form, "lines": numbered(form.yaml, marked) if form.faults else []},
        status=400,
    )


@dataclass(frozen=True, slots=True)
class Line:
    """One line of YAML for show."""

    number: int
    html: SafeString
    marked: bool


_KEY = re.compile(r"^(\s*(?:- )*)([A-Za-z_][\w .-]*)(:)(?=\s|$)")
_TEXT_BEGINS = re.compile(r"[:-]\s+[|>][-+\d]*\s*(?:#.*)?$")


def numbered(text: str, marked: set[int | None] | None = None) -> list[Line]:
    """The text's lines with their numbers, keys and comments set off, everything escaped."""
    lines = re.split(r"\r\n|\r|\n", text.rstrip("\r\n"))
    return [
        Line(number, format_html("{}", line) if prose else _coloured(line), number in (marked or ()))
        for number, (line, prose) in enumerate(zip(lines, _prose(lines), strict=True), 1)
    ]


def _prose(lines: list[str]) -> Iterator[bool]:
    """For each line, whether it belongs to a block of text (`|` or `>`), where a colon makes no key."""
    begun: int | None = None
    for line in lines:
        indent = len(line) - len(line.lstrip(" "))
        if begun is not None and line.strip() and indent <= begun:
            begun = None
        yield begun is not None
        if begun is None and _TEXT_BEGINS.search(line) and not line.lstrip().startswith("#"):
            begun = indent


def _coloured(line: str) -> SafeString:
    if line.lstrip().startswith("#"):
        return format_html('<span class="y-comment">{}</span>', line)
    key = _KEY.match(line)
    if key is None:
        return format_html("{}", line)
    return format_html('{}<span class="y-key">{}</span>:{}', key[1], key[2], line[key.end() :])
