from __future__ import annotations

import logging
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.test import Client

from webapp import env
from webapp.core.logs import BriefRefusals

LONG = "k" * 50


@pytest.mark.parametrize(
    ("value", "meaning"),
    [
        ("on", True),
        ("ON ", True),
        ("true", True),
        ("1", True),
        ("off", False),
        ("no", False),
        ("0", False),
        ("", False),
    ],
)
def test_a_switch_has_few_words(value: str, meaning: bool) -> None:
    assert env.flag("X", {"X": value}) is meaning


def test_a_switch_that_is_not_set_is_off() -> None:
    assert env.flag("X", {}) is False


@pytest.mark.parametrize("value", ["onn", "2", "enable", "none"])
def test_an_unclear_switch_stops_the_start(value: str) -> None:
    with pytest.raises(ImproperlyConfigured, match=r"TICKING_LOGIN is .*use `on` or `off`"):
        env.flag("TICKING_LOGIN", {"TICKING_LOGIN": value})


def test_lists_are_separated_by_commas() -> None:
    assert env.words("X", {"X": " a.example , 192.0.2.1"}) == ["a.example", "192.0.2.1"]
    assert env.words("X", {}) == []
    with pytest.raises(ImproperlyConfigured, match="between two of its commas"):
        env.words("X", {"X": "a,,b"})


@pytest.mark.parametrize("value", ["localhost:6379", "http://localhost", "redis:/x"])
def test_an_address_needs_a_known_scheme_and_its_password_stays_secret(value: str) -> None:
    with pytest.raises(ImproperlyConfigured, match=r"redis://… or rediss://…") as refused:
        env.url("REDIS_URL", ("redis", "rediss"), {"REDIS_URL": value + ":hunter2"})
    assert "hunter2" not in str(refused.value)


def test_a_secret_key_is_made_once_for_its_owner_alone(tmp_path: Path) -> None:
    key = env.secret_key(tmp_path, team=False, env={})
    assert len(key) >= 50
    assert env.secret_key(tmp_path, team=False, env={}) == key
    assert stat.S_IMODE((tmp_path / "secret_key").stat().st_mode) == 0o600


def test_a_given_secret_key_is_used_and_not_stored(tmp_path: Path) -> None:
    assert env.secret_key(tmp_path, team=True, env={"SECRET_KEY": LONG}) == LONG
    assert list(tmp_path.iterdir()) == []


def test_a_short_secret_key_stops_the_start(tmp_path: Path) -> None:
    with pytest.raises(ImproperlyConfigured, match="shorter than 50"):
        env.secret_key(tmp_path, team=False, env={"SECRET_KEY": "secret"})


def test_a_data_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ImproperlyConfigured, match=r"file/data.*Set TICKING_DATA"):
        env.data_folder(tmp_path, {"TICKING_DATA": str(tmp_path / "file" / "data")})


def test_a_data_folder_that_cannot_be_written_is_named() -> None:
    with pytest.raises(ImproperlyConfigured, match=r"/proc cannot be used.*Set TICKING_DATA"):
        env.data_folder(Path("unused"), {"TICKING_DATA": "/proc"})


