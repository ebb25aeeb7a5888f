"""The servers page: adding, changing, testing; passwords that go in and never come out."""

from __future__ import annotations

import socket
from typing import Any

import pytest
from django.conf import LazySettings
from django.core.exceptions import ImproperlyConfigured
from django.test import Client

from engine.addresses import MINECRAFT_VARIABLE, AddressError, AddressPolicy
from engine.errors import InfrastructureError, SettingsError
from tests.support.minecraft_server import PASSWORD
from tests.support.pages import Page
from webapp import env
from webapp.core import encryption
from webapp.servers.forms import MOVED
from webapp.servers.models import MinecraftServer
from webapp.servers.registry import server_for

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("minecraft_allowed")]

FIELDS: dict[str, Any] = {
    "name": "home",
    "host": "127.0.0.1",
    "port": "25565",
    "version": "",
    "rcon_port": "25575",
    "password": PASSWORD,
    "origin_x": "1000",
    "origin_z": "-2000",
}


def add(client: Client, **changes: Any) -> Page:
    return Page(client.post("/servers/new/", FIELDS | changes, follow=True))


def edit(client: Client, **changes: Any) -> Page:
    return Page(client.post("/servers/home/edit/", FIELDS | {"password": ""} | changes, follow=True))


def stored() -> MinecraftServer:
    return MinecraftServer.objects.get()


# --- list and form


def test_the_list_shows_the_embedded_server_and_how_to_add_one(client: Client) -> None:
    page = Page(client.get("/servers/"))
    assert page.status == 200
    assert "No server of your own yet" in page.text
    assert "embedded" in page.text
    assert page.all("a", href="/servers/", aria_current="page")
    assert page.scripts == []


def test_a_server_is_added_and_listed(client: Client) -> None:
    page = add(client, version="1.20.4")
    assert "The server “home” is saved." in page.text
    assert "127.0.0.1:25565" in page.text
    assert "1000, -2000" in page.text
    assert "It was not checked yet." in page.text
    server = server_for("home")
    assert server is not None
    assert (server.host, server.port, server.rcon_port) == ("127.0.0.1", 25565, 25575)
    assert (server.version, server.origin) == ("1.20.4", (1000, -2000))
    assert server.rcon_password.get_secret_value() == PASSWORD
    assert "127.0.0.1:25565" in Page(client.get("/servers/")).text


@pytest.mark.parametrize(
    ("changes", "field", "words"),
    [
        ({"name": ""}, "name", "This field is required"),
        ({"name": "a b"}, "name", "letters, digits"),
        ({"name": "mc:25565"}, "name", "letters, digits"),
        ({"name": "New"}, "name", "another meaning"),
        ({"name": "embedded"}, "name", "another meaning"),
        ({"host": ""}, "host", "This field is required"),
        ({"host": "mc.example:25565"}, "host", "The port has its own field"),
        ({"host": "http://mc.example/"}, "host", "alone"),
        ({"host": "mc.example"}, "host", "TICKING_MINECRAFT_HOSTS"),
        ({"host": "169.254.169.254"}, "host", "not a public address"),
        ({"host": "10.0.0.5"}, "host", "add its network to TICKING_MINECRAFT_HOSTS"),
        ({"port": "0"}, "port", "from 1 to 65,535"),
        ({"port": "65536"}, "port", "from 1 to 65,535"),
        ({"rcon_port": "x"}, "rcon_port", "whole number"),
        ({"version": "newest"}, "version", "is no release of Minecraft"),
        ({"version": "1.18.2"}, "version", "from 1.19 to 1.21.4"),
        ({"password": ""}, "password", "Give the RCON password"),
        ({"password": "a\nb"}, "password", "line breaks"),
        ({"password": "x" * 201}, "password", "at most 200"),
        ({"origin_x": "1000001"}, "origin_x", "from -1,000,000 to 1,000,000"),
        ({"origin_z": ""}, "origin_z", "This field is required"),
    ],
)
def test_what_is_wrong_stands_beside_the_field(
    client: Client, changes: dict[str, str], field: str, words: str
) -> None:
    page = add(client, **changes)
    assert page.status == 400
    assert words in page.html.split(f'id="id_{field}_error"')[1].split("</div>")[0]
    assert not MinecraftServer.objects.exists()


def test_a_name_is_taken_only_once(client: Client) -> None:
    add(client)
    assert "There is a server “HOME” already" in add(client, name="HOME").text
    assert edit(client, name="house").status == 200
    assert stored().name == "house"


def test_a_server_is_deleted_with_its_password(client: Client) -> None:
    add(client)
    assert (
        "is deleted, and its password with it" in Page(client.post("/servers/home/delete/", follow=True)).text
    )
    assert not MinecraftServer.objects.exists()


def test_names_and_hosts_are_inert_on_the_page(client: Client) -> None:
    MinecraftServer.objects.create(name="x", host="<script>alert(1)</script>", password_token="x")
    page = Page(client.get("/servers/"))
    assert "&lt;script&gt;" in page.html
    assert page.scripts == []


