"""The models page: adding, changing, trying; keys that go in and never come out."""

from __future__ import annotations

import json
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cryptography.fernet import Fernet
from django.conf import LazySettings
from django.core.exceptions import ImproperlyConfigured
from django.test import Client

from engine.addresses import PUBLIC_HOSTS, AddressPolicy
from engine.errors import SettingsError
from tests.support.endpoint import StubEndpoint, answer, echoes_key, fails, hangs, says, sends
from tests.support.pages import Page
from webapp import env
from webapp.core import encryption
from webapp.core.templatetags.ui import model_name
from webapp.models.forms import KEY_CLEARED
from webapp.models.models import ModelEndpoint
from webapp.models.registry import endpoint_for, known_models
from webapp.runs.providers import is_scripted

pytestmark = pytest.mark.django_db

KEY = "sk-canary-7c1f0e52a9"
FIELDS: dict[str, Any] = {
    "name": "gpt",
    "model": "gpt-5.1",
    "base_url": "https://api.openai.com/v1",
    "key": "",
    "key_variable": "",
    "json_support": "auto",
    "max_tokens": "4096",
    "temperature": "",
    "timeout_s": "60",
    "patience_s": "120",
    "prompt_price": "1.25",
    "completion_price": "10",
    "extra_body": "",
}


@pytest.fixture(autouse=True)
def data_folder(settings: LazySettings, tmp_path: Path) -> Path:
    """A data folder of its own, and this machine allowed, for the stub."""
    settings.DATA_DIR = tmp_path
    settings.MODEL_KEYS = []
    settings.ENDPOINT_ADDRESSES = AddressPolicy(allow_loopback=True)
    return tmp_path


@pytest.fixture
def stub() -> Iterator[StubEndpoint]:
    with StubEndpoint([says('{"answer": 5}')]) as server:
        yield server


def add(client: Client, **changes: Any) -> Page:
    return Page(client.post("/models/new/", FIELDS | changes, follow=True))


def edit(client: Client, **changes: Any) -> Page:
    return Page(client.post("/models/gpt/", FIELDS | changes, follow=True))


def stored() -> ModelEndpoint:
    return ModelEndpoint.objects.get()


# --- list and form


def test_the_list_shows_the_scripted_model_and_how_to_add_one(client: Client) -> None:
    page = Page(client.get("/models/"))
    assert page.status == 200
    assert "scripted:latency=uniform(10,30)" in page.text
    assert "No language model yet" in page.text
    assert page.all("a", href="/models/", aria_current="page")
    assert page.scripts == []


def test_a_model_is_added_and_listed(client: Client) -> None:
    page = add(client)
    assert "The model “gpt” is saved." in page.text
    assert "gpt-5.1" in page.text
    assert "$1.25 prompt, $10 completion" in page.text
    assert "4,096 tokens" in page.text
    endpoint = endpoint_for("gpt")
    assert endpoint is not None
    assert (endpoint.model, endpoint.timeout_s, endpoint.patience_s) == ("gpt-5.1", 60.0, 120.0)
    assert endpoint.cost_usd(1_000_000, 100_000) == pytest.approx(2.25)
    assert known_models()[1:] == [("gpt", "gpt (gpt-5.1)")]


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("scripted:latency=5", "scripted:latency=5 (no LLM)"),
        ("scripted-here", "scripted-here (no LLM)"),
        ("Scripted-here", "Scripted-here (no LLM)"),
        ("gpt-scripted", "gpt-scripted"),
        ("", "–"),
    ],
)
def test_scripted_servers_are_labelled_like_the_scripted_model(name: str, label: str) -> None:
    assert model_name(name) == label
    assert is_scripted(name) == label.endswith("(no LLM)")


def test_the_scripted_model_is_known_and_has_no_endpoint() -> None:
    assert [name for name, _ in known_models()] == ["scripted"]
    assert endpoint_for("scripted") is None
    assert endpoint_for("nobody") is None


