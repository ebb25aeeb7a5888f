from __future__ import annotations

import contextlib
import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from engine.agents.team.finding import MAX_REPLY, ReplyFault
from engine.agents.team.replies import (
    MAX_NAME,
    MAX_PARAMETERS,
    MAX_STEPS,
    listed,
    plan_of,
    read_centralized,
    read_distributed,
)

MOVE = {"id": "Ada_task_1", "do": "move_to", "with": {"target_pos": [1, 64, 2]}, "after": [], "note": "go"}
WAIT = {"id": "Ada_task_2", "do": "wait", "with": {"duration": 3}, "after": ["Ada_task_1"], "note": "rest"}
WRITTEN = {
    "reasoning": "Nearest first.",
    "my_role": "Miner",
    "plan": [MOVE, WAIT],
    "messages": [
        {"to": "Bob", "content": "[PROPOSAL] I take [1, 64, 2]."},
        {"to": "all", "content": "[STATUS] on my way"},
    ],
}
TEXT = json.dumps(WRITTEN)


def dos(text: str) -> list[str]:
    return [step.do for step in read_distributed(text).plan]


def fault(read: Callable[[str], Any], text: str) -> str:
    with pytest.raises(ReplyFault) as caught:
        read(text)
    return str(caught.value)


def test_a_plain_reply_is_read_whole() -> None:
    reply = read_distributed(TEXT)
    assert (reply.reasoning, reply.my_role) == ("Nearest first.", "Miner")
    first, second = plan_of(reply.plan, reply.reasoning).steps
    assert (first.id, first.do, first.parameters, first.after, first.note) == (
        "Ada_task_1",
        "move_to",
        {"target_pos": [1, 64, 2]},
        (),
        "go",
    )
    assert (second.do, second.after) == ("wait", ("Ada_task_1",))
    assert [(message.to, message.content) for message in reply.messages] == [
        ("Bob", "[PROPOSAL] I take [1, 64, 2]."),
        ("all", "[STATUS] on my way"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        f"```json\n{TEXT}\n```",
        f"```\n{TEXT}",
        f"Sure, here's my plan:\n\n{TEXT}\n\nLet me know!",
        f'<think>First {{look}}. {{"plan": [] }}</think>{TEXT}',
        f"<THINKING>hm</THINKING>\n{TEXT}",
        f"I think {{so}} </think>{TEXT}",
        f'{TEXT}<think>was that right? {{"plan": []}}',
        f"<think>a<think>b</think>c</think>{TEXT}",
        f"{TEXT}\n{TEXT}",
        f"{{not JSON}} {TEXT}",
        f'My spot: {{"x": 1}}. {TEXT}',
        TEXT.replace("}, {", "},\n {").replace("]}", ",]}").replace("}]", "},\n]"),
        repr(WRITTEN),
        TEXT.replace('"go"', '"go",'),
    ],
    ids=[
        "fenced",
        "fence not closed",
        "prose",
        "reasoning",
        "reasoning under another name",
        "opening tag left out",
        "reasoning after it, not closed",
        "reasoning in reasoning",
        "twice the same",
        "braces in prose",
        "another object in prose",
        "trailing commas",
        "single quotes",
        "comma before a brace",
    ],
)
def test_what_stands_round_a_reply_or_is_spelt_oddly_does_not_matter(text: str) -> None:
    assert read_distributed(text) == read_distributed(TEXT)


def test_trailing_commas_stand_beside_json_constants() -> None:
    (step,) = read_distributed('{"plan": [{"id": 1, "do": "wait", "with": {"a": true, "b": null,},},],}').plan
    assert (step.id, step.with_) == ("1", {"a": True, "b": None})


def test_python_constants_and_apostrophes_in_single_quotes_are_read() -> None:
    (step,) = read_distributed(
        "{'plan': [{'id': 'a', 'do': 'wait', 'with': {'x': True, 'y': None},"
        " 'note': 'Bob\\'s {block}, it\\'s \"his\"'}]}"
    ).plan
    assert step.with_ == {"x": True, "y": None}
    assert step.note == "Bob's {block}, it's \"his\""


