from __future__ import annotations

from engine.events.hearers import Hearers
from engine.events.payloads import AgentDied, AgentStopped, PlanEnded


def test_each_hears_of_the_types_it_asked_for_in_the_order_of_adding() -> None:
    told: list[str] = []
    hearers: Hearers[str] = Hearers()
    hearers.add(lambda what: told.append(f"deaths: {what}"), (AgentDied,))
    hearers.add(lambda what: told.append(f"all: {what}"), None)
    for kind, what in ((AgentDied, "Ada"), (AgentStopped, "Bruno")):
        for tell in hearers[kind]:
            tell(what)
    assert told == ["deaths: Ada", "all: Ada", "all: Bruno"]


def test_whoever_comes_later_is_told_from_then_on() -> None:
    told: list[int] = []
    hearers: Hearers[int] = Hearers()
    assert hearers[PlanEnded] == []
    hearers.add(told.append, None)
    for tell in hearers[PlanEnded]:
        tell(1)
    assert told == [1]