@pytest.mark.parametrize("path", ["delete/", "check/", "check/cancel/"])
def test_nothing_changes_by_following_a_link(client: Client, path: str) -> None:
    add(client)
    assert client.get(f"/servers/home/{path}").status_code == 405


@pytest.mark.parametrize("path", ["new/", "home/edit/", "home/delete/", "home/check/", "home/check/cancel/"])
def test_a_change_needs_the_pages_token(client: Client, path: str) -> None:
    add(client)
    assert Client(enforce_csrf_checks=True).post(f"/servers/{path}", FIELDS).status_code == 403
    assert stored().checks.count() == 0


@pytest.mark.parametrize("path", ["", "edit/", "delete/", "check/", "check/cancel/", "check/progress/"])
def test_a_server_that_does_not_exist_is_not_found(client: Client, path: str) -> None:
    ask = client.get if path in ("", "check/progress/") else client.post
    assert ask(f"/servers/nobody/{path}").status_code == 404


# --- the password


def test_a_password_is_stored_encrypted_and_never_comes_back(client: Client) -> None:
    page = add(client, password=" correct horse ")
    assert "stored, encrypted" in page.text
    token = stored().password_token
    assert "horse" not in token
    assert encryption.decrypt(token) == " correct horse "
    server = server_for("home")
    assert "horse" not in repr(server)
    for path in ("/servers/", "/servers/home/", "/servers/home/edit/"):
        html = Page(client.get(path)).html
        assert "horse" not in html
        assert token not in html


def test_the_password_stays_when_another_setting_changes(client: Client) -> None:
    add(client)
    before = stored().password_token
    edit(client, port="25566", origin_x="0")
    assert (stored().password_token, stored().port, stored().origin_x) == (before, 25566, 0)


@pytest.mark.parametrize("change", [{"host": "localhost"}, {"rcon_port": "25576"}])
def test_the_password_is_not_sent_elsewhere_unasked(client: Client, change: dict[str, str]) -> None:
    add(client)
    page = edit(client, **change)
    assert page.status == 400
    assert MOVED in page.html.split('id="id_password_error"')[1]
    assert (stored().host, stored().rcon_port) == ("127.0.0.1", 25575)
    assert edit(client, **change, password="new").status == 200
    assert encryption.decrypt(stored().password_token) == "new"


def test_a_form_with_faults_says_that_the_password_is_lost(client: Client) -> None:
    page = add(client, port="0")
    assert "Type the password once more" in page.text
    assert PASSWORD not in page.html


def test_machines_that_share_a_database_must_share_the_keys(client: Client, settings: LazySettings) -> None:
    settings.TEAM = True
    page = add(client)
    assert page.status == 400
    assert "TICKING_KEYS is not set" in page.html.split('id="id_password_error"')[1]


# --- which servers may be asked


def test_settings_of_the_operator() -> None:
    assert env.minecraft_addresses({}) == AddressPolicy((), False, "TICKING_MINECRAFT_HOSTS")
    given = {"TICKING_MINECRAFT_HOSTS": "mc.lan,10.0.0.0/8", "TICKING_ALLOW_LOOPBACK": "1"}
    assert env.minecraft_addresses(given) == AddressPolicy(
        ("mc.lan", "10.0.0.0/8"), True, "TICKING_MINECRAFT_HOSTS"
    )
    with pytest.raises(ImproperlyConfigured, match="TICKING_MINECRAFT_HOSTS lists 'https://x'"):
        env.minecraft_addresses({"TICKING_MINECRAFT_HOSTS": "https://x"})


def test_the_address_that_was_checked_is_the_one_to_connect_to(
    client: Client, settings: LazySettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.MINECRAFT_ADDRESSES = AddressPolicy(
        ("mc.lan", "10.0.0.0/8", "fd00::/8"), False, MINECRAFT_VARIABLE
    )
    add(client, host="mc.lan")
    answers = [["fd00::5", "10.0.0.5"], ["169.254.169.254"]]

    def look_up(_host: str, port: int, **_options: Any) -> list[Any]:
        return [(0, socket.SOCK_STREAM, 6, "", (address, port)) for address in answers.pop(0)]

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    server = server_for("home")
    assert server is not None
    assert server.host == "10.0.0.5"
    with pytest.raises(AddressError, match=r"stands for 169\.254\.169\.254"):
        server_for("home")


def test_a_host_that_cannot_be_looked_up_is_a_fault_of_the_infrastructure(
    client: Client, settings: LazySettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.MINECRAFT_ADDRESSES = AddressPolicy(("mc.lan",), False, MINECRAFT_VARIABLE)
    add(client, host="mc.lan")

    def fail(*_arguments: Any, **_options: Any) -> list[Any]:
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", fail)
    with pytest.raises(InfrastructureError, match=r"the host mc\.lan .* cannot be looked up"):
        server_for("home")


def test_a_name_that_no_server_has_is_refused_with_the_nearest(client: Client) -> None:
    add(client)
    assert server_for("") is None
    with pytest.raises(SettingsError, match=r"unknown Minecraft server 'hone'.*home"):
        server_for("hone")
