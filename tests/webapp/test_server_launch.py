"""Launching on a Minecraft server of the user's own: the choice, what the run keeps, what the worker is given."""

from __future__ import annotations

import logging
from typing import Any

import pytest
from django.conf import LazySettings
from django.core.exceptions import ValidationError
from django.test import Client

from engine.addresses import AddressPolicy
from engine.episode.result import EpisodeResult
from engine.episode.settings import Budget
from engine.minecraft.selftest import Place
from tests.support.builders import ScriptedEngine, make_task
from tests.support.minecraft_server import PASSWORD
from tests.support.pages import Page, make_launch
from tests.support.servers import stored_at
from webapp.launch.actions import Grid
from webapp.live import log
from webapp.runs import resume
from webapp.runs.execution import UNEXPECTED, execute
from webapp.runs.models import Episode, Run
from webapp.servers.models import MinecraftServer

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("minecraft_allowed")]

PLACE = Place("127.0.0.1", 25_565, 25_575, (0, 200, 0))


def launch_on(server: str, **changes: Any) -> Run:
    return make_launch(worlds=["minecraft"], server=server, **changes)


def press_launch(client: Client, **changes: Any) -> Any:
    task = make_task()
    entries = {
        "tasks": [task.pk],
        "policies": ["oracle"],
        "modes": ["sync"],
        "worlds": ["minecraft"],
        "server": "home",
        "seeds": "0",
        "repeats": "1",
        "pace": "4",
        "name": "",
    }
    return client.post("/launch/", entries | changes)


# --- choosing


def test_without_servers_the_form_says_where_to_add_one(client: Client) -> None:
    make_task()
    page = Page(client.get("/launch/"))
    assert not page.all("select", name="server")
    assert page.all("a", href="/servers/")


def test_the_form_offers_the_servers_and_says_what_differs_on_each(client: Client) -> None:
    make_task()
    stored_at(PLACE, version="1.19")
    stored_at(PLACE, name="new-box", version="1.21.4")
    page = Page(client.get("/launch/"))
    assert [found["value"] for found in page.all("option")][:3] == ["", "home", "new-box"]
    assert [found["data-server"] for found in page.all("div") if "data-server" in found] == [
        "home",
        "new-box",
    ]
    assert "home Episodes keep to the wall clock there" in page.text
    assert "It is Minecraft 1.19. While a policy decides in synchronous mode all stands still" in page.text
    hints = page.text.split("It is Minecraft")
    assert ["liquids flow" in hint for hint in hints[1:]] == [True, False]


def test_the_run_keeps_the_servers_name_and_its_pages_show_it(client: Client) -> None:
    stored_at(PLACE)
    assert press_launch(client).status_code == 302
    run = Run.objects.get()
    assert run.settings["server"] == "home"
    assert "Minecraft server home" in Page(client.get(f"/runs/{run.pk}/")).text
    episode = Page(client.get(run.episodes.get().get_absolute_url()))
    assert "minecraft on home" in episode.text
    assert "In real time, as the server goes." in episode.text
    assert not episode.all("button", name="pace")
    form = Page(client.get(f"/launch/?run={run.pk}"))
    assert next(found["value"] for found in form.all("option", selected="")) == "home"


def test_the_embedded_server_is_the_default(client: Client) -> None:
    stored_at(PLACE)
    press_launch(client, server="")
    run = Run.objects.get()
    assert run.settings["server"] == ""
    assert "Minecraft server" not in Page(client.get(f"/runs/{run.pk}/")).text
    assert " on home" not in Page(client.get(run.episodes.get().get_absolute_url())).text


def test_a_server_is_left_out_where_no_episode_is_on_minecraft(client: Client) -> None:
    stored_at(PLACE)
    press_launch(client, worlds=["simulator"])
    assert Run.objects.get().settings["server"] == ""


def test_a_server_that_is_gone_is_named_beside_the_field(client: Client) -> None:
    stored_at(PLACE, name="other")
    answer = press_launch(client)
    assert answer.status_code == 400
    assert "There is no server “home” any more." in answer.content.decode().split('id="id_server_error"')[1]
    assert not Run.objects.exists()


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"server": "hone"}, "unknown Minecraft server 'hone'"),
        ({"worlds": ["simulator"]}, "goes only with the world minecraft"),
    ],
)
def test_a_launch_names_what_is_wrong_with_its_server(choices: dict[str, Any], message: str) -> None:
    stored_at(PLACE)
    with pytest.raises(ValidationError) as refused:
        make_launch(**{"worlds": ["minecraft"], "server": "home"} | choices)
    assert list(refused.value.message_dict) == ["server"]
    assert message in refused.value.message_dict["server"][0]


