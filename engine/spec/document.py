"""YAML text → plain data that knows its lines, safe against hostile text.

Built on PyYAML's events, without its composer and constructor: nothing recurses, so that no nesting can
exhaust the stack, and every limit holds before anything larger is built. The values follow YAML 1.2's core
schema: only `true` and `false` are booleans (`on`, `yes` and the like stay text), `12:30` and dates stay
text, and so does a number that two readers might read as two (`010`, `1_000`, `0x1F`).
"""

from __future__ import annotations

import math
import re
from collections.abc import Container
from dataclasses import dataclass, field
from typing import Any

import yaml

from engine.errors import Fault
from engine.spec.names import quote

MAX_BYTES = 256 * 1024
MAX_DEPTH = 20
MAX_NODES = 100_000
MAX_DIGITS = 18

Path = tuple[str | int, ...]
"""Where in a document: mapping keys and list indices from the root."""

_BREAKS_IN_DISGUISE = "\x85\u2028\u2029"
_FORBIDDEN = re.compile(
    rf"[^\t\n\r\x20-\x7e\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]|[\ufeff{_BREAKS_IN_DISGUISE}]"
)
_INTEGER = re.compile(r"[-+]?(?:0|[1-9][0-9]*)")
_FLOAT = re.compile(r"[-+]?(?:(?:0|[1-9][0-9]*)(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
_NOT_FINITE = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")
_WORDS = {"": None, "~": None, "null": None, "Null": None, "NULL": None} | {
    word: value for value in (True, False) for word in (str(value).lower(), str(value), str(value).upper())
}


class YamlMap(dict[str, Any]):
    """A mapping that knows the line it starts on and the line of each of its keys."""

    def __init__(self, line: int) -> None:
        super().__init__()
        self.line = line
        self.lines: dict[str, int] = {}

    def places(self) -> Container[object]:
        """The keys."""
        return self.lines

    def put(self, key: str, value: Any, line: int) -> None:
        """Set a key that stands on this line."""
        self[key] = value
        self.lines[key] = line

    def drop(self, key: str) -> None:
        """Remove a key."""
        del self[key], self.lines[key]

    def rename(self, old: str, new: str) -> None:
        """Give a value another key, in the same place of the order."""
        entries = [(new if key == old else key, value, self.lines[key]) for key, value in self.items()]
        self.clear()
        self.lines.clear()
        for entry in entries:
            self.put(*entry)


class YamlList(list[Any]):
    """A list that knows the line it starts on and the line of each of its entries."""

    def __init__(self, line: int) -> None:
        super().__init__()
        self.line = line
        self.lines: list[int] = []

    def places(self) -> Container[object]:
        """The indices."""
        return range(len(self))

    def add(self, value: Any, line: int) -> None:
        """Append an entry that stands on this line."""
        self.append(value)
        self.lines.append(line)


@dataclass(slots=True)
class Document:
    """What a text holds.

    Attributes:
        data: `YamlMap`, `YamlList` or a scalar.
        faults: what is wrong with the text as YAML.
        spoiled: places whose value in `data` is not what the text says, since a fault is there.
        readable: whether `data` is the whole text; False when reading had to stop at a fault.
    """

    data: Any = None
    faults: list[Fault] = field(default_factory=list)
    spoiled: list[Path] = field(default_factory=list)
    readable: bool = True


def read(source: str | bytes) -> Document:
    """Read one YAML document. Never raises; what is wrong is in the result's `faults`."""
    try:
        text = _decode(source)
        return _Reader(text).read()
    except _Unreadable as stop:
        return Document(faults=[*stop.before, stop.fault], readable=False)


def line_of(data: Any, path: Path) -> int | None:
    """The line of the place in a document, or of the nearest place around it that exists."""
    line: int | None = getattr(data, "line", None)
    for part in path:
        known = (
            data.lines
            if isinstance(data, YamlMap)
            else range(len(data))
            if isinstance(data, YamlList)
            else ()
        )
        if part not in known:
            break
        line, data = data.lines[part], data[part]
    return line


def show(path: Path) -> str:
    """`agents.spawn[0].position`; keys that are no plain words are quoted and shortened."""
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part}]"
        elif re.fullmatch(r"[A-Za-z0-9_-]{1,64}", part):
            text += f".{part}" if text else part
        else:
            text += f"[{quote(part)}]"
    return text