def test_whole_numbers_stay_whole_as_long_as_every_reader_knows_them() -> None:
    (step,) = read_distributed(
        f'{{"plan": [{{"id": "a", "do": "wait", "with": {{"a": {2**53}, "b": {-(10**30)}, "c": 7}}}}]}}'
    ).plan
    assert [repr(value) for value in step.with_.values()] == ["9007199254740992", "-1e+30", "7"]


def test_line_breaks_in_strings_are_kept() -> None:
    assert read_distributed('{"plan": [], "reasoning": "one\ntwo\tthree"}').reasoning == "one\ntwo\tthree"


def test_words_that_look_like_constants_or_commas_in_strings_stay() -> None:
    reply = read_distributed('{"plan": [], "reasoning": "True,} None,]",}')
    assert reply.reasoning == "True,} None,]"


# --- cut off ----------------------------------------------------------------------------------------------------------


def test_a_reply_cut_off_in_an_action_keeps_the_actions_before() -> None:
    assert dos(TEXT[: TEXT.index('"do": "wait"')]) == ["move_to"]


def test_a_reply_cut_off_in_a_message_keeps_the_plan_and_the_messages_before() -> None:
    reply = read_distributed(TEXT[: TEXT.index("on my way")])
    assert [step.do for step in reply.plan] == ["move_to", "wait"]
    assert [message.to for message in reply.messages] == ["Bob"]


def test_a_reply_cut_off_in_the_first_message_keeps_the_plan() -> None:
    reply = read_distributed(TEXT[: TEXT.index("[PROPOSAL]")])
    assert [step.do for step in reply.plan] == ["move_to", "wait"]
    assert reply.messages == []


def test_a_fenced_reply_cut_off_keeps_what_is_whole() -> None:
    assert dos(f"Here it is:\n```json\n{TEXT[: TEXT.index('Ada_task_2')]}") == ["move_to"]


def test_a_cut_off_action_does_not_begin_with_half_of_its_parameters() -> None:
    text = '{"plan": [{"id": "a", "do": "wait"}, {"id": "b", "do": "x", "with": {"l": [{"p": 1}, {"p'
    assert dos(text) == ["wait"]


def test_a_centralized_reply_cut_off_keeps_the_agents_before() -> None:
    text = json.dumps({"agent_plans": {"Ada": [MOVE, WAIT], "Bob": [MOVE, WAIT], "Cem": [WAIT]}})
    cut = text.index('"do": "wait"', text.index("Bob"))
    plans = read_centralized(text[:cut]).agent_plans
    assert {name: [step.do for step in steps] for name, steps in plans.items()} == {
        "Ada": ["move_to", "wait"],
        "Bob": ["move_to"],
    }


@pytest.mark.parametrize("end", [1, 12, TEXT.index('"plan"') + 8, TEXT.index('"move_to"')])
def test_a_reply_cut_off_before_anything_is_whole_cannot_be_read(end: int) -> None:
    assert fault(read_distributed, TEXT[:end]).startswith("the JSON object cannot be read: ")


