"""Schema violations in plain words: where, what was expected, what was found, and the nearest right name.

pydantic names a violation's place with parts that are not in the document (a union's member, `[key]`). So
the place is found by walking the models along pydantic's parts; the walk also tells what was expected
there.
"""

from __future__ import annotations

import re
import types
from collections.abc import Iterator
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from engine.spec.document import Path
from engine.spec.names import UnknownName, nearest, quote

Problem = tuple[Path, str]
"""A place and what is wrong there."""

GRID_FORM = (
    "list boxes of blocks under environment.materials.grid, each {block, position, width, height, depth}"
)
HINTS = {"num_blocks": GRID_FORM}
"""What to write instead of keys that are known from elsewhere and have no nearest name here."""

_BOUNDS = {
    "greater_than": ("gt", "greater than"),
    "greater_than_equal": ("ge", "of at least"),
    "less_than": ("lt", "less than"),
    "less_than_equal": ("le", "of at most"),
}


def explain(error: ValidationError, root: type[BaseModel]) -> Iterator[Problem]:
    """The violations of a document that was read as `root`, one problem each, put into words when asked for."""
    seen: set[Problem] = set()
    for detail in error.errors(include_url=False):
        problem = _explain(detail, root)
        if problem not in seen:
            seen.add(problem)
            yield problem


def found(value: object) -> str:
    """The value as it is named in a message."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return quote(value)
    if isinstance(value, list | tuple):
        return "a list" if value else "an empty list"
    return "a mapping" if isinstance(value, dict) else str(value)


def _explain(detail: ErrorDetails, root: type[BaseModel]) -> Problem:
    at_key = detail["loc"][-1:] == ("[key]",) and detail["type"] != "extra_forbidden"
    path, expected = _locate(detail["loc"][:-1] if at_key else detail["loc"], root)
    kind, value, context = detail["type"], detail["input"], detail.get("ctx", {})
    if kind == "extra_forbidden":
        return path, _unknown_key(str(path[-1]), _locate(detail["loc"][:-1], root)[1])
    if kind == "missing":
        return path, f"is missing; expected {_describe(expected)}"
    if kind in ("union_tag_not_found", "union_tag_invalid"):
        return (*path, "type"), _wrong_type(value, expected)
    if kind == "value_error":
        return path, _own(context["error"], value)
    if kind in _BOUNDS:
        key, words = _BOUNDS[kind]
        return path, f"expected {_describe(expected)} {words} {context[key]:g}, found {found(value)}"
    if kind in ("too_short", "string_too_short"):
        return path, f"expected at least {_count(context['min_length'], kind)}, found {found(value)}"
    if kind in ("too_long", "string_too_long"):
        return path, f"expected at most {_count(context['max_length'], kind)}, found more"
    return path, f"expected {_describe(expected)}, found {found(value)}{_advice(value, expected)}"


def _own(error: Exception, value: object) -> str:
    if isinstance(error, UnknownName):
        return error.message()
    return f"{error}, found {found(value)}"


def _count(number: int, kind: str) -> str:
    what = "character" if kind.startswith("string") else "entry" if number == 1 else "entries"
    return f"{number} {what}" + ("s" if what == "character" and number != 1 else "")


def _unknown_key(key: str, model: Any) -> str:
    if key in HINTS:
        return f"unknown key {quote(key)}; {HINTS[key]}"
    known = _keys(model)
    guess = nearest(key, known)
    return f"unknown key {quote(key)}{guess or f'; expected one of {_listed(known)}'}"


def _wrong_type(value: Any, union: Any) -> str:
    known = list(_tags(union))
    if "type" not in value:
        return f"is missing; expected one of {_listed(known)}"
    tag = value["type"]
    guess = nearest(tag, known) if isinstance(tag, str) else ""
    return f"expected one of {_listed(known)}, found {found(tag)}{guess}"


def _advice(value: object, expected: Any) -> str:
    """What to do about text where something else was expected: the usual slips, and misspelt choices."""
    if not isinstance(value, str):
        return ""
    if get_origin(expected) is Literal:
        return nearest(value, [choice for choice in get_args(expected) if isinstance(choice, str)])
    if (expected is bool or bool in get_args(expected)) and value.lower() in (
        "yes",
        "no",
        "on",
        "off",
        "y",
        "n",
        "true",
        "false",
    ):
        return "; write true or false, without quotes"
    if expected in (int, float) and re.fullmatch(r"[-+]?[0-9][0-9_a-zA-Z.]*", value):
        return "; write it in plain digits, without quotes, leading zeros or underscores"
    return ""


def _listed(names: list[str]) -> str:
    return ", ".join(names)


# --- walking the models -------------------------------------------------------------------------------------


def _locate(parts: tuple[int | str, ...], root: type[BaseModel]) -> tuple[Path, Any]:
    """The document path of pydantic's parts, and what was expected at its end; None where nothing was."""
    path: list[int | str] = []
    here: Any = root
    for part in parts:
        here = _bare(here)
        if _is_model(here):
            path.append(part)
            here = _fields(here).get(str(part))
        elif get_origin(here) in (list, tuple):
            path.append(part)
            members = get_args(here)
            here = members[part] if isinstance(part, int) and part < len(members) else members[0]
        elif get_origin(here) is dict:
            path.append(part)
            here = get_args(here)[1]
        elif part in _tags(here):
            here = _tags(here)[str(part)]
        else:
            break
    return tuple(path), _bare(here)


def _bare(annotation: Any) -> Any:
    """The annotation without its constraints and without `| None`."""
    while True:
        if get_origin(annotation) is Annotated:
            annotation = get_args(annotation)[0]
        elif get_origin(annotation) in (Union, types.UnionType):
            members = [member for member in get_args(annotation) if member is not type(None)]
            if len(members) > 1:
                return annotation
            annotation = members[0]
        else:
            return annotation


def _is_model(annotation: Any) -> bool:
    return isinstance(annotation, type) and issubclass(annotation, BaseModel)


def _fields(model: type[BaseModel]) -> dict[str, Any]:
    return {field.alias or name: field.annotation for name, field in model.model_fields.items()}


def _keys(annotation: Any) -> list[str]:
    return list(_fields(annotation)) if _is_model(annotation) else []


def _tags(union: Any) -> dict[str, type[BaseModel]]:
    """The members of a union of models by the value of their `type`."""
    members = [member for member in get_args(union) if _is_model(member)]
    return {get_args(member.model_fields["type"].annotation)[0]: member for member in members}


_WORDS = {int: "a whole number", float: "a number", str: "text", bool: "true or false"}


def _describe(annotation: Any) -> str:
    annotation = _bare(annotation)
    if annotation in _WORDS:
        return _WORDS[annotation]
    if _is_model(annotation):
        return f"a mapping with {_listed(_keys(annotation))}"
    origin, members = get_origin(annotation), get_args(annotation)
    if origin is Literal:
        return f"one of {_listed([str(member) for member in members])}"
    if origin is tuple:
        return "a point [x, y, z]"
    if origin in (Union, types.UnionType):
        if tags := _tags(annotation):
            return f"a mapping whose type is one of {_listed(list(tags))}"
        return " or ".join(_describe(member) for member in members)
    return {list: "a list", dict: "a mapping"}.get(origin, "nothing here")
