"""An event log as a trace that chrome://tracing and Perfetto open.

Format: Trace Event Format, JSON object form (Google; complete events `X`, instants `i`, counters `C`, flows `s` and
`f`, metadata `M`). World time stands in the place of wall time: one tick is 50,000 µs.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from engine.evaluation.timeline import Timeline
from engine.events.log import Event
from engine.events.payloads import (
    ActionEnded,
    ActionStarted,
    AgentDied,
    CheckpointChanged,
    EpisodeStarted,
    EventFired,
    InferenceEnded,
    MessageSent,
)
from engine.world.geometry import TICKS_PER_STEP

MICROSECONDS = 1_000_000 // TICKS_PER_STEP
"""A tick's length in the trace."""
PROCESS = 1
ENVIRONMENT = 1
"""Thread of what the world does; agents have the next ones, then come the callers of models."""


def chrome_trace(events: Iterable[Event]) -> dict[str, Any]:
    """The trace of one episode: a thread for the environment, one for each agent and one for each caller of a model.

    Actions carry their parameters and how they came out, decisions their tokens and latency; messages are arrows.
    """
    reader = _Reader()
    for event in events:
        reader.apply(event)
    return {"traceEvents": reader.finish(), "displayTimeUnit": "ms", "otherData": reader.about}


class _Reader:
    def __init__(self) -> None:
        self.about: dict[str, Any] = {}
        self._timeline = Timeline()
        self._threads: dict[str, int] = {}
        self._entries: list[dict[str, Any]] = []
        self._begun: dict[str, tuple[int, ActionStarted]] = {}
        self._actions: dict[tuple[str, int], dict[str, Any]] = {}

    def apply(self, event: Event) -> None:
        """Take in one event."""
        self._timeline.apply(event)
        tick = event.world_time
        match event.payload:
            case EpisodeStarted() as start:
                self._start(start)
            case ActionStarted() as action:
                self._begun[action.agent] = event.seq, action
            case ActionEnded() as action:
                self._end(action)
            case InferenceEnded() as inference:
                self._decide(tick, inference)
            case MessageSent() as message:
                self._tell(event.seq, tick, message)
            case EventFired() as fired:
                self._instant(ENVIRONMENT, tick, f"{fired.event}: {fired.action}", msgspec.to_builtins(fired))
            case AgentDied() as died:
                self._instant(self._threads[died.agent], tick, "dies", {"cause": died.cause})
            case CheckpointChanged() as checkpoint:
                self._count(tick, checkpoint.name, checkpoint.have)

    def finish(self) -> list[dict[str, Any]]:
        """All entries of the trace, names of threads first."""
        for agent, segments in self._timeline.lanes.items():
            for segment in segments:
                about = self._actions.get((agent, segment.seq), {})
                name = segment.label or segment.activity
                self._stretch(self._threads[agent], segment.start, segment.end, name, segment.activity, about)
        names = [
            _entry("M", name="process_name", args={"name": self.about.get("task_id", "episode")}),
            *(
                _entry("M", name="thread_name", tid=thread, args={"name": name})
                for name, thread in {"environment": ENVIRONMENT, **self._threads}.items()
            ),
            *(
                _entry("M", name="thread_sort_index", tid=thread, args={"sort_index": thread})
                for thread in (ENVIRONMENT, *self._threads.values())
            ),
        ]
        return [*names, *self._entries]

    def _start(self, start: EpisodeStarted) -> None:
        shown = ("task_id", "policy", "model", "mode", "world", "seed", "max_steps", "engine_version")
        self.about = {name: getattr(start, name) for name in shown}
        self._threads = {agent.name: ENVIRONMENT + i for i, agent in enumerate(start.agents, start=1)}
        for checkpoint in start.checkpoints:
            self._count(0, checkpoint.name, checkpoint.have)

    def _end(self, ended: ActionEnded) -> None:
        begun = self._begun.pop(ended.agent, None)
        if begun is not None:
            seq, started = begun
            told = {"outcome": ended.outcome, "reason": ended.reason, "detail": ended.detail}
            self._actions[ended.agent, seq] = {"id": ended.id, "with": started.with_, **told}

    def _decide(self, tick: int, inference: InferenceEnded) -> None:
        caller = f"{inference.caller}: decisions"
        thread = self._threads.setdefault(caller, ENVIRONMENT + len(self._threads) + 1)
        shown = (
            "call",
            "attempt",
            "prompt_tokens",
            "completion_tokens",
            "latency_s",
            "cost_usd",
            "outcome",
            "fault",
        )
        about = {name: getattr(inference, name) for name in shown}
        self._stretch(thread, inference.asked_tick, tick, f"call {inference.call}", "decision", about)

    def _tell(self, seq: int, tick: int, message: MessageSent) -> None:
        thread = self._threads.get(message.sender, ENVIRONMENT)
        about = {"to": message.to, "text": message.text}
        self._instant(thread, tick, message.tag or "message", about)
        for i, receiver in enumerate(message.to):
            flow = {"cat": "message", "name": "message", "id": f"{seq}.{i}", "ts": tick * MICROSECONDS}
            self._entries.append(_entry("s", tid=thread, **flow))
            self._entries.append(_entry("f", tid=self._threads.get(receiver, ENVIRONMENT), bp="e", **flow))

    def _stretch(
        self, thread: int, start: int, end: int, name: str, kind: str, about: dict[str, Any]
    ) -> None:
        times = {"ts": start * MICROSECONDS, "dur": (end - start) * MICROSECONDS}
        self._entries.append(_entry("X", tid=thread, name=name, cat=kind, **times, args=about))

    def _instant(self, thread: int, tick: int, name: str, about: dict[str, Any]) -> None:
        self._entries.append(
            _entry("i", tid=thread, name=name, cat="event", ts=tick * MICROSECONDS, s="t", args=about)
        )

    def _count(self, tick: int, name: str, have: float) -> None:
        self._entries.append(_entry("C", name=name, ts=tick * MICROSECONDS, args={"have": have}))


def _entry(phase: str, **fields: Any) -> dict[str, Any]:
    return {"ph": phase, "pid": PROCESS, **fields}
