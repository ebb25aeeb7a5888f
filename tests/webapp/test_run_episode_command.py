from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from engine.episode.settings import Cancelled
from webapp.core.commands import Interrupt
from webapp.runs.management.commands.run_episode import Stop


def run(*arguments: str) -> tuple[int, str, str]:
    """Exit status, standard output, standard error."""
    out, err = StringIO(), StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("run_episode", *arguments, stdout=out, stderr=err, no_color=True)
    return int(ended.value.code or 0), out.getvalue(), err.getvalue()


@pytest.fixture
def sample(root: Path) -> str:
    return str(root / "tasks" / "samples" / "gold_rush.yaml")


def document(text: str) -> dict[str, Any]:
    """The one JSON document of the output, without NaN and the like."""

    def refuse(name: str) -> None:
        raise AssertionError(name)

    plain: dict[str, Any] = json.loads(text, parse_constant=refuse)
    assert len(text.strip().splitlines()) == 1
    return plain


def test_the_result_is_one_document_with_all_fields(sample: str) -> None:
    status, out, err = run(sample, "--json")
    result = document(out)
    assert (status, err) == (0, "")
    assert set(result) == {
        "success", "partial_score", "checkpoints", "steps", "status", "breakdown", "costs", "events", "wall_seconds",
        "causes", "policy", "model", "is_scripted", "mode", "world", "seed",
    }  # fmt: skip
    assert (result["policy"], result["model"], result["is_scripted"]) == ("oracle", None, False)
    assert (result["status"], result["success"], result["partial_score"]) == ("finished", True, 1.0)
    for spent in result["breakdown"].values():
        assert sum(spent.values()) == pytest.approx(result["steps"])
    assert result["costs"]["latency_s"] == {"total": 0.0, "mean": None, "p50": None, "p95": None}


def test_the_log_has_as_many_lines_as_the_result_says_and_is_the_same_each_time(
    sample: str, tmp_path: Path
) -> None:
    first, second, other = (tmp_path / name for name in ("first", "second", "other"))
    _, out, _ = run(sample, "--json", "--seed", "7", "--log", str(first))
    run(sample, "--seed", "7", "--log", str(second))
    run(sample, "--seed", "8", "--log", str(other))
    lines = first.read_bytes().split(b"\n")
    assert lines.pop() == b""
    assert len(lines) == document(out)["events"]
    assert [json.loads(line)["seq"] for line in lines] == list(range(1, len(lines) + 1))
    assert first.read_bytes() == second.read_bytes()
    assert first.read_bytes() != other.read_bytes()


def test_people_get_words(sample: str) -> None:
    status, out, _ = run(sample)
    assert status == 0
    assert out.startswith("oracle · sync · simulator · seed 0\nfinished: success, partial score 1.000\n")
    assert "planning" in out
    assert "inferences" not in out


def test_a_scripted_result_says_that_it_is_none_of_a_language_model(sample: str) -> None:
    asked = ("--policy", "centralized", "--model", "scripted:latency=5")
    arguments = (sample, *asked, "--budget-inferences", "1")
    _, out, _ = run(*arguments)
    assert out.startswith("centralized · scripted:latency=5 (no LLM) · sync · simulator · seed 0\n")
    assert "\n1 inferences, " in out
    assert out.count("5 s of inference\n") == 1
    _, out, _ = run(*arguments, "--json")
    result = document(out)
    assert (result["model"], result["is_scripted"]) == ("scripted:latency=5", True)


