"""Nothing a model writes may crash an episode, or put into the log what cannot be read back (SPEC section 4)."""

from __future__ import annotations

import json
from itertools import cycle
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine.agents.actions import ACTIONS
from engine.events.log import decode, encode
from engine.llm.provider import Ask
from tests.engine.build import agent, custom, mob
from tests.engine.team import Game, Model, for_all, own, step

SPEC = custom(
    agent("Ada", tools=["iron_pickaxe"], items={"cobblestone": 3, "bread": 1}),
    agent("Bob", (3, 64, 3)),
    hostiles=[mob((4, 64, 0))],
    blocks={(2, 64, 0): "stone", (2, 64, 1): "oak_log"},
    max_steps=4,
)

ODD = [
    "",
    "Ada",
    "Bob",
    "all",
    "\x00",
    "é\u202e",
    "\U0001d504",
    "a" * 300,
    "<script>",
    "${goal}",
    "(master)",
    "\ud800",
]
TEXTS = st.sampled_from(ODD) | st.text(max_size=6)
NUMBERS = st.integers() | st.floats() | st.sampled_from([2**53, 2**63, 10**40, 1e308, -0.0])
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | NUMBERS
    | TEXTS
    | st.sampled_from(["stone", "cobblestone", "zombie", "bread"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)
CELLS = st.lists(st.integers(-3, 5) | NUMBERS, min_size=2, max_size=4) | st.just([2, 64, 0]) | VALUES
PARAMETERS = st.fixed_dictionaries(
    {},
    optional={
        name: CELLS
        if name.endswith("_pos")
        else st.lists(CELLS, max_size=3)
        if name == "block_positions"
        else VALUES
        for info in ACTIONS.values()
        for name in info.parameters.model_fields
    },
)


@st.composite
def tasks(draw: st.DrawFn) -> dict[str, Any]:
    do = draw(st.sampled_from(sorted(ACTIONS)) | TEXTS)
    names = set(ACTIONS[do].parameters.model_fields) if do in ACTIONS else set()
    drawn = draw(PARAMETERS)
    parameters = (
        {key: value for key, value in drawn.items() if key in names} if draw(st.booleans()) else drawn
    )
    written = {"id": draw(st.sampled_from(["a", "b", 1]) | TEXTS), "do": do, "with": parameters}
    if draw(st.integers(0, 4)) == 0:
        written |= {"after": draw(VALUES), "note": draw(VALUES), "with": draw(VALUES)}
    return written


PLANS = st.lists(tasks(), max_size=4) | VALUES
RECEIVERS = TEXTS | st.lists(TEXTS, max_size=3) | VALUES
MESSAGES = st.lists(st.fixed_dictionaries({"to": RECEIVERS, "content": TEXTS | VALUES}), max_size=3)
OWN = st.fixed_dictionaries(
    {"plan": PLANS}, optional={"messages": MESSAGES | VALUES, "my_role": VALUES, "reasoning": VALUES}
)
FOR_ALL = st.fixed_dictionaries({"agent_plans": st.dictionaries(TEXTS, PLANS, max_size=4) | VALUES})
REPLIES = (OWN | FOR_ALL).map(json.dumps) | st.text(max_size=60) | (OWN | FOR_ALL).map(repr)


def check(said: list[str], policy: str) -> Game:
    """The episode ends as it should, and its log says the same when it is read and written again."""
    words = cycle(said)
    game = Game(SPEC, Model(lambda _: next(words), 0.4), policy, "async")
    assert game.result.status == "finished", game.result.error
    again = [json.loads(encode(event)) for event in decode(game.lines)]
    assert again == [json.loads(line) for line in game.lines]
    json.dumps(game.result.to_dict(), allow_nan=False)
    return game


@settings(max_examples=60)
@given(st.lists(REPLIES, min_size=1, max_size=6), st.sampled_from(["centralized", "distributed"]))
@example(['{"plan": [{"id": "a", "do": "wait", "with": {"duration": 1e999}}]}'], "distributed")
@example([f'{{"plan": [{{"id": "a", "do": "wait", "with": {{"duration": {10**40}}}}}]}}'], "distributed")
@example(['{"plan": [], "messages": [{"to": "all", "content": "\\ud83d"}]}'], "distributed")
@example(["\ud800 {not json"], "centralized")
@example(["{" * 9_000, "[" * 9_000, "<think>" * 9_000], "centralized")
def test_whatever_models_write_an_episode_ends_and_its_log_can_be_read(said: list[str], policy: str) -> None:
    check(said, policy)


@pytest.mark.parametrize("policy", ["centralized", "distributed"])
def test_a_huge_reply_costs_no_more_than_its_length(policy: str) -> None:
    huge = "".join(
        [
            '{"agent_plans": {',
            *(f'"N{number}": [{{"id": {number}, "do": "wait"}}], ' for number in range(9_000)),
            "}}",
        ]
    )
    game = check([huge, "{'" * 100_000, '"' * 400_000, "<think>" * 50_000 + "</think>" * 50_000], policy)
    assert max(len(line) for line in game.lines) < 2_000_000
    for _, refused in game.of("plan_refused"):
        assert len(refused.fault) < 2_000


def test_prompts_stay_short_whatever_was_written_before() -> None:
    parameters = {"duration": "x" * 7_900}
    plan = [step(number, "wait", **parameters) | {"note": "n" * 9_000} for number in range(20)]
    reply = own(plan, *[("all", "m" * 9_000)] * 40, role="r" * 900, reasoning="s" * 9_000)
    game = Game(SPEC, Model(lambda _: reply), "distributed")
    # 24 entries of history with 1,000 characters each, as many messages with 2,000, and the plan that is left.
    longest = max(len(one.prompt) for _, one in game.of("inference_ended"))
    assert longest < 24 * 1_400 + 24 * 2_100 + 20 * 8_100


@pytest.mark.parametrize("policy", ["centralized", "distributed"])
def test_ids_may_be_numbers_and_names_anything(policy: str) -> None:
    steps = [
        {"id": 1, "do": "wait", "with": {"duration": 1}},
        {"id": 2.5, "do": "wait", "after": [1], "with": {"duration": 1}},
    ]

    def says(ask: Ask) -> str:
        return (
            own(steps)
            if ask.caller != "(master)"
            else for_all(**{"Ada": steps, "Bob": steps, "é\u202e\x00": []})
        )

    game = Game(SPEC, Model(says), policy)
    assert [(tick, outcome) for tick, outcome, *_ in game.outcomes("Ada")][:2] == [(20, "ok"), (40, "ok")]
    assert game.result.costs.parse_errors == 0
