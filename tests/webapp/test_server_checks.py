"""Checking a server from its page: who answers, what works there, watched while it goes, and stopped."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest
from django.conf import LazySettings
from django.test import Client
from django.utils import timezone
from kombu.exceptions import OperationalError

from engine.addresses import MINECRAFT_VARIABLE, AddressPolicy
from engine.minecraft.selftest import Place, Row, check
from engine.minecraft.status import Status
from engine.world.rules import effects
from tests.support.builders import make_run
from tests.support.minecraft_server import PASSWORD, World, listening, named, status
from tests.support.pages import Page
from tests.support.servers import stored_at
from tests.webapp.test_check_minecraft import server as a_server
from webapp.runs.models import Status as EpisodeStatus
from webapp.servers import checks
from webapp.servers.jobs import check_server
from webapp.servers.models import MinecraftServer, ServerCheck

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("minecraft_allowed")]

ROWS = 26 + len(effects())
"""Each effect, and 26 other things."""


@pytest.fixture
def stub() -> Iterator[tuple[World, Place]]:
    with a_server("1.20.4") as (world, place):
        yield world, place


def press_check(client: Client, **data: str) -> Page:
    return Page(client.post("/servers/home/check/", data, follow=True))


def test_a_server_is_asked_at_once_and_tried_in_a_worker(
    client: Client, stub: tuple[World, Place], sent_checks: list[int]
) -> None:
    world, place = stub
    stored_at(place, version="1.20.4", origin_x=1_000, origin_z=-2_000)
    page = press_check(client)
    words = f"127.0.0.1:{place.port} is Minecraft 1.20.4. 0 of 20 players are online."
    assert words in page.text
    assert "Waiting for a free worker" in page.text
    assert page.all("div", data_refresh="/servers/home/check/progress/")
    assert world.asked == []
    (check_id,) = sent_checks
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
    client: Client, stub: tuple[World, Place], sent_checks: list[int]
) -> None:
    stored_at(stub[1])
    press_check(client)
    answer = client.get("/servers/home/check/progress/")
    assert "X-Refresh-Done" not in answer
    assert "<html" not in answer.content.decode()
    checks.carry_out(sent_checks[0])
    answer = client.get("/servers/home/check/progress/")
    assert answer["X-Refresh-Done"] == "1"
    assert "place a block" in Page(answer).text


def test_rows_are_there_while_the_test_runs_and_a_request_to_stop_is_heard(
    client: Client, stub: tuple[World, Place], sent_checks: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody looks, and presses "Cancel", when the first block was placed and broken."""
    world, place = stub
    stored_at(place)
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
    checks.carry_out(sent_checks[0])
    assert "break a block" in seen[0]
    assert "Cancel the check" in seen[0]
    assert "Putting back what was changed" in seen[1]
    found = ServerCheck.objects.get()
    assert found.state == "cancelled"
    assert [row["what"] for row in found.rows][-1] == "break a block"
    assert world.asked[-1] == "forceload remove 0 0 2 2"
    assert not any(command.startswith("summon") for command in world.asked)


def test_a_test_that_waits_is_cancelled_at_once(
    client: Client, stub: tuple[World, Place], sent_checks: list[int]
) -> None:
    world, place = stub
    stored_at(place)
    press_check(client)
    assert "Cancelled" in Page(client.post("/servers/home/check/cancel/", follow=True)).text
    checks.carry_out(sent_checks[0])
    assert world.asked == []
    assert "The check had ended" in Page(client.post("/servers/home/check/cancel/", follow=True)).text


