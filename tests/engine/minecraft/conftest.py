"""Stand-alone servers, which stand for servers of the user's own."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator

import pytest

from engine.minecraft.rcon import Rcon
from engine.minecraft.servers import Server
from engine.minecraft.standalone import StandAlone
from tests.engine.minecraft.reach import PASSWORD, reached


@pytest.fixture(scope="session", autouse=True)
def slots_of_their_own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tempfile, "tempdir", str(tmp_path_factory.mktemp("slots")))
        yield


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    with StandAlone(PASSWORD) as running:
        yield reached(running)


@pytest.fixture(scope="session")
def newer() -> Iterator[Server]:
    """A server of a version with items with components, and other names of attributes."""
    with StandAlone(PASSWORD, version="1.21.4") as running:
        yield reached(running)


@pytest.fixture(scope="session")
def freezing() -> Iterator[Server]:
    """A server of the first known version that has `tick freeze`, after `damage`."""
    with StandAlone(PASSWORD, version="1.20.4") as running:
        yield reached(running)


@pytest.fixture
def rcon(server: Server) -> Iterator[Rcon]:
    with Rcon(server.host, server.rcon_port, PASSWORD) as rcon:
        yield rcon
