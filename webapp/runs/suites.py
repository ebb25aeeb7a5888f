"""Tasks from the command line: suites of the library, folders and files."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from django.db import transaction
from django.utils.text import slugify

from engine.errors import Fault
from engine.spec.loader import check_file, digest
from engine.spec.model import TaskSpec
from engine.spec.names import nearest
from webapp.tasks.models import Suite, Task
from webapp.tasks.store import add_task

ENDINGS = (".yaml", ".yml")
SLUG_LENGTH = 70
DIGEST_LENGTH = 8


def find_tasks(sources: Iterable[str]) -> tuple[list[Task], list[str]]:
    """The tasks that the sources name, each once, in order; and what is wrong, a line each.

    A source is a folder, a file, or a suite of the library. Tasks in files that the library does not hold yet are filed
    in it, in the suite named after their folder; if anything is wrong, none is.
    """
    found: list[Task] = []
    faults: list[str] = []
    with transaction.atomic():
        for source in sources:
            tasks, wrong = _find(source)
            found += tasks
            faults += wrong
        if faults:
            transaction.set_rollback(True)
    return list({task.pk: task for task in found}.values()), faults


def _find(source: str) -> tuple[list[Task], list[str]]:
    path = Path(source)
    if path.is_dir():
        files = sorted(file for file in path.iterdir() if file.suffix in ENDINGS)
        return _file(files) if files else ([], [f"{source}: there is no task file in this folder"])
    if path.exists() or path.suffix in ENDINGS:
        return _file([path])
    tasks = list(Task.objects.filter(suite__slug=source).select_related("suite").order_by("slug"))
    if tasks:
        return tasks, []
    suites = list(Suite.objects.values_list("slug", flat=True))
    known = f" (suites: {', '.join(suites)})" if suites else ""
    return [], [f"{source}: no such suite, folder or file{nearest(source, suites)}{known}"]


def _file(files: list[Path]) -> tuple[list[Task], list[str]]:
    found: list[Task] = []
    faults: list[str] = []
    for file in files:
        report = check_file(file)
        faults += [f"{file}: {fault}" for fault in report.errors]
        if report.spec is not None and not report.errors:
            found.append(_in_library(file, report.spec))
    return found, faults


def _in_library(file: Path, spec: TaskSpec) -> Task:
    """The library's task of the same content; filed now if there is none."""
    known = Task.objects.filter(digest=digest(spec)).select_related("suite").order_by("pk").first()
    if known is not None:
        return known
    suite = slugify(file.resolve().parent.name)[:SLUG_LENGTH] or "files"
    slug = slugify(file.stem.replace("_", "-"))[:SLUG_LENGTH] or "task"
    if Task.objects.filter(suite__slug=suite, slug=slug).exists():
        slug = f"{slug}-{digest(spec)[:DIGEST_LENGTH]}"
    title = file.stem.replace("_", " ").capitalize()
    return add_task(suite, slug, title, file.read_text(encoding="utf-8"), spec)


def as_faults(lines: Iterable[str]) -> list[Fault]:
    """What is wrong, as JSON documents list it."""
    return [Fault(None, "", line) for line in lines]
