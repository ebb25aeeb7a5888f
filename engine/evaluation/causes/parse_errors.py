"""A model's reply could not be read, nor could the second one.

Weight, for each agent that the decision was for: the steps that it waited for the useless reply, and those that it
was idle from then until it next did anything else.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.episode.result import Cause
from engine.evaluation.causes.scene import Scene
from engine.evaluation.causes.watch import Watch, at, cause
from engine.evaluation.costs import GIVEN_UP
from engine.evaluation.timeline import Segment
from engine.events.log import Event
from engine.events.payloads import InferenceEnded


@cause("parse_errors", "Unreadable replies")
class ParseErrors(Watch):
    """Keeps the replies that were given up."""

    hears = (InferenceEnded,)

    def __init__(self, scene: Scene) -> None:
        super().__init__(scene)
        self._first: dict[str, int] = {}
        self._given_up: list[tuple[Event, int]] = []

    def apply(self, event: Event) -> None:
        """Keep second attempts that failed, with the number of the first."""
        asked: InferenceEnded = event.payload
        if asked.attempt < GIVEN_UP:
            self._first[asked.caller] = event.seq
        elif asked.outcome != "ok":
            self._given_up.append((event, self._first.get(asked.caller, event.seq)))

    def found(self) -> Iterator[Cause]:
        """One for each caller."""
        for event, first in self._given_up:
            asked: InferenceEnded = event.payload
            caller = asked.caller if asked.caller in self.scene.agents else None
            lanes = [self.scene.segments(name) for name in asked.agents]
            self.note(
                caller,
                event,
                sum(_lost(lane, asked.asked_tick, event.world_time) for lane in lanes),
                [first, event.seq],
                f"The reply to {caller or 'the master'} at {at(event.world_time)} could not be read twice: "
                f"{asked.fault.rstrip('.')}",
            )
        self._given_up.clear()
        yield from super().found()


def _lost(lane: list[Segment], asked: int, answered: int) -> int:
    """Ticks of planning between asking and the reply, and of being idle right after it."""
    lost = 0
    for segment in lane:
        if segment.activity == "planning":
            lost += max(0, min(segment.end, answered) - max(segment.start, asked))
        if segment.end <= answered:
            continue
        if segment.activity != "idle":
            break
        lost += segment.end - max(segment.start, answered)
    return lost
