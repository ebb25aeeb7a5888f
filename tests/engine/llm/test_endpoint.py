"""The endpoint provider against a real server on loopback that misbehaves in every way that is known of endpoints."""

from __future__ import annotations

import json
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from threading import Barrier
from typing import Any

import httpx2
import pytest

from engine.addresses import AddressPolicy
from engine.llm.endpoint import Endpoint, EndpointProvider
from engine.llm.faults import retry_after
from engine.llm.provider import Ask, Completion, ProviderError, RefusalError, Turn
from engine.llm.tokens import count
from engine.llm.transport import MAX_BYTES
from tests.support.endpoint import (
    ASKED_ONCE,
    KEY,
    Behaviour,
    Handler,
    StubEndpoint,
    answer,
    cut_off,
    dead_port,
    dribbles,
    dribbles_head,
    echoes_key,
    endless,
    fails,
    hangs,
    hangs_up,
    says,
    sends,
    slow_by,
)
from tests.support.stack import PATIENCE_SECONDS

SCHEMA = {
    "type": "object",
    "properties": {"answer": {"type": "integer"}},
    "required": ["answer"],
    "additionalProperties": False,
}
ASK = Ask("(master)", 3, 1, (Turn("system", "Answer in JSON."), Turn("user", "2 + 2?")), SCHEMA)
OPEN = AddressPolicy(hosts=(), allow_loopback=True)


def endpoint(url: str, **changes: Any) -> Endpoint:
    settings: dict[str, Any] = {
        "name": "stub",
        "base_url": url,
        "model": "m-1",
        "key": KEY,
        "timeout_s": PATIENCE_SECONDS,
        "patience_s": PATIENCE_SECONDS,
        "backoff_s": 0.001,
        "addresses": OPEN,
    }
    return Endpoint(**settings | changes)


def ask(stub: StubEndpoint, **changes: Any) -> Completion:
    provider = EndpointProvider(endpoint(stub.url, **changes), seed=5)
    try:
        return provider.complete(ASK)
    finally:
        provider.close()


def ask_of(*behaviours: Behaviour, **changes: Any) -> Completion:
    with StubEndpoint(list(behaviours)) as stub:
        return ask(stub, **changes)


# --- what is sent


def test_the_request_holds_what_the_api_wants_and_nothing_of_the_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-the-environment")
    monkeypatch.setenv("OPENAI_ORG_ID", "org-of-the-environment")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "X-Secret: of-the-environment")
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    with StubEndpoint([says()]) as stub:
        ask(stub, temperature=0.5, max_tokens=99, extra_body={"reasoning_effort": "low"})
    (request,) = stub.requests
    assert request.path == "/v1/chat/completions"
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert "environment" not in json.dumps(request.headers)
    assert not [name for name in request.headers if name.startswith("x-")]
    assert request.body == {
        "model": "m-1",
        "messages": [
            {"role": "system", "content": "Answer in JSON."},
            {"role": "user", "content": "2 + 2?"},
        ],
        "max_tokens": 99,
        "temperature": 0.5,
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "reply", "schema": SCHEMA, "strict": True},
        },
        "reasoning_effort": "low",
    }


def test_without_a_key_none_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-the-environment")
    with StubEndpoint([says()]) as stub:
        ask(stub, key="")
    assert "authorization" not in stub.requests[0].headers


@pytest.mark.parametrize(
    ("support", "form"),
    [("schema", "json_schema"), ("json", "json_object"), ("text", None), ("auto", "json_schema")],
)
def test_json_support(support: str, form: str | None) -> None:
    with StubEndpoint([says()]) as stub:
        ask(stub, json_support=support)
    assert stub.bodies[0].get("response_format", {}).get("type") == form


def test_auto_goes_from_schema_to_json_to_text_once_and_remembers() -> None:
    refuse = fails(400, "Unknown parameter", param="response_format")
    with StubEndpoint([refuse, refuse, says(), says()]) as stub:
        provider = EndpointProvider(endpoint(stub.url))
        first, second = provider.complete(ASK), provider.complete(ASK)
        provider.close()
    forms = [body.get("response_format", {}).get("type") for body in stub.bodies]
    assert forms == ["json_schema", "json_object", None, None]
    assert (first.retries, second.retries) == (2, 0)
    assert first.text == second.text == '{"answer": 4}'
    assert provider.dialect.json == "text"


def test_a_chosen_json_support_that_is_refused_is_named() -> None:
    with pytest.raises(RefusalError, match=r"\(HTTP 400\). It names `response_format`\."):
        ask_of(fails(400, "'response_format' is not supported"), json_support="schema")


