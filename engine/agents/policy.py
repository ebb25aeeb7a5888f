"""What a policy is: whoever decides for the agents, and how the episode asks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from engine.agents.plans import Plan
from engine.episode.state import WorldState
from engine.events.payloads import Payload
from engine.spec.model import TaskSpec


@dataclass(frozen=True, slots=True)
class Moment:
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
class Reply:
    """What a call came to. Its latency is an input of the episode like its content."""

    plans: Mapping[str, Plan] = field(default_factory=dict)
    latency_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Call:
    """A request to decide for some agents. All calls of one tick see the same moment."""

    agents: tuple[str, ...]
    decide: Callable[[], Reply]


class Policy(Protocol):
    """Decides what agents do."""

    def follow(self, tick: int, payload: Payload) -> None:
        """Hear of what happened. A policy may use only what its kind is allowed to know (SPEC section 5)."""

    def calls(self, moment: Moment) -> list[Call]:
        """The calls to make now; none if all is well."""


@dataclass(frozen=True, slots=True)
class PolicyInfo:
    """A policy as people choose it.

    Attributes:
        label: its name on a page, which says whether a language model is behind it.
        build: makes one for an episode of the task; the state is the ground truth, for those who may see it.
    """

    name: str
    label: str
    description: str
    build: Callable[[TaskSpec, WorldState], Policy]
