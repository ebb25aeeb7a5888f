"""A real HTTP server on loopback that answers as an OpenAI-compatible endpoint does, or misbehaves as told."""

from __future__ import annotations

import contextlib
import json
import socket
import ssl
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Lock, Thread
from typing import Any, Self

KEY = "sk-stub-0123456789"
ASKED_ONCE: dict[str, Any] = {"timeout_s": 15.0, "patience_s": 15.0, "backoff_s": 40.0}
"""Settings under which a fault ends a request at once: patience lets it last, and would not outlast the pause."""


@dataclass
class Request:
    """What the server was sent."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]


class Handler(BaseHTTPRequestHandler):
    """One connection to the stub."""

    protocol_version = "HTTP/1.1"
    server: _Server

    def do_POST(self) -> None:
        """Note the request, then behave as the stub is told next."""
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        stub = self.server.stub
        headers = {name.lower(): value for name, value in self.headers.items()}
        behaviour = stub.note(Request(self.path, headers, body))
        with contextlib.suppress(OSError):  # the other side may have hung up
            behaviour(self, body)

    def send(self, body: bytes, status: int = 200, **headers: str) -> None:
        """A whole answer."""
        self.begin(len(body), status, **headers)
        self.wfile.write(body)

    def begin(self, length: int, status: int = 200, **headers: str) -> None:
        """An answer's head."""
        self.send_response(status)
        fields = {"Content-Type": "application/json", "Content-Length": str(length)}
        fields |= {name.replace("_", "-"): value for name, value in headers.items()}
        for name, value in fields.items():
            self.send_header(name, value)
        self.end_headers()

    def log_message(self, *_args: Any) -> None:
        """Say nothing."""


Behaviour = Callable[[Handler, dict[str, Any]], None]


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    stub: StubEndpoint

    def handle_error(self, *_args: Any) -> None:
        """A client that hung up is no news."""


@dataclass
class StubEndpoint:
    """Answers with the behaviours in turn; the last one stays.

    Attributes:
        tls: serves HTTPS with this context; None serves HTTP.
        requests: all requests so far.
        released: set at the end, so that whoever hangs lets go.
    """

    behaviours: list[Behaviour]
    tls: ssl.SSLContext | None = None
    requests: list[Request] = field(default_factory=list)
    released: Event = field(default_factory=Event)
    asked: Event = field(default_factory=Event)

    def __enter__(self) -> Self:
        self._lock = Lock()
        self._server = _Server(("127.0.0.1", 0), Handler)
        self._server.stub = self
        if self.tls is not None:
            self._server.socket = self.tls.wrap_socket(self._server.socket, server_side=True)
        self._thread = Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self.released.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def url(self) -> str:
        """The base URL."""
        scheme = "https" if self.tls else "http"
        return f"{scheme}://127.0.0.1:{self._server.server_port}/v1"

    @property
    def bodies(self) -> list[dict[str, Any]]:
        """The bodies of all requests so far."""
        return [request.body for request in self.requests]

    def note(self, request: Request) -> Behaviour:
        """Take a request in; returns what to do with it."""
        with self._lock:
            self.requests.append(request)
            self.asked.set()
            return self.behaviours.pop(0) if len(self.behaviours) > 1 else self.behaviours[0]


# --- behaviours


def answer(
    text: Any = '{"answer": 4}', *, finish: str = "stop", usage: Any = ..., extra: Any = None, **message: Any
) -> dict[str, Any]:
    """The body of a good answer."""
    body: dict[str, Any] = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 0,
        "model": "stub",
        "choices": [
            {
                "index": 0,
                "finish_reason": finish,
                "message": {"role": "assistant", "content": text, **message},
            }
        ],
    }
    if usage is ...:
        usage = {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}
    return body | ({} if usage is None else {"usage": usage}) | (extra or {})


def says(text: Any = '{"answer": 4}', **options: Any) -> Behaviour:
    """A good answer."""
    return sends(json.dumps(answer(text, **options)).encode())


def sends(body: bytes, status: int = 200, **headers: str) -> Behaviour:
    """Any answer."""
    return lambda handler, _body: handler.send(body, status, **headers)


def fails(
    status: int, message: str = "no", *, code: str | None = None, param: str | None = None, **headers: str
) -> Behaviour:
    """An error as the API words it."""
    error = {"error": {"message": message, "type": "error", "code": code, "param": param}}
    return sends(json.dumps(error).encode(), status, **headers)


def hangs(handler: Handler, _body: dict[str, Any]) -> None:
    """No answer until the test is over."""
    handler.server.stub.released.wait()


def dribbles(handler: Handler, _body: dict[str, Any]) -> None:
    """A body that comes a byte at a time and has no end in sight."""
    handler.begin(10**6)
    _dribble(handler, b" ")


def dribbles_head(handler: Handler, _body: dict[str, Any]) -> None:
    """The same with the head."""
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
    _dribble(handler, b"a")


def _dribble(handler: Handler, byte: bytes) -> None:
    while not handler.server.stub.released.wait(0.01):
        handler.wfile.write(byte)


def slow_by(seconds: float) -> Behaviour:
    """A good answer after a while."""

    def behave(handler: Handler, _body: dict[str, Any]) -> None:
        handler.server.stub.released.wait(seconds)
        handler.send(json.dumps(answer()).encode())

    return behave


def cut_off(handler: Handler, _body: dict[str, Any]) -> None:
    """Half a body, then the connection ends."""
    body = json.dumps(answer()).encode()
    handler.begin(len(body))
    handler.wfile.write(body[: len(body) // 2])
    handler.close_connection = True


def hangs_up(handler: Handler, _body: dict[str, Any]) -> None:
    """The connection ends without a word."""
    handler.close_connection = True


def endless(handler: Handler, _body: dict[str, Any]) -> None:
    """More bytes than anybody reads."""
    handler.begin(10**9)
    block = b" " * 65_536
    for _ in range(16_000):
        handler.wfile.write(block)


def echoes_key(handler: Handler, _body: dict[str, Any]) -> None:
    """Refuses the key, and repeats it."""
    fails(401, f"Incorrect API key provided: {handler.headers['Authorization']}")(handler, {})


@contextlib.contextmanager
def dead_port() -> Iterator[int]:
    """A port that refuses connections: it is bound, and nobody listens."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        yield held.getsockname()[1]
