"""Teams of models for tests: a model that says what it is told to, and episodes with it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from threading import Lock
from typing import Any

from engine.agents.policy import MASTER
from engine.episode.run import run_episode
from engine.episode.settings import Budget, ClockName, Control, EpisodeSettings, Mode
from engine.evaluation.timeline import Segment, Timeline
from engine.events import Event
from engine.events.log import Sink
from engine.llm.provider import Ask, Completion, Provider
from engine.spec.model import TaskSpec
from tests.engine.build import Played

Says = Callable[[Ask], str]
Written = dict[str, Any]


class Model(Provider):
    """Says what a function makes of each question; `latency` gives the seconds that this takes.

    Attributes:
        asks: the questions so far. With threads, those of one tick come in any order.
    """

    def __init__(
        self,
        says: Says,
        latency: float | Callable[[Ask], float] = 0.0,
        *,
        is_scripted: bool = True,
        **completion: Any,
    ) -> None:
        self._says = says
        self._latency = latency if callable(latency) else lambda _ask: latency
        self._is_scripted = is_scripted
        self._completion = {"prompt_tokens": 7, "completion_tokens": 3} | completion
        self._lock = Lock()
        self.asks: list[Ask] = []

    @property
    def is_scripted(self) -> bool:
        return self._is_scripted

    def complete(self, ask: Ask) -> Completion:
        with self._lock:
            self.asks.append(ask)
        return Completion(self._says(ask), latency_s=self._latency(ask), **self._completion)

    def close(self) -> None:
        pass

    def of(self, caller: str) -> list[Ask]:
        """The caller's questions."""
        return [ask for ask in self.asks if ask.caller == caller]


class Game(Played):
    """An episode that a team of models has played, however it ended."""

    def __init__(
        self,
        spec: TaskSpec,
        provider: Provider,
        policy: str,
        mode: Mode = "sync",
        *,
        seed: int = 0,
        model: str = "test",
        budget: Budget | None = None,
        clock: ClockName = "virtual",
        control: Control | None = None,
        hears: Sink | None = None,
    ) -> None:
        self.events: list[Event] = []
        self.lines: list[bytes] = []
        self.hears = hears
        settings = EpisodeSettings(policy, mode, "simulator", seed, model, budget or Budget(), clock)
        self.result = run_episode(spec, settings, self._hear, control, provider)

    def _hear(self, event: Event, line: bytes) -> None:
        self._take(event, line)
        if self.hears is not None:
            self.hears(event, line)

    @property
    def inferences(self) -> list[tuple[int, int, str, int, bool]]:
        """Each inference: tick of the event, tick when it was asked, caller, number of the call, whether in time."""
        return [
            (tick, one.asked_tick, one.caller, one.call, one.took_effect)
            for tick, one in self.of("inference_ended")
        ]

    def planning(self, agent: str) -> list[tuple[int, int]]:
        """When decisions for the agent were on their way, in ticks."""
        begun = [tick for tick, payload in self.of("planning_started") if agent in payload.agents]
        ended = [tick for tick, payload in self.of("planning_ended") if agent in payload.agents]
        return list(zip(begun, ended, strict=False))

    def lane(self, agent: str) -> list[Segment]:
        """How the agent spent its time."""
        timeline = Timeline()
        for event in self.events:
            timeline.apply(event)
        return timeline.lanes[agent]


def step(number: int, do: str, /, **parameters: Any) -> Written:
    """One task of a plan, in a model's words."""
    return {"id": f"t{number}", "do": do, "with": parameters, "after": [], "note": ""}


def wait(steps: int) -> list[Written]:
    """A plan that waits."""
    return [step(1, "wait", duration=steps)]


def walk(x: int, z: int = 0) -> list[Written]:
    """A plan that goes somewhere."""
    return [step(1, "move_to", target_pos=[x, 64, z])]


def for_all(**plans: Sequence[Written]) -> str:
    """A master's words."""
    return json.dumps({"reasoning": "", "agent_plans": plans})


def own(
    plan: Sequence[Written] = (), *messages: tuple[str | list[str], str], role: str = "", reasoning: str = ""
) -> str:
    """An agent's words; messages are (to, content)."""
    sent = [{"to": to, "content": content} for to, content in messages]
    return json.dumps({"reasoning": reasoning, "my_role": role, "plan": list(plan), "messages": sent})


def lines(said: Mapping[str, Sequence[str]], otherwise: str) -> Says:
    """What each caller says call by call, and what anybody says after that."""

    def says(ask: Ask) -> str:
        mine = said.get(ask.caller, ())
        return mine[ask.call - 1] if ask.call <= len(mine) else otherwise

    return says


def master(*said: str, otherwise: str = '{"agent_plans": {}}') -> Says:
    """What a master says call by call."""
    return lines({MASTER: said}, otherwise)


def state(ask: Ask) -> Any:
    """What the question's prompt says of how things are; of a second attempt, the first one's."""
    return _fenced(ask.turns[1].text)


def facts(ask: Ask) -> Any:
    """What the question's briefing says of the task."""
    return _fenced(ask.turns[0].text)


def _fenced(text: str) -> Any:
    return json.loads(text.rpartition("```json\n")[2].partition("\n```")[0])