class _Unreadable(Exception):  # noqa: N818 - control flow within this module
    def __init__(self, fault: Fault, before: list[Fault] | None = None) -> None:
        super().__init__(str(fault))
        self.fault = fault
        self.before = before or []


def _decode(source: str | bytes) -> str:
    """Check size and encoding first: nothing else is looked at in a text that is too large or no text."""
    size = len(source if isinstance(source, bytes) else source.encode("utf-8", "surrogatepass"))
    if size > MAX_BYTES:
        raise _Unreadable(
            Fault(None, "", f"the text has more than {MAX_BYTES // 1024} KB, the most that is read")
        )
    if isinstance(source, bytes):
        if source.startswith((b"\xff\xfe", b"\xfe\xff")):
            raise _Unreadable(Fault(1, "", "the file is in UTF-16; save it as UTF-8"))
        try:
            text = source.decode("utf-8")
        except UnicodeDecodeError as error:
            line = source.count(b"\n", 0, error.start) + 1
            raise _Unreadable(
                Fault(line, "", f"byte 0x{source[error.start]:02x} is not UTF-8; save as UTF-8")
            ) from None
    else:
        text = source
    text = text.removeprefix("\ufeff")
    if found := _FORBIDDEN.search(text):
        raise _Unreadable(Fault(text.count("\n", 0, found.start()) + 1, "", _forbidden(found.group())))
    return text


def _forbidden(character: str) -> str:
    return f"the character U+{ord(character):04X} is not allowed; remove it"


@dataclass(slots=True)
class _Frame:
    """A container that is being filled. `container` is None while what is read will be thrown away."""

    container: YamlMap | YamlList | None
    path: Path
    line: int
    is_map: bool
    key: str | None = None
    key_line: int = 0
    at_value: bool = False


