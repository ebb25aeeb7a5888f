"""An agent began to act too late, since it was still planning.

Its first action began after `LATE_SHARE` of `max_steps`, or after the first thing had vanished with its lifetime or the
first agent had died, whichever came first; and it had spent at least `PLANNING_SHARE` of the time until then planning.
Weight: the steps that it planned before its first action.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.episode.result import Cause
from engine.evaluation.causes.scene import Scene
from engine.evaluation.causes.watch import Watch, at, cause, percent, steps
from engine.evaluation.timeline import Segment
from engine.events.log import Event
from engine.events.payloads import AgentDied, BlocksChanged, MobDespawned

LATE_SHARE = 0.25
"""The share of `max_steps` after which a first action is late."""
PLANNING_SHARE = 0.5
"""The share of the time before its first action that an agent must have planned for planning to be to blame."""


@cause("late_start", "Late start")
class LateStart(Watch):
    """Looks at what each agent did before its first action."""

    hears = (AgentDied, BlocksChanged, MobDespawned)

    def __init__(self, scene: Scene) -> None:
        super().__init__(scene)
        self._first_loss: Event | None = None

    def apply(self, event: Event) -> None:
        """Remember the first thing that could not be made good again."""
        if self._first_loss is None and (
            isinstance(event.payload, AgentDied) or event.payload.cause == "lifetime"
        ):
            self._first_loss = event

    def found(self) -> Iterator[Cause]:
        """One for each agent that was late."""
        quarter = LATE_SHARE * self.scene.max_ticks
        loss = self._first_loss
        for name in self.scene.agents:
            before, first = _before(self.scene.segments(name))
            start, seq = self._start(first)
            planned = [segment for segment in before if segment.activity == "planning"]
            ticks = sum(segment.end - segment.start for segment in planned)
            is_lost = loss is not None and loss.world_time < start
            if (start > quarter or is_lost) and ticks and ticks >= PLANNING_SHARE * start:
                evidence = {planned[0].seq, seq} | ({loss.seq} if loss is not None and is_lost else set())
                yield Cause(
                    name=self.name,
                    agent=name,
                    tick=start,
                    events=sorted(evidence),
                    detail=f"{name} planned for {steps(ticks):g} steps {_then(first)}"
                    f"{self._too_late(start > quarter)}.",
                    weight=steps(ticks),
                )

    def _start(self, first: Segment | None) -> tuple[int, int]:
        """When and with which event the agent began to act; with the end, if it never did."""
        if first is not None:
            return first.start, first.seq
        return self.scene.timeline.ticks, self.scene.end.seq if self.scene.end else 0

    def _too_late(self, is_past_quarter: bool) -> str:
        if is_past_quarter:
            return f", later than {percent(LATE_SHARE)} of max_steps"
        what = "an agent had died" if self._is_death() else "the first things had vanished"
        return f", when {what}"

    def _is_death(self) -> bool:
        return self._first_loss is not None and isinstance(self._first_loss.payload, AgentDied)


def _before(lane: list[Segment]) -> tuple[list[Segment], Segment | None]:
    """What comes before the first action or the agent's death, and that."""
    for place, segment in enumerate(lane):
        if segment.activity in ("action", "dead"):
            return lane[:place], segment
    return lane, None


def _then(first: Segment | None) -> str:
    if first is None:
        return "and had not begun to act when the episode ended"
    did = "before it began to act" if first.activity == "action" else "and had not begun to act when it died"
    return f"{did} at {at(first.start)}"