def test_what_it_will_take_is_reckoned_in_real_time() -> None:
    axes: dict[str, Any] = {"tasks": [], "policies": [], "modes": [], "worlds": [], "seeds": []}
    assert [Grid(**axes, server=server).real_pace(0.0) for server in ("", "home")] == [0.0, 1.0]


def test_a_run_is_gone_on_with_only_on_the_same_server() -> None:
    stored_at(PLACE)
    run = launch_on("home")
    axes: dict[str, Any] = {
        "tasks": [episode.task for episode in run.episodes.all()],
        "policies": ["oracle"],
        "modes": ["sync"],
        "worlds": ["minecraft"],
        "seeds": [0],
    }
    assert resume.unfinished(Grid(**axes, server="home"), Budget(), None) == run
    assert resume.unfinished(Grid(**axes), Budget(), None) is None
    assert resume.unfinished(Grid(**axes, server="home", clock="real"), Budget(), None) is None
    del run.settings["server"], run.settings["clock"]  # as runs of earlier versions are
    run.save()
    assert resume.unfinished(Grid(**axes), Budget(), None) == run


# --- what the worker is given


def test_the_worker_hands_the_server_and_its_password_to_the_engine() -> None:
    stored_at(PLACE, origin_x=500)
    engine = ScriptedEngine()
    execute(launch_on("home").episodes.get().pk, engine)
    assert engine.calls[0].server == "home"
    (server,) = engine.servers
    assert server is not None
    assert (server.host, server.rcon_port, server.origin) == ("127.0.0.1", 25_575, (500, 0))
    assert server.rcon_password.get_secret_value() == PASSWORD


def test_episodes_elsewhere_are_given_none() -> None:
    stored_at(PLACE)
    engine = ScriptedEngine()
    run = make_launch(worlds=["simulator", "minecraft"], server="home")
    for episode in run.episodes.order_by("index"):
        execute(episode.pk, engine)
    execute(launch_on("").episodes.get().pk, engine)
    assert [settings.server for settings in engine.calls] == ["", "home", ""]
    assert [server is None for server in engine.servers] == [True, False, True]


def test_a_server_that_was_deleted_meanwhile_ends_the_episode_in_an_error() -> None:
    stored_at(PLACE)
    episode = launch_on("home").episodes.get()
    MinecraftServer.objects.all().delete()
    engine = ScriptedEngine()
    execute(episode.pk, engine)
    episode.refresh_from_db()
    assert (episode.status, episode.success) == ("error", None)
    assert "unknown Minecraft server 'home'" in episode.error
    assert engine.calls == []


def test_a_server_that_may_not_be_used_any_more_ends_the_episode_in_an_error(settings: LazySettings) -> None:
    stored_at(PLACE)
    episode = launch_on("home").episodes.get()
    settings.MINECRAFT_ADDRESSES = AddressPolicy(())
    execute(episode.pk, ScriptedEngine())
    episode.refresh_from_db()
    assert episode.status == "error"
    assert "TICKING_ALLOW_LOOPBACK=1" in episode.error


def test_the_password_is_found_nowhere(client: Client, caplog: pytest.LogCaptureFixture) -> None:
    """Not even if the engine fails with the server in its hands."""

    def crashing(*arguments: Any) -> EpisodeResult:
        raise RuntimeError(f"a fault of our own, with {arguments[5]!r}")

    stored_at(PLACE)
    run = launch_on("home")
    with caplog.at_level(logging.DEBUG):
        execute(run.episodes.get().pk, crashing)
    episode = Episode.objects.get()
    assert episode.error == UNEXPECTED
    assert "with Server(host='127.0.0.1'" in caplog.text
    pages = [client.get(one.get_absolute_url()).content.decode() for one in (run, episode)]
    assert all("home" in page for page in pages)
    stored = b"".join(log.lines(episode)).decode()
    assert not [text for text in (caplog.text, str(run.settings), stored, *pages) if PASSWORD in text]
