from __future__ import annotations

from typing import Any

import pytest

from engine.episode.result import Costs, Latency, Wait
from engine.evaluation.costs import CostSheet, latency
from engine.events.payloads import InferenceEnded, MessageSent, Payload
from tests.engine.build import agent, custom, event
from tests.engine.team import Game, Model, own, wait

WAITS = (Wait("Ada", 1, 1, 1.5, 1), Wait("Ben", 2, 1, 3.0, 2))


def inference(**more: Any) -> InferenceEnded:
    plain: dict[str, Any] = {
        "caller": "Ada", "agents": ["Ada"], "call": 1, "attempt": 1, "asked_tick": 0, "prompt": "", "completion": "",
        "prompt_tokens": 100, "completion_tokens": 10, "reasoning_tokens": 4, "latency_s": 2.0, "cost_usd": 0.25,
        "outcome": "ok", "fault": "", "took_effect": True,
    }  # fmt: skip
    return InferenceEnded(**plain | more)


def sheet(*payloads: Payload) -> CostSheet:
    costs = CostSheet()
    for payload in payloads:
        costs.apply(payload)
    return costs


def test_nothing_asked_costs_nothing_and_has_no_latency() -> None:
    assert sheet().costs() == Costs()
    assert Costs().latency_s == Latency(0.0, None, None, None)
    assert Costs().cost_usd is None


def test_sums_by_hand() -> None:
    costs = sheet(
        inference(),
        inference(attempt=1, outcome="malformed", prompt_tokens=50, latency_s=1.0),
        inference(attempt=2, outcome="ok", completion_tokens=7, latency_s=0.5),
        inference(attempt=1, outcome="empty", reasoning_tokens=0),
        inference(attempt=2, outcome="malformed", cost_usd=0.0),
    ).costs(replayed=2, waits=WAITS)
    assert costs == Costs(
        inferences=5,
        latency_s=Latency(7.5, 1.5, 2.0, 2.0),
        prompt_tokens=450,
        completion_tokens=47,
        cost_usd=1.0,
        re_asks=2,
        parse_errors=1,
        reasoning_tokens=16,
        replayed=2,
        retries=3,
        queue_s=4.5,
        waits=WAITS,
    )


def test_without_every_price_there_is_no_sum() -> None:
    assert sheet(inference(), inference(cost_usd=None)).costs().cost_usd is None
    assert sheet(inference(cost_usd=0.0), inference(cost_usd=0.0)).costs().cost_usd == 0.0


@pytest.mark.parametrize(
    ("seconds", "mean", "p50", "p95"),
    [
        ([3.0], 3.0, 3.0, 3.0),
        ([4.0, 1.0], 2.5, 1.0, 4.0),
        ([3.0, 1.0, 2.0], 2.0, 2.0, 3.0),
        ([float(n) for n in range(1, 21)], 10.5, 10.0, 19.0),
        ([float(n) for n in range(1, 22)], 11.0, 11.0, 20.0),
        ([float(n) for n in range(100, 0, -1)], 50.5, 50.0, 95.0),
        ([0.1] * 10, 0.1, 0.1, 0.1),
    ],
)
def test_percentiles_are_values_by_nearest_rank(
    seconds: list[float], mean: float, p50: float, p95: float
) -> None:
    assert latency(seconds) == Latency(mean * len(seconds), mean, p50, p95)


def test_messages_count_by_receiver_in_bytes_and_those_of_events_do_not() -> None:
    said = own(wait(50), ("all", "süß"), (["Bob"], "ab"))
    spec = custom(
        agent("Ada"), agent("Bob"), agent("Cem"),
        events=[event("radio", {"at": [1]}, {"type": "message", "text": "hello all"})], max_steps=2,
    )  # fmt: skip
    model = Model(lambda ask: said if (ask.caller, ask.call) == ("Ada", 1) else own(wait(50)))
    game = Game(spec, model, "distributed")
    assert [message.sender for _, message in game.of("message_sent")] == ["Ada", "Ada", "radio"]
    # "süß" has 3 letters and 5 bytes, and goes to two; "ab" goes to one.
    assert (game.result.costs.messages, game.result.costs.message_bytes) == (3, 12)


def test_words_of_a_stranger_are_no_message_of_the_team() -> None:
    assert sheet(MessageSent(sender="radio", to=["Ada"], text="x")).costs().messages == 0


def test_an_episode_s_costs_are_those_of_its_log() -> None:
    model = Model(lambda ask: own(wait(ask.call)), 1.5, cost_usd=0.5, reasoning_tokens=1)
    game = Game(custom(agent("Ada"), agent("Bob"), max_steps=8), model, "distributed", "async")
    fold = CostSheet()
    for one in game.events:
        fold.apply(one.payload)
    assert fold.costs() == game.result.costs
    # 0–1.5 asked, 1 step of waiting, 2.5–4 asked, 2 steps, 6–7.5 asked: 3 calls each.
    assert (game.result.costs.inferences, game.result.costs.cost_usd) == (6, 3.0)
