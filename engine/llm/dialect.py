"""What an endpoint accepts of the API, found out by asking: servers differ, and refuse what they do not know."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

from engine.llm.faults import RequestFault
from engine.llm.provider import Ask
from engine.llm.wire import messages, response_format

JsonSupport = Literal["auto", "schema", "json", "text"]
JsonLevel = Literal["schema", "json", "text"]
Limit = Literal["max_tokens", "max_completion_tokens"]

_NEXT: dict[JsonLevel, JsonLevel] = {"schema": "json", "json": "text"}
_ABOUT_JSON = ("response_format", "json_schema", "json_object", "schema", "grammar")


@dataclass(frozen=True, slots=True)
class Dialect:
    """How to ask.

    Attributes:
        json: how a reply is held to JSON: by schema, as any JSON object, or not at all.
        limit: the parameter that bounds a reply. `max_tokens` is the one that no server passes over in silence;
            OpenAI's reasoning models refuse it by name and take the other.
        temperature: sent only when it is a number; reasoning models refuse it.
    """

    json: JsonLevel
    limit: Limit = "max_tokens"
    temperature: float | None = None

    def parameters(self, ask: Ask, model: str, max_tokens: int) -> dict[str, Any]:
        """The request's body."""
        body: dict[str, Any] = {"model": model, "messages": messages(ask), self.limit: max_tokens}
        if self.temperature is not None:
            body["temperature"] = self.temperature
        if form := response_format(self.json, ask):
            body["response_format"] = form
        return body

    def after(self, fault: RequestFault, support: JsonSupport) -> Dialect | None:
        """The dialect to try after a refusal; None where the refusal is about something else."""
        if not fault.refusal:
            return None
        if support == "auto" and self.json in _NEXT and fault.named(_ABOUT_JSON):
            return replace(self, json=_NEXT[self.json])
        if self.temperature is not None and fault.named(["temperature"]):
            return replace(self, temperature=None)
        if self.limit == "max_tokens" and fault.named(["max_tokens"]):
            return replace(self, limit="max_completion_tokens")
        return None
