"""The scripted planner as an OpenAI-compatible endpoint: `make scripted-llm`.

It lets the whole path over HTTP be tried without a key. The latency is declared, not slept: the answer says how long it
would have taken in a field of its own, which an endpoint with `declares_latency` reads.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from engine.errors import RuleError, SettingsError
from engine.llm.models import SCRIPTED, open_provider
from engine.llm.provider import Ask, Turn

MAX_BODY = 4_000_000
"""Bytes of a request that are read."""
_USER = re.compile(r"(.*)/([0-9]{1,9})/([0-9]{1,9})", re.DOTALL)
_LENGTH = re.compile(r"[0-9]{1,9}")


class BadRequest(Exception):  # noqa: N818 - an answer, not a fault of ours
    """The request is not one that can be answered; the text says why."""


class ScriptedServer(ThreadingHTTPServer):
    """Serves `/v1/models` and `/v1/chat/completions`."""

    daemon_threads = True

    def __init__(self, address: tuple[str, int] = ("127.0.0.1", 0)) -> None:
        super().__init__(address, _Handler)

    @property
    def base_url(self) -> str:
        """The API's root."""
        host, port = self.server_address[:2]
        return f"http://{host!s}:{port}/v1"


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        if self.path.rstrip("/") == "/v1/models":
            self._send(HTTPStatus.OK, {"object": "list", "data": [{"id": SCRIPTED, "object": "model"}]})
        else:
            self._refuse(HTTPStatus.NOT_FOUND, "there is /v1/models and /v1/chat/completions")

    def do_POST(self) -> None:
        if self.path.rstrip("/") != "/v1/chat/completions":
            self._refuse(HTTPStatus.NOT_FOUND, "there is /v1/models and /v1/chat/completions")
            return
        try:
            self._send(HTTPStatus.OK, answer(self._body()))
        except BadRequest as error:
            self._refuse(HTTPStatus.BAD_REQUEST, str(error))

    def _body(self) -> Any:
        length = self.headers.get("Content-Length", "")
        if not _LENGTH.fullmatch(length) or int(length) > MAX_BODY:
            self.close_connection = True  # what was not read would pass for the next request
            raise BadRequest(f"expected a body with a Content-Length of at most {MAX_BODY} bytes")
        try:
            return json.loads(self.rfile.read(int(length)))
        except (ValueError, RecursionError) as error:
            raise BadRequest("the body is not JSON") from error

    def _refuse(self, status: HTTPStatus, message: str) -> None:
        self._send(status, {"error": {"message": message, "type": "invalid_request_error"}})

    def _send(self, status: HTTPStatus, value: dict[str, Any]) -> None:
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - as http.server names it
        """Stay silent."""


def answer(request: Any) -> dict[str, Any]:
    """The response to a chat completion request.

    Raises:
        BadRequest: it is not one, or its prompt is none of the benchmark's.
    """
    if not isinstance(request, dict):
        raise BadRequest("expected a JSON object")
    model = request.get("model", SCRIPTED)
    caller, call, attempt = _who(request.get("user", ""))
    seed = request.get("seed", 0)
    if not isinstance(seed, int) or not isinstance(model, str):
        raise BadRequest("expected a whole number as `seed` and a name as `model`")
    ask = Ask(caller, call, attempt, _turns(request.get("messages")), {})
    try:
        completion = open_provider(model, seed).complete(ask)
    except SettingsError as error:
        raise BadRequest(str(error)) from error
    except (LookupError, ValueError, TypeError, AttributeError, ArithmeticError, RuleError) as error:
        raise BadRequest("the scripted planner answers only prompts of this benchmark") from error
    return {
        "id": f"scripted-{caller}-{call}-{attempt}",
        "object": "chat.completion",
        "created": 0,
        "model": model,
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": completion.text},
                "finish_reason": "stop",
            }
        ],
        "usage": {
            "prompt_tokens": completion.prompt_tokens,
            "completion_tokens": completion.completion_tokens,
            "total_tokens": completion.prompt_tokens + completion.completion_tokens,
        },
        "tickingcollab": {"latency_s": completion.latency_s},
    }


def _who(user: object) -> tuple[str, int, int]:
    """Caller, call and attempt from `user`, as `Ada/3/1`; anything else counts as a first call of nobody's."""
    found = _USER.fullmatch(str(user))
    return (found[1], int(found[2]), int(found[3])) if found else (str(user), 1, 1)


def _turns(messages: object) -> tuple[Turn, ...]:
    if not isinstance(messages, Sequence) or isinstance(messages, str) or len(messages) < 2:
        raise BadRequest("expected `messages`: the briefing and the state of things")
    try:
        return tuple(Turn(message["role"], str(message["content"])) for message in messages)
    except (TypeError, KeyError) as error:
        raise BadRequest("expected messages with `role` and `content`") from error
