"""The scripted planner as a model: its latency, its tokens, and the same over HTTP."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from threading import Thread
from typing import Any

import pytest
import tiktoken

from engine.addresses import AddressPolicy
from engine.agents.policy import MASTER
from engine.errors import SettingsError
from engine.llm import tokens
from engine.llm.endpoint import Endpoint, EndpointProvider
from engine.llm.latency import parse
from engine.llm.models import is_scripted, open_provider, scripted_settings
from engine.llm.provider import Ask, Turn
from engine.llm.server import MAX_BODY, ScriptedServer
from engine.spec.loader import load_task
from engine.spec.model import TaskSpec
from tests.engine.build import agent, task
from tests.engine.team import Game

SMALL = task(
    agent("Ada", tools=["iron_axe"]),
    agent("Bob", (3, 64, 3), tools=["iron_axe"]),
    targets={"oak_log": 3},
    blocks={(6, 64, 0): "oak_log", (6, 64, 5): "oak_log", (-6, 64, 0): "oak_log"},
    max_steps=60,
)

# --- latency ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("model", "low", "high"),
    [
        ("scripted", 20, 20),
        ("scripted:latency=0", 0, 0),
        ("scripted:latency=2.5", 2.5, 2.5),
        ("scripted: latency = 7", 7, 7),
        ("scripted:latency=constant(3)", 3, 3),
        ("scripted:latency=uniform(10,30)", 10, 30),
        ("scripted:latency=uniform(10, 30)", 10, 30),
        ("scripted:latency=uniform(4,4)", 4, 4),
        ("scripted:latency=lognormal(20,0.5)", 0, 3_600),
        ("scripted:latency=lognormal(0,0.5)", 0, 0),
        ("scripted:latency=lognormal(3600,1)", 0, 3_600),
    ],
)
def test_a_latency_is_drawn_within_its_bounds(model: str, low: float, high: float) -> None:
    drawn = [scripted_settings(model).latency.draw(Random(number)) for number in range(200)]
    assert all(low <= seconds <= high for seconds in drawn)
    assert len(set(drawn)) == 1 if low == high else len(set(drawn)) > 100


def test_the_mean_of_a_lognormal_latency_is_that_of_its_seconds() -> None:
    latency = parse("lognormal(20,0.5)")
    drawn = [latency.draw(Random(number)) for number in range(4_000)]
    # The standard deviation of one draw is 20 √(e^0.25 − 1) = 10.66, that of the mean 0.17.
    assert sum(drawn) / len(drawn) == pytest.approx(20, abs=0.7)


@pytest.mark.parametrize(
    ("model", "words"),
    [
        ("scripted:speed=3", "unknown setting 'speed' in model 'scripted:speed=3' (known: latency)"),
        ("scripted:fast", "cannot read 'fast' in model 'scripted:fast'; write `scripted:latency=20`"),
        ("scripted:latency=", "cannot read 'latency=' in model"),
        ("scripted:latency=5)", "cannot read 'latency=5)' in model"),
        ("scripted:latency=soon", "unknown latency 'soon': expected seconds, constant(s), uniform(low, high) or"),
        ("scripted:latency=normal(1,2)", "unknown latency 'normal(1,2)'"),
        ("scripted:latency=uniform(1)", "unknown latency 'uniform(1)'"),
        ("scripted:latency=uniform(3,1)", "latency 'uniform(3,1)' is out of range: 0 to 3600 s, the lower bound first"),
        ("scripted:latency=-1", "latency '-1' is out of range"),
        ("scripted:latency=3601", "latency '3601' is out of range"),
        ("scripted:latency=nan", "unknown latency 'nan'"),
        ("scripted:latency=inf", "unknown latency 'inf'"),
    ],
)  # fmt: skip
def test_a_latency_that_makes_no_sense_is_refused_in_words(model: str, words: str) -> None:
    with pytest.raises(SettingsError) as caught:
        open_provider(model, 0)
    assert str(caught.value).startswith(words)


def test_only_the_scripted_name_is_scripted() -> None:
    assert [is_scripted(name) for name in ("scripted", "scripted:latency=1", "scripted2", "gpt", "")] == [
        True, True, False, False, False,
    ]  # fmt: skip
    with pytest.raises(SettingsError, match="unknown model 'gpt'"):
        open_provider("gpt", 0)


def latencies(game: Game) -> list[tuple[str, int, float]]:
    return [(one.caller, one.call, one.latency_s) for _, one in game.of("inference_ended")]


def test_draws_depend_on_seed_caller_and_call_alone() -> None:
    model = "scripted:latency=uniform(1,3)"
    sync, other = (
        Game(SMALL, open_provider(model, 5), "distributed", mode, seed=5) for mode in ("sync", "async")
    )  # fmt: skip
    drawn = {(caller, call): seconds for caller, call, seconds in latencies(sync)}
    assert len(set(drawn.values())) == len(drawn) > 4
    for caller, call, seconds in latencies(other):
        assert drawn.get((caller, call), seconds) == seconds
    another = Game(SMALL, open_provider(model, 6), "distributed", seed=6)
    assert latencies(another) != latencies(sync)


# --- tokens -----------------------------------------------------------------------------------------------------------


def test_tokens_are_counted_as_tiktoken_does() -> None:
    game = Game(SMALL, open_provider("scripted:latency=0", 0), "centralized")
    (briefing,) = [one.text for _, one in game.of("briefing_given")]
    encoding = tokens._encoding()
    assert encoding.name == "o200k_base"
    for _, one in game.of("inference_ended"):
        assert one.prompt_tokens == len(encoding.encode(briefing)) + len(encoding.encode(one.prompt))
        assert one.completion_tokens == len(encoding.encode(one.completion))
    # By the table in OpenAI's cookbook, "How to count tokens with tiktoken".
    assert tokens.count("antidisestablishmentarianism") == 6
    assert tokens.count("2 + 2 = 4") == 7


def test_what_looks_like_a_control_token_is_plain_text() -> None:
    with pytest.raises(ValueError, match="disallowed special token"):
        tokens._encoding().encode("<|endoftext|>")
    assert tokens.count("<|endoftext|>") > 1
    assert isinstance(tokens._encoding(), tiktoken.Encoding)


# --- over HTTP --------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer() as running:
        thread = Thread(target=running.serve_forever, args=(0.01,))
        thread.start()
        yield running
        running.shutdown()
        thread.join()


def over_http(server: ScriptedServer, model: str, seed: int) -> EndpointProvider:
    endpoint = Endpoint(
        "local", server.base_url, model, declares_latency=True, addresses=AddressPolicy(allow_loopback=True)
    )
    return EndpointProvider(endpoint, seed)


def sample(root: Path, name: str) -> TaskSpec:
    return load_task(root / "tasks" / "samples" / f"{name}.yaml").spec


@pytest.mark.parametrize("policy", ["centralized", "distributed"])
@pytest.mark.parametrize("name", ["gold_rush", "lava_east", "three_champions"])
def test_the_log_over_http_is_that_of_the_planner_in_process(
    server: ScriptedServer, root: Path, policy: str, name: str
) -> None:
    model = "scripted:latency=uniform(1,3)"
    near, far = open_provider(model, 4), over_http(server, model, 4)
    games = [Game(sample(root, name), one, policy, "async", seed=4, model=model) for one in (near, far)]
    far.close()
    assert games[0].result.status == "finished", games[0].result.error
    assert games[0].lines == games[1].lines
    assert games[0].result.costs.inferences >= 1


def ask_server(
    server: ScriptedServer, method: str, path: str, body: bytes | None, **headers: str
) -> tuple[int, Any]:
    host, port = server.server_address[:2]
    connection = http.client.HTTPConnection(str(host), int(port), timeout=20)
    try:
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read())
    finally:
        connection.close()


def post(server: ScriptedServer, value: Any) -> tuple[int, str]:
    status, answer = ask_server(server, "POST", "/v1/chat/completions", json.dumps(value).encode())
    return status, answer["error"]["message"]


def test_the_server_lists_its_model(server: ScriptedServer) -> None:
    assert ask_server(server, "GET", "/v1/models", None) == (
        200,
        {"object": "list", "data": [{"id": "scripted", "object": "model"}]},
    )


TURNS = [{"role": "system", "content": "hello"}, {"role": "user", "content": "hello"}]


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ([], "expected a JSON object"),
        ({}, "expected `messages`: the briefing and the state of things"),
        ({"messages": "hi"}, "expected `messages`: the briefing and the state of things"),
        ({"messages": TURNS[:1]}, "expected `messages`: the briefing and the state of things"),
        ({"messages": ["a", "b"]}, "expected messages with `role` and `content`"),
        ({"messages": [{"role": "user"}] * 2}, "expected messages with `role` and `content`"),
        ({"messages": TURNS}, "the scripted planner answers only prompts of this benchmark"),
        (
            {"messages": TURNS, "user": "\ud800/²/³"},
            "the scripted planner answers only prompts of this benchmark",
        ),
        (
            {"messages": TURNS, "user": f"Ada/{'9' * 5_000}/1"},
            "the scripted planner answers only prompts of this",
        ),
        ({"messages": TURNS, "seed": "x"}, "expected a whole number as `seed` and a name as `model`"),
        ({"messages": TURNS, "model": 3}, "expected a whole number as `seed` and a name as `model`"),
        ({"messages": TURNS, "model": "scripted:latency=soon"}, "unknown latency 'soon'"),
        ({"messages": TURNS, "model": "gpt"}, "unknown model 'gpt'"),
    ],
)
def test_the_server_refuses_odd_requests_in_words(server: ScriptedServer, value: Any, words: str) -> None:
    status, message = post(server, value)
    assert status == 400
    assert message.startswith(words)


def test_the_server_refuses_bodies_that_are_none(server: ScriptedServer) -> None:
    path = "/v1/chat/completions"
    assert ask_server(server, "POST", path, b"{")[1]["error"]["message"] == "the body is not JSON"
    assert ask_server(server, "POST", path, b"[" * 200_000)[1]["error"]["message"] == "the body is not JSON"
    assert ask_server(server, "POST", path, b"\xff\xfe")[0] == 400
    long = {"Content-Length": str(MAX_BODY + 1)}
    status, answer = ask_server(server, "POST", path, b"{}", **long)
    assert (status, answer["error"]["message"]) == (
        400,
        "expected a body with a Content-Length of at most 4000000 bytes",
    )
    assert ask_server(server, "POST", path, b"{}", **{"Content-Length": "²"})[0] == 400
    assert ask_server(server, "POST", "/v1/embeddings", b"{}")[0] == 404
    assert ask_server(server, "GET", "/", None)[0] == 404


def test_a_connection_whose_body_was_not_read_is_closed(server: ScriptedServer) -> None:
    host, port = server.server_address[:2]
    connection = http.client.HTTPConnection(str(host), int(port), timeout=20)
    connection.request(
        "POST", "/v1/chat/completions", b"GET /v1/models HTTP/1.1\r\n\r\n", {"Content-Length": "5000000"}
    )
    answer = connection.getresponse()
    assert answer.status == 400
    answer.read()
    assert connection.sock is None or connection.sock.recv(1) == b""
    connection.close()


def test_the_planner_answers_whoever_asks_in_the_benchmark_s_form(server: ScriptedServer) -> None:
    asks: list[Ask] = []
    provider = open_provider("scripted", 0)

    class Keeping:
        is_scripted = True

        def complete(self, ask: Ask) -> Any:
            asks.append(ask)
            return provider.complete(ask)

        def close(self) -> None:
            pass

    Game(SMALL, Keeping(), "centralized")
    turns = [{"role": turn.role, "content": turn.text} for turn in asks[0].turns]
    body = {
        "model": "scripted",
        "messages": turns,
        "user": f"{MASTER}/1/1",
        "seed": 0,
        "max_tokens": 5,
        "n": 1,
    }
    status, answer = ask_server(server, "POST", "/v1/chat/completions", json.dumps(body).encode())
    assert status == 200
    expected = provider.complete(asks[0])
    assert answer["choices"][0]["message"]["content"] == expected.text
    assert answer["usage"]["prompt_tokens"] == expected.prompt_tokens
    assert answer["usage"]["total_tokens"] == expected.prompt_tokens + expected.completion_tokens
    assert answer["tickingcollab"] == {"latency_s": 20.0}


def test_asking_twice_gives_the_same_words() -> None:
    game = Game(SMALL, open_provider("scripted", 0), "distributed")
    (briefing, *_) = [one.text for _, one in game.of("briefing_given") if one.caller == "Ada"]
    first = next(one for _, one in game.of("inference_ended") if one.caller == "Ada")
    ask = Ask("Ada", 1, 1, (Turn("system", briefing), Turn("user", first.prompt)), {})
    assert open_provider("scripted", 0).complete(ask).text == first.completion
