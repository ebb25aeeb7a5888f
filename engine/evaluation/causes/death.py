"""An agent died. Weight: the steps that it had left until `max_steps`."""

from __future__ import annotations

from collections import deque

from engine.evaluation.causes.scene import Scene
from engine.evaluation.causes.watch import Watch, at, cause
from engine.events.log import Event
from engine.events.payloads import AgentDied, AgentHealthChanged

LAST_HURTS = 5
"""The losses of health before a death that are its evidence."""


@cause("death", "Death by {}")
class Death(Watch):
    """Remembers what hurt each agent last."""

    hears = (AgentHealthChanged, AgentDied)

    def __init__(self, scene: Scene) -> None:
        super().__init__(scene)
        self._hurts: dict[str, deque[Event]] = {}

    def apply(self, event: Event) -> None:
        """Remember the wound, or note the death."""
        payload = event.payload
        if isinstance(payload, AgentHealthChanged):
            if payload.delta < 0:
                self._hurts.setdefault(payload.agent, deque(maxlen=LAST_HURTS)).append(event)
            return
        died: AgentDied = payload
        wounds = self._hurts.get(died.agent, deque())
        self.note(
            died.agent,
            event,
            self.scene.max_ticks - event.world_time,
            [*(wound.seq for wound in wounds), event.seq],
            f"{died.agent} was killed by {died.cause.replace('_', ' ')} at {at(event.world_time)}",
            died.cause,
        )
