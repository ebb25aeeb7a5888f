"""What the schema knows and episodes cannot do yet. Nothing that a task asks for is silently left out."""

from __future__ import annotations

from collections.abc import Iterator

from engine.dynamics.actions import PERFORM
from engine.errors import SettingsError
from engine.evaluation.scores import SCORES
from engine.spec.model import TaskSpec


def refuse_unsupported(spec: TaskSpec) -> None:
    """Raise `SettingsError` naming all that the task asks for and no episode can give it yet."""
    if lacking := list(_lacking(spec)):
        raise SettingsError(f"task {spec.id} can be checked but not run yet: it needs {'; '.join(lacking)}")


def _lacking(spec: TaskSpec) -> Iterator[str]:
    if spec.task.type not in SCORES:
        yield f"the task type {spec.task.type} (what can be run: {', '.join(SCORES)})"
    if spec.task.success is not None:
        yield "success conditions"
    if kinds := {action.type for event in spec.events for action in event.actions} - PERFORM.keys():
        yield f"the event actions {', '.join(sorted(kinds))}"
    if conditional := [event.id for event in spec.events if event.trigger.when is not None]:
        yield f"`when` triggers (events {', '.join(conditional)})"
    environment = spec.environment
    if environment.entities.hostiles:
        yield "hostiles"
    if environment.regions:
        yield "regions"
    if environment.mechanics.inventory_weight is not None:
        yield "the mechanic inventory_weight"
    if any(agent.effects for agent in spec.agents.spawn):
        yield "effects on agents"
