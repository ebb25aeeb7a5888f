"""An agent died. Weight: the steps that it had left until `max_steps`."""

from __future__ import annotations

from collections import defaultdict, deque
from functools import partial

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
        self._hurts: defaultdict[str, deque[Event]] = defaultdict(partial(deque, maxlen=LAST_HURTS))

    def apply(self, event: Event) -> None:
        """Remember the wound, or note the death."""
        payload = event.payload
        if isinstance(payload, AgentHealthChanged):
            if payload.delta < 0:
                self._hurts[payload.agent].append(event)
            return
        died: AgentDied = payload
        wounds = self._hurts[died.agent]
        self.note(
            died.agent,
            event,
            self.scene.max_ticks - event.world_time,
            [*(wound.seq for wound in wounds), event.seq],
            f"{died.agent} was killed by {died.cause.replace('_', ' ')} at {at(event.world_time)}",
            died.cause,
        )