def manage(root: Path, folder: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """A management command in an environment of its own."""
    base = {"PATH": os.environ["PATH"], "TICKING_DATA": str(folder)}
    command = [sys.executable, "manage.py", *arguments]
    return subprocess.run(
        command, cwd=root, env=base | variables, capture_output=True, text=True, check=False, timeout=60
    )


@pytest.mark.parametrize(
    ("variables", "message"),
    [
        ({"DATABASE_URL": "postgres://db/x"}, "both DATABASE_URL and REDIS_URL"),
        ({"REDIS_URL": "redis://redis"}, "both DATABASE_URL and REDIS_URL"),
        ({"DATABASE_URL": "postgres://db/x", "REDIS_URL": "redis://redis"}, "SECRET_KEY is not set"),
        ({"DATABASE_URL": "mysql://db/x"}, "DATABASE_URL must have the form"),
        ({"TICKING_LOGIN": "perhaps"}, "TICKING_LOGIN is 'perhaps'"),
    ],
)
def test_settings_that_cannot_work_stop_the_start(
    root: Path, tmp_path: Path, variables: dict[str, str], message: str
) -> None:
    done = manage(root, tmp_path, "check", **variables)
    assert done.returncode == 1
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_a_team_behind_https_passes_the_deployment_checks(root: Path, tmp_path: Path) -> None:
    done = manage(
        root,
        tmp_path,
        "check",
        "--deploy",
        "--fail-level",
        "WARNING",
        DATABASE_URL="postgres://db/x",
        REDIS_URL="redis://redis",
        SECRET_KEY="0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
        TICKING_LOGIN="on",
        TICKING_HTTPS="on",
        TICKING_HOSTS="ticking.example",
        TICKING_ORIGINS="https://ticking.example",
    )
    assert done.returncode == 0, done.stderr


def test_answers_carry_the_protective_headers(client: Client) -> None:
    answer = client.get("/static/css/page.css")
    assert answer.status_code == 200
    assert answer["Content-Type"].startswith("text/css")
    assert "Access-Control-Allow-Origin" not in answer
    policy = answer["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "script-src" not in policy  # so scripts fall under default-src: no inline ones, no eval
    assert "frame-ancestors 'none'" in policy
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["Referrer-Policy"] == "same-origin"


def test_an_unchanged_static_file_is_not_sent_again(client: Client) -> None:
    first = client.get("/static/css/page.css")
    again = client.get("/static/css/page.css", headers={"If-Modified-Since": first["Last-Modified"]})
    assert (again.status_code, again.content) == (304, b"")


def test_of_the_third_party_files_only_the_listed_ones_are_served(client: Client, root: Path) -> None:
    source = root / "node_modules" / "@tabler" / "core"
    served = client.get("/static/vendor/tabler/tabler.min.css")
    assert served.content == (source / "dist" / "css" / "tabler.min.css").read_bytes()
    assert client.get("/static/vendor/tabler/tabler.css").status_code == 404
    assert client.get("/static/@tabler/core/package.json").status_code == 404


def test_other_host_names_are_refused(client: Client) -> None:
    assert client.get("/static/none.css", headers={"Host": "evil.example"}).status_code == 400


def test_a_refused_request_is_one_line_for_the_operator() -> None:
    record = logging.makeLogRecord({"name": "django.security.DisallowedHost", "exc_info": (None, None, None)})
    fault = logging.makeLogRecord({"name": "django.request", "exc_info": (None, None, None)})
    assert BriefRefusals().filter(record)
    assert BriefRefusals().filter(fault)
    assert record.exc_info is None
    assert fault.exc_info is not None


LOOK_AROUND = """
from django.test import Client
client = Client()
for path in ("/", "/tasks/", "/launch/", "/runs/", "/runs/1/", "/guide/", "/login/", "/static/css/page.css"):
    answer = client.get(path)
    print(path, answer.status_code, answer.get("Location", ""))
for path in ("/runs/1/cancel/", "/runs/1/episodes/1/pace/"):
    answer = client.post(path)
    print(path, answer.status_code, answer.get("Location", ""))
"""


def test_with_login_on_strangers_see_the_login_page_alone(root: Path, tmp_path: Path) -> None:
    done = manage(
        root,
        tmp_path,
        "shell",
        "--no-imports",
        "-c",
        LOOK_AROUND,
        TICKING_LOGIN="on",
        TICKING_HOSTS="testserver",
    )
    assert done.stdout.splitlines() == [
        "/ 302 /login/?next=/",
        "/tasks/ 302 /login/?next=/tasks/",
        "/launch/ 302 /login/?next=/launch/",
        "/runs/ 302 /login/?next=/runs/",
        "/runs/1/ 302 /login/?next=/runs/1/",
        "/guide/ 302 /login/?next=/guide/",
        "/login/ 200 ",
        "/static/css/page.css 200 ",
        "/runs/1/cancel/ 302 /login/?next=/runs/1/cancel/",
        "/runs/1/episodes/1/pace/ 302 /login/?next=/runs/1/episodes/1/pace/",
    ], done.stderr


@pytest.mark.parametrize(("text", "count"), [("4", 4), ("", 2), (" 10000 ", 10_000)])
def test_a_count_is_a_whole_number_or_the_default(text: str, count: int) -> None:
    assert env.count("TICKING_WORKERS", 2, {"TICKING_WORKERS": text}) == count
    assert env.count("TICKING_WORKERS", 2, {}) == 2


@pytest.mark.parametrize("text", ["0", "-1", "1.5", "many", "10001", "٣"])
def test_a_count_that_cannot_be_understood_stops_the_start(text: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="TICKING_WORKERS"):
        env.count("TICKING_WORKERS", 2, {"TICKING_WORKERS": text})
