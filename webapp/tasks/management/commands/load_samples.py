"""`python manage.py load_samples`: the tasks that come with the program, into the library."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from engine.errors import TaskError
from engine.spec.loader import digest, load_task
from webapp.tasks.models import Suite, Task


class Command(BaseCommand):
    """File or refresh the sample tasks. Running it again changes nothing."""

    help = "Put the sample tasks of tasks/samples into the library, or bring them up to date."

    def handle(self, *_args: Any, verbosity: int, **_options: Any) -> None:
        """Load all samples, or none if one is invalid."""
        paths = sorted(Path(settings.BASE_DIR, "tasks", "samples").glob("*.yaml"))
        with transaction.atomic():
            suite, _ = Suite.objects.get_or_create(
                slug="samples",
                defaults={"title": "Samples", "description": "Small tasks to begin with, one idea each."},
            )
            for path in paths:
                self._load(suite, path)
        if verbosity:
            self.stdout.write(f"{len(paths)} sample task(s) loaded.")

    @staticmethod
    def _load(suite: Suite, path: Path) -> None:
        try:
            spec = load_task(path).spec
        except TaskError as error:
            raise CommandError(str(error)) from error
        Task.objects.update_or_create(
            suite=suite,
            slug=path.stem.replace("_", "-"),
            defaults={
                "title": path.stem.replace("_", " ").capitalize(),
                "type": spec.task.type,
                "goal": spec.task.goal,
                "yaml": path.read_text(encoding="utf-8"),
                "digest": digest(spec),
                "agents": len(spec.agents.spawn),
                "max_steps": spec.environment.max_steps,
                "source": Task.Source.SAMPLE,
            },
        )
