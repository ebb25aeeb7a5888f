"""The servers page: adding, changing, testing; passwords that go in and never come out."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import LazySettings
from django.core.exceptions import ImproperlyConfigured
from django.test import Client
from django.utils import timezone

from engine.addresses import MINECRAFT_VARIABLE, AddressError, AddressPolicy
from engine.errors import InfrastructureError, SettingsError
from engine.minecraft.selftest import Place, Row, check
from engine.minecraft.status import Status
from engine.world.rules import effects
from tests.support.builders import make_run
from tests.support.minecraft_server import PASSWORD, World, listening, named, status
from tests.support.pages import Page
from tests.webapp.test_check_minecraft import server as a_server
from webapp import env
from webapp.core import encryption
from webapp.runs.models import Status as EpisodeStatus
from webapp.servers import checks, freezing
from webapp.servers.forms import MOVED
from webapp.servers.jobs import check_server
from webapp.servers.models import MinecraftServer, ServerCheck
from webapp.servers.registry import server_for

pytestmark = pytest.mark.django_db

ROWS = 26 + len(effects())
"""Each effect, and 26 other things."""
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


@pytest.fixture(autouse=True)
def data_folder(settings: LazySettings, tmp_path: Path) -> Path:
    """A data folder of its own, and this machine allowed, for the stub."""
    settings.DATA_DIR = tmp_path
    settings.MODEL_KEYS = []
    settings.MINECRAFT_ADDRESSES = AddressPolicy((), True, MINECRAFT_VARIABLE)
    return tmp_path


@pytest.fixture(autouse=True)
def queued(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The tests for which messages were sent to the workers, which do not exist in unit tests."""
    ids: list[int] = []
    monkeypatch.setattr(check_server, "delay", ids.append)
    return ids


@pytest.fixture
def stub() -> Iterator[tuple[World, Place]]:
    with a_server("1.20.4") as (world, place):
        yield world, place


def add(client: Client, **changes: Any) -> Page:
    return Page(client.post("/servers/new/", FIELDS | changes, follow=True))


def edit(client: Client, **changes: Any) -> Page:
    return Page(client.post("/servers/home/edit/", FIELDS | {"password": ""} | changes, follow=True))


def stored() -> MinecraftServer:
    return MinecraftServer.objects.get()


def at(place: Place, **changes: Any) -> MinecraftServer:
    """A stored server that the stub is."""
    server = MinecraftServer(
        **{"name": "home", "host": "127.0.0.1", "port": place.port, "rcon_port": place.rcon_port} | changes
    )
    server.store_password(PASSWORD)
    server.save()
    return server


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


# --- testing


def press_check(client: Client, **data: str) -> Page:
    return Page(client.post("/servers/home/check/", data, follow=True))


def test_a_server_is_asked_at_once_and_tried_in_a_worker(
    client: Client, stub: tuple[World, Place], queued: list[int]
) -> None:
    world, place = stub
    at(place, version="1.20.4", origin_x=1_000, origin_z=-2_000)
    page = press_check(client)
    words = f"127.0.0.1:{place.port} is Minecraft 1.20.4. 0 of 20 players are online."
    assert words in page.text
    assert "Waiting for a free worker" in page.text
    assert page.all("div", data_refresh="/servers/home/check/progress/")
    assert world.asked == []
    (check_id,) = queued
    checks.carry_out(check_id)
    page = Page(client.get("/servers/home/"))
    assert words in page.text
    assert "Works" in page.text
    assert "place a block" in page.text
    assert not page.all("div", data_refresh="/servers/home/check/progress/")
    assert "forceload add 1000 -2000 1002 -1998" in world.asked
    found = ServerCheck.objects.get()
    assert (found.state, found.works, found.version) == ("finished", True, "1.20.4")
    assert set(found.tally) == {"works", "skipped"}
    assert found.tally["skipped"] == 2
    assert "Works" in Page(client.get("/servers/")).text
    assert PASSWORD not in page.html


def test_progress_is_a_fragment_that_ends_with_the_test(
    client: Client, stub: tuple[World, Place], queued: list[int]
) -> None:
    at(stub[1])
    press_check(client)
    answer = client.get("/servers/home/check/progress/")
    assert "X-Refresh-Done" not in answer
    assert "<html" not in answer.content.decode()
    checks.carry_out(queued[0])
    answer = client.get("/servers/home/check/progress/")
    assert answer["X-Refresh-Done"] == "1"
    assert "place a block" in Page(answer).text


