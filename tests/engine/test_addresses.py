"""Which addresses may be asked: SSRF by every way that is known of dashboards like this one."""

from __future__ import annotations

import socket
from typing import Any

import pytest

from engine.addresses import PUBLIC_HOSTS, AddressError, AddressPolicy
from engine.errors import SettingsError
from engine.llm.endpoint import Endpoint, EndpointProvider
from engine.llm.provider import Ask, RefusalError, Turn
from tests.support.endpoint import StubEndpoint, says, sends

ASK = Ask("(master)", 1, 1, (Turn("user", "2 + 2?"),), {})
LOCAL = AddressPolicy(hosts=("model.example",), allow_loopback=True)


def names(monkeypatch: pytest.MonkeyPatch, *answers: list[str]) -> list[str]:
    """Let names stand for these addresses, one list a look-up, the last one for ever; returns what was asked."""
    asked: list[str] = []
    queue = list(answers)

    def getaddrinfo(host: str, port: Any, *_args: Any, **_options: Any) -> list[Any]:
        if host[:1].isdigit() and "." in host:  # an address needs no look-up
            found = [host]
        else:
            asked.append(host)
            found = queue.pop(0) if len(queue) > 1 else queue[0]
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in found]

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    return asked


@pytest.mark.parametrize(
    "url",
    [
        "https://api.openai.com/v1",
        "https://API.OpenAI.com./v1",
        "https://mine.openai.azure.com/openai/v1/",
        "http://openrouter.ai:8080/api/v1",
    ],
)
def test_public_services_are_allowed(url: str) -> None:
    AddressPolicy().check_url(url)


@pytest.mark.parametrize(
    "url",
    [
        "https://evil.example/v1",
        "https://api.openai.com.evil.example/v1",
        "https://evilapi.openai.com/v1",
        "https://openai.azure.com.evil.example/",
        "https://notopenai.azure.com",
        "https://.openai.azure.com/",
        "http://127.0.0.1:11434/v1",
        "http://localhost:11434/v1",
        "http://localhost./v1",
        "http://[::1]/v1",
        "http://[::ffff:127.0.0.1]/v1",
        "http://[64:ff9b::7f00:1]/v1",
        "http://127.1/v1",
        "http://0x7f000001/v1",
        "http://2130706433/v1",
        "http://2852039166/latest/meta-data",
        "http://169.254.169.254/latest/meta-data",
        "http://[fd00:ec2::254]/",
        "http://0.0.0.0/v1",
        "http://10.0.0.5/v1",
        "http://8.8.8.8/v1",
        "http://api.openai.com@127.0.0.1/v1",
        "http://user:secret@api.openai.com/v1",
        "http://api.openai.com:99999/v1",
        "https://api.openai.com/v1?key=1",
        "https://api.openai.com/v1#x",
        "ftp://api.openai.com/v1",
        "file:///etc/passwd",
        "gopher://api.openai.com/",
        "api.openai.com/v1",
        "https:///v1",
        "http://[::1",
        "",
    ],
)
def test_everything_else_is_refused(url: str) -> None:
    with pytest.raises(AddressError) as caught:
        AddressPolicy().check_url(url)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "127.8.8.8", "::1", "[::1]", "::ffff:127.0.0.1"])
def test_this_machine_is_allowed_where_the_operator_says_so(host: str) -> None:
    AddressPolicy((), allow_loopback=True).check_host(host)


@pytest.mark.parametrize(
    "host", ["127.1", "0x7f000001", "2130706433", "2852039166", "0.0.0.0", "169.254.169.254"]
)
def test_also_then_odd_spellings_are_refused(host: str) -> None:
    with pytest.raises(AddressError):
        AddressPolicy((), allow_loopback=True).check_host(host)


