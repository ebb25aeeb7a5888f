"""Filing a checked task in the library."""

from __future__ import annotations

from django.db import transaction

from engine.spec.loader import digest
from engine.spec.model import TaskSpec
from webapp.tasks.models import Suite, Task


@transaction.atomic
def add_task(suite: str, slug: str, title: str, text: str, spec: TaskSpec) -> Task:
    """File an uploaded task, in a new suite of the user's own where there is none of that slug.

    Raises:
        IntegrityError: the suite already has a task of that slug.
    """
    shelf, _ = Suite.objects.get_or_create(
        slug=suite, defaults={"title": suite.replace("-", " ").capitalize()}
    )
    return Task.objects.create(
        suite=shelf,
        slug=slug,
        title=title or spec.id.replace("_", " ").replace("-", " ").capitalize(),
        type=spec.task.type,
        goal=spec.task.goal,
        yaml=text,
        digest=digest(spec),
        agents=len(spec.agents.spawn),
        max_steps=spec.environment.max_steps,
        source=Task.Source.UPLOAD,
    )
