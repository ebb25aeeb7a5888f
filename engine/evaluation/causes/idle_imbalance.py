"""An agent had nothing to do for much of the time while a teammate acted.

It was idle for more than `IDLE_SHARE` of the time that it lived, and the busiest teammate's share of action was at
least `ACTION_LEAD` higher. Weight: the steps that it was idle beyond the busiest teammate's.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from engine.episode.result import Cause
from engine.evaluation.causes.watch import Watch, at, cause, percent, steps
from engine.evaluation.timeline import Activity, Segment

IDLE_SHARE = 0.5
"""An agent that is idle for more of its life than this has too little to do."""
ACTION_LEAD = 0.3
"""How much more of its life the busiest teammate must have acted."""


@cause("idle_imbalance", "Idle while others act")
class IdleImbalance(Watch):
    """Compares each agent's share of idle time with the busiest teammate's share of action."""

    def found(self) -> Iterator[Cause]:
        """One for each agent left idle."""
        lanes = {name: self.scene.segments(name) for name in self.scene.agents}
        acted = {name: share(lane, "action") for name, lane in lanes.items()}
        for name, lane in lanes.items():
            if share(lane, "idle") <= IDLE_SHARE or len(lanes) == 1:
                continue
            busiest = max((other for other in lanes if other != name), key=acted.__getitem__)
            if acted[busiest] - acted[name] >= ACTION_LEAD:
                yield self._cause(name, busiest, lane, lanes[busiest])

    def _cause(self, name: str, busiest: str, lane: list[Segment], other: list[Segment]) -> Cause:
        start, end, evidence = self._longest(lane)
        return Cause(
            name=self.name,
            agent=name,
            tick=start,
            events=evidence,
            detail=f"{name} was idle for {percent(share(lane, 'idle'))} of its time, longest from {at(start)} to "
            f"{at(end)}, while {busiest} acted for {percent(share(other, 'action'))}.",
            weight=steps(max(0, ticks(lane, "idle") - ticks(other, "idle"))),
        )

    def _longest(self, lane: list[Segment]) -> tuple[int, int, list[int]]:
        """The longest idle stretch: its first and last tick, and the events that began and ended it."""
        ends = [segment.seq for segment in lane[1:]] + [self.scene.end.seq if self.scene.end else 0]
        stretches = [
            (segment.start, segment.end, segment.seq, end)
            for segment, end in zip(lane, ends, strict=True)
            if segment.activity == "idle"
        ]
        joined = stretches[:1]
        for (_, before, _, _), (start, end, seq, last) in pairwise(stretches):
            if before == start:
                joined[-1] = (joined[-1][0], end, joined[-1][2], last)
            else:
                joined.append((start, end, seq, last))
        start, end, seq, last = max(joined, key=lambda one: one[1] - one[0])
        return start, end, sorted({seq, last})


def ticks(lane: list[Segment], *activities: Activity) -> int:
    """Time spent in the activities."""
    return sum(segment.end - segment.start for segment in lane if segment.activity in activities)


def share(lane: list[Segment], activity: Activity) -> float:
    """The activity's share of the time that the agent lived."""
    living = ticks(lane, "planning", "action", "idle")
    return ticks(lane, activity) / living if living else 0.0
