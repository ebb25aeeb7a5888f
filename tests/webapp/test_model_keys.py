"""A key is seeded, everything that a key goes through is run, and then everything that remains is searched for it."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any

import pytest
from django.conf import LazySettings
from django.db import connection
from django.test import Client

from engine.addresses import AddressPolicy
from engine.episode.result import EpisodeResult
from engine.episode.run import run_episode
from tests.support.builders import make_run, make_task
from tests.support.endpoint import Behaviour, StubEndpoint, echoes_key, says
from webapp.models.registry import endpoint_for
from webapp.runs.execution import execute
from webapp.runs.models import Episode, Status
from webapp.runs.tables.files import TABLES

pytestmark = pytest.mark.django_db(transaction=True)

KEY = "sk-canary-3d94b1c07f"
PLAN = json.dumps({"agent_plans": {}, "plan": []})
MODELS: dict[str, tuple[Behaviour, Status]] = {
    "good": (says(PLAN), Status.FINISHED),
    "echo": (echoes_key, Status.ERROR),
    "crash": (says(PLAN), Status.ERROR),
}


def crashing(*_arguments: Any) -> EpisodeResult:
    """An engine with a fault of its own, with the endpoint in its hands."""
    raise RuntimeError(f"a fault of our own, with {endpoint_for('crash')!r}")


def database() -> bytes:
    """Every byte of the database's files."""
    name = Path(connection.settings_dict["NAME"])
    return b"".join(path.read_bytes() for path in name.parent.glob(f"{name.name}*"))


def test_a_key_is_found_nowhere(
    client: Client,
    settings: LazySettings,
    tmp_path: Path,
    sent: list[int],
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    settings.DATA_DIR = tmp_path
    settings.MODEL_KEYS = []
    settings.ENDPOINT_ADDRESSES = AddressPolicy(allow_loopback=True)
    caplog.set_level(logging.DEBUG)
    pages = ["/models/"]
    make_task()
    for model, (behaviour, status) in MODELS.items():
        with StubEndpoint([behaviour]) as stub:
            answer = client.post("/models/new/", _fields(model, stub.url))
            assert answer.status_code == 302
            pages.append(f"/models/{model}/")
            tried = client.post(f"/models/{model}/try/")
            assert tried.status_code == 200
            assert KEY.encode() not in tried.content
            (episode,) = make_run(1, policy="centralized", model=model)
            execute(episode.pk, crashing if model == "crash" else run_episode)
            episode.refresh_from_db()
            assert episode.status == status
            assert len(stub.requests) > (1 if model != "crash" else 0)
            assert stub.requests[-1].headers["authorization"] == f"Bearer {KEY}"
            pages += _pages(episode)
    for page in pages:
        answer = client.get(page)
        assert answer.status_code == 200, page
        assert KEY.encode() not in _content(answer), page
    stored = database()
    assert b"refuses the key" in stored  # what is searched is what was written
    assert KEY.encode() not in stored
    output = capfd.readouterr()
    said = caplog.text + output.out + output.err + repr(sent)
    assert "a fault of our own" in said
    assert KEY not in said


def _fields(name: str, url: str) -> dict[str, Any]:
    return {
        "name": name,
        "model": "m",
        "base_url": url,
        "key": KEY,
        "json_support": "text",
        "max_tokens": 100,
        "timeout_s": 60,
        "patience_s": 60,
    }


def _pages(episode: Episode) -> list[str]:
    here = f"/runs/{episode.run_id}/episodes/{episode.index}/"
    run = f"/runs/{episode.run_id}/"
    tables = [f"{run}tables/{name}.{form}" for name in TABLES for form in ("csv", "json")]
    return [run, here, here + "log.jsonl", here + "events/", here + "decisions/", *tables]


def _content(answer: Any) -> bytes:
    return b"".join(answer.streaming_content) if answer.streaming else answer.content
