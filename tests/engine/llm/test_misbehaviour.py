"""Whole episodes with models that misbehave, over a real connection: each ends typed and counted, and never crashes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from engine.addresses import AddressPolicy
from engine.episode.result import EpisodeResult
from engine.episode.run import run_episode
from engine.episode.settings import EpisodeSettings, Mode
from engine.events import Event
from engine.events.payloads import InferenceEnded
from engine.llm.endpoint import Endpoint
from engine.llm.models import open_provider
from engine.llm.server import ScriptedServer
from engine.spec.loader import load_task
from tests.engine.build import agent, task
from tests.support.endpoint import (
    ASKED_ONCE,
    Behaviour,
    StubEndpoint,
    cut_off,
    dribbles,
    endless,
    fails,
    hangs,
    hangs_up,
    says,
    sends,
    slow_by,
)

SAMPLES = Path(__file__).parents[3] / "tasks" / "samples"
PAIR = task(
    agent("Ada", (0, 64, 0), tools=("diamond_axe",)),
    agent("Bob", (2, 64, 0), tools=("diamond_axe",)),
    blocks={(4, 64, 0): "oak_log"},
    max_steps=4,
)
POLICIES = ("centralized", "distributed")
WAIT = {"id": "a", "do": "wait", "with": {"duration": 2}}


def plans(step: Any = WAIT) -> str:
    """A reply that both policies can read."""
    both = {"agent_plans": {"Ada": [step], "Bob": [step]}, "plan": [step]}
    return json.dumps(both)


def run(
    url: str, policy: str, mode: Mode = "sync", **changes: Any
) -> tuple[EpisodeResult, list[InferenceEnded]]:
    """An episode with the model there, and its inferences."""
    settings: dict[str, Any] = {"timeout_s": 60.0, "patience_s": 60.0, "backoff_s": 0.001}
    endpoint = Endpoint(
        "stub", url, "m", addresses=AddressPolicy((), allow_loopback=True), **settings | changes
    )
    inferences: list[InferenceEnded] = []

    def sink(event: Event, _line: bytes) -> None:
        if isinstance(event.payload, InferenceEnded):
            inferences.append(event.payload)

    provider = open_provider("stub", 0, endpoint)
    try:
        chosen = EpisodeSettings(policy=policy, mode=mode, model="stub")
        return run_episode(PAIR, chosen, sink, provider=provider), inferences
    finally:
        provider.close()


# --- what is wrong inside an answer is the model's affair


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize(
    "text",
    [
        plans(),
        f"```json\n{plans()}\n```",
        f"Sure, here is the plan.\n\n{plans()}\n\nGood luck!",
        f"<think>What {{now}}?</think>{plans()}",
    ],
    ids=["plain", "fenced", "prose", "thoughts"],
)
def test_an_unambiguous_reply_is_used_as_it_is(policy: str, text: str) -> None:
    with StubEndpoint([says(text)]) as stub:
        result, inferences = run(stub.url, policy)
    assert (result.status, result.error) == ("finished", "")
    assert result.costs.re_asks == result.costs.parse_errors == 0
    assert {inference.outcome for inference in inferences} == {"ok"}
    assert result.costs.inferences == len(inferences) == len(stub.requests) > 0
    assert result.costs.completion_tokens == 7 * len(inferences)  # as the stub counts them


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize(
    ("behaviour", "outcome"),
    [
        (says(""), "empty"),
        (says(None), "empty"),
        (says("I would rather not."), "malformed"),
        (says("[" * 50_000), "malformed"),
        (says('{"agent_plans": 7, "plan": "go"}'), "malformed"),
        (says(plans({"id": "a", "do": "wait", "with": {"duration": 10**400}})), "malformed"),
        (says("gold " * 100_000), "malformed"),
        (says("\x00\ufffe\U0010ffff"), "malformed"),
    ],
    ids=[
        "empty",
        "null",
        "prose",
        "nested",
        "types",
        "number beyond all range",
        "100,000 tokens",
        "odd characters",
    ],
)
def test_an_unreadable_reply_is_asked_for_again_and_counted(
    policy: str, behaviour: Behaviour, outcome: str
) -> None:
    with StubEndpoint([behaviour]) as stub:
        result, inferences = run(stub.url, policy)
    assert (result.status, result.success, result.error) == ("finished", False, "")
    assert {inference.outcome for inference in inferences} == {outcome}
    decisions = len(inferences) // 2
    assert len(inferences) == 2 * decisions > 0
    assert result.costs.re_asks == result.costs.parse_errors == decisions
    assert all(spent.action == 0 for spent in result.breakdown.values())
    assert result.wall_seconds < 60  # however long a reply is


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize(
    "step",
    [
        {"id": "a", "do": "fly_to_the_moon", "with": {}},
        {"id": "a", "do": "mine_blocks_at", "with": {"block_positions": "everywhere"}},
        {"id": "a", "do": "wait", "with": {"duration": 9_999}},
        {"id": "a", "do": "wait", "with": {"duration": 10**30}},
        {"id": "a", "do": "wait", "with": {"duration": 1}, "after": ["a"]},
        {"id": "a", "do": "wait", "with": {"duration": 1}, "after": ["nobody"]},
    ],
    ids=["unknown action", "bad parameters", "out of range", "huge number", "cycle", "unknown id"],
)
def test_a_plan_that_cannot_be_carried_out_never_crashes(policy: str, step: Any) -> None:
    with StubEndpoint([says(plans(step))]) as stub:
        result, inferences = run(stub.url, policy)
    assert (result.status, result.success, result.error) == ("finished", False, "")
    assert result.costs.parse_errors == 0
    assert len(inferences) > 0


@pytest.mark.parametrize("policy", POLICIES)
def test_a_cut_off_reply_is_told_to_be_briefer(policy: str) -> None:
    with StubEndpoint([says('{"agent_plans": "', finish="length"), says(plans())]) as stub:
        result, inferences = run(stub.url, policy)
    assert result.status == "finished"
    assert result.costs.re_asks == 1
    assert "be briefer" in next(inference.fault for inference in inferences if inference.fault)


# --- faults that pass are counted apart


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize(
    "fault",
    [
        fails(429),
        fails(429, Retry_After="0"),
        sends(b"<html>520</html>", 520),
        cut_off,
        hangs_up,
        sends(b"not json"),
        sends(plans().encode("utf-16")),
    ],
    ids=["429", "429 Retry-After", "520", "cut off", "hung up", "no JSON", "encoding"],
)
def test_a_fault_that_passes_costs_a_retry_and_nothing_else(policy: str, fault: Behaviour) -> None:
    with StubEndpoint([fault, says(plans())]) as stub:
        result, inferences = run(stub.url, policy)
    assert (result.status, result.error) == ("finished", "")
    assert result.costs.retries == 1
    assert result.costs.queue_s > 0
    assert len(stub.requests) == len(inferences) + 1
    assert {inference.outcome for inference in inferences} == {"ok"}


def test_a_slow_model_costs_world_time_in_async_mode() -> None:
    with StubEndpoint([slow_by(0.3)]) as stub:
        result, inferences = run(stub.url, "centralized", "async")
    assert result.status == "finished"
    assert all(inference.latency_s >= 0.3 for inference in inferences)
    assert result.breakdown["Ada"].planning >= 0.3


# --- faults that stay end the episode as an error, never as a failure


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize(
    ("behaviour", "words"),
    [
        (fails(429), "limits how much it is asked"),
        (fails(429, Retry_After="3600"), "left alone for 3600 s"),
        (sends(b"<html>520</html>", 520), "(HTTP 520)"),
        (cut_off, "broke off the connection"),
        (hangs_up, "broke off the connection"),
        (sends(b"not json"), "no answer of the chat-completions API"),
        (sends(plans().encode("utf-16")), "no answer of the chat-completions API"),
        (endless, "sent more than 8 MB"),
        (fails(401), "refuses the key"),
        (fails(404), "knows no such model or path"),
        (sends(b"", 302, Location="http://127.0.0.1:1/"), "redirects elsewhere"),
    ],
)
@pytest.mark.parametrize("mode", ["sync", "async"])
def test_a_fault_that_stays_is_an_error(policy: str, mode: Mode, behaviour: Behaviour, words: str) -> None:
    with StubEndpoint([behaviour]) as stub:
        result, inferences = run(stub.url, policy, mode, **ASKED_ONCE)
    is_a_fault(result, words)
    assert inferences == []


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("behaviour", [hangs, dribbles])
@pytest.mark.parametrize("mode", ["sync", "async"])
def test_silence_is_an_error(policy: str, mode: Mode, behaviour: Behaviour) -> None:
    with StubEndpoint([behaviour]) as stub:
        result, inferences = run(stub.url, policy, mode, timeout_s=0.3, patience_s=0.7, backoff_s=0.2)
    is_a_fault(result, "did not answer within")
    assert inferences == []


def is_a_fault(result: EpisodeResult, words: str) -> None:
    assert (result.status, result.success) == ("error", None)
    assert result.error.startswith("Model stub at http://127.0.0.1:")
    assert words in result.error


# --- the scripted planner behind the API is the scripted planner


@contextmanager
def scripted_server() -> Iterator[str]:
    with ScriptedServer() as server:
        thread = Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield server.base_url
        finally:
            server.shutdown()
            thread.join()


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("mode", ["sync", "async"])
@pytest.mark.parametrize("sample", ["gold_rush", "lava_east"])
def test_the_scripted_planner_over_http_gives_the_same_log(policy: str, mode: Mode, sample: str) -> None:
    model = "scripted:latency=uniform(1,5)"
    spec = load_task(SAMPLES / f"{sample}.yaml").spec
    settings = EpisodeSettings(policy=policy, mode=mode, seed=7, model=model)

    def log(endpoint: Endpoint | None) -> bytes:
        lines: list[bytes] = []
        provider = open_provider("http" if endpoint else model, 7, endpoint)
        assert provider.is_scripted
        result = run_episode(spec, settings, lambda _event, line: lines.append(line), provider=provider)
        provider.close()
        assert result.status == "finished"
        assert result.costs.inferences > 0
        return b"\n".join(lines)

    with scripted_server() as url:
        addresses = AddressPolicy((), allow_loopback=True)
        over_http = log(Endpoint("http", url, model, declares_latency=True, addresses=addresses))
    assert over_http == log(None)