def test_a_server_that_is_deleted_meanwhile_ends_the_test(
    client: Client, stub: tuple[World, Place], sent_checks: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    stored_at(stub[1])
    press_check(client)

    def deleted(place: Place, password: str, *, tell: Callable[[Row], None]) -> list[Row]:
        client.post("/servers/home/delete/")
        return check(place, password, tell=tell)

    monkeypatch.setattr(checks, "check", deleted)
    checks.carry_out(sent_checks[0])
    assert not ServerCheck.objects.exists()
    checks.carry_out(sent_checks[0])


def test_another_version_than_the_configured_one_is_named(
    client: Client, stub: tuple[World, Place], sent_checks: list[int]
) -> None:
    stored_at(stub[1], version="1.19")
    page = press_check(client)
    assert "is Minecraft 1.20.4. 0 of 20" in page.text
    assert "that is Minecraft 1.20.4; expected was 1.19, protocol 759." in page.text
    assert "Not done" in page.text
    assert sent_checks == []


def test_a_server_that_does_not_answer_is_told(client: Client, sent_checks: list[int]) -> None:
    with listening(lambda connection: None) as port:
        stored_at(Place("127.0.0.1", port, port, (0, 0, 0)))
        page = press_check(client)
    assert f"No Minecraft server answers at 127.0.0.1:{port}" in page.text
    assert sent_checks == []


def test_workers_that_cannot_be_told_are_no_fault_of_the_server(
    client: Client, stub: tuple[World, Place], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_check_id: int) -> None:
        raise OperationalError

    monkeypatch.setattr(check_server, "delay", fail)
    stored_at(stub[1])
    assert checks.NO_WORKERS in press_check(client).text


def test_a_server_that_may_not_be_asked_any_more_is_told(
    client: Client, stub: tuple[World, Place], settings: LazySettings
) -> None:
    stored_at(stub[1])
    settings.MINECRAFT_ADDRESSES = AddressPolicy((), False, MINECRAFT_VARIABLE)
    assert "TICKING_ALLOW_LOOPBACK=1" in press_check(client).text


def test_what_fails_is_counted_and_shown(
    client: Client, stub: tuple[World, Place], sent_checks: list[int]
) -> None:
    world, place = stub
    stored_at(place)
    world.broken.add("tp")
    press_check(client)
    checks.carry_out(sent_checks[0])
    page = Page(client.get("/servers/home/"))
    assert f"1 of {ROWS} failed" in page.text
    assert "<--[HERE]" not in page.html
    assert page.text.index(" tp ") < page.text.index("place a block")
    assert "&lt;--[HERE]" in page.html


def test_a_wrong_password_is_a_row(client: Client, stub: tuple[World, Place], sent_checks: list[int]) -> None:
    server = stored_at(stub[1])
    server.store_password("wrong horse")
    server.save()
    press_check(client)
    checks.carry_out(sent_checks[0])
    page = Page(client.get("/servers/home/"))
    assert "refuses the RCON password" in page.text
    assert "horse" not in page.html


def test_a_password_that_cannot_be_read_ends_the_test(
    client: Client, stub: tuple[World, Place], sent_checks: list[int]
) -> None:
    stored_at(stub[1])
    press_check(client)
    MinecraftServer.objects.update(password_token="x")
    checks.carry_out(sent_checks[0])
    assert "cannot be decrypted" in Page(client.get("/servers/home/")).text


def test_a_player_is_given_items_and_loses_them(
    client: Client, stub: tuple[World, Place], sent_checks: list[int]
) -> None:
    world, place = stub
    world.players, world.mobs["Ada"] = ["Ada"], {}
    stored_at(place)
    page = Page(client.post("/servers/home/check/", {"player": "@a"}))
    assert page.status == 400
    assert "&#x27;@a&#x27; is not a player&#x27;s name" in page.html.split('id="id_player_error"')[1]
    press_check(client, player="Ada")
    checks.carry_out(sent_checks[0])
    assert ServerCheck.objects.get().tally == {"works": ROWS + 1}  # what never wears out is given, too
    assert world.carried == {"gold_ore": 0, "wooden_pickaxe": 0}


def test_no_test_begins_while_an_episode_or_a_test_is_at_work(
    client: Client, stub: tuple[World, Place], sent_checks: list[int]
) -> None:
    stored_at(stub[1])
    (episode,) = make_run(1, world="minecraft", status=EpisodeStatus.RUNNING)
    episode.run.settings["server"] = "home"
    episode.run.save()
    assert checks.BUSY in press_check(client).text
    episode.run.settings["server"] = "another"
    episode.run.save()
    press_check(client)
    assert checks.ALREADY in press_check(client).text
    assert len(sent_checks) == 1


def test_a_test_whose_worker_fell_silent_can_be_repeated(
    client: Client, stub: tuple[World, Place], sent_checks: list[int]
) -> None:
    server = stored_at(stub[1])
    long_ago = timezone.now() - timedelta(seconds=61)
    ServerCheck.objects.create(server=server, state=ServerCheck.State.RUNNING, seen_at=long_ago)
    page = Page(client.get("/servers/home/"))
    assert "Lost" in page.text
    assert "Nothing was heard of its worker" in page.text
    press_check(client)
    assert len(sent_checks) == 1


def test_the_newest_tests_are_kept_and_each_can_be_shown(client: Client, stub: tuple[World, Place]) -> None:
    server = stored_at(stub[1])
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


def test_a_server_of_no_known_version_is_told(client: Client, sent_checks: list[int]) -> None:
    with listening(status(named("1.8.9", 47))) as port:
        stored_at(Place("127.0.0.1", port, port, (0, 0, 0)))
        assert "that is Minecraft 1.8.9; use a server from 1.19 to 1.21.4." in press_check(client).text
    assert sent_checks == []


# --- what stands still


@pytest.mark.parametrize(
    ("version", "words"),
    [("", None), ("1.20.2", "only mobs are stopped: liquids flow"), ("1.20.3", "while other episodes are")],
)
def test_what_goes_on_depends_on_the_version(version: str, words: str | None) -> None:
    goes_on = stored_at(Place("127.0.0.1", 1, 1, (0, 0, 0)), version=version).goes_on
    assert words is None or words in goes_on[-1]
    assert len(goes_on) == (0 if words is None else 3)
    assert "`" not in "".join(goes_on)


def test_the_version_that_answered_last_counts_where_none_is_set(
    client: Client, stub: tuple[World, Place]
) -> None:
    server = stored_at(stub[1])
    assert "depends on its version" in Page(client.get("/servers/home/")).text
    press_check(client)
    assert server.known_version == "1.20.4"
    assert "It is Minecraft 1.20.4" in Page(client.get("/servers/home/")).text