@pytest.mark.parametrize(
    ("arguments", "path", "part"),
    [
        (["--policy", "oracel"], "--policy", "did you mean 'oracle'"),
        (["--mode", "asynch"], "--mode", "did you mean 'async'"),
        (["--world", "simulater"], "--world", "did you mean 'simulator'"),
        (["--seed", "-1"], "--seed", "whole number from 0"),
        (["--seed", "1.5"], "--seed", "whole number from 0"),
        (["--seed", "2147483648"], "--seed", "out of range"),
        (["--seed", "9" * 5000], "--seed", "whole number from 0"),
        (["--model", "scripted"], "--model", "policy oracle asks no model"),
        (["--policy", "centralized", "--model", "scripted:speed=1"], "--model", "unknown setting 'speed'"),
        (["--clock", "reel"], "--clock", "did you mean 'real'"),
        (["--budget-usd", "0"], "--budget-usd", "is not a number above 0"),
        (["--budget-usd", "nan"], "--budget-usd", "is not a number above 0"),
        (["--budget-tokens", "1.5"], "--budget-tokens", "is not a whole number above 0"),
        (["--log", "/nonexistent/log.jsonl"], "--log", "cannot be written: No such file or directory"),
    ],
)
def test_a_wrong_setting_is_named(sample: str, arguments: list[str], path: str, part: str) -> None:
    status, out, err = run(sample, *arguments)
    assert (status, out) == (2, "")
    assert len(err.splitlines()) == 1
    assert part in err

    status, out, err = run(sample, *arguments, "--json")
    result = document(out)
    assert (status, err, result["status"], result["success"]) == (2, "", "error", None)
    (fault,) = result["errors"]
    assert (fault["line"], fault["path"]) == (None, path)
    assert part in fault["message"]


def test_a_server_of_ones_own_needs_the_world_minecraft_and_a_password(
    sample: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TICKING_RCON_PASSWORD", raising=False)
    status, out, _ = run(sample, "--json", "--world", "minecraft", "--server", "mc.example")
    assert status == 2
    assert document(out)["errors"][0]["path"] == "--server"
    assert "TICKING_RCON_PASSWORD" in document(out)["errors"][0]["message"]
    monkeypatch.setenv("TICKING_RCON_PASSWORD", "correct horse")
    status, out, _ = run(sample, "--json", "--server", "mc.example")
    assert status == 2
    assert document(out)["errors"][0]["message"] == "goes only with --world minecraft"


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (
            ["--release", "1.20.4"],
            "a release goes only with the world minecraft, and with the embedded server",
        ),
        (
            ["--world", "minecraft", "--release", "1.20"],
            "unknown release '1.20' (known: 1.19, 1.19.4, 1.20.4, 1.21.4)",
        ),
    ],
)
def test_a_release_is_one_that_the_embedded_server_speaks(
    sample: str, monkeypatch: pytest.MonkeyPatch, more: list[str], words: str
) -> None:
    monkeypatch.delenv("TICKING_MINECRAFT_HOST", raising=False)
    status, out, _ = run(sample, "--json", *more)
    (fault,) = document(out)["errors"]
    assert (status, fault["path"], fault["message"]) == (2, "--release", words)


@pytest.mark.parametrize(
    ("password", "more", "words"),
    [
        ("correct horse", [], "RCON goes only with the world minecraft, and with the embedded server"),
        ("", [], "RCON goes only with the world minecraft, and with the embedded server"),
        (
            "",
            ["--world", "minecraft"],
            "set TICKING_RCON_PASSWORD to the RCON password that the server is to have",
        ),
        (
            "correct horse",
            ["--world", "minecraft", "--rcon-port", "0x1"],
            "0x1 is not a port; use one from 1 to 65535",
        ),
    ],
)
def test_rcon_needs_the_embedded_server_a_port_and_a_password(
    sample: str, monkeypatch: pytest.MonkeyPatch, password: str, more: list[str], words: str
) -> None:
    monkeypatch.delenv("TICKING_MINECRAFT_HOST", raising=False)
    monkeypatch.setenv("TICKING_RCON_PASSWORD", password)
    status, out, _ = run(sample, "--json", "--rcon-port", "25575", *more)
    (fault,) = document(out)["errors"]
    assert (status, fault["path"], fault["message"]) == (2, "--rcon-port", words)