def test_rows_are_there_while_the_test_runs_and_a_request_to_stop_is_heard(
    client: Client, stub: tuple[World, Place], queued: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody looks, and presses "Cancel", when the first block was placed and broken."""
    world, place = stub
    at(place)
    press_check(client)
    seen: list[str] = []

    def watched(place: Place, password: str, *, tell: Callable[[Row], None]) -> list[Row]:
        def tell_and_look(row: Row) -> None:
            tell(row)
            if row.what == "break a block":
                seen.append(Page(client.get("/servers/home/check/progress/")).text)
                seen.append(Page(client.post("/servers/home/check/cancel/", follow=True)).text)

        return check(place, password, tell=tell_and_look)

    monkeypatch.setattr(checks, "check", watched)
    checks.carry_out(queued[0])
    assert "break a block" in seen[0]
    assert "Cancel the check" in seen[0]
    assert "Putting back what was changed" in seen[1]
    found = ServerCheck.objects.get()
    assert found.state == "cancelled"
    assert [row["what"] for row in found.rows][-1] == "break a block"
    assert world.asked[-1] == "forceload remove 0 0 2 2"
    assert not any(command.startswith("summon") for command in world.asked)


def test_a_test_that_waits_is_cancelled_at_once(
    client: Client, stub: tuple[World, Place], queued: list[int]
) -> None:
    world, place = stub
    at(place)
    press_check(client)
    assert "Cancelled" in Page(client.post("/servers/home/check/cancel/", follow=True)).text
    checks.carry_out(queued[0])
    assert world.asked == []
    assert "The check had ended" in Page(client.post("/servers/home/check/cancel/", follow=True)).text


def test_a_server_that_is_deleted_meanwhile_ends_the_test(
    client: Client, stub: tuple[World, Place], queued: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    at(stub[1])
    press_check(client)

    def deleted(place: Place, password: str, *, tell: Callable[[Row], None]) -> list[Row]:
        client.post("/servers/home/delete/")
        return check(place, password, tell=tell)

    monkeypatch.setattr(checks, "check", deleted)
    checks.carry_out(queued[0])
    assert not ServerCheck.objects.exists()
    checks.carry_out(queued[0])


def test_another_version_than_the_configured_one_is_named(
    client: Client, stub: tuple[World, Place], queued: list[int]
) -> None:
    at(stub[1], version="1.19")
    page = press_check(client)
    assert "is Minecraft 1.20.4. 0 of 20" in page.text
    assert "that is Minecraft 1.20.4; expected was 1.19, protocol 759." in page.text
    assert "Not done" in page.text
    assert queued == []


def test_a_server_that_does_not_answer_is_told(client: Client, queued: list[int]) -> None:
    with listening(lambda connection: None) as port:
        at(Place("127.0.0.1", port, port, (0, 0, 0)))
        page = press_check(client)
    assert f"No Minecraft server answers at 127.0.0.1:{port}" in page.text
    assert queued == []


def test_a_server_that_may_not_be_asked_any_more_is_told(
    client: Client, stub: tuple[World, Place], settings: LazySettings
) -> None:
    at(stub[1])
    settings.MINECRAFT_ADDRESSES = AddressPolicy((), False, MINECRAFT_VARIABLE)
    assert "TICKING_ALLOW_LOOPBACK=1" in press_check(client).text


def test_what_fails_is_counted_and_shown(
    client: Client, stub: tuple[World, Place], queued: list[int]
) -> None:
    world, place = stub
    at(place)
    world.broken.add("tp")
    press_check(client)
    checks.carry_out(queued[0])
    page = Page(client.get("/servers/home/"))
    assert f"1 of {ROWS} failed" in page.text
    assert "<--[HERE]" not in page.html
    assert page.text.index(" tp ") < page.text.index("place a block")
    assert "&lt;--[HERE]" in page.html


def test_a_wrong_password_is_a_row(client: Client, stub: tuple[World, Place], queued: list[int]) -> None:
    server = at(stub[1])
    server.store_password("wrong horse")
    server.save()
    press_check(client)
    checks.carry_out(queued[0])
    page = Page(client.get("/servers/home/"))
    assert "refuses the RCON password" in page.text
    assert "horse" not in page.html


def test_a_password_that_cannot_be_read_ends_the_test(
    client: Client, stub: tuple[World, Place], queued: list[int]
) -> None:
    at(stub[1])
    press_check(client)
    MinecraftServer.objects.update(password_token="x")
    checks.carry_out(queued[0])
    assert "cannot be decrypted" in Page(client.get("/servers/home/")).text


def test_a_player_is_given_items_and_loses_them(
    client: Client, stub: tuple[World, Place], queued: list[int]
) -> None:
    world, place = stub
    world.players, world.mobs["Ada"] = ["Ada"], {}
    at(place)
    page = Page(client.post("/servers/home/check/", {"player": "@a"}))
    assert page.status == 400
    assert "&#x27;@a&#x27; is not a player&#x27;s name" in page.html.split('id="id_player_error"')[1]
    press_check(client, player="Ada")
    checks.carry_out(queued[0])
    assert ServerCheck.objects.get().tally == {"works": ROWS + 1}  # what never wears out is given, too
    assert world.carried == {"gold_ore": 0, "wooden_pickaxe": 0}


def test_no_test_begins_while_an_episode_or_a_test_is_at_work(
    client: Client, stub: tuple[World, Place], queued: list[int]
) -> None:
    at(stub[1])
    (episode,) = make_run(1, world="minecraft", status=EpisodeStatus.RUNNING)
    episode.run.settings["server"] = "home"
    episode.run.save()
    assert checks.BUSY in press_check(client).text
    episode.run.settings["server"] = "another"
    episode.run.save()
    press_check(client)
    assert checks.ALREADY in press_check(client).text
    assert len(queued) == 1


def test_a_test_whose_worker_fell_silent_can_be_repeated(
    client: Client, stub: tuple[World, Place], queued: list[int]
) -> None:
    server = at(stub[1])
    long_ago = timezone.now() - timedelta(seconds=61)
    ServerCheck.objects.create(server=server, state=ServerCheck.State.RUNNING, seen_at=long_ago)
    page = Page(client.get("/servers/home/"))
    assert "Lost" in page.text
    assert "Nothing was heard of its worker" in page.text
    press_check(client)
    assert len(queued) == 1


def test_the_newest_tests_are_kept_and_each_can_be_shown(client: Client, stub: tuple[World, Place]) -> None:
    server = at(stub[1])
    for version in ("1.19", "1.19.4", "1.20.1", "1.20.2", "1.20.3"):
        state = ServerCheck.State.FINISHED
        ServerCheck.objects.create(server=server, state=state, version=version, answer=f"It is {version}.")
    page = press_check(client)
    assert "It is 1.20.3" not in page.text
    kept = list(server.checks.values_list("version", flat=True))
    assert kept == ["1.20.4", "1.20.3", "1.20.2", "1.20.1", "1.19.4"]
    oldest = server.checks.last()
    assert oldest is not None
    page = Page(client.get(f"/servers/home/?check={oldest.pk}"))
    assert "It is 1.19.4." in page.text
    assert "An earlier check" in page.text
    assert not page.all("div", data_refresh="/servers/home/check/progress/")


@pytest.mark.parametrize(
    ("name", "protocol", "online", "most", "words"),
    [
        ("1.20.4", 765, 0, 20, "mc:1 is Minecraft 1.20.4. 0 of 20 players are online."),
        (
            "Paper 1.20.4",
            765,
            3,
            20,
            "mc:1 is Minecraft 1.20.4 (“Paper 1.20.4”). 3 of 20 players are online.",
        ),
        ("1.19", 759, 1, 1, "mc:1 is Minecraft 1.19. 1 of 1 player is online."),
        ("old", 9_999, 0, 9, "mc:1 is no known release of Minecraft (“old”). 0 of 9 players are online."),
    ],
)
def test_a_status_in_words(name: str, protocol: int, online: int, most: int, words: str) -> None:
    assert checks.in_words(Status("mc:1", name, protocol, online, most)) == words


def test_a_server_of_no_known_version_is_told(client: Client, queued: list[int]) -> None:
    with listening(status(named("1.8.9", 47))) as port:
        at(Place("127.0.0.1", port, port, (0, 0, 0)))
        assert "that is Minecraft 1.8.9; use a server from 1.19 to 1.21.4." in press_check(client).text
    assert queued == []


# --- what stands still


@pytest.mark.parametrize(
    ("version", "words"),
    [
        ("", "not known yet: from 1.20.3 on the world, before that only mobs"),
        ("1.20.2", "only mobs stand still"),
        ("1.20.3", "the world is frozen"),
    ],
)
def test_what_stands_still_depends_on_the_version(version: str, words: str) -> None:
    assert words in freezing.in_words(version)


def test_the_version_that_answered_last_counts_where_none_is_set(
    client: Client, stub: tuple[World, Place]
) -> None:
    server = at(stub[1])
    assert "not known yet" in Page(client.get("/servers/home/")).text
    press_check(client)
    assert server.known_version == "1.20.4"
    assert "the world is frozen" in Page(client.get("/servers/home/")).text