@pytest.mark.parametrize(
    ("changes", "field", "words"),
    [
        ({"name": ""}, "name", "This field is required"),
        ({"name": "a b"}, "name", "letters, digits"),
        ({"name": "a:b"}, "name", "letters, digits"),
        ({"name": "../x"}, "name", "letters, digits"),
        ({"name": "Scripted"}, "name", "another meaning"),
        ({"name": "new"}, "name", "another meaning"),
        ({"declares_latency": "on"}, "name", "must begin with scripted-"),
        ({"name": "scripted-x"}, "name", "is for scripted servers"),
        ({"base_url": "https://evil.example/v1"}, "base_url", "TICKING_ENDPOINT_HOSTS"),
        ({"base_url": "http://169.254.169.254/v1"}, "base_url", "not a public address"),
        ({"base_url": "https://u:p@api.openai.com/"}, "base_url", "must not hold a user name"),
        ({"base_url": "javascript:alert(1)"}, "base_url", "must begin with https://"),
        ({"key": "a b"}, "key", "no spaces"),
        ({"key": "schlüssel"}, "key", "no letters beyond"),
        ({"key": KEY, "key_variable": "OPENAI_API_KEY"}, "key_variable", "not both"),
        ({"key_variable": "SECRET_KEY"}, "key_variable", "ending in _API_KEY"),
        ({"key_variable": "DATABASE_URL"}, "key_variable", "ending in _API_KEY"),
        ({"json_support": "xml"}, "json_support", "not one of the available choices"),
        ({"max_tokens": "0"}, "max_tokens", "from 1 to 1,000,000"),
        ({"max_tokens": "many"}, "max_tokens", "whole number"),
        ({"temperature": "3"}, "temperature", "from 0 to 2"),
        ({"timeout_s": "nan"}, "timeout_s", "number"),
        ({"timeout_s": "0"}, "timeout_s", "from 1 to 3,600"),
        ({"patience_s": "5"}, "patience_s", "shorter than the time-out"),
        ({"prompt_price": ""}, "prompt_price", "both prices or neither"),
        ({"completion_price": "-1"}, "completion_price", "from 0 to"),
        ({"extra_body": "{"}, "extra_body", "not JSON"),
        ({"extra_body": "[1]"}, "extra_body", "JSON object"),
        ({"extra_body": '{"a": NaN}'}, "extra_body", "NaN is no JSON number"),
        ({"extra_body": "[" * 3_000}, "extra_body", "not JSON"),
        ({"extra_body": '{"stream": true, "model": "x"}'}, "extra_body", "leave out model, stream"),
    ],
)
def test_what_is_wrong_stands_beside_its_field(client: Client, changes: Any, field: str, words: str) -> None:
    page = add(client, **changes)
    assert page.status == 400
    assert "Nothing was saved." in page.text
    assert words in page.html.replace("&#x27;", "'").split(f'id="id_{field}_error"')[1].split("</div>")[0]
    assert not ModelEndpoint.objects.exists()
    assert KEY not in page.html


def test_a_name_is_taken_once_in_whatever_case(client: Client) -> None:
    add(client)
    assert "There is a model “GPT” already" in add(client, name="GPT").text
    assert ModelEndpoint.objects.count() == 1


def test_whole_seconds_are_shown_as_such(client: Client) -> None:
    assert Page(client.get("/models/new/")).all("input", name="timeout_s")[0]["value"] == "180"
    add(client)
    assert Page(client.get("/models/gpt/")).all("input", name="timeout_s")[0]["value"] == "60"


def test_extra_parameters_come_back_as_they_are(client: Client) -> None:
    add(client, extra_body='{"reasoning_effort": "low", "x": {"y": [1, null]}}')
    assert stored().extra_body == {"reasoning_effort": "low", "x": {"y": [1, None]}}
    assert "reasoning_effort" in Page(client.get("/models/gpt/")).text
    edit(client, extra_body="")
    assert stored().extra_body == {}


def test_a_model_can_be_renamed_and_deleted(client: Client) -> None:
    add(client)
    edit(client, name="gpt-b")
    assert stored().name == "gpt-b"
    page = Page(client.post("/models/gpt-b/delete/", follow=True))
    assert "is deleted" in page.text
    assert not ModelEndpoint.objects.exists()


def test_a_faulty_change_is_not_shown_as_the_models_name(client: Client) -> None:
    add(client)
    page = edit(client, name="a b")
    assert page.all("form", action="/models/gpt/delete/")


def test_names_and_addresses_are_inert_on_the_page(client: Client) -> None:
    ModelEndpoint.objects.create(name="x", base_url="<script>alert(1)</script>", model="<b>m</b>")
    page = Page(client.get("/models/"))
    assert "&lt;script&gt;" in page.html
    assert page.scripts == []


# --- access


@pytest.mark.parametrize("path", ["/models/gpt/delete/", "/models/gpt/try/"])
def test_nothing_changes_by_following_a_link(client: Client, path: str) -> None:
    add(client)
    assert client.get(path).status_code == 405
    assert stored().name == "gpt"