# --- faults in words --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "the reply is empty"),
        (" \n ", "the reply is empty"),
        ("<think>{} I am not done", "the reply is empty"),
        ("I will mine the oak.", "there is no JSON object in the reply"),
        ('["plan"]', "there is no JSON object in the reply"),
        ('{"plan": []} {"plan": [{"id": 1, "do": "x"}]}', "there are 2 different JSON objects in the reply; write one"),
        ('{"a": 1} {"b": 1} {"c": 1}', "there are 3 different JSON objects in the reply; write one"),
        ('{"plan" []}', "the JSON object cannot be read: Expecting ':' delimiter: line 1 column 9 (char 8)"),
        ('{"plan": NaN}', "the JSON object cannot be read: NaN is no JSON"),
        ('{"plan": [1e999]}', "the JSON object cannot be read: a number is out of range"),
        ('{"plan": [1' + "0" * 5_000 + "]}", "the JSON object cannot be read: a number is out of range"),
        ('{"plan": [], "plan": []}', "the JSON object cannot be read: the key 'plan' is there twice"),
        ('{"plan": ["\\ud800"]}', "the JSON object cannot be read: a string holds half a character (a lone surrogate)"),
        ('{"plan": ' + "[" * 30 + "]" * 30 + "}", "the JSON object cannot be read: it is nested deeper than 20"),
        ('{"plan": ' + "[" * 90_000 + "]" * 9 + "}", "the JSON object cannot be read: it is nested deeper than 20"),
        ("{}", "plan: Field required"),
        ('{"plan": 5}', "plan: Input should be a valid list"),
        ('{"plan": ["wait"]}', "plan.0: Input should be a valid dictionary or instance of PlannedStep"),
        ('{"plan": [{"id": "a"}]}', "plan.0.do: Field required"),
        ('{"plan": [{"do": "wait"}]}', "plan.0.id: Field required"),
        ('{"plan": [{"id": "a", "do": 7}]}', "plan.0.do: Input should be a valid string"),
        ('{"plan": [{"id": true, "do": "wait"}]}', "plan.0.id: Input should be a valid string"),
        ('{"plan": [{"id": "a", "do": "wait", "with": [3]}]}', "plan.0.with: Input should be a valid dictionary"),
        ('{"plan": [{"id": "a", "do": "wait", "after": [{}]}]}', "plan.0.after.0: Input should be a valid string"),
        ('{"plan": [], "messages": [{"to": "Bob"}]}', "messages.0.content: Field required"),
        ('{"plan": [], "messages": "hi"}', "messages: Input should be a valid list"),
        (
            json.dumps({"plan": [{"id": f"{n}", "do": "wait"} for n in range(MAX_STEPS + 1)]}),
            "plan: List should have at most 64 items after validation, not 65",
        ),
        (
            json.dumps({"plan": [{"id": "x" * (MAX_NAME + 1), "do": "wait"}]}),
            "plan.0.id: String should have at most 80 characters",
        ),
        (
            json.dumps({"plan": [{"id": "a", "do": "wait", "with": {"x": "y" * MAX_PARAMETERS}}]}),
            "plan.0.with: Value error, the parameters are 8009 characters long; at most 8000 are allowed",
        ),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_named(text: str, words: str) -> None:
    assert fault(read_distributed, text) == words


def test_a_centralized_reply_names_the_agent_whose_plan_is_wrong() -> None:
    assert fault(read_centralized, '{"agent_plans": {"Ada": [], "Bob": 3}}') == (
        "agent_plans.Bob: Input should be a valid list"
    )
    assert fault(read_centralized, '{"plan": []}') == "agent_plans: Field required"


def test_a_fault_is_short_however_long_the_names_in_it() -> None:
    assert len(fault(read_centralized, json.dumps({"agent_plans": {"x" * 90_000: 3}}))) <= 300
    key = json.dumps("k" * 9_000)
    assert len(fault(read_centralized, f"{{{key}: 1, {key}: 2}}")) <= 300


# --- patience ---------------------------------------------------------------------------------------------------------


def test_null_is_as_good_as_left_out() -> None:
    reply = read_distributed(
        '{"plan": [{"id": "a", "do": "wait", "with": null, "after": null, "note": null}],'
        ' "messages": null, "my_role": null, "reasoning": null}'
    )
    (step,) = reply.plan
    assert (step.with_, step.after, step.note) == ({}, [], "")
    assert (reply.messages, reply.my_role, reply.reasoning) == ([], "", "")
    assert read_distributed('{"plan": null}').plan == []
    assert read_centralized('{"agent_plans": {"Ada": null}}').agent_plans == {"Ada": []}


def test_ids_may_be_numbers_and_one_predecessor_needs_no_list() -> None:
    first, second = read_distributed(
        '{"plan": [{"id": 1, "do": "wait"}, {"id": 2, "do": "wait", "after": 1}]}'
    ).plan
    assert (first.id, second.id, second.after) == ("1", "2", ["1"])