class _Reader:
    """Folds PyYAML's events into data."""

    def __init__(self, text: str) -> None:
        self._loader: Any = yaml.SafeLoader(text)  # its methods have no types
        self._faults: list[Fault] = []
        self._spoiled: list[Path] = []
        self._stack: list[_Frame] = []
        self._root: Any = None
        self._nodes = 0
        self._documents = 0

    def read(self) -> Document:
        try:
            while self._loader.check_event():
                self._take(self._loader.get_event())
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            self._stop(mark.line + 1 if mark else self._loader.line + 1, _plain_words(error))
        except (yaml.YAMLError, ValueError, OverflowError):
            # PyYAML lets Python's own errors through for escapes and version numbers that are out of range.
            self._stop(self._loader.line + 1, "not valid YAML: an escape or a number is out of range")
        finally:
            self._loader.dispose()
        return Document(self._root, self._faults, self._spoiled)

    def _take(self, event: Any) -> None:
        line = event.start_mark.line + 1
        if isinstance(event, yaml.DocumentStartEvent):
            self._documents += 1
            if self._documents > 1:
                self._stop(line, "a second document begins here; a task file holds exactly one")
        elif isinstance(event, yaml.NodeEvent):
            self._take_node(event, line)
        elif isinstance(event, yaml.CollectionEndEvent):
            frame = self._stack.pop()
            self._place(frame.container, frame.line)

    def _take_node(self, event: Any, line: int) -> None:
        self._nodes += 1
        if self._nodes > MAX_NODES:
            self._stop(line, f"the text has more than {MAX_NODES:,} values, the most that is read")
        if isinstance(event, yaml.AliasEvent):
            self._fault(line, "aliases (*name) are not allowed; write the value out", spoils=True)
            self._place(None, line)
            return
        if event.anchor is not None:
            self._fault(line, "anchors (&name) are not allowed; remove it")
        if event.tag is not None:
            self._fault(line, "tags (!name) are not allowed; remove it", spoils=True)
        if isinstance(event, yaml.ScalarEvent):
            self._take_scalar(event, line)
        else:
            self._open(line, is_map=isinstance(event, yaml.MappingStartEvent))

    def _open(self, line: int, *, is_map: bool) -> None:
        if len(self._stack) >= MAX_DEPTH:
            self._stop(line, f"the text is nested more than {MAX_DEPTH} levels deep")
        parent = self._stack[-1] if self._stack else None
        path = self._path()
        thrown_away = parent is not None and parent.container is None
        if parent is not None and parent.is_map and not parent.at_value:
            self._fault(line, "a key must be text, not a list or a mapping")
            thrown_away = True
        container = None if thrown_away else YamlMap(line) if is_map else YamlList(line)
        self._stack.append(_Frame(container, path, line, is_map))

    def _take_scalar(self, event: Any, line: int) -> None:
        plain = event.style is None
        parent = self._stack[-1] if self._stack else None
        if found := _FORBIDDEN.search(event.value):
            self._fault(line, _forbidden(found.group()))
        if parent is not None and parent.is_map and not parent.at_value:
            self._take_key(parent, event.value, line, plain=plain)
        else:
            self._place(self._scalar(event.value, line) if plain else event.value, line)

    def _take_key(self, frame: _Frame, key: str, line: int, *, plain: bool) -> None:
        frame.at_value, frame.key, frame.key_line = True, None, line
        if frame.container is None:
            return
        if plain and key == "<<":
            self._fault(line, "merge keys (<<) are not allowed; write the keys out")
        elif plain and not isinstance(self._scalar(key, line), str):
            self._fault(line, f"a key must be text, found {key or 'nothing'}; put it in quotes")
        elif isinstance(frame.container, YamlMap) and key in frame.container:
            first = frame.container.lines[key]
            path = (*frame.path, key)
            self._spoiled.append(path)
            self._faults.append(
                Fault(line, show(path), f"duplicate key, first on line {first}; keep one of the two")
            )
        else:
            frame.key = key

    def _place(self, value: Any, line: int) -> None:
        """Put a finished value where it belongs."""
        if not self._stack:
            self._root = value
            return
        frame = self._stack[-1]
        if frame.is_map and not frame.at_value:
            # A key that is a list, a mapping or an alias: reported already, its value will be thrown away.
            frame.at_value, frame.key = True, None
            return
        if isinstance(frame.container, YamlList):
            frame.container.add(value, line)
        elif isinstance(frame.container, YamlMap) and frame.key is not None:
            frame.container.put(frame.key, value, frame.key_line)
        frame.at_value, frame.key = False, None

    def _scalar(self, text: str, line: int) -> Any:
        """A plain scalar's value by YAML 1.2's core schema, without its octal and hexadecimal forms."""
        if text in _WORDS:
            return _WORDS[text]
        if _NOT_FINITE.fullmatch(text):
            self._fault(line, f"{text} is not allowed; write a finite number", spoils=True)
            return 0.0
        if _INTEGER.fullmatch(text):
            if len(text) > MAX_DIGITS:
                self._fault(line, f"the number has more than {MAX_DIGITS} digits", spoils=True)
                return 0
            return int(text)
        if _FLOAT.fullmatch(text):
            value = float(text)
            if math.isinf(value):
                self._fault(line, f"the number {quote(text)} is too large", spoils=True)
                return 0.0
            return value
        return text

    def _path(self) -> Path:
        """The path of the value that comes next."""
        if not self._stack:
            return ()
        frame = self._stack[-1]
        if isinstance(frame.container, YamlList):
            return (*frame.path, len(frame.container))
        return frame.path if frame.key is None else (*frame.path, frame.key)

    def _fault(self, line: int, message: str, *, spoils: bool = False) -> None:
        path = self._path()
        self._faults.append(Fault(line, show(path), message))
        if spoils:
            self._spoiled.append(path)

    def _stop(self, line: int, message: str) -> None:
        raise _Unreadable(Fault(line, "", message), self._faults)


_PROBLEMS = (
    ("found character '\\t'", "a tab cannot be used here; indent with spaces"),
    ("mapping values are not allowed", "unexpected ':'; check the indentation, or put the text in quotes"),
    ("could not find expected ':'", "a key without ':'; check the lines above"),
    ("but found '<block mapping start>'", "unexpected key; check the indentation"),
    ("but found '-'", "unexpected list entry; check the indentation"),
    ("'<stream end>'", "the text ends within a list or a mapping; a closing ']' or '}' is missing"),
    ("expected ',' or ']'", "a ',' or the closing ']' is missing before this place"),
    ("expected ',' or '}'", "a ',' or the closing '}' is missing before this place"),
    ("found unexpected end of stream", "the text ends within quotes; the closing quote is missing"),
)


def _plain_words(error: yaml.MarkedYAMLError) -> str:
    problem = " ".join(str(error.problem or error.context or "syntax error").split())
    for sign, words in _PROBLEMS:
        if sign in problem:
            return f"not valid YAML: {words}"
    return f"not valid YAML: {problem[:200]}"