def test_reasoning_models_refuse_max_tokens_and_temperature() -> None:
    limit = fails(
        400,
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
        code="unsupported_parameter",
        param="max_tokens",
    )
    heat = fails(400, "Unsupported value: 'temperature' does not support 0", param="temperature")
    with StubEndpoint([limit, heat, says()]) as stub:
        completion = ask(stub, temperature=0.0, max_tokens=50)
    assert completion.retries == 2
    assert stub.bodies[0]["max_tokens"] == 50
    last = stub.bodies[-1]
    assert last["max_completion_tokens"] == 50
    assert not {"max_tokens", "temperature"} & last.keys()
    assert last["response_format"]["type"] == "json_schema"


def test_a_scripted_server_hears_who_asks_and_declares_its_latency() -> None:
    with StubEndpoint([says(extra={"tickingcollab": {"latency_s": 20.0}})]) as stub:
        completion = ask(stub, declares_latency=True)
    assert (stub.bodies[0]["user"], stub.bodies[0]["seed"]) == ("(master)/3/1", 5)
    assert completion.latency_s == 20.0


def test_other_servers_cannot_declare_a_latency_and_hear_nothing() -> None:
    with StubEndpoint([says(extra={"tickingcollab": {"latency_s": 20.0}})]) as stub:
        completion = ask(stub)
    assert not {"user", "seed"} & stub.bodies[0].keys()
    assert completion.latency_s < 5.0


# --- what comes back


def test_tokens_and_money() -> None:
    usage = {
        "prompt_tokens": 1_000,
        "completion_tokens": 200,
        "completion_tokens_details": {"reasoning_tokens": 150},
    }
    completion = ask_of(
        says("hello", usage=usage, reasoning_content="hm", reasoning="hm"),
        prompt_price=2.0,
        completion_price=10.0,
    )
    assert completion.text == "hello"
    assert (completion.prompt_tokens, completion.completion_tokens, completion.reasoning_tokens) == (
        1_000,
        200,
        150,
    )
    assert completion.cost_usd == pytest.approx(0.004)  # 1,000 × 2 + 200 × 10 = 4,000 millionths


def test_one_price_is_no_price() -> None:
    assert ask_of(says(), prompt_price=2.0).cost_usd is None


def test_tokens_are_counted_where_the_endpoint_does_not() -> None:
    completion = ask_of(says("gold rush", usage=None))
    assert completion.completion_tokens == count("gold rush") == 2
    assert completion.prompt_tokens == count("Answer in JSON.") + count("2 + 2?")


def test_length_is_told() -> None:
    assert ask_of(says('{"ans', finish="length")).is_cut_off
    assert not ask_of(says()).is_cut_off


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ('```json\n{"a": 1}\n```', '```json\n{"a": 1}\n```'),
        ('Sure! {"a": 1} Anything else?', 'Sure! {"a": 1} Anything else?'),
        ('{"do": "fly_to_the_moon"}', '{"do": "fly_to_the_moon"}'),
        ("<think>hm</think>{}", "<think>hm</think>{}"),
        ("", ""),
        (None, ""),
        ([{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "{}"}], "{}"),
    ],
)
def test_odd_content_is_the_parsers_business(content: Any, text: str) -> None:
    assert ask_of(says(content)).text == text


def test_a_refusal_of_the_model_is_its_text() -> None:
    assert ask_of(says(None, refusal="I will not.")).text == "I will not."


def test_a_reply_of_100_000_tokens() -> None:
    text = "gold " * 100_000
    usage = {"prompt_tokens": 11, "completion_tokens": 100_001}
    completion = ask_of(says(text, usage=usage))
    assert (completion.text, completion.completion_tokens) == (text, 100_001)


# --- faults that pass