def test_keys_that_nobody_asked_for_are_passed_over() -> None:
    (step,) = read_distributed(
        '{"plan": [{"id": 1, "do": "wait", "agent": "Bob", "eta": 3}], "mood": []}'
    ).plan
    assert step.do == "wait"


def test_long_reasoning_does_not_push_the_answer_out_of_sight() -> None:
    assert read_distributed(f"<think>{'hm ' * MAX_REPLY}</think>{TEXT}") == read_distributed(TEXT)


def test_a_million_messages_are_cut_to_what_is_looked_at() -> None:
    text = '{"plan": [], "messages": [' + '{"to": "Bob", "content": "x"}, ' * 1_000_000
    # 26 characters come before the first message, each takes 31 with the comma and space, of which 29 must be there.
    assert len(read_distributed(text).messages) == (MAX_REPLY - 26 - 29) // 31 + 1


def test_many_faults_are_told_by_the_first_five() -> None:
    assert listed([f"f{number}" for number in range(5)]) == "f0; f1; f2; f3; f4"
    assert listed([f"f{number}" for number in range(7)]) == "f0; f1; f2; f3; f4; and 2 more like that"
    assert listed(["x" * 1_000]) == "x" * 300


# --- properties -------------------------------------------------------------------------------------------------------

MARKS = """{ } [ ] " ' \\ , : "plan" 'plan' null True 1e999 NaN - <think> </think> ```json ``` {} "id" "do" "with" """
PIECES = st.sampled_from([*MARKS.split(), "9" * 40, "\n", "\x00", "\ud800", "agent_plans"])


@given(st.lists(PIECES | st.text(max_size=3), max_size=60).map("".join) | st.text(max_size=200))
@example("{'" * 3_000)
@example('{"plan": [' * 3_000)
@example("<think>" * 9_000)
@example("{'a': " + "-" * 50_000 + "1}")
@example("{'a': " + "1+" * 50_000 + "1}")
def test_no_text_whatever_raises_anything_but_a_reply_fault(text: str) -> None:
    for read in (read_centralized, read_distributed):
        with contextlib.suppress(ReplyFault):
            read(text)


LETTERS = st.characters(exclude_categories=["Cs"])
NUMBERS = st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.text(LETTERS, max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(LETTERS, max_size=5), inner, max_size=3)
    ),
    max_leaves=6,
)
PROSE = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="{}<>"), max_size=40)
PLANS = st.lists(
    st.fixed_dictionaries(
        {"id": st.text("abc1_", min_size=1, max_size=5), "do": st.text("abc_", max_size=5)},
        optional={"with": st.dictionaries(st.text("abc", max_size=3), VALUES, max_size=3)},
    ),
    max_size=4,
)


@given(PLANS, PROSE, PROSE, st.sampled_from(["", "```", "```json\n"]), st.booleans())
def test_a_valid_reply_in_any_prose_and_fence_is_read_back(
    plan: list[dict[str, Any]], before: str, after: str, fence: str, is_python: bool
) -> None:
    written = {"plan": plan}
    text = repr(written) if is_python else json.dumps(written, indent=1)
    reply = read_distributed(f"{before}{fence}{text}{fence and '```'}{after}")
    assert [(step.id, step.do, step.with_) for step in reply.plan] == [
        (step["id"], step["do"], step.get("with", {})) for step in plan
    ]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        (r"Bob\'s", "Bob's"),
        (r"C:\dir", r"C:\dir"),
        (r"\x41\U0001f600", "A\U0001f600"),
        (r"\U7fffffff", "\U0010ffff"),
        (r"a\nb\u00e9\"", 'a\nb\u00e9"'),
    ],
)
def test_escapes_that_json_lacks_are_mended(written: str, meant: str) -> None:
    assert read_distributed(f'{{"plan": [], "reasoning": "{written}",}}').reasoning == meant
