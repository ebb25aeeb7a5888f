"""Carries one request to an endpoint: to a checked address, without redirects, within its time and size."""

from __future__ import annotations

import contextlib
import socket
import ssl
import time
from collections.abc import Iterable
from functools import cache
from threading import Lock
from typing import Any

import httpcore2
import httpx2

from engine.addresses import AddressPolicy

MAX_BYTES = 8 * 1024 * 1024
"""Longest answer that is read; one of 100,000 tokens has about half a megabyte."""

_SENT = frozenset({"accept", "authorization", "content-length", "content-type", "host", "user-agent"})
"""Headers that leave this machine; the SDK would add some from the environment and about the machine."""


class OversizedError(Exception):
    """An answer is longer than `MAX_BYTES`."""


class CompressedError(Exception):
    """An answer is compressed though that was not asked for; unpacked, its size would have no bound."""


class _Stream(httpcore2.NetworkStream):
    """A connection that ends at a moment and after a number of bytes, however slowly either comes."""

    def __init__(
        self, inner: httpcore2.NetworkStream, deadline: float, backend: GuardedBackend, received: int = 0
    ) -> None:
        self._inner = inner
        self._deadline = deadline
        self._backend = backend
        self._received = received
        backend.opened(self)

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ARG002 - the deadline holds
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise httpcore2.ReadTimeout("the answer did not end in time")
        data = self._inner.read(max_bytes, left)
        self._received += len(data)
        if self._received > MAX_BYTES:
            raise OversizedError
        return data

    def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ARG002 - the deadline holds
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise httpcore2.WriteTimeout("the request could not be sent in time")
        self._inner.write(buffer, left)

    def close(self) -> None:
        self._backend.closed(self)
        self._inner.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.NetworkStream:
        left = max(self._deadline - time.monotonic(), 0.001)
        secured = self._inner.start_tls(ssl_context, server_hostname, min(left, timeout or left))
        self._backend.closed(self)
        return _Stream(secured, self._deadline, self._backend, self._received)

    def get_extra_info(self, info: str) -> Any:
        return self._inner.get_extra_info(info)

    def interrupt(self) -> None:
        """Make whoever waits for bytes wake up."""
        connection = self._inner.get_extra_info("socket")
        with contextlib.suppress(OSError):
            socket.socket.shutdown(connection, socket.SHUT_RDWR)


class GuardedBackend(httpcore2.NetworkBackend):
    """Opens connections to addresses that the policy allows, each for one request."""

    def __init__(self, addresses: AddressPolicy) -> None:
        self._addresses = addresses
        self._sockets = httpcore2.SyncBackend()
        self._open: set[_Stream] = set()
        self._lock = Lock()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.NetworkStream:
        """Connect to the first of the host's addresses that takes the connection.

        `timeout` is in seconds, counts from now, and is for the whole request.

        Raises:
            AddressError: the host or what it stands for may not be asked.
        """
        deadline = time.monotonic() + (timeout or 0.0)
        try:
            found = self._addresses.resolve(host, port)
        except OSError:
            raise httpcore2.ConnectError("the name could not be looked up") from None
        fault: Exception = httpcore2.ConnectError("the name stands for no address")
        for address in found:
            left = deadline - time.monotonic()
            if left <= 0:
                raise httpcore2.ConnectTimeout("no connection in time")
            try:
                inner = self._sockets.connect_tcp(address, port, left, local_address, socket_options or ())
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
                fault = error
            else:
                return _Stream(inner, deadline, self)
        raise fault

    def opened(self, stream: _Stream) -> None:
        """Note a connection, so that it can be given up."""
        with self._lock:
            self._open.add(stream)

    def closed(self, stream: _Stream) -> None:
        """Forget it."""
        with self._lock:
            self._open.discard(stream)

    def give_up(self) -> None:
        """Break off all requests on their way."""
        with self._lock:
            streams = list(self._open)
        for stream in streams:
            stream.interrupt()


class GuardedTransport(httpx2.BaseTransport):
    """What the SDK sends its requests with. A connection serves one request, so its bounds are the request's."""

    def __init__(self, addresses: AddressPolicy) -> None:
        self._backend = GuardedBackend(addresses)
        self._pool = httpcore2.ConnectionPool(
            ssl_context=_tls(),
            max_connections=None,
            max_keepalive_connections=0,
            network_backend=self._backend,
        )

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send the request and read the whole answer.

        Raises:
            httpx2.RequestError: no answer, or a broken one.
            AddressError: the address may not be asked.
            OversizedError, CompressedError: the answer is not one to read.
        """
        try:
            answer = self._pool.handle_request(_outgoing(request))
            try:
                headers = httpx2.Headers(answer.headers)
                if headers.get("content-encoding", "identity").lower() not in ("", "identity"):
                    raise CompressedError
                content = b"".join(answer.stream)  # type: ignore[arg-type] # synchronous, as the pool is
            finally:
                answer.close()
        except httpcore2.TimeoutException as error:
            raise httpx2.ReadTimeout(str(error), request=request) from None
        except (httpcore2.NetworkError, httpcore2.ProtocolError) as error:
            raise httpx2.NetworkError(str(error), request=request) from None
        return httpx2.Response(answer.status, headers=headers, content=content, request=request)

    def close(self) -> None:
        """Break off what is on its way and let go of everything."""
        self._backend.give_up()
        self._pool.close()


def _outgoing(request: httpx2.Request) -> httpcore2.Request:
    headers = [(name, value) for name, value in request.headers.raw if name.decode().lower() in _SENT]
    url = request.url
    return httpcore2.Request(
        method=request.method,
        url=httpcore2.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path),
        headers=[*headers, (b"Accept-Encoding", b"identity")],
        content=request.stream,
        extensions=request.extensions,
    )


@cache
def _tls() -> ssl.SSLContext:
    return httpx2.create_ssl_context()
