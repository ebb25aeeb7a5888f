"""Plans: a list of actions that form a DAG by `after` (paper, appendix G; SPEC section 4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec


class Step(msgspec.Struct, frozen=True):
    """One action of a plan, as it was written: nothing about it has been checked against the world."""

    id: str
    do: str
    parameters: Mapping[str, Any] = msgspec.field(default_factory=dict)
    after: tuple[str, ...] = ()
    note: str = ""


class Plan(msgspec.Struct, frozen=True):
    """What one agent is to do, and why."""

    steps: tuple[Step, ...] = ()
    reasoning: str = ""


def faults(steps: Sequence[Step]) -> list[str]:
    """Everything that keeps the steps from being a DAG: repeated ids, unknown ids in `after`, cycles."""
    if _are_in_order(steps):
        return []
    found = []
    ids = [step.id for step in steps]
    found += [f"id {name!r} is used more than once" for name in sorted({n for n in ids if ids.count(n) > 1})]
    known = set(ids)
    found += [
        f"step {step.id!r} comes after {name!r}, which is not in this plan"
        for step in steps
        for name in step.after
        if name not in known
    ]
    return found or [f"steps {', '.join(cycle)} wait for one another" for cycle in _cycle(steps)]


def _are_in_order(steps: Sequence[Step]) -> bool:
    """Whether every step comes after earlier ones only, as most plans are written."""
    known: set[str] = set()
    for step in steps:
        if step.id in known or not known.issuperset(step.after):
            return False
        known.add(step.id)
    return True


def _cycle(steps: Sequence[Step]) -> list[list[str]]:
    """The steps that can never begin, since they wait for each other in a ring (or for such a ring)."""
    waiting = {step.id: set(step.after) for step in steps}
    while ready := [name for name, after in waiting.items() if not after & waiting.keys()]:
        for name in ready:
            del waiting[name]
    return [sorted(waiting)] if waiting else []