@pytest.mark.parametrize("path", ["/models/new/", "/models/gpt/", "/models/gpt/delete/", "/models/gpt/try/"])
def test_a_change_needs_the_pages_token(client: Client, path: str) -> None:
    add(client)
    assert Client(enforce_csrf_checks=True).post(path, FIELDS | {"name": "b"}).status_code == 403
    assert stored().name == "gpt"


@pytest.mark.parametrize("path", ["/models/nobody/", "/models/nobody/delete/", "/models/nobody/try/"])
def test_a_model_that_does_not_exist_is_not_found(client: Client, path: str) -> None:
    assert client.post(path, FIELDS).status_code == 404


# --- keys


def test_a_key_is_stored_encrypted_and_never_comes_back(client: Client, data_folder: Path) -> None:
    page = add(client, key=KEY)
    assert "stored, encrypted" in page.text
    token = stored().key_token
    assert KEY not in token
    file = data_folder / "model_keys"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert Fernet(file.read_text().strip()).decrypt(token).decode() == KEY
    assert list(data_folder.iterdir()) == [file]
    endpoint = endpoint_for("gpt")
    assert endpoint is not None
    assert endpoint.key == KEY
    assert KEY not in repr(endpoint)
    form = Page(client.get("/models/gpt/"))
    assert KEY not in form.html
    assert token not in form.html
    assert form.all("input", name="key")[0].get("value", "") == ""


def test_the_stored_key_stays_when_another_setting_changes(client: Client) -> None:
    add(client, key=KEY)
    before = stored().key_token
    page = edit(client, max_tokens="99")
    assert KEY_CLEARED not in page.text
    assert (stored().key_token, stored().max_tokens) == (before, 99)


def test_another_address_clears_the_stored_key_and_says_so(client: Client) -> None:
    add(client, key=KEY)
    page = edit(client, base_url="https://api.deepseek.com")
    assert KEY_CLEARED in page.text
    assert stored().key_token == ""


def test_another_address_with_a_new_key_takes_the_new_one(client: Client) -> None:
    add(client, key=KEY)
    page = edit(client, base_url="https://api.deepseek.com", key="sk-new")
    assert KEY_CLEARED not in page.text
    assert encryption.decrypt(stored().key_token) == "sk-new"


def test_a_stored_key_can_be_removed_or_give_way_to_a_variable(client: Client) -> None:
    add(client, key=KEY)
    edit(client, remove_key="on")
    assert stored().key_token == ""
    edit(client, key=KEY)
    edit(client, key_variable="OPENAI_API_KEY")
    assert (stored().key_token, stored().key_variable) == ("", "OPENAI_API_KEY")


def test_a_form_with_faults_says_that_the_key_is_lost(client: Client) -> None:
    page = add(client, key=KEY, max_tokens="0")
    assert "Type the key once more" in page.text
    assert KEY not in page.html


