"""How each agent spent its time: a fold from events to segments of planning, action, idle and dead.

Every tick belongs to exactly one of the four. From `agent_died` on an agent is dead; else from `action_started` to
`action_ended` it is acting; else from `planning_started` to `planning_ended` it is planning; else it is idle. The
action `wait` is none: it counts as planning while a decision for the agent is on its way, or a proposal made by or
sent to it is unanswered, else as idle (SPEC sections 6, 11). Segments are half-open, so a tick at which one action
ends and the next begins counts once.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Literal

from engine.agents.messages import Negotiation
from engine.episode.result import StepBreakdown
from engine.events.log import Event
from engine.events.payloads import (
    ActionEnded,
    ActionStarted,
    AgentDied,
    EpisodeEnded,
    EpisodeStarted,
    MessageSent,
    Payload,
    PlanningEnded,
    PlanningStarted,
)
from engine.world.geometry import TICKS_PER_STEP

Activity = Literal["planning", "action", "idle", "dead"]


WAIT = "wait"


@dataclass(slots=True)
class Segment:
    """A stretch of one activity, in ticks, end excluded.

    `label` is the name of the action, if it is one; `seq` the number of the event that began it.
    """

    activity: Activity
    start: int
    end: int
    label: str = ""
    seq: int = field(default=0, compare=False)


@dataclass(slots=True)
class _Lane:
    action: str = ""
    planning: bool = False
    negotiating: bool = False
    dead: bool = False
    since: int = 0
    seq: int = 1
    segments: list[Segment] = field(default_factory=list)

    @property
    def activity(self) -> Activity:
        if self.dead:
            return "dead"
        if self.action and self.action != WAIT:
            return "action"
        if self.planning or (self.action and self.negotiating):
            return "planning"
        return "idle"

    def close(self, event: Event) -> None:
        """What the agent did ends with this event, which begins something else."""
        if event.world_time > self.since:
            activity = self.activity
            label = self.action if activity == "action" else ""
            self.segments.append(Segment(activity, self.since, event.world_time, label, self.seq))
            self.since = event.world_time
        self.seq = event.seq


class Timeline:
    """Feed it events in order; `lanes` holds each agent's segments, `ticks` the time reached.

    It may be fed all events, or those only whose types it `hears`.
    """

    hears: ClassVar[frozenset[type[Payload]]] = frozenset(
        {
            ActionEnded,
            ActionStarted,
            AgentDied,
            EpisodeEnded,
            EpisodeStarted,
            MessageSent,
            PlanningEnded,
            PlanningStarted,
        }
    )

    def __init__(self) -> None:
        self._lanes: dict[str, _Lane] = {}
        self._negotiation = Negotiation()
        self.ticks = 0

    @property
    def lanes(self) -> dict[str, list[Segment]]:
        """Closed segments by agent, in the agents' order; after the last event they cover the whole episode."""
        return {name: lane.segments for name, lane in self._lanes.items()}

    def apply(self, event: Event) -> None:
        """Take in one event."""
        self.ticks = event.world_time
        if type(event.payload) not in self.hears:
            return
        if self._negotiation.apply(event.payload):
            self._negotiate(event)
        match event.payload:
            case EpisodeStarted() as started:
                self._lanes = {agent.name: _Lane() for agent in started.agents}
            case ActionStarted() as action:
                self._lanes[action.agent].close(event)
                self._lanes[action.agent].action = action.do
            case ActionEnded() as action:
                self._lanes[action.agent].close(event)
                self._lanes[action.agent].action = ""
            case PlanningStarted() | PlanningEnded() as planning:
                for name in planning.agents:
                    self._lanes[name].close(event)
                    self._lanes[name].planning = isinstance(planning, PlanningStarted)
            case AgentDied() as died:
                self._lanes[died.agent].close(event)
                self._lanes[died.agent].dead = True
                self._lanes[died.agent].action = ""
            case EpisodeEnded():
                for lane in self._lanes.values():
                    lane.close(event)

    def _negotiate(self, event: Event) -> None:
        for name, lane in self._lanes.items():
            negotiating = self._negotiation.concerns(name)
            if negotiating != lane.negotiating:
                lane.close(event)
                lane.negotiating = negotiating

    def breakdown(self) -> dict[str, StepBreakdown]:
        """Steps by activity for each agent."""
        return {name: _breakdown(segments) for name, segments in self.lanes.items()}


def _breakdown(segments: list[Segment]) -> StepBreakdown:
    ticks: dict[Activity, int] = {"planning": 0, "action": 0, "idle": 0, "dead": 0}
    for segment in segments:
        ticks[segment.activity] += segment.end - segment.start
    steps = {activity: count / TICKS_PER_STEP for activity, count in ticks.items()}
    return StepBreakdown(**steps)
