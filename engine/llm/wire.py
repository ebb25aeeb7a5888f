"""What the chat-completions API answers, as far as it is read. Whatever else stands there is passed over."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec

from engine.llm.provider import Ask

SCHEMA_NAME = "reply"

Count = Annotated[int, msgspec.Meta(ge=0, le=10**12)]


class CompletionDetails(msgspec.Struct):
    """How the completion's tokens were spent."""

    reasoning_tokens: Count | None = None


class Usage(msgspec.Struct):
    """Tokens as the endpoint counts them."""

    prompt_tokens: Count | None = None
    completion_tokens: Count | None = None
    completion_tokens_details: CompletionDetails | None = None


class Part(msgspec.Struct):
    """A piece of content; one that is no text (reasoning, say) has none."""

    text: str = ""


class Answered(msgspec.Struct):
    """The model's message. `reasoning` and `reasoning_content`, which some servers add, stay out."""

    content: str | list[Part] | None = None
    refusal: str | None = None

    @property
    def text(self) -> str:
        """What the model said; its refusal if it said no more."""
        if isinstance(self.content, list):
            return "".join(part.text for part in self.content)
        return self.content or self.refusal or ""


class Choice(msgspec.Struct):
    """One answer; only one is asked for."""

    message: Answered
    finish_reason: str | None = None


class Declared(msgspec.Struct):
    """What our own scripted server says about its answer: the latency that counts instead of the measured one."""

    latency_s: Annotated[float, msgspec.Meta(ge=0, le=3_600)]


class ChatAnswer(msgspec.Struct):
    """The body of an answer."""

    choices: Annotated[list[Choice], msgspec.Meta(min_length=1)]
    usage: Usage | None = None
    tickingcollab: Declared | None = None


class BrokenAnswerError(Exception):
    """A body is not what the API answers. Its text is kept out of the message on purpose."""


def read_answer(body: bytes) -> ChatAnswer:
    """The body's content.

    Raises:
        BrokenAnswerError: wrongly encoded, no JSON, or JSON of another form.
    """
    try:
        answer = msgspec.json.decode(body, type=ChatAnswer)
        answer.choices[0].message.text.encode()
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        raise BrokenAnswerError from None
    return answer


def messages(ask: Ask) -> list[dict[str, str]]:
    """The conversation as the API takes it."""
    return [{"role": turn.role, "content": turn.text} for turn in ask.turns]


def response_format(level: str, ask: Ask) -> dict[str, Any] | None:
    """The parameter that holds a reply to JSON; None where plain text is asked for."""
    if level == "schema":
        schema = {"name": SCHEMA_NAME, "schema": dict(ask.schema), "strict": _is_strict(ask.schema)}
        return {"type": "json_schema", "json_schema": schema}
    return {"type": "json_object"} if level == "json" else None


def _is_strict(schema: Any) -> bool:
    """Whether OpenAI takes the schema as a strict one: every object has only properties that it must have."""
    if isinstance(schema, list | tuple):
        return all(map(_is_strict, schema))
    if not isinstance(schema, Mapping):
        return True
    if schema.get("type") == "object":
        named = schema.get("properties", {})
        if schema.get("additionalProperties") is not False or set(named) != set(schema.get("required", ())):
            return False
    return all(map(_is_strict, schema.values()))
