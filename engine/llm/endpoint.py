"""Asks a language model at an OpenAI-compatible endpoint: OpenAI, Azure, DeepSeek, vLLM, Ollama, llama.cpp."""

from __future__ import annotations

import random
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from threading import Event
from typing import Any

import httpx2
import openai

from engine.addresses import AddressError, AddressPolicy
from engine.llm.dialect import Dialect, JsonSupport
from engine.llm.faults import RequestFault, fault_of
from engine.llm.provider import Ask, Completion, ProviderError, RefusalError
from engine.llm.tokens import count
from engine.llm.transport import GuardedTransport
from engine.llm.wire import ChatAnswer, read_answer

LONGEST_BACKOFF_S = 30.0
LEAST_REQUEST_S = 1.0
"""A retry that patience leaves less time than this (or than the time-out) is not begun: it would only end in one."""
RESERVED = frozenset(
    {
        "max_completion_tokens",
        "max_tokens",
        "messages",
        "model",
        "n",
        "response_format",
        "seed",
        "stream",
        "temperature",
        "user",
    }
)
"""Parameters that have a setting of their own, or none, and cannot stand in `extra_body`."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """How to reach a model, and what it costs.

    Attributes:
        name: what people call it, as in `--model NAME`.
        base_url: the API's root, often ending in `/v1`.
        model: the model's name there.
        key: sent as a bearer token; empty for servers that want none. Never shown.
        json_support: what the endpoint offers to hold a reply to JSON; `auto` finds it out.
        max_tokens: longest reply, reasoning included.
        temperature: None leaves it to the endpoint.
        timeout_s: seconds that one request may take from beginning to end.
        patience_s: seconds that an answer may take with all retries.
        backoff_s: wait before the first retry; it doubles from one to the next.
        prompt_price, completion_price: US dollars per million tokens; None if unknown.
        extra_body: further parameters of a request, such as `{"reasoning_effort": "low"}`.
        declares_latency: the server is our own scripted one, whose answers say how long they took.
        addresses: which hosts may be asked.
    """

    name: str
    base_url: str
    model: str
    key: str = field(default="", repr=False)
    json_support: JsonSupport = "auto"
    max_tokens: int = 16_384
    temperature: float | None = None
    timeout_s: float = 180.0
    patience_s: float = 600.0
    backoff_s: float = 1.0
    prompt_price: float | None = None
    completion_price: float | None = None
    extra_body: Mapping[str, Any] = field(default_factory=dict)
    declares_latency: bool = False
    addresses: AddressPolicy = field(default_factory=AddressPolicy)

    def cost_usd(self, prompt_tokens: int, completion_tokens: int) -> float | None:
        """What these tokens cost; None without both prices."""
        if self.prompt_price is None or self.completion_price is None:
            return None
        return (prompt_tokens * self.prompt_price + completion_tokens * self.completion_price) / 1_000_000


class EndpointProvider:
    """A `Provider` that asks over the network, and asks again while the fault may pass."""

    def __init__(self, endpoint: Endpoint, seed: int = 0) -> None:
        """Open it; nothing is sent yet.

        Args:
            endpoint: whom to ask.
            seed: of the episode; only sent to a server that declares its latency.

        Raises:
            RefusalError: the endpoint's address may not be asked.
        """
        self._endpoint = endpoint
        self._seed = seed
        self._closed = Event()
        self._dialect = Dialect(
            json="schema" if endpoint.json_support == "auto" else endpoint.json_support,
            temperature=endpoint.temperature,
        )
        try:
            endpoint.addresses.check_url(endpoint.base_url)
        except AddressError as error:
            raise RefusalError(self._says(f"may not be asked: {error}")) from None
        self._transport = GuardedTransport(endpoint.addresses)
        self._client = openai.OpenAI(
            base_url=endpoint.base_url,
            api_key=endpoint.key or "none",
            max_retries=0,
            http_client=httpx2.Client(transport=self._transport, trust_env=False, follow_redirects=False),
        )

    @property
    def is_scripted(self) -> bool:
        """Whether a script answers at the other end."""
        return self._endpoint.declares_latency

    @property
    def dialect(self) -> Dialect:
        """How the endpoint is asked, as far as that has been found out."""
        return self._dialect

    def complete(self, ask: Ask) -> Completion:
        """The model's answer.

        Raises:
            RefusalError: the endpoint will not answer until its settings are mended.
            ProviderError: it did not answer within its patience, or was closed meanwhile.
        """
        began = time.monotonic()
        deadline = began + self._endpoint.patience_s
        retries = 0
        while True:
            sent, dialect = time.monotonic(), self._dialect
            timeout_s = max(min(self._endpoint.timeout_s, deadline - sent), 0.001)
            outcome = self._request(ask, dialect, timeout_s)
            if isinstance(outcome, ChatAnswer):
                took = time.monotonic() - sent
                return self._completion(ask, outcome, took, queue_s=sent - began, retries=retries)
            retries += 1
            self._wait(ask, dialect, outcome, retries, deadline)

    def close(self) -> None:
        """Let go of connections; a request on its way is given up."""
        self._closed.set()
        self._client.close()

    # --- asking

    def _request(self, ask: Ask, dialect: Dialect, timeout_s: float) -> ChatAnswer | RequestFault:
        try:
            answer = self._client.chat.completions.with_raw_response.create(
                **dialect.parameters(ask, self._endpoint.model, self._endpoint.max_tokens),
                **self._identity(ask),
                extra_headers=_authorization(self._endpoint.key),
                extra_body=dict(self._endpoint.extra_body),
                timeout=timeout_s,
            )
            return read_answer(answer.content)
        except Exception as error:  # nothing that an endpoint does may be more than a fault
            return fault_of(error, timeout_s)

    def _identity(self, ask: Ask) -> dict[str, Any]:
        """What a scripted server needs to answer as the planner in this process would."""
        if not self._endpoint.declares_latency:
            return {}
        return {"user": f"{ask.caller}/{ask.call}/{ask.attempt}", "seed": self._seed}

    def _wait(self, ask: Ask, dialect: Dialect, fault: RequestFault, retries: int, deadline: float) -> None:
        """Wait until it makes sense to ask again, or raise."""
        if self._closed.is_set():
            raise ProviderError(self._says("was closed while it was asked"))
        if other := dialect.after(fault, self._endpoint.json_support):
            self._dialect = other
            return
        if fault.is_final:
            raise RefusalError(self._says(fault.words + self._blame(ask, dialect, fault)))
        pause_s = max(self._backoff(retries), fault.retry_after_s or 0.0)
        least_s = min(LEAST_REQUEST_S, self._endpoint.timeout_s)
        if time.monotonic() + pause_s + least_s > deadline:
            raise ProviderError(self._says(f"{fault.words}. {self._gave_up(fault, retries)}"))
        if self._closed.wait(pause_s):
            raise ProviderError(self._says("was closed while it was asked"))

    def _backoff(self, retries: int) -> float:
        """Doubling, with jitter so that callers that failed together do not come back together."""
        longest = min(LONGEST_BACKOFF_S, self._endpoint.backoff_s * 2.0 ** min(retries - 1, 16))
        return random.uniform(0.5, 1.0) * longest  # noqa: S311 - no secret

    def _blame(self, ask: Ask, dialect: Dialect, fault: RequestFault) -> str:
        """Which of the parameters that were sent the endpoint complains about."""
        sent = dialect.parameters(ask, self._endpoint.model, self._endpoint.max_tokens) | dict(
            self._endpoint.extra_body
        )
        named = fault.named([name for name in sent if name not in ("model", "messages")])
        return f". It names {', '.join(f'`{name}`' for name in named)}" if named else ""

    def _gave_up(self, fault: RequestFault, retries: int) -> str:
        times = "once" if retries == 1 else f"{retries} times"
        asked = f"It was asked {times}; the patience for one answer is {self._endpoint.patience_s:g} s"
        if fault.retry_after_s:
            asked += f", and it wants to be left alone for {fault.retry_after_s:.0f} s"
        return f"{asked}. Try again later, or be more patient"

    def _says(self, words: str) -> str:
        return f"Model {self._endpoint.name} at {self._endpoint.base_url} {words}."

    # --- answering

    def _completion(
        self, ask: Ask, answer: ChatAnswer, took: float, *, queue_s: float, retries: int
    ) -> Completion:
        choice, usage = answer.choices[0], answer.usage
        text = choice.message.text
        prompt = usage.prompt_tokens if usage else None
        completion = usage.completion_tokens if usage else None
        details = usage.completion_tokens_details if usage else None
        prompt = sum(count(turn.text) for turn in ask.turns) if prompt is None else prompt
        completion = count(text) if completion is None else completion
        declared = answer.tickingcollab if self._endpoint.declares_latency else None
        return Completion(
            text=text,
            prompt_tokens=prompt,
            completion_tokens=completion,
            reasoning_tokens=(details.reasoning_tokens or 0) if details else 0,
            latency_s=declared.latency_s if declared else took,
            cost_usd=self._endpoint.cost_usd(prompt, completion),
            is_cut_off=choice.finish_reason == "length",
            queue_s=queue_s,
            retries=retries,
        )


def _authorization(key: str) -> dict[str, Any]:
    """The header that carries the key, or none; given outright, so that no key comes from the environment."""
    return {"Authorization": f"Bearer {key}" if key else openai.omit}
