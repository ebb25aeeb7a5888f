"""How a cause is found, and the registry of all of them."""

from __future__ import annotations

from abc import ABC
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import ClassVar

from engine.episode.result import Cause
from engine.evaluation.causes.scene import Scene
from engine.events.log import Event
from engine.events.payloads import Payload
from engine.world.geometry import TICKS_PER_STEP

MOST_EVIDENCE = 24
"""Event numbers that a cause keeps at most; the first ones, since what came first explains the rest."""


@dataclass(slots=True)
class Incident:
    """What befell an agent in one way: its first occurrence, and how much all of them come to."""

    tick: int
    detail: str
    count: int = 0
    ticks: float = 0.0
    events: list[int] = field(default_factory=list)


class Watch(ABC):
    """Looks out for one cause in one episode.

    Most note incidents as they happen. What can only be told from the whole overrides `found`.
    """

    name: ClassVar[str]
    hears: ClassVar[tuple[type[Payload], ...]] = ()
    """The events that it wants; the scene has taken them in already."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self._incidents: dict[tuple[str | None, str], Incident] = {}

    def apply(self, event: Event) -> None:  # noqa: B027 - some look at the whole alone
        """Take in an event of the kinds that it hears."""

    def note(
        self,
        agent: str | None,
        event: Event,
        ticks: float,
        evidence: Iterable[int],
        detail: str,
        subject: str = "",
    ) -> None:
        """It happened (again) at this event, and cost so many agent-ticks."""
        incident = self._incidents.setdefault((agent, subject), Incident(event.world_time, detail))
        incident.count += 1
        incident.ticks += ticks
        room = MOST_EVIDENCE - len(incident.events)
        incident.events += [seq for seq in sorted({*evidence}) if seq not in incident.events][:room]

    def found(self) -> Iterator[Cause]:
        """The causes, once the episode has ended without success."""
        for (agent, subject), incident in self._incidents.items():
            more = incident.count - 1
            again = f" ({more} more time{'s' * (more > 1)})" if more else ""
            yield Cause(
                name=self.name,
                agent=agent,
                tick=incident.tick,
                events=sorted(incident.events),
                detail=f"{incident.detail}{again}.",
                weight=steps(incident.ticks),
                subject=subject,
            )


@dataclass(frozen=True, slots=True)
class CauseInfo:
    """A cause as people read it, and who looks out for it. `label` may have a place `{}` for the subject."""

    name: str
    label: str
    watch: type[Watch]

    def words(self, subject: str = "") -> str:
        """The cause in a few words: `Death by lava`."""
        return self.label.format(subject.replace("_", " "))


CAUSES: dict[str, CauseInfo] = {}
"""By name."""


def cause(name: str, label: str) -> Callable[[type[Watch]], type[Watch]]:
    """Register a class as what looks out for a cause."""

    def register(watch: type[Watch]) -> type[Watch]:
        watch.name = name
        CAUSES[name] = CauseInfo(name, label, watch)
        return watch

    return register


def steps(ticks: float) -> float:
    """Ticks as steps, to the hundredth."""
    return round(ticks / TICKS_PER_STEP, 2)


def at(tick: int) -> str:
    """A moment in words: `step 12.5`."""
    return f"step {steps(tick):g}"


def percent(share: float) -> str:
    """A share in words: `83 %`."""
    return f"{share * 100:.0f} %"