def test_a_network_opens_its_addresses_and_names_that_stand_for_them(monkeypatch: pytest.MonkeyPatch) -> None:
    names(monkeypatch, ["10.1.0.7"])
    policy = AddressPolicy(("gpu.lan", "10.1.0.0/16"))
    policy.check_host("10.1.0.7")
    assert policy.resolve("gpu.lan", 80) == ["10.1.0.7"]
    for host in ("10.2.0.7", "other.lan"):
        with pytest.raises(AddressError):
            policy.check_host(host)


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "10.1.0.7",
        "192.168.1.1",
        "172.16.0.1",
        "100.64.0.1",
        "169.254.169.254",
        "168.63.129.16",
        "100.100.100.200",
        "0.0.0.0",
        "224.0.0.1",
        "255.255.255.255",
        "::1",
        "fe80::1%eth0",
        "fc00::1",
        "::ffff:169.254.169.254",
        "64:ff9b::a9fe:a9fe",
        "2002:7f00:1::",
    ],
)
@pytest.mark.parametrize("loopback", [False, True])
def test_a_listed_name_that_stands_for_an_inner_address_is_refused(
    monkeypatch: pytest.MonkeyPatch, address: str, loopback: bool
) -> None:
    names(monkeypatch, ["93.184.216.34", address])
    with pytest.raises(AddressError, match="not a public address"):
        AddressPolicy(("model.example",), allow_loopback=loopback).resolve("model.example", 443)


@pytest.mark.parametrize("address", ["169.254.169.254", "168.63.129.16", "224.0.0.1"])
def test_link_local_metadata_and_multicast_stay_closed_also_when_listed(address: str) -> None:
    with pytest.raises(AddressError):
        AddressPolicy((address, "0.0.0.0/0")).check_host(address)


@pytest.mark.parametrize("entry", ["https://api.openai.com", "a b", "10.0.0.1/8", "", "*", "host:80"])
def test_an_entry_that_could_never_match_is_refused(entry: str) -> None:
    with pytest.raises(SettingsError, match="TICKING_ENDPOINT_HOSTS lists"):
        AddressPolicy((entry,))


def test_the_address_that_was_checked_is_the_one_that_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that changes its meaning between check and use: only one look-up is made for a request."""
    opened: list[Any] = []

    def connect(address: Any, *_args: Any, **_options: Any) -> socket.socket:
        opened.append(address)
        raise ConnectionRefusedError("refused")

    asked = names(monkeypatch, ["93.184.216.34"], ["127.0.0.1"])
    monkeypatch.setattr(socket, "create_connection", connect)
    with pytest.raises(RefusalError, match="not a public address"):
        _ask("http://model.example:8000/v1")
    assert opened == [("93.184.216.34", 8000)]  # the second request met the other address and was not made
    assert asked == ["model.example", "model.example"]


def test_an_inner_server_behind_a_listed_name_hears_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    with StubEndpoint([says()]) as stub:
        names(monkeypatch, ["127.0.0.1"])
        with pytest.raises(RefusalError, match=r"stands for 127\.0\.0\.1"):
            _ask(stub.url.replace("127.0.0.1", "model.example"))
    assert stub.requests == []


def test_a_redirect_to_an_inner_server_is_not_followed() -> None:
    with StubEndpoint([says()]) as inner:
        for status in (301, 302, 307, 308):
            there = inner.url + "/chat/completions"
            with (
                StubEndpoint([sends(b"", status, Location=there)]) as outer,
                pytest.raises(RefusalError, match="redirects"),
            ):
                _ask(outer.url)
    assert inner.requests == []


def test_an_address_that_may_not_be_asked_is_refused_before_anything_is_sent() -> None:
    with pytest.raises(RefusalError, match="TICKING_ALLOW_LOOPBACK=1"):
        EndpointProvider(
            Endpoint("stub", "http://127.0.0.1:1/v1", "m", addresses=AddressPolicy(PUBLIC_HOSTS))
        )


def _ask(url: str) -> None:
    provider = EndpointProvider(
        Endpoint("stub", url, "m", patience_s=60.0, timeout_s=60.0, backoff_s=0.01, addresses=LOCAL)
    )
    try:
        provider.complete(ASK)
    finally:
        provider.close()
