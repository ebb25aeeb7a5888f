"""Which addresses may be connected to on a user's word: those that the operator allows, checked at that moment.

Whoever may add a model endpoint or a Minecraft server decides where this machine connects to. So a host must be on the
operator's list, and the address that its name stands for must be public unless the operator has allowed its network.
The address that was checked is the one that is connected to: a name cannot stand for another one a moment later.
"""

from __future__ import annotations

import re
import socket
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from urllib.parse import urlsplit

from engine.errors import SettingsError

ENDPOINTS_VARIABLE = "TICKING_ENDPOINT_HOSTS"
MINECRAFT_VARIABLE = "TICKING_MINECRAFT_HOSTS"
LOOPBACK_VARIABLE = "TICKING_ALLOW_LOOPBACK"
PUBLIC_HOSTS = (
    "api.openai.com",
    "*.openai.azure.com",
    "*.services.ai.azure.com",
    "*.cognitiveservices.azure.com",
    "api.anthropic.com",
    "api.deepseek.com",
    "api.fireworks.ai",
    "api.groq.com",
    "api.mistral.ai",
    "api.together.xyz",
    "api.x.ai",
    "generativelanguage.googleapis.com",
    "openrouter.ai",
)
"""Well-known public services that speak OpenAI's API; `*.` stands for any name before it."""

_NAME = re.compile(r"(?!-)[a-z0-9_-]+(\.[a-z0-9_-]+)*")
_NAT64 = ip_network("64:ff9b::/96")
_METADATA = frozenset(
    ip_address(text) for text in ("100.100.100.200", "168.63.129.16", "192.0.0.192", "fd00:ec2::254")
)
"""Where clouds tell machines their secrets, beside 169.254.169.254, which is link-local."""

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network


class AddressError(SettingsError):
    """An address is not one that may be asked."""


@dataclass(frozen=True, slots=True)
class AddressPolicy:
    """The operator's rules.

    Attributes:
        hosts: names (`gpu.example`), all names under one (`*.example`), addresses and networks (`10.1.0.0/16`). A name
            that stands for an address that is not public needs that address's network on the list as well.
        allow_loopback: servers on this machine may be asked, by `localhost` or a loopback address.
        variable: where the operator lists the hosts, for messages.

    Raises:
        SettingsError: one of the hosts cannot be read.
    """

    hosts: tuple[str, ...] = PUBLIC_HOSTS
    allow_loopback: bool = False
    variable: str = ENDPOINTS_VARIABLE

    def __post_init__(self) -> None:
        """Refuse what could never match."""
        for entry in self.hosts:
            if _network(entry) is None and not _NAME.fullmatch(entry.removeprefix("*.").lower()):
                raise SettingsError(
                    f"{self.variable} lists {entry!r}; write a host name, *.name, an address or a network"
                )

    def check_url(self, url: str) -> None:
        """Raise `AddressError` unless the URL and host are allowed. What the host stands for is not looked up."""
        try:
            parts = urlsplit(url)
            host, _port = parts.hostname, parts.port
        except ValueError:
            raise AddressError(
                "The address cannot be read; write it like https://api.openai.com/v1"
            ) from None
        if parts.scheme not in ("http", "https") or not host:
            raise AddressError("The address must begin with https:// or http:// and name a host")
        if parts.username is not None or parts.password is not None:
            raise AddressError("The address must not hold a user name or password; give a key instead")
        if parts.query or parts.fragment:
            raise AddressError("The address must end with its path: leave out what follows ? or #")
        self.check_host(host)

    def check_host(self, host: str) -> None:
        """Raise `AddressError` unless the host is on the list, or on this machine and that is allowed."""
        host = _plain(host)
        address = _address(host)
        if _is_loopback(host):
            if not self.allow_loopback:
                raise AddressError(
                    f"{host} is this machine. To ask servers on it, start the dashboard with {LOOPBACK_VARIABLE}=1"
                )
        elif address is not None:
            self._check_address(host, address)
            if not self._lists(address):
                raise AddressError(self._not_listed(host))
        elif not _NAME.fullmatch(host) or not any(_matches(host, entry) for entry in self.hosts):
            raise AddressError(self._not_listed(host))

    def resolve(self, host: str, port: int) -> list[str]:
        """The addresses that the host stands for at this moment, in the order to try them.

        Raises:
            AddressError: the host, or one of its addresses, may not be asked.
            OSError: the name stands for none, or could not be looked up.
        """
        self.check_host(host)
        found = socket.getaddrinfo(_plain(host), port, type=socket.SOCK_STREAM)
        addresses = list(dict.fromkeys(str(entry[4][0]) for entry in found))
        for text in addresses:
            self._check_address(host, ip_address(text.partition("%")[0]))
        return addresses

    def _check_address(self, host: str, address: Address) -> None:
        address = _embedded(address)
        if address.is_loopback:
            if self.allow_loopback and _is_loopback(_plain(host)):
                return
        elif (
            address.is_link_local
            or address.is_multicast
            or address.is_unspecified
            or address.is_reserved
            or address in _METADATA
        ):
            pass
        elif address.is_global or self._lists(address):
            return
        what = "is" if _address(_plain(host)) else f"stands for {address}, which is"
        raise AddressError(
            f"{host} {what} not a public address. If it is your own server, add its network to {self.variable}; "
            "addresses of this machine, link-local ones and those of a cloud's metadata stay closed"
        )

    def _lists(self, address: Address) -> bool:
        networks = (_network(entry) for entry in self.hosts)
        return any(address in network for network in networks if network is not None)

    def _not_listed(self, host: str) -> str:
        return f"{host} is not among the hosts that may be asked. The operator can add it to {self.variable}"


def _plain(host: str) -> str:
    return host.strip("[]").rstrip(".").lower()


def _is_loopback(host: str) -> bool:
    address = _address(host)
    return host == "localhost" or (address is not None and _embedded(address).is_loopback)


def _address(host: str) -> Address | None:
    try:
        return ip_address(host)
    except ValueError:
        return None


def _network(entry: str) -> Network | None:
    try:
        return ip_network(entry.strip("[]"))
    except ValueError:
        return None


def _matches(host: str, entry: str) -> bool:
    entry = entry.lower()
    return host.endswith(entry[1:]) if entry.startswith("*.") else host == entry


def _embedded(address: Address) -> Address:
    """The IPv4 address that an IPv6 one wraps, since that is where its packets end up."""
    if isinstance(address, IPv4Address):
        return address
    if address in _NAT64:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return address.ipv4_mapped or address.sixtofour or address
