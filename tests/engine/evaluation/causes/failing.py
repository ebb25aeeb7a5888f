"""Short episodes that fail, and what is said about why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.agents.plans import Plan, Step
from engine.agents.policies import POLICIES
from engine.agents.policy import Call, Inference, Message, Moment, Policy, PolicyInfo, Reply
from engine.episode.result import Cause
from engine.episode.run import Episode
from engine.episode.settings import Budget, EpisodeSettings, Mode
from engine.evaluation.causes import causes
from engine.events import Event, decode
from engine.llm.provider import Completion
from engine.spec.model import TaskSpec
from engine.world.geometry import Cell
from tests.engine.build import event


class Script(Policy):
    """Gives its replies at set ticks, each as one call for the agents named."""

    def __init__(self, *cues: tuple[int, Sequence[str], Reply]) -> None:
        self._cues = sorted(cues, key=lambda cue: cue[0])

    def next_tick(self) -> int | None:
        return self._cues[0][0] if self._cues else None

    def calls(self, moment: Moment) -> list[Call]:
        due = [cue for cue in self._cues if cue[0] <= moment.tick]
        self._cues = self._cues[len(due) :]
        return [Call(tuple(agents), lambda reply=reply: reply) for _, agents, reply in due]  # type: ignore[misc]


def plan(*steps: Step) -> Plan:
    """One step after the other, each whatever came of the one before."""
    return Plan(tuple(Step(str(number), step.do, step.parameters) for number, step in enumerate(steps)))


def say(sender: str, to: str, text: str) -> Reply:
    return Reply(messages=(Message(sender, (to,), text),))


def inference(
    caller: str, *, attempt: int = 1, prompt: str = "", outcome: str = "ok", fault: str = ""
) -> Inference:
    completion = Completion(text="…", prompt_tokens=1, completion_tokens=1)
    return Inference(caller, (caller,), 1, attempt, "", prompt, completion, outcome, fault)


def appears(block: str, cell: Cell, lifetime: int | None, start: int = 0) -> dict[str, Any]:
    """An event that lets one block be there for so many steps."""
    spawn = {"type": "spawn_blocks", "block": block, "count": 1, "center": list(cell), "radius": 0}
    return event(f"{block}_{cell[0]}_{start}", {"start": start}, {**spawn, "lifetime": lifetime})


class Failed:
    """An episode played to its end. Checks that its log alone tells the same causes, by events that are in it."""

    def __init__(
        self,
        spec: TaskSpec,
        policy: Policy | None = None,
        *,
        mode: Mode = "sync",
        budget: Budget | None = None,
        **lines: Sequence[Step],
    ) -> None:
        self.events: list[Event] = []
        self._lines: list[bytes] = []
        whole = Reply({name: plan(*steps) for name, steps in lines.items()})
        acting = policy or Script((0, tuple(lines), whole))
        POLICIES["test"] = PolicyInfo("test", "Test", "", lambda _setting: acting)
        settings = EpisodeSettings(policy="test", mode=mode, budget=budget or Budget())
        try:
            self.result = Episode(spec, settings, self._take).run()
        finally:
            del POLICIES["test"]
        assert not self.result.error, self.result.error
        self.causes = self.result.causes
        assert causes(decode(self._lines)) == self.causes
        assert {seq for found in self.causes for seq in found.events} <= {one.seq for one in self.events}

    def _take(self, event: Event, line: bytes) -> None:
        self.events.append(event)
        self._lines.append(line)

    @property
    def names(self) -> list[str]:
        """The causes found, the greatest first."""
        return [found.name for found in self.causes]

    def only(self, name: str) -> Cause:
        """The one cause of that name."""
        (found,) = [found for found in self.causes if found.name == name]
        return found

    def evidence(self, found: Cause) -> list[tuple[int, str]]:
        """Ticks and types of the events that show a cause."""
        return [(self.events[seq - 1].world_time, self.events[seq - 1].type) for seq in found.events]

    def numbers(self, kind: str, **payload: Any) -> list[int]:
        """Numbers of the events of a type with these fields."""
        wanted: Mapping[str, Any] = payload
        return [
            one.seq
            for one in self.events
            if one.type == kind and all(getattr(one.payload, name) == value for name, value in wanted.items())
        ]