def test_a_server_of_ones_own_that_does_not_answer_is_an_error_and_no_failure(
    sample: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TICKING_RCON_PASSWORD", "correct horse")
    for name in ("PORT", "RCON_PORT", "VERSION"):
        monkeypatch.delenv(f"TICKING_MINECRAFT_{name}", raising=False)
    monkeypatch.setenv("TICKING_MINECRAFT_HOST", "127.0.0.1")
    monkeypatch.setenv("TICKING_MINECRAFT_PORT", "1")
    status, out, err = run(sample, "--json", "--world", "minecraft")
    result = document(out)
    assert (status, result["status"], result["success"]) == (1, "error", None)
    assert (result["world"], result["server"]) == ("minecraft", "127.0.0.1:1")
    assert "no Minecraft server answers at 127.0.0.1:1" in result["error"]
    assert "correct horse" not in out + err


def test_a_policy_that_needs_a_model_asks_it(sample: str) -> None:
    status, out, _ = run(sample, "--policy", "centralized", "--model", "scripted:latency=5", "--json")
    costs = document(out)["costs"]
    assert status == 0
    assert costs["inferences"] > 0
    assert costs["latency_s"]["mean"] == 5.0
    _, out, _ = run(sample, "--policy", "centralized", "--json")
    assert document(out)["costs"]["latency_s"]["p95"] == 20.0  # the scripted planner's own


@pytest.mark.parametrize(
    ("option", "limit"),
    [("--budget-inferences", "1"), ("--budget-tokens", "10"), ("--budget-inference-s", "19.5")],
)
def test_a_budget_ends_the_episode(sample: str, option: str, limit: str) -> None:
    status, out, _ = run(sample, "--policy", "centralized", option, limit, "--json")
    result = document(out)
    assert (status, result["status"], result["costs"]["inferences"]) == (0, "budget", 1)
    _, out, _ = run(sample, "--policy", "centralized", option, "none", "--json")
    assert document(out)["status"] == "finished"


def test_all_faults_are_listed_each_on_a_line(sample: str, tmp_path: Path) -> None:
    file = tmp_path / "bad.yaml"
    text = (
        Path(sample)
        .read_text()
        .replace("max_steps:", "max_stepz:")
        .replace("block: gold_ore", "block: gold_or")
    )
    file.write_text(text)
    status, out, err = run(str(file), "--policy", "nobody")
    assert (status, out) == (2, "")
    lines = err.splitlines()
    assert len(lines) >= 3
    assert all(line.startswith(f"{file}: ") for line in lines)
    assert any("line " in line and "gold_ore" in line for line in lines)

    _, out, _ = run(str(file), "--policy", "nobody", "--json")
    assert len(document(out)["errors"]) == len(lines)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    status, _, err = run(str(tmp_path / "none.yaml"))
    assert status == 2
    assert err == f"{tmp_path / 'none.yaml'}: there is no such file\n"


def test_a_wrong_task_leaves_an_older_log_alone(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text("precious")
    run(str(tmp_path / "none.yaml"), "--log", str(log))
    assert log.read_text() == "precious"


def test_a_signal_ends_the_episode_properly_and_a_second_one_at_once() -> None:
    interrupt = Interrupt()
    control = Stop(interrupt, print)
    before = signal.getsignal(signal.SIGINT)
    with interrupt.listening():
        control.before(0)
        os.kill(os.getpid(), signal.SIGINT)
        with pytest.raises(Cancelled):
            control.before(1)
        with pytest.raises(SystemExit) as ended:
            os.kill(os.getpid(), signal.SIGTERM)
        assert ended.value.code == 3
    assert signal.getsignal(signal.SIGINT) is before


def test_a_cancelled_episode_prints_its_result_and_exits_with_3(
    sample: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def before(_self: Stop, tick: int) -> None:
        if tick >= 100:
            raise Cancelled

    monkeypatch.setattr(Stop, "before", before)
    status, out, _ = run(sample, "--json")
    result = document(out)
    assert (status, result["status"], result["success"]) == (3, "cancelled", None)
    assert 0 < result["steps"] <= 5


@pytest.mark.parametrize("policy", ["oracle", "centralized"])
def test_it_needs_neither_database_nor_server(sample: str, tmp_path: Path, root: Path, policy: str) -> None:
    env = {"PATH": os.environ["PATH"], "TICKING_DATA": str(tmp_path)}
    command = [sys.executable, "manage.py", "run_episode", sample, "--policy", policy, "--json"]
    done = subprocess.run(command, cwd=root, env=env, capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    assert document(done.stdout)["status"] == "finished"
    assert not (tmp_path / "db.sqlite3").exists()


def test_a_model_of_a_database_that_is_not_there_is_refused(sample: str, tmp_path: Path, root: Path) -> None:
    env = {"PATH": os.environ["PATH"], "TICKING_DATA": str(tmp_path)}
    command = [sys.executable, "manage.py", "run_episode", sample, "--policy", "centralized"]
    done = subprocess.run(
        [*command, "--model", "gpt", "--json"],
        cwd=root,
        env=env,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (2, "")
    (fault,) = document(done.stdout)["errors"]
    assert fault["path"] == "--model"
    assert "the model `scripted` needs none" in fault["message"]


@pytest.mark.parametrize("arguments", [[], ["--seed"], ["--nonsense"]])
@pytest.mark.parametrize("command", ["run_episode", "check_task"])
def test_a_faulty_command_line_gives_a_document_too(command: str, arguments: list[str], root: Path) -> None:
    ended = subprocess.run(
        [sys.executable, "manage.py", command, *arguments, "--json"],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (ended.returncode, ended.stderr) == (2, "")
    (fault,) = json.loads(ended.stdout)["errors"]
    assert "argument" in fault["message"]


def test_the_log_never_replaces_the_task_file(sample: str, tmp_path: Path) -> None:
    file = tmp_path / "task.yaml"
    file.write_bytes(Path(sample).read_bytes())
    status, out, _ = run(str(file), "--log", str(file), "--json")
    assert (status, document(out)["errors"][0]["path"]) == (2, "--log")
    assert file.read_bytes() == Path(sample).read_bytes()


def test_a_log_that_cannot_be_written_on_is_an_error(sample: str, caplog: pytest.LogCaptureFixture) -> None:
    status, out, err = run(sample, "--log", "/dev/full", "--json")
    assert (status, err, document(out)["errors"][0]["message"]) == (
        1,
        "",
        "cannot be written: No space left on device",
    )
    assert caplog.records == []


CENTRALIZED = ("--policy", "centralized", "--mode", "async", "--model", "scripted:latency=5", "--seed", "1")


def test_a_replay_answers_from_the_record_and_with_other_latencies_only_as_far_as_it_fits(
    sample: str, tmp_path: Path
) -> None:
    first, again = str(tmp_path / "first.jsonl"), str(tmp_path / "again.jsonl")
    _, out, _ = run(sample, *CENTRALIZED, "--log", first, "--json")
    inferences = document(out)["costs"]["inferences"]
    status, out, err = run(sample, *CENTRALIZED, "--replay", first, "--log", again, "--json")
    assert (status, err, document(out)["costs"]["replayed"]) == (0, "", inferences)
    assert Path(again).read_bytes() == Path(first).read_bytes()
    status, out, _ = run(sample, *CENTRALIZED, "--replay", first, "--latency", "x0.5", "--json")
    costs = document(out)["costs"]
    # The first question is the same whatever the latency; all later ones come at other moments.
    assert (status, costs["replayed"], costs["latency_s"]["mean"]) == (0, 1, 2.5)


def test_a_replay_is_of_what_was_recorded_unless_something_else_is_asked_for(
    sample: str, tmp_path: Path
) -> None:
    first, again = str(tmp_path / "first.jsonl"), str(tmp_path / "again.jsonl")
    run(sample, *CENTRALIZED, "--log", first)
    status, out, err = run(sample, "--replay", first, "--log", again)
    assert (status, err) == (0, "")
    assert out.startswith("centralized · scripted:latency=5 (no LLM) · async · simulator · seed 1\n")
    assert "of the replies from the record" in out
    assert Path(again).read_bytes() == Path(first).read_bytes()
    _, out, _ = run(sample, "--replay", first, "--model", "scripted:latency=0", "--seed", "2", "--json")
    result = document(out)
    assert (result["model"], result["seed"], result["mode"]) == ("scripted:latency=0", 2, "async")
    status, _, err = run(sample, "--replay", first, "--policy", "oracle")
    assert status == 2
    assert "--replay: goes only with a policy that asks a model: oracle asks none" in err
    rest = tmp_path / "rest.jsonl"
    rest.write_bytes(b"".join(Path(first).read_bytes().splitlines(keepends=True)[1:]))
    status, _, err = run(sample, "--replay", str(rest))
    assert (status, "does not hold an episode from its beginning" in err) == (2, True)


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        (("--latency", "x2"), "--latency: goes only with --replay"),
        (("--replay", "missing.jsonl"), "--replay: missing.jsonl cannot be read"),
        (("--replay", "manage.py"), "is not an event log of this version"),
        (("--replay", "manage.py", "--latency", "soon"), "unknown latency change 'soon'"),
    ],
)
def test_a_replay_that_cannot_be_is_bad_input(sample: str, options: tuple[str, ...], fault: str) -> None:
    status, _, err = run(sample, *CENTRALIZED, *options)
    assert status == 2
    assert fault in err
