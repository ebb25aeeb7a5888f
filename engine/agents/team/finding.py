"""The one JSON object in a model's words: found, and mended where there is no doubt what was meant (SPEC section 4).

Reasoning, fences and prose around it are left out; single quotes, trailing commas, Python's constants and line breaks
in strings are put right; a cut-off end is completed. Time is linear in the length of the reply, whatever it holds.
"""

from __future__ import annotations

import json
import math
import re
import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any

MAX_REPLY = 200_000
"""Characters of a reply, reasoning left out, that are looked at."""
MAX_DEPTH = 20
MAX_WHOLE = 2**53
"""The greatest whole number that every reader of JSON understands alike."""
FORM_DEPTH = 3
"""How many brackets stand open after an action or a message, at most."""

_THOUGHT_TAG = re.compile(r"<(/?)think(?:ing)?>", re.IGNORECASE)
_STRING_ENDS = re.compile(r"\s*(?:[,:}\]]|\Z)")
_TRAILING_COMMA = re.compile(r",(\s*[}\]])")
_ESCAPE = re.compile(r"\\(x[0-9a-fA-F]{2}|U[0-9a-fA-F]{8}|.)|\"", re.DOTALL)
"""An escape as Python or JSON has it, or a bare double quote."""
_CONSTANT = re.compile(r"\b(?:True|False|None)\b")
_CONSTANTS = {"True": "true", "False": "false", "None": "null"}


class ReplyFault(Exception):  # noqa: N818 - the model's fault, told to the model
    """A reply cannot be read; the text says why, for the one who wrote it."""


def find_object(text: str, key: str) -> dict[str, Any]:
    """The one JSON object in a reply; among several, the only one that has the key.

    Raises:
        ReplyFault: there is none, there are several, or it cannot be read.
    """
    text = _without_thoughts(text)[:MAX_REPLY].strip()
    if not text:
        raise ReplyFault("the reply is empty")
    if "{" not in text:
        raise ReplyFault("there is no JSON object in the reply")
    spans = list(_objects(text))
    read = [value for span in spans if (value := _read(span)) is not None]
    fitting = [value for value in read if key in value] or read
    if len(fitting) > 1 and any(value != fitting[0] for value in fitting):
        raise ReplyFault(f"there are {len(fitting)} different JSON objects in the reply; write one")
    if fitting:
        return fitting[0]
    if (value := _completed(text)) is not None:
        return value
    raise ReplyFault(
        f"the JSON object cannot be read: {_why(spans[0] if spans else text[text.index('{') :])}"
    )


def _without_thoughts(text: str) -> str:
    """The text without what stands in `<think>`; some servers leave the opening tag out, some replies end in it."""
    kept: list[str] = []
    begin = 0
    inside = False
    for tag in _THOUGHT_TAG.finditer(text):
        if tag[1]:
            if not inside:
                kept.clear()
            begin, inside = tag.end(), False
        elif not inside:
            kept.append(text[begin : tag.start()])
            inside = True
    return "".join(kept) if inside else "".join([*kept, text[begin:]])


# --- brackets and strings ---------------------------------------------------------------------------------------------


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
        if char in "{}[]":
            depth += 1 if char in "{[" else -1
            if depth == 0:
                return at + 1
    return None


def _structure(text: str, begin: int) -> Iterator[tuple[int, str]]:
    """Brackets outside of strings, and the quotes at which strings begin and end, each with its place.

    A single quote begins a string only where one can begin, so that an apostrophe in a word does not.
    """
    quote = before = ""
    escaped = False
    for at in range(begin, len(text)):
        char = text[at]
        if quote:
            if escaped:
                escaped = False
            elif char == "\\":
                escaped = True
            elif char == quote and (char == '"' or _STRING_ENDS.match(text, at + 1)):
                quote = ""
                before = char
                yield at, char
        elif char == '"' or (char == "'" and before in "{[,:"):
            quote = char
            yield at, char
        elif not char.isspace():
            before = char
            if char in "{}[]":
                yield at, char


# --- reading ----------------------------------------------------------------------------------------------------------


