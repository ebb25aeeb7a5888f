"""What a policy is: whoever decides for the agents, and how the episode asks."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import ClassVar

import msgspec

from engine.agents.plans import Plan
from engine.episode.state import WorldState
from engine.events.payloads import Payload
from engine.llm.provider import Completion, Provider
from engine.spec.model import TaskSpec

MASTER = "(master)"
"""The caller of a decision for all agents; no agent can bear this name."""


class Moment(msgspec.Struct, frozen=True):
    """A tick at which decisions can be made.

    Attributes:
        tick: world time.
        idle: living agents with nothing to do and no decision on its way, in YAML order.
        busy: living agents that carry out an action and have no decision on its way, in YAML order.
    """

    tick: int
    idle: tuple[str, ...]
    busy: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Message:
    """Words from an agent to others, tagged as in `[PROPOSAL] …`."""

    sender: str
    to: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Inference:
    """One request to a model and what came of it.

    Attributes:
        briefing: the standing part of the prompt (the system's turn); the same in all of a caller's calls.
        prompt: what was said last: the state of things, or what was wrong with the reply before.
        outcome: `ok`; `malformed` if the reply could not be read; `empty` if there was none.
        fault: what was wrong with the reply, in words; empty when ok.
    """

    caller: str
    agents: tuple[str, ...]
    call: int
    attempt: int
    briefing: str
    prompt: str
    completion: Completion
    outcome: str
    fault: str = ""


class Reply(msgspec.Struct, frozen=True):
    """What a call came to. Its latency is an input of the episode like its content.

    Attributes:
        plans: new plans by agent; whoever is not in it goes on with what it does.
        messages: what agents tell one another; readable from the next tick on.
        roles: the part that an agent says it plays in the team, where that was said.
        refusals: what could not be made sense of, as (agent, fault); the one who decided is told when next asked.
        latency_s: how long the decision took, all attempts together.
        inferences: the requests behind it; none for policies without a model.
    """

    plans: Mapping[str, Plan] = msgspec.field(default_factory=dict)
    messages: tuple[Message, ...] = ()
    roles: Mapping[str, str] = msgspec.field(default_factory=dict)
    refusals: tuple[tuple[str, str], ...] = ()
    latency_s: float = 0.0
    inferences: tuple[Inference, ...] = ()


class Call(msgspec.Struct, frozen=True):
    """A request to decide for some agents.

    All calls of one tick see the same moment: `decide` reads nothing that changes, and may run in a thread.
    """

    agents: tuple[str, ...]
    decide: Callable[[], Reply]


class Policy(ABC):
    """Decides what agents do.

    Attributes:
        hears: the types of events that `follow` is to be told of; None for all.
    """

    hears: ClassVar[Collection[type[Payload]] | None] = None

    def follow(self, tick: int, payload: Payload) -> None:  # noqa: B027 - not everyone listens
        """Hear of what happened. A policy may use only what its kind is allowed to know (SPEC section 5)."""

    def next_tick(self) -> int | None:
        """The next tick at which it wants to be asked even if nothing happens; None if never."""
        return None

    @abstractmethod
    def calls(self, moment: Moment) -> list[Call]:
        """The calls to make now; none if all is well."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What a policy is built for.

    Attributes:
        spec: the task.
        state: the ground truth as the log tells it, for those who may see it.
        provider: the language model; None for policies that need none.
    """

    spec: TaskSpec
    state: WorldState
    provider: Provider | None = None


@dataclass(frozen=True, slots=True)
class PolicyInfo:
    """A policy as people choose it.

    Attributes:
        label: its name on a page.
        build: makes one for an episode.
        needs_model: it asks a language model.
    """

    name: str
    label: str
    description: str
    build: Callable[[Setting], Policy]
    needs_model: bool = False
