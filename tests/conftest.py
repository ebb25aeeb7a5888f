"""Fixtures shared by all tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from django.conf import LazySettings
from django.db import connections
from playwright.sync_api import Browser, sync_playwright

from engine.addresses import MINECRAFT_VARIABLE, AddressPolicy
from tests.support.browser import launch
from tests.support.stack import LiveStack, Redis
from webapp import celery_app
from webapp.runs.jobs import execute_episode
from webapp.servers.jobs import check_server

celery_app.conf.broker_url = "memory://"
# The same examples in each run, and no example too slow: a change is not to fail by an accident that it has no part in.
hypothesis.settings.load_profile("ci")


@pytest.fixture(scope="session")
def django_db_modify_db_settings(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Keep the test database in a file, as in real life: threads cannot share one in memory."""
    name = str(tmp_path_factory.mktemp("database") / "test.sqlite3")
    connections["default"].settings_dict["TEST"]["NAME"] = name


@pytest.fixture(autouse=True)
def sent(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The episodes for which messages were sent to the workers, which do not exist in unit tests."""
    episodes: list[int] = []

    def apply_async(args: tuple[int], **_options: Any) -> None:
        episodes.append(args[0])

    monkeypatch.setattr(execute_episode, "apply_async", apply_async)
    return episodes


@pytest.fixture(autouse=True)
def sent_checks(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The checks of servers for which messages were sent to the workers."""
    ids: list[int] = []
    monkeypatch.setattr(check_server, "delay", ids.append)
    return ids


@pytest.fixture
def minecraft_allowed(settings: LazySettings, tmp_path: Path) -> None:
    """Minecraft servers on this machine may be used; passwords are encrypted in a data folder of the test's own."""
    settings.DATA_DIR = tmp_path
    settings.MODEL_KEYS = []
    settings.MINECRAFT_ADDRESSES = AddressPolicy((), True, MINECRAFT_VARIABLE)


@pytest.fixture(scope="session")
def live_stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveStack]:
    """The whole dashboard in its own processes, embedded mode."""
    with LiveStack(tmp_path_factory.mktemp("embedded")) as stack:
        yield stack


@pytest.fixture(scope="session")
def live_stack_redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveStack]:
    """The same in team mode, on a real Redis server."""
    with Redis() as redis, LiveStack(tmp_path_factory.mktemp("team"), redis) as stack:
        yield stack


@pytest.fixture(params=["embedded", "redis"])
def any_stack(request: pytest.FixtureRequest) -> LiveStack:
    """Each of the two in turn."""
    stack: LiveStack = request.getfixturevalue(
        "live_stack" if request.param == "embedded" else "live_stack_redis"
    )
    return stack


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium, driven by Playwright. By module: its event loop would be in the way of asynchronous tests."""
    with sync_playwright() as playwright:
        opened = launch(playwright)
        yield opened
        opened.close()


@pytest.fixture(scope="session")
def root() -> Path:
    """The repository's folder."""
    return Path(__file__).parents[1]
