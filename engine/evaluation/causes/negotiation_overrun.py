"""Planning and negotiating took too much of the time, or so long that what was agreed came too late.

The team: its agents spent more than `PLANNING_SHARE` of the time that they lived planning (waiting for a decision, or
for the answer to a proposal). Weight: the agent-steps of planning beyond that share.

An agent: a proposal was made and agreed to, and one of the two then went for a block or mob that was gone when it came,
but would not have been had it come sooner by the time from proposal to agreement. Weight: that time.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.agents.messages import PROPOSALS
from engine.episode.result import Cause
from engine.evaluation.causes.idle_imbalance import ticks
from engine.evaluation.causes.scene import Scene
from engine.evaluation.causes.watch import Watch, at, cause, percent, steps
from engine.events.log import Event
from engine.events.payloads import ActionEnded, MessageSent

PLANNING_SHARE = 0.4
"""More of a team's living time than this is too much planning."""
SHOWN = 5
"""The longest stretches of planning that are the evidence."""


@cause("negotiation_overrun", "Planning took too long")
class NegotiationOverrun(Watch):
    """Adds up planning, and remembers what was agreed."""

    hears = (MessageSent, ActionEnded)

    def __init__(self, scene: Scene) -> None:
        super().__init__(scene)
        self._proposals: dict[tuple[str, str], Event] = {}
        self._agreed: dict[str, tuple[Event, Event]] = {}

    def apply(self, event: Event) -> None:
        """Remember agreements, and note actions that came too late for them."""
        payload = event.payload
        if isinstance(payload, MessageSent):
            self._hear(event, payload)
        elif self.scene.lost and payload.agent in self._agreed:
            self._miss(event, payload)

    def _hear(self, event: Event, message: MessageSent) -> None:
        for receiver in message.to:
            if message.tag in PROPOSALS:
                self._proposals[message.sender, receiver] = event
            elif message.tag == "AGREE":
                proposal = self._proposals.pop((receiver, message.sender), None)
                if proposal is not None:
                    self._agreed[message.sender] = self._agreed[receiver] = (proposal, event)

    def _miss(self, event: Event, ended: ActionEnded) -> None:
        """An agreement explains the first miss after it."""
        proposal, agreement = self._agreed[ended.agent]
        doing = self.scene.doing[ended.agent]
        talk = agreement.world_time - proposal.world_time
        missed = [
            lost
            for lost in self.scene.lost
            if proposal.world_time < lost.gone.world_time >= event.world_time - talk
        ]
        if not missed or doing.seq < agreement.seq:
            return
        del self._agreed[ended.agent]
        self.note(
            ended.agent,
            event,
            talk,
            [proposal.seq, agreement.seq, doing.seq, missed[0].gone.seq, event.seq],
            f"What {ended.agent} agreed on at {at(agreement.world_time)} came too late for {missed[0].what}, "
            f"gone at {at(missed[0].gone.world_time)}",
        )

    def found(self) -> Iterator[Cause]:
        """The team's planning, and each agent's agreements that came too late."""
        lanes = [self.scene.segments(name) for name in self.scene.agents]
        planning = sum(ticks(lane, "planning") for lane in lanes)
        living = sum(ticks(lane, "planning", "action", "idle") for lane in lanes)
        if planning > PLANNING_SHARE * living:
            segments = [segment for lane in lanes for segment in lane if segment.activity == "planning"]
            segments.sort(key=lambda segment: segment.start - segment.end)
            longest = segments[0]
            yield Cause(
                name=self.name,
                agent=None,
                tick=longest.start,
                events=sorted({segment.seq for segment in segments[:SHOWN]}),
                detail=f"The team spent {percent(planning / living)} of its {steps(living):g} agent-steps planning, "
                f"longest from {at(longest.start)} to {at(longest.end)}.",
                weight=steps(planning - PLANNING_SHARE * living),
            )
        yield from super().found()
