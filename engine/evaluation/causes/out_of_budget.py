"""The budget for decisions was used up. Weight: the agent-steps that were left to those alive."""

from __future__ import annotations

from collections.abc import Iterator

from engine.episode.result import Cause
from engine.evaluation.causes.scene import Scene
from engine.evaluation.causes.watch import Watch, cause, steps
from engine.events.log import Event
from engine.events.payloads import AgentDied, InferenceEnded


@cause("out_of_budget", "Out of budget")
class OutOfBudget(Watch):
    """Remembers the last inference."""

    hears = (InferenceEnded, AgentDied)

    def __init__(self, scene: Scene) -> None:
        super().__init__(scene)
        self._last: list[int] = []
        self._dead = 0

    def apply(self, event: Event) -> None:
        """Count the dead, remember the inference."""
        if isinstance(event.payload, AgentDied):
            self._dead += 1
        else:
            self._last = [event.seq]

    def found(self) -> Iterator[Cause]:
        """One if the episode ended for that reason."""
        end = self.scene.end
        if end is not None and end.payload.status == "budget":
            left = self.scene.max_ticks - end.world_time
            reason = end.payload.reason
            yield Cause(
                name=self.name,
                agent=None,
                tick=end.world_time,
                events=[*self._last, end.seq],
                detail=f"{reason[:1].upper()}{reason[1:]}.",
                weight=steps(left * (len(self.scene.agents) - self._dead)),
            )