def test_a_key_from_the_environment(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    page = add(client, key_variable="OPENAI_API_KEY")
    assert "from OPENAI_API_KEY, which is not set" in page.text
    with pytest.raises(SettingsError, match=r"OPENAI_API_KEY, which is not set\. Set it where"):
        endpoint_for("gpt")
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    endpoint = endpoint_for("gpt")
    assert endpoint is not None
    assert endpoint.key == KEY
    assert KEY not in Page(client.get("/models/")).html


def test_keys_that_encrypt_can_be_changed(settings: LazySettings) -> None:
    old, new = Fernet.generate_key().decode(), Fernet.generate_key().decode()
    settings.MODEL_KEYS = [old]
    token = encryption.encrypt(KEY)
    settings.MODEL_KEYS = [new, old]
    assert encryption.decrypt(token) == KEY
    settings.MODEL_KEYS = [new]
    with pytest.raises(SettingsError, match="Type it in again"):
        encryption.decrypt(token)


def test_machines_that_share_a_database_must_share_the_keys(client: Client, settings: LazySettings) -> None:
    settings.TEAM = True
    page = add(client, key=KEY)
    assert page.status == 400
    assert "TICKING_KEYS is not set" in page.html.split('id="id_key_error"')[1]
    settings.MODEL_KEYS = [Fernet.generate_key().decode()]
    assert add(client, key=KEY).status == 200


def test_settings_of_the_operator() -> None:
    assert env.endpoint_addresses({}) == AddressPolicy(PUBLIC_HOSTS)
    given = {
        "TICKING_ENDPOINT_HOSTS": "default, gpu.lan,10.0.0.0/8",
        "TICKING_ALLOW_LOOPBACK": "1",
    }
    assert env.endpoint_addresses(given) == AddressPolicy((*PUBLIC_HOSTS, "gpu.lan", "10.0.0.0/8"), True)
    with pytest.raises(ImproperlyConfigured, match="lists 'https://x'"):
        env.endpoint_addresses({"TICKING_ENDPOINT_HOSTS": "https://x"})
    assert env.model_keys({}) == []
    with pytest.raises(ImproperlyConfigured, match="Key 1 in TICKING_KEYS") as refused:
        env.model_keys({"TICKING_KEYS": "hunter2"})
    assert "hunter2" not in str(refused.value)


# --- trying


def try_it(client: Client, name: str = "gpt", *, fetch: bool = True) -> Page:
    return Page(client.post(f"/models/{name}/try/", headers={"X-Requested-With": "fetch"} if fetch else {}))


def test_trying_shows_what_the_answer_took(client: Client, stub: StubEndpoint) -> None:
    add(client, base_url=stub.url, key=KEY)
    page = try_it(client)
    assert page.text.startswith("It answers Latency 0.")
    assert "11 prompt, 7 completion" in page.text
    assert "$0.000084" in page.text  # 11 × 1.25 + 7 × 10 = 83.75 millionths
    assert "JSON schema" in page.text
    assert "the right JSON" in page.text
    assert "<html" not in page.html
    assert stub.requests[0].headers["authorization"] == f"Bearer {KEY}"


def test_trying_works_without_scripts(client: Client, stub: StubEndpoint) -> None:
    add(client, base_url=stub.url)
    page = try_it(client, fetch=False)
    assert page.all("html")
    assert "It answers Latency" in page.text


def test_trying_finds_out_what_is_accepted(client: Client) -> None:
    refuses = fails(400, "unknown", param="response_format")
    with StubEndpoint([refuses, says('```json\n{"answer": 5}\n```')]) as stub:
        add(client, base_url=stub.url)
        page = try_it(client)
    assert "s, after 1 refused request Tokens" in page.text
    assert "JSON mode" in page.text


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        ("five", "no JSON in it"),
        ('{"answer": 6}', "JSON, but not the right answer"),
        ("<script>alert(1)</script>", "no JSON in it"),
    ],
)
def test_a_reply_of_no_use_is_told_apart_from_none(client: Client, reply: str, words: str) -> None:
    with StubEndpoint([says(reply)]) as stub:
        add(client, base_url=stub.url)
        page = try_it(client)
    assert "It answers, but not as asked" in page.text
    assert words in page.text
    assert page.scripts == []


def test_a_reply_cut_off(client: Client) -> None:
    with StubEndpoint([sends(json.dumps(answer("let me see", finish="length")).encode())]) as stub:
        add(client, base_url=stub.url)
        assert "allow longer replies" in try_it(client).text


def test_errors_are_told_in_plain_words_without_the_key(client: Client) -> None:
    with StubEndpoint([echoes_key]) as stub:
        add(client, base_url=stub.url, key=KEY)
        page = try_it(client)
    assert "No answer" in page.text
    assert "refuses the key" in page.text
    assert KEY not in page.html


def test_a_scripted_server_that_refuses_the_question_is_excused(client: Client) -> None:
    with StubEndpoint([fails(400)]) as stub:
        add(client, base_url=stub.url, name="scripted-http", declares_latency="on")
        page = try_it(client, "scripted-http")
    assert "refuses the request" in page.text
    assert "only the benchmark’s own questions" in page.text


def test_a_key_that_cannot_be_had_is_told(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    add(client, key_variable="OPENAI_API_KEY")
    assert "OPENAI_API_KEY, which is not set" in try_it(client).text


def test_an_address_that_is_not_allowed_any_more_is_told(
    client: Client, stub: StubEndpoint, settings: LazySettings
) -> None:
    add(client, base_url=stub.url)
    settings.ENDPOINT_ADDRESSES = AddressPolicy()
    assert "TICKING_ALLOW_LOOPBACK=1" in try_it(client).text
    assert stub.requests == []


def test_trying_takes_no_longer_than_the_time_out(client: Client) -> None:
    with StubEndpoint([hangs]) as stub:
        add(client, base_url=stub.url, timeout_s="1", patience_s="600")
        page = try_it(client)
    assert "did not answer within 1 s" in page.text
    assert len(stub.requests) == 1
