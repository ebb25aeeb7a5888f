from __future__ import annotations

from typing import Any

import pytest

from engine.spec.document import Document, line_of, read, show


def faults(source: str | bytes) -> list[tuple[int | None, str, str]]:
    return [(fault.line, fault.path, fault.message) for fault in read(source).faults]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("true", True),
        ("False", False),
        ("on", "on"),
        ("off", "off"),
        ("yes", "yes"),
        ("no", "no"),
        ("y", "y"),
        ("12:30:00", "12:30:00"),
        ("2026-11-30", "2026-11-30"),
        ("010", "010"),
        ("1_000", "1_000"),
        ("0x1F", "0x1F"),
        ("0o17", "0o17"),
        ("0b1", "0b1"),
        ("0", 0),
        ("-7", -7),
        ("+7", 7),
        ("1.5", 1.5),
        (".5", 0.5),
        ("1e3", 1000.0),
        ("007.5", "007.5"),
        ("~", None),
        ("null", None),
        ("", None),
        ("=", "="),
        ("'10'", "10"),
        ('"true"', "true"),
        ("|\n    10\n", "10\n"),
    ],
)
def test_scalars_are_read_by_the_core_schema_only(text: str, value: Any) -> None:
    document = read(f"a: {text}")
    assert document.faults == []
    assert document.data["a"] == value
    assert type(document.data["a"]) is type(value)


@pytest.mark.parametrize(
    ("text", "line", "path", "words"),
    [
        ("a: 1\nb: &x [1]\n", 2, "b", "anchors"),
        ("a: 1\nb:\n  - *x\n", 3, "b[0]", "aliases"),
        ("&x {y: *x}", 1, "", "anchors"),
        ("a: !!python/object:os.system ls", 1, "a", "tags"),
        ("a: 1\nb: !str 2", 2, "b", "tags"),
        ("a: {b: 1}\nc:\n  <<: {b: 2}", 3, "c", "merge keys"),
        ("a:\n  b: 1\n  c: 2\n  b: 3", 4, "a.b", "first on line 2"),
        ("a: 1\n1: 2", 2, "", "a key must be text, found 1"),
        ("a: 1\ntrue: 2", 2, "", "a key must be text, found true"),
        ("a: 1\n? [x]\n: 2", 2, "", "a key must be text, not a list"),
        ("a: 1\n? {x: 1}\n: {y: 2}", 2, "", "a key must be text, not a list or a mapping"),
        ("a: .inf", 1, "a", ".inf is not allowed"),
        ("a: [1, -.INF]", 1, "a[1]", "-.INF is not allowed"),
        ("a: .nan", 1, "a", ".nan is not allowed"),
        ("a: 1e999", 1, "a", "too large"),
        ("a: " + "9" * 19, 1, "a", "more than 18 digits"),
        ("a: 1\n---\nb: 2", 2, "", "a second document"),
        ("a: 1\nb: x\x00y", 2, "", "U+0000"),
        ("a: 1\nb: x\x1by", 2, "", "U+001B"),
        ("a: 1\nb: x\ufeffy", 2, "", "U+FEFF"),
        ("a: x\u2028y", 1, "", "U+2028"),
        ('a: 1\nb: "\\0"', 2, "b", "U+0000"),
        ('a: "\\ud800"', 1, "a", "U+D800"),
        ('a: "\\UFFFFFFFF"', 1, "", "out of range"),
        ("%YAML 1." + "1" * 5000 + "\n---\na: 1", 1, "", "out of range"),
        ("a:\n\tb: 1", 2, "", "a tab cannot be used here"),
        ("a:\n b: 1\n  c: 2", 3, "", "unexpected ':'"),
        ("a: [1,\n2", 2, "", "a closing ']' or '}' is missing"),
        ("a: {b: 1\nc: 2", 2, "", "a ',' or the closing '}' is missing"),
        ("a: [1\nb: 2", 2, "", "a ',' or the closing ']' is missing"),
        ('a: "x', 1, "", "the closing quote is missing"),
        ("a: [" + "[" * 20, 1, "", "more than 20 levels"),
        ("[" * 5000, 1, "", "more than 20 levels"),
        ("- " * 5000, 1, "", "more than 20 levels"),
        ("{a: " * 5000, 1, "", "more than 20 levels"),
        ("a:\n- 1\nb", 3, "", "a key without ':'"),
        ("a:\n  - 1\n b: 2", 3, "", "check the indentation"),
        ("[" + "1," * 100_001 + "]", 1, "", "more than 100,000 values"),
        ("#" * (256 * 1024 + 1), None, "", "more than 256 KB"),
        ("é" * (128 * 1024 + 1), None, "", "more than 256 KB"),
    ],
)
def test_what_a_task_file_may_not_hold_is_named_with_its_line(
    text: str, line: int, path: str, words: str
) -> None:
    first = faults(text)[0]
    assert first[:2] == (line, path)
    assert words in first[2]


def test_the_limits_themselves_are_allowed() -> None:
    assert faults("#" * (256 * 1024)) == []
    assert faults("[" * 20 + "]" * 20) == []
    assert faults("a: " + "9" * 18) == []


@pytest.mark.parametrize(
    ("source", "line", "words"),
    [
        ("a: b\n".encode("utf-16"), 1, "UTF-16"),
        (b"a: 1\nb: \xe9\n", 2, "byte 0xe9 is not UTF-8"),
        (b"\x1f\x8b\x08", 1, "byte 0x8b is not UTF-8"),
    ],
)
def test_bytes_that_are_no_utf_8_are_refused(source: bytes, line: int, words: str) -> None:
    document = read(source)
    assert not document.readable
    assert [(fault.line, words in fault.message) for fault in document.faults] == [(line, True)]


def test_a_byte_order_mark_and_windows_line_ends_do_no_harm() -> None:
    document = read(b"\xef\xbb\xbfa: 1\r\nb: 2\r\n")
    assert document.faults == []
    assert document.data == {"a": 1, "b": 2}
    assert line_of(document.data, ("b",)) == 2


def test_all_faults_of_a_readable_text_are_found() -> None:
    assert [line for line, _, _ in faults("a: &x 1\nb: *x\nc: .inf\nc: 2")] == [1, 2, 3, 4]


def test_lines_are_those_of_keys_and_of_entries() -> None:
    data = read("task:\n  goal:\n    text\nlist:\n  - 1\n  -\n    a: 2\n").data
    assert line_of(data, ()) == 1
    assert line_of(data, ("task", "goal")) == 2
    assert line_of(data, ("list", 0)) == 5
    assert line_of(data, ("list", 1, "a")) == 7


def test_a_place_that_is_not_there_has_the_line_of_what_is_around_it() -> None:
    data = read("task:\n  goal: x\nlist: [1]\n").data
    assert line_of(data, ("task", "type")) == 1
    assert line_of(data, ("task", "goal", "deeper")) == 2
    assert line_of(data, ("list", 5)) == 3


def test_paths_are_shown_as_they_would_be_written() -> None:
    assert show(("agents", "spawn", 0, "position", 2)) == "agents.spawn[0].position[2]"
    assert show(("a b", "c")) == "['a b'].c"
    assert show(("a\nb",)) == "['a\\nb']"
    assert len(show(("x" * 10_000,))) < 80
    assert show(()) == ""


def test_an_empty_text_is_no_fault_of_yaml() -> None:
    assert read("# nothing\n") == Document(None, [])
