"""Trying a model: one tiny question, and what the answer took."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from engine.agents.team.finding import ReplyFault, find_object
from engine.errors import EngineError
from engine.llm.endpoint import Endpoint, EndpointProvider
from engine.llm.provider import Ask, Completion, Turn

SHOWN = 300
"""Characters of a reply that are shown."""
SCRIPTED_NOTE = (
    "A scripted server that knows only the benchmark’s own questions refuses this one: "
    "then nothing is wrong, and an episode shows whether it answers."
)
_LEVELS = {"schema": "JSON schema", "json": "JSON mode", "text": "plain text"}
_ASK = Ask(
    caller="trial",
    call=1,
    attempt=1,
    turns=(
        Turn("system", "You answer with one JSON object and nothing else."),
        Turn("user", 'How much is 2 + 3? Answer in JSON, as in {"answer": 0}.'),
    ),
    schema={
        "type": "object",
        "properties": {"answer": {"type": "integer"}},
        "required": ["answer"],
        "additionalProperties": False,
    },
)


@dataclass(frozen=True, slots=True)
class Trial:
    """What came of it.

    Attributes:
        error: why there is no answer and what to do; empty if there is one.
        facts: about the answer, as pairs of a label and words.
        reply: the beginning of what the model wrote.
        is_right: the reply can be used, and is the right one.
    """

    error: str = ""
    facts: tuple[tuple[str, str], ...] = ()
    reply: str = ""
    is_right: bool = False


def try_endpoint(endpoint: Endpoint) -> Trial:
    """Ask the question; takes no longer than the endpoint's time-out."""
    try:
        provider = EndpointProvider(replace(endpoint, patience_s=endpoint.timeout_s))
    except EngineError as fault:
        return Trial(str(fault))
    try:
        completion = provider.complete(_ASK)
    except EngineError as fault:
        return Trial(f"{fault} {SCRIPTED_NOTE}" if endpoint.declares_latency else str(fault))
    finally:
        provider.close()
    verdict, is_right = _judge(completion)
    facts = (*_facts(completion), ("Accepts", _LEVELS[provider.dialect.json]), ("Reply", verdict))
    text = completion.text
    return Trial("", facts, text if len(text) <= SHOWN else f"{text[: SHOWN - 1]}…", is_right)


def _facts(completion: Completion) -> Iterator[tuple[str, str]]:
    retries = completion.retries
    refused = f", after {retries} refused request{'s' if retries > 1 else ''}" if retries else ""
    yield "Latency", f"{completion.latency_s:.2f} s{refused}"
    reasoning = f", {completion.reasoning_tokens:,} of them reasoning" if completion.reasoning_tokens else ""
    yield (
        "Tokens",
        f"{completion.prompt_tokens:,} prompt, {completion.completion_tokens:,} completion{reasoning}",
    )
    if completion.cost_usd is not None:
        yield "Cost", f"${completion.cost_usd:.6f}"


def _judge(completion: Completion) -> tuple[str, bool]:
    """Whether the reply can be used, in words and as a fact."""
    try:
        found = find_object(completion.text, "answer")
    except ReplyFault:
        if completion.is_cut_off:
            return "cut off before the JSON was complete: allow longer replies", False
        return "no JSON in it", False
    if found == {"answer": 5}:
        return "the right JSON", True
    return "JSON, but not the right answer", False