def slow_faults() -> list[Any]:
    good = json.dumps(answer()).encode()
    return [
        pytest.param(fails(408), id="408"),
        pytest.param(fails(409), id="409"),
        pytest.param(fails(429), id="429"),
        pytest.param(fails(429, Retry_After="0"), id="429 with Retry-After"),
        pytest.param(fails(500), id="500"),
        pytest.param(fails(503), id="503"),
        pytest.param(sends(b"<html>error 520</html>", 520, Content_Type="text/html"), id="520"),
        pytest.param(cut_off, id="cut off"),
        pytest.param(hangs_up, id="hung up"),
        pytest.param(sends(b""), id="nothing"),
        pytest.param(sends(b"<html>"), id="no JSON"),
        pytest.param(sends(b"[" * 100_000), id="nested"),
        pytest.param(sends(b'"a"'), id="another JSON"),
        pytest.param(sends(b'{"choices": []}'), id="no choice"),
        pytest.param(sends(b'{"error": {"message": "upstream"}}'), id="error with status 200"),
        pytest.param(sends(good.decode().encode("utf-16")), id="UTF-16"),
        pytest.param(sends(good.replace(b"answer", b"\xff\xfe")), id="no UTF-8"),
        pytest.param(sends(good.replace(b"answer", b"\\ud800")), id="half a surrogate"),
        pytest.param(sends(good, Content_Encoding="gzip"), id="said to be compressed"),
        pytest.param(
            sends(good.replace(b'"completion_tokens": 7', b'"completion_tokens": -7')), id="odd usage"
        ),
        pytest.param(endless, id="endless"),
    ]


@pytest.mark.parametrize("fault", slow_faults())
def test_faults_that_may_pass_are_retried_and_counted(fault: Behaviour) -> None:
    with StubEndpoint([fault, fault, says()]) as stub:
        began = time.monotonic()
        completion = ask(stub)
        took = time.monotonic() - began
    assert completion.text == '{"answer": 4}'
    assert completion.retries == 2
    assert len(stub.requests) == 3
    assert completion.queue_s + completion.latency_s <= took
    assert completion.queue_s > 0


@pytest.mark.parametrize("fault", slow_faults())
def test_faults_that_do_not_pass_end_typed_and_in_time(fault: Behaviour) -> None:
    began = time.monotonic()
    with pytest.raises(ProviderError) as caught:
        ask_of(fault, patience_s=1.0, timeout_s=0.5, backoff_s=0.2)
    assert time.monotonic() - began < PATIENCE_SECONDS  # and not as long as the fault lasts
    assert not isinstance(caught.value, RefusalError)
    assert caught.value.retryable
    assert str(caught.value).startswith("Model stub at http://127.0.0.1:")
    assert "Try again later" in str(caught.value)


@pytest.mark.parametrize("behaviour", [hangs, dribbles, dribbles_head])
def test_what_hangs_or_dribbles_is_given_up_in_time(behaviour: Behaviour) -> None:
    with StubEndpoint([behaviour, says()]) as stub:
        completion = ask(stub, timeout_s=0.3)
    assert completion.retries >= 1  # more where the machine is too busy for the good answer, too
    assert completion.queue_s >= 0.3 * completion.retries


@pytest.mark.parametrize("behaviour", [hangs, dribbles, dribbles_head])
def test_a_time_out_is_named(behaviour: Behaviour) -> None:
    with pytest.raises(ProviderError, match=r"did not answer within 0\.\d+ s. It was asked"):
        ask_of(behaviour, timeout_s=0.2, patience_s=0.5)


def test_latency_is_the_answered_requests_own() -> None:
    began = time.monotonic()
    completion = ask_of(slow_by(0.6), slow_by(0.1), timeout_s=0.3)
    took = time.monotonic() - began
    assert completion.latency_s >= 0.1
    assert completion.queue_s >= 0.3
    assert completion.queue_s + completion.latency_s <= took


def test_retry_after_is_honoured() -> None:
    completion = ask_of(fails(429, Retry_After="1"), says())
    assert completion.queue_s >= 1.0


def test_a_retry_after_beyond_patience_is_not_waited_for() -> None:
    began = time.monotonic()
    with pytest.raises(ProviderError, match="left alone for 3600 s"):
        ask_of(fails(429, Retry_After="3600"))
    assert time.monotonic() - began < PATIENCE_SECONDS


def test_a_retry_without_the_time_for_it_does_not_hide_the_fault() -> None:
    with pytest.raises(ProviderError, match=r"\(HTTP 503\)\. It was asked once"):
        ask_of(fails(503, Retry_After="1"), patience_s=1.5)


def test_retry_after_names_seconds_or_a_moment() -> None:
    def read(text: str) -> float | None:
        return retry_after(httpx2.Headers({"Retry-After": text}))

    assert read("7") == 7.0
    soon = read(format_datetime(datetime.now(UTC) + timedelta(seconds=60), usegmt=True))
    assert soon is not None
    assert 0 < soon <= 60
    assert read("Wed, 21 Oct 2015 07:28:00 GMT") == 0.0
    assert [read(text) for text in ("", "soon", "-1", "1e9", "9" * 30)] == [None] * 5


