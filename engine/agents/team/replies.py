"""From a model's words to plans: finding the JSON, recovering what is unambiguous, naming what is not (SPEC section 4).

Nothing a model writes may crash an episode: whatever cannot be read is a `ReplyFault`, which the model is told.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from engine.agents.plans import Plan, Step

MAX_REPLY = 200_000
"""Characters of a reply that are looked at."""
MAX_DEPTH = 20
MAX_STEPS = 64
MAX_MESSAGES = 32
MAX_MESSAGE = 2_000

_THOUGHT_MARK = re.compile(r"<(/?)think(?:ing)?>", re.IGNORECASE)


class ReplyFault(Exception):  # noqa: N818 - the model's fault, told to the model
    """A reply cannot be read; the text says why, for the one who wrote it."""


# --- the forms of the paper's appendix G ------------------------------------------------------------------------------


def _text(value: Any) -> Any:
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


Text = Annotated[str, BeforeValidator(_text)]


class _Form(BaseModel):
    """Unknown keys are passed over: models like to add some."""

    model_config = ConfigDict(extra="ignore", frozen=True)


class PlannedStep(_Form):
    """One action of a plan."""

    id: Text
    do: str
    with_: dict[str, Any] = Field(default_factory=dict, alias="with")
    after: list[Text] = []
    note: str = ""


class CentralizedReply(_Form):
    """A plan for every agent."""

    reasoning: str = ""
    agent_plans: dict[str, Annotated[list[PlannedStep], Field(max_length=MAX_STEPS)]]


class WrittenMessage(_Form):
    """A message to one, several (a list) or all (`all`) peers."""

    to: str | list[str]
    content: str


class DistributedReply(_Form):
    """One agent's own plan, its part in the team, and what it tells its peers."""

    reasoning: str = ""
    my_role: str = ""
    plan: Annotated[list[PlannedStep], Field(max_length=MAX_STEPS)]
    messages: list[WrittenMessage] = []


Form = TypeVar("Form", bound=_Form)


def read_centralized(text: str) -> CentralizedReply:
    """The reply to a centralized prompt.

    Raises:
        ReplyFault: it cannot be read.
    """
    return _validate(CentralizedReply, find_object(text))


def read_distributed(text: str) -> DistributedReply:
    """The reply to a distributed prompt.

    Raises:
        ReplyFault: it cannot be read.
    """
    return _validate(DistributedReply, find_object(text))


def _validate(form: type[Form], value: Any) -> Form:
    try:
        return form.model_validate(value)
    except ValidationError as error:
        fault = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in fault["loc"])
        raise ReplyFault(f"{where or 'the object'}: {fault['msg']}") from error


def plan_of(steps: list[PlannedStep], reasoning: str) -> Plan:
    """The plan as the engine carries it out."""
    return Plan(
        tuple(Step(step.id, step.do, step.with_, tuple(step.after), step.note) for step in steps), reasoning
    )


# --- finding the object -----------------------------------------------------------------------------------------------


def find_object(text: str) -> dict[str, Any]:
    """The one JSON object in a reply: reasoning, fences and prose around it are left out, a cut-off end is completed.

    Raises:
        ReplyFault: there is none, there are several, or it cannot be read.
    """
    text = _without_thoughts(text[:MAX_REPLY]).strip()
    if not text:
        raise ReplyFault("the reply is empty")
    if "{" not in text:
        raise ReplyFault("there is no JSON object in the reply")
    spans = list(_objects(text))
    read = [value for span in spans if (value := _read(span)) is not None]
    if len(read) == 1:
        return read[0]
    if len(read) > 1:
        if all(value == read[0] for value in read):
            return read[0]
        raise ReplyFault(f"there are {len(read)} different JSON objects in the reply; write one")
    if (value := _completed(text)) is not None:
        return value
    raise ReplyFault(
        f"the JSON object cannot be read: {_why(spans[0] if spans else text[text.index('{') :])}"
    )


def _without_thoughts(text: str) -> str:
    """What stands outside of `<think>…</think>`, an end without a beginning or a beginning without an end included.

    Mark by mark, since a pattern for the whole would look at a long reply once for each of its characters.
    """
    outside: list[str] = []
    at, is_open = 0, False
    for mark in _THOUGHT_MARK.finditer(text):
        if mark[1]:
            if not is_open:
                outside.clear()
            at, is_open = mark.end(), False
        elif not is_open:
            outside.append(text[at : mark.start()])
            is_open = True
    return "".join(outside if is_open else [*outside, text[at:]])


def _objects(text: str) -> Iterator[str]:
    """The outermost `{…}` of the text, strings respected."""
    at = text.find("{")
    while at >= 0:
        end = _end(text, at)
        if end is None:
            return
        yield text[at:end]
        at = text.find("{", end)


def _end(text: str, begin: int) -> int | None:
    """Where the bracket at `begin` is closed; None if it is not."""
    depth = 0
    for at, char in _structure(text, begin):
        depth += 1 if char in "{[" else -1
        if depth == 0:
            return at + 1
    return None


def _structure(text: str, begin: int) -> Iterator[tuple[int, str]]:
    """Brackets outside of double-quoted strings."""
    quoted = escaped = False
    for at in range(begin, len(text)):
        char = text[at]
        if quoted:
            if escaped:
                escaped = False
            elif char == "\\":
                escaped = True
            elif char == '"':
                quoted = False
        elif char == '"':
            quoted = True
        elif char in "{}[]":
            yield at, char


def _read(text: str) -> dict[str, Any] | None:
    """JSON, or the same with single quotes and trailing commas; None if it is neither."""
    for loads in (_json, ast.literal_eval):
        try:
            value = loads(text)
        except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
            continue
        if isinstance(value, dict) and _is_plain(value, MAX_DEPTH):
            return value
    return None


def _json(text: str) -> Any:
    return json.loads(text, parse_constant=_no_constant)


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")


def _is_plain(value: Any, depth: int) -> bool:
    """Whether it is made of what JSON is made of, and not too deep."""
    if depth == 0:
        return False
    if isinstance(value, dict):
        return all(isinstance(key, str) and _is_plain(part, depth - 1) for key, part in value.items())
    if isinstance(value, list):
        return all(_is_plain(part, depth - 1) for part in value)
    return value is None or isinstance(value, str | bool | int | float)


def _completed(text: str) -> dict[str, Any] | None:
    """The object of a reply that was cut off: up to the last action or message that is whole, brackets closed."""
    begin = text.index("{")
    stack: list[str] = []
    best: tuple[int, tuple[str, ...]] | None = None
    for at, char in _structure(text, begin):
        if char in "{[":
            stack.append("}" if char == "{" else "]")
            continue
        if not stack or stack.pop() != char:
            return None
        if char == "}" and stack and stack[-1] == "]":
            best = (at + 1, tuple(reversed(stack)))
    if best is None or not stack:
        return None
    end, closing = best
    return _read(text[begin:end] + "".join(closing))


def _why(text: str) -> str:
    try:
        json.loads(text)
    except (ValueError, RecursionError) as error:
        return str(error)[:200]
    return "it is nested too deeply, or holds what JSON cannot"
