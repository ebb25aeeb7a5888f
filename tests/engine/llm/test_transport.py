"""HTTPS to a checked address: the certificate must still be the host's."""

from __future__ import annotations

import socket
import ssl
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from engine.addresses import AddressPolicy
from engine.llm import transport
from engine.llm.endpoint import Endpoint, EndpointProvider
from engine.llm.provider import Ask, Completion, ProviderError, Turn
from tests.support.endpoint import ASKED_ONCE, StubEndpoint, dribbles, says

ASK = Ask("(master)", 1, 1, (Turn("user", "2 + 2?"),), {})


def certificate(folder: Path, *names: x509.GeneralName) -> Path:
    """A self-signed certificate for these names, with its key, in one file."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "stub")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    file = folder / "stub.pem"
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    file.write_bytes(made.public_bytes(serialization.Encoding.PEM) + private)
    return file


def serving(file: Path) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    return context


def trust(monkeypatch: pytest.MonkeyPatch, file: Path) -> None:
    context = ssl.create_default_context(cafile=str(file))
    monkeypatch.setattr(transport, "_tls", lambda: context)


def ask(url: str, **changes: float) -> Completion:
    addresses = AddressPolicy((), allow_loopback=True)
    endpoint = Endpoint("stub", url, "m", addresses=addresses, **(ASKED_ONCE | changes))
    provider = EndpointProvider(endpoint)
    try:
        return provider.complete(ASK)
    finally:
        provider.close()


def test_https_with_a_trusted_certificate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = certificate(tmp_path, x509.IPAddress(ip_address("127.0.0.1")))
    trust(monkeypatch, file)
    with StubEndpoint([says("hello")], serving(file)) as stub:
        assert ask(stub.url).text == "hello"


def test_a_certificate_that_nobody_vouches_for(tmp_path: Path) -> None:
    file = certificate(tmp_path, x509.IPAddress(ip_address("127.0.0.1")))
    with (
        StubEndpoint([says("hello")], serving(file)) as stub,
        pytest.raises(ProviderError, match="certificate that cannot be trusted"),
    ):
        ask(stub.url)
    assert stub.requests == []


def test_the_certificate_must_be_the_hosts_and_not_the_addresss(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name resolved to a checked address: the handshake asks for the name."""
    real = socket.getaddrinfo

    def getaddrinfo(host: Any, *args: Any, **options: Any) -> Any:
        return real("127.0.0.1" if host == "localhost" else host, *args, **options)

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    by_name, by_address = tmp_path / "name", tmp_path / "address"
    for folder in (by_name, by_address):
        folder.mkdir()
    named = certificate(by_name, x509.DNSName("localhost"))
    trust(monkeypatch, named)
    with StubEndpoint([says("hello")], serving(named)) as stub:
        assert ask(stub.url.replace("127.0.0.1", "localhost")).text == "hello"
    other = certificate(by_address, x509.IPAddress(ip_address("127.0.0.1")))
    trust(monkeypatch, other)
    with (
        StubEndpoint([says("hello")], serving(other)) as stub,
        pytest.raises(ProviderError, match="certificate that cannot be trusted"),
    ):
        ask(stub.url.replace("127.0.0.1", "localhost"))


def test_bounds_hold_over_https_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = certificate(tmp_path, x509.IPAddress(ip_address("127.0.0.1")))
    trust(monkeypatch, file)
    with (
        StubEndpoint([dribbles], serving(file)) as stub,
        pytest.raises(ProviderError, match=r"did not answer within 0\.5 s"),
    ):
        ask(stub.url, timeout_s=0.5)
