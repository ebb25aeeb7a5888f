"""What a language model is to the benchmark: something that answers a prompt and says what that took."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from engine.errors import InfrastructureError

Role = Literal["system", "user", "assistant"]


@dataclass(frozen=True, slots=True)
class Turn:
    """One message of the conversation with a model."""

    role: Role
    text: str


@dataclass(frozen=True, slots=True)
class Ask:
    """One request to a model.

    Attributes:
        caller: whose decision it is: an agent's name, or `MASTER`.
        call: number of the caller's decision, from 1.
        attempt: 1, or 2 where the first reply could not be read.
        turns: the conversation so far, the last turn the user's.
        schema: JSON schema of the reply, for endpoints that can be held to one.
    """

    caller: str
    call: int
    attempt: int
    turns: tuple[Turn, ...]
    schema: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Completion:
    """A model's answer.

    Attributes:
        text: the answer as it came, reasoning in `<think>` included.
        prompt_tokens, completion_tokens: as the endpoint counts them; reasoning is part of the completion.
        reasoning_tokens: how many of the completion's tokens were reasoning, where the endpoint says so.
        latency_s: seconds from sending the request that was answered to the end of its answer.
        cost_usd: by the price table; None without a price.
        is_cut_off: the endpoint stopped it at its length limit.
        queue_s: seconds lost to refused or broken requests before the one that was answered.
        retries: number of those requests.
        is_replayed: taken from an earlier episode's log.
    """

    text: str
    prompt_tokens: int
    completion_tokens: int
    reasoning_tokens: int = 0
    latency_s: float = 0.0
    cost_usd: float | None = None
    is_cut_off: bool = False
    queue_s: float = 0.0
    retries: int = 0
    is_replayed: bool = False


class ProviderError(InfrastructureError):
    """No answer could be had: the endpoint is down, or goes on refusing or hanging. Worth a retry later."""


class RefusalError(ProviderError):
    """The endpoint will not answer until somebody mends its settings: key, model name, address."""

    retryable = False


class Provider(Protocol):
    """Answers asks. Called from several threads at a time."""

    @property
    def is_scripted(self) -> bool:
        """Whether a script and no language model answers; shown wherever results are."""

    def complete(self, ask: Ask) -> Completion:
        """The answer.

        Raises:
            ProviderError: there is none; the episode ends as an error, never as a failure of its agents.
        """

    def close(self) -> None:
        """Let go of connections; a request on its way is given up."""