def test_backing_off_grows_and_is_jittered() -> None:
    provider = EndpointProvider(endpoint("http://127.0.0.1:1/v1", backoff_s=1.0))
    for retries, longest in ((1, 1.0), (2, 2.0), (3, 4.0), (6, 30.0), (500, 30.0)):
        pauses = {provider._backoff(retries) for _ in range(20)}
        assert len(pauses) > 1
        assert all(longest / 2 <= pause <= longest for pause in pauses)
    provider.close()


def test_nobody_listens() -> None:
    with dead_port() as port:
        provider = EndpointProvider(endpoint(f"http://127.0.0.1:{port}/v1", patience_s=0.3, backoff_s=0.05))
        with pytest.raises(ProviderError, match="takes no connection") as caught:
            provider.complete(ASK)
    assert not isinstance(caught.value, RefusalError)


# --- faults that do not pass


@pytest.mark.parametrize(
    ("behaviour", "words"),
    [
        (
            fails(400, "weird"),
            r"refuses the request; check the model's name and the extra parameters \(HTTP 400\)\.",
        ),
        (fails(401), r"refuses the key; .* \(HTTP 401\)"),
        (fails(402), r"balance \(HTTP 402\)"),
        (fails(403), r"forbids the request"),
        (fails(404), r"knows no such model or path"),
        (fails(418), r"refuses the request \(HTTP 418\)"),
        (fails(429, code="insufficient_quota"), r"quota is used up"),
        (fails(400, "too long", code="context_length_exceeded"), r"prompt too long"),
        (fails(400, "unknown argument reasoning_effort"), r"It names `reasoning_effort`\."),
        (sends(b"", 302, Location="http://127.0.0.1:9/v1"), r"redirects elsewhere"),
    ],
)
def test_refusals_end_at_once_and_say_what_to_do(behaviour: Behaviour, words: str) -> None:
    with StubEndpoint([behaviour]) as stub, pytest.raises(RefusalError, match=words) as caught:
        ask(stub, extra_body={"reasoning_effort": "low"}, json_support="text")
    assert len(stub.requests) == 1
    assert not caught.value.retryable


@pytest.mark.parametrize(
    "behaviour", [echoes_key, fails(500, f"secret words {KEY}"), sends(f"secret words {KEY}".encode())]
)
def test_errors_hold_neither_the_key_nor_what_the_endpoint_said(behaviour: Behaviour) -> None:
    with pytest.raises(ProviderError) as caught:
        ask_of(behaviour, patience_s=0.2, backoff_s=0.1)
    seen: BaseException | None = caught.value
    while seen is not None:
        assert KEY not in repr(seen)
        assert "secret words" not in repr(seen)
        assert "Incorrect" not in repr(seen)
        seen = seen.__cause__ or seen.__context__


def test_an_endpoints_key_is_not_shown() -> None:
    assert KEY not in repr(endpoint("http://127.0.0.1:1/v1"))


# --- threads and closing


def test_several_threads_ask_at_the_same_time() -> None:
    all_have_asked = Barrier(16, timeout=PATIENCE_SECONDS / 2)

    def together(handler: Handler, body: dict[str, Any]) -> None:
        all_have_asked.wait()
        says()(handler, body)

    with StubEndpoint([together]) as stub:
        provider = EndpointProvider(endpoint(stub.url))
        with ThreadPoolExecutor(16) as threads:
            completions = list(threads.map(provider.complete, [ASK] * 16))
        provider.close()
    assert [completion.text for completion in completions] == ['{"answer": 4}'] * 16
    assert [completion.retries for completion in completions] == [0] * 16


@pytest.mark.parametrize("behaviour", [hangs, fails(429, Retry_After="500")])
def test_closing_gives_up_what_is_on_its_way(behaviour: Behaviour) -> None:
    with StubEndpoint([behaviour]) as stub, ThreadPoolExecutor(1) as threads:
        provider = EndpointProvider(endpoint(stub.url, timeout_s=1_000.0, patience_s=1_000.0))
        asking = threads.submit(provider.complete, ASK)
        assert stub.asked.wait(PATIENCE_SECONDS)
        provider.close()
        with pytest.raises(ProviderError, match="was closed while it was asked"):
            asking.result(timeout=PATIENCE_SECONDS)


def test_more_is_never_read_than_the_bound() -> None:
    body = json.dumps(answer("x" * MAX_BYTES)).encode()
    with pytest.raises(ProviderError, match="more than 8 MB"):
        ask_of(sends(body), **ASKED_ONCE)