def _read(text: str) -> dict[str, Any] | None:
    """The object as it stands, or mended; None if it is neither."""
    for written in (text, _mended(text)):
        try:
            return _load(written)
        except ValueError:
            continue
    return None


def _load(text: str) -> dict[str, Any]:
    """The object of a JSON text.

    Raises:
        ValueError: it cannot be read, or holds what no reply may; the text says why.
    """
    try:
        value = json.loads(
            text, parse_int=_whole, parse_constant=_no_constant, object_pairs_hook=_once, strict=False
        )
    except RecursionError:
        raise ValueError(f"it is nested deeper than {MAX_DEPTH}") from None
    if not isinstance(value, dict):
        raise ValueError("it is not an object")
    _check(value, MAX_DEPTH)
    return value


def _whole(digits: str) -> int | float:
    value = float(digits)
    return int(digits) if abs(value) <= MAX_WHOLE else value


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        (key, _), *_ = Counter(key for key, _ in pairs).most_common(1)
        raise ValueError(f"the key {key[:80]!r} is there twice")
    return found


def _check(value: Any, depth: int) -> None:
    """Raise `ValueError` for what could not be logged as JSON and read back the same, or is too deep."""
    if depth == 0:
        raise ValueError(f"it is nested deeper than {MAX_DEPTH}")
    if isinstance(value, dict):
        for key, part in value.items():
            _check(key, depth)
            _check(part, depth - 1)
    elif isinstance(value, list):
        for part in value:
            _check(part, depth - 1)
    elif isinstance(value, str):
        if not value.isascii() and without_surrogates(value) != value:
            raise ValueError("a string holds half a character (a lone surrogate)")
    elif isinstance(value, float) and not math.isfinite(value):
        raise ValueError("a number is out of range")


def without_surrogates(text: str) -> str:
    """The text with a question mark for each half of a character, which no encoding has."""
    return text.encode(errors="replace").decode()


def _mended(text: str) -> str:
    """The text with double quotes, JSON's escapes and constants, and no comma before a closing bracket."""
    pieces: list[str] = []
    begin = 0
    is_string = False
    for at, char in _structure(text, 0):
        if char not in "\"'":
            continue
        if is_string:
            pieces.append(_requoted(text[begin : at + 1]))
            begin, is_string = at + 1, False
        else:
            pieces.append(_outside(text[begin:at]))
            begin, is_string = at, True
    return "".join([*pieces, _outside(text[begin:])])


def _requoted(string: str) -> str:
    """The string in double quotes, its escapes as JSON has them."""
    return '"' + _ESCAPE.sub(_escaped, string[1:-1]) + '"'


def _escaped(found: re.Match[str]) -> str:
    escape = found[1]
    if escape is None:
        return '\\"'
    if len(escape) > 1:
        return f"\\u00{escape[1:]}" if escape[0] == "x" else chr(min(int(escape[1:], 16), sys.maxunicode))
    if escape in '"\\/bfnrtu':
        return found[0]
    return escape if escape == "'" else f"\\\\{escape}"


def _outside(text: str) -> str:
    text = _TRAILING_COMMA.sub(r"\1", text)
    return _CONSTANT.sub(lambda found: _CONSTANTS[found[0]], text)


def _completed(text: str) -> dict[str, Any] | None:
    """The object of a reply that was cut off: up to the last action or message that is whole, brackets closed."""
    begin = text.index("{")
    stack: list[str] = []
    best: tuple[int, tuple[str, ...]] | None = None
    for at, char in _structure(text, begin):
        if char in "{[":
            stack.append("}" if char == "{" else "]")
        elif char in "}]":
            if not stack or stack.pop() != char:
                return None
            if char == "}" and len(stack) <= FORM_DEPTH and stack and stack[-1] == "]":
                best = (at + 1, tuple(reversed(stack)))
    if best is None or not stack:
        return None
    end, closing = best
    return _read(text[begin:end] + "".join(closing))


def _why(text: str) -> str:
    """What keeps the text, mended as far as can be, from being read."""
    try:
        _load(_mended(text))
    except ValueError as error:
        return str(error)[:200]
    return "it is not an object"
