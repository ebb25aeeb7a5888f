"""`run_suite` as people start it: real processes on a real database file."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.support.stack import PATIENCE_SECONDS, ROOT, LiveStack, until

SECONDS = 900.0
"""How long whole suites may take where the machine is busy with something else."""
TASKS = len(list((ROOT / "tasks" / "samples").glob("*.yaml")))
"""Samples that come with the program."""


class Shell:
    """Runs the command on a data folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.env = {"PATH": os.environ["PATH"], "TICKING_DATA": str(folder)}

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "manage.py", "run_suite", *arguments],
            cwd=ROOT,
            env=self.env,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, *arguments: str) -> tuple[int, str, str]:
        """Exit status, standard output, standard error."""
        return ended(self.start(*arguments))

    def document(self, *arguments: str) -> tuple[int, dict[str, Any]]:
        status, out, _ = self.run(*arguments, "--json")
        assert len(out.strip().splitlines()) == 1
        plain: dict[str, Any] = json.loads(out, parse_constant=pytest.fail)
        return status, plain

    def query(self, sql: str) -> list[tuple[Any, ...]]:
        """Rows of the database, none before it is there."""
        try:
            with closing(sqlite3.connect(self.folder / "db.sqlite3", timeout=PATIENCE_SECONDS)) as connection:
                return connection.execute(sql).fetchall()
        except sqlite3.OperationalError:
            return []

    def count(self, status: str) -> int:
        rows = self.query(f"SELECT count(*) FROM runs_episode WHERE status = '{status}'")
        return int(rows[0][0]) if rows else 0


def ended(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    out, err = process.communicate(timeout=SECONDS)
    return process.returncode, out, err


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(tmp_path / "data")


GRID = ("--policy", "oracle", "--policy", "centralized", "--model", "scripted:latency=5", "--seeds", "0-1")
FILE = "tasks/samples/easy_copper_pair.yaml"


def test_a_suite_is_played_and_kept_where_the_dashboard_shows_it(shell: Shell) -> None:
    status, found = shell.document(FILE, *GRID, "--mode", "async", "--workers", "2", "--name", "Mine")
    assert (status, found["status"], found["run"], found["name"]) == (0, "finished", 1, "Mine")
    assert found["episodes"]["finished"] == 4
    rows = [(row["policy"], row["model"], row["mode"], row["played"]) for row in found["success"]]
    assert rows == [("oracle", None, "async", 2), ("centralized", "scripted:latency=5", "async", 2)]
    assert found["costs"][1]["latency_s_p95"] == 5.0
    assert found["spent"]["inferences"] == found["costs"][1]["inferences_sum"] > 0
    stored = shell.query("SELECT status, success, attempt, last_seq > 0, enqueued_at FROM runs_episode")
    assert stored[0] == ("finished", 1, 1, 1, None)
    assert shell.query("SELECT count(DISTINCT episode_id) FROM live_eventsegment") == [(4,)]


def test_people_get_the_success_table_and_progress_apart_from_it(shell: Shell) -> None:
    status, out, err = shell.run(FILE, "--seeds", "0-2")
    assert status == 0
    lines = out.splitlines()
    assert " ".join(lines[0].split()) == "type of task condition succeeded rate 95 % score not counted"
    assert lines[1].startswith(
        "mine_vanishing_blocks  oracle · sync · simulator  3 / 3      100 %  44 % to 100 %"
    )
    assert "Run 1 (Easy copper pair · oracle · sync): 3 episodes\n" in err
    assert "3 of 3 done, 3 succeeded" in err
    assert "\r" not in err


def test_the_log_is_that_of_run_episode(shell: Shell, tmp_path: Path) -> None:
    _, _, err = shell.run(FILE, "--seeds", "7", "--policy", "distributed")
    assert "(no LLM) · sync): 1 episode\n" in err
    (body,) = zip(*shell.query("SELECT body FROM live_eventsegment ORDER BY first_seq"), strict=True)
    log = tmp_path / "log.jsonl"
    single = [sys.executable, "manage.py", "run_episode", FILE, "--seed", "7", "--policy", "distributed"]
    subprocess.run([*single, "--log", str(log)], cwd=ROOT, env=shell.env, check=True, capture_output=True)
    stored, alone = "\n".join(body).splitlines(), log.read_text().splitlines()
    assert stored[1:] == alone[1:]  # the first names the task, by its file there and by its address here


def test_what_is_wrong_is_listed_and_nothing_is_launched(shell: Shell, tmp_path: Path) -> None:
    broken = tmp_path / "broken.yaml"
    broken.write_text("task: {}\n")
    status, found = shell.document(
        "sampels", str(broken), "--policy", "orcle", "--seeds", "3-1", "--workers", "0", "--budget-usd", "-1",
        "--clock", "sundial",
    )  # fmt: skip
    assert (status, found["status"], found["success"]) == (2, "error", None)
    told = {fault["path"]: fault["message"] for fault in found["errors"]}
    assert set(told) == {"", "--policy", "--seeds", "--workers", "--budget-usd", "--clock"}
    messages = [fault["message"] for fault in found["errors"]]
    assert any("sampels: no such suite, folder or file; did you mean 'samples'" in text for text in messages)
    assert any("broken.yaml" in text for text in messages)
    assert shell.query("SELECT * FROM runs_run") == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "name a suite, a folder or a task file"),
        ((FILE, "--model", "scripted"), "none of the policies (oracle) asks a model"),
        ((FILE, "--policy", "centralized", "--model", "gpt"), "unknown model 'gpt'"),
        (("--resume", "7"), "there is no run '7'"),
        (("--resume", "x"), "there is no run 'x'"),
        (("samples", "--resume", "7"), "cannot stand beside --resume"),
    ],
)
def test_a_command_that_makes_no_sense_is_refused(
    shell: Shell, arguments: tuple[str, ...], message: str
) -> None:
    status, out, err = shell.run(*arguments)
    assert (status, out) == (2, "")
    assert message in err
    assert "Traceback" not in err


def test_a_folder_of_files_becomes_a_suite_once(shell: Shell, tmp_path: Path) -> None:
    folder = tmp_path / "My tasks"
    folder.mkdir()
    text = (ROOT / FILE).read_text()
    (folder / "harder.yaml").write_text(text.replace("max_steps: 80", "max_steps: 60"))
    (folder / "same_as_sample.yaml").write_text(text)
    assert "max_steps: 80" in text
    for _ in range(2):
        status, found = shell.document(str(folder), "--new")
        assert (status, found["episodes"]["finished"]) == (0, 2)
    suite = "SELECT id FROM tasks_suite WHERE slug = 'my-tasks'"
    rows = shell.query(f"SELECT slug FROM tasks_task WHERE suite_id = ({suite})")
    assert ("harder",) in rows
    assert len(rows) <= 2


def interrupted(shell: Shell, *arguments: str) -> tuple[int, str, str]:
    """Start, wait until something has been played, and press Ctrl-C."""
    process = shell.start(*arguments)
    until("an episode has been played", lambda: shell.count("finished"), SECONDS)
    process.send_signal(signal.SIGINT)
    return ended(process)


def test_ctrl_c_stops_cleanly_and_the_same_command_goes_on(shell: Shell) -> None:
    command = ("samples", "--seeds", "0-5", "--workers", "2", "--json")
    status, out, err = interrupted(shell, *command)
    found = json.loads(out)
    assert (status, found["status"], found["run"]) == (3, "cancelled", 1)
    counts = found["episodes"]
    assert (
        f", {counts['cancelled']} cancelled\nCancelled. The same command again plays what is left.\n" in err
    )
    assert counts["queued"] == counts["running"] == counts["error"] == counts["lost"] == 0
    assert counts["finished"] > 0
    assert counts["cancelled"] > 0
    played = set(shell.query("SELECT id FROM runs_episode WHERE status = 'finished'"))

    status, out, err = shell.run(*command)
    found = json.loads(out)
    assert (status, found["status"], found["run"]) == (0, "finished", 1)
    assert f"Going on with run 1 ({TASKS} tasks · oracle · sync): {TASKS * 6 - len(played)} episodes" in err
    assert found["episodes"]["finished"] == TASKS * 6
    once = shell.query("SELECT id FROM runs_episode WHERE attempt = 1")
    assert played <= set(once)  # what had been played was not played again

    status, out, _ = shell.run(*command)  # and a third time there is nothing to go on with
    assert json.loads(out)["run"] == 2


def worker_pids(parent: int) -> list[int]:
    """The processes below one, by /proc."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rsplit(")", 1)[1].split()
            command = stat.with_name("cmdline").read_bytes()
        except OSError:
            continue
        if int(fields[1]) == parent and b"spawn_main" in command:
            found.append(int(stat.parent.name))
    return found


def is_alive(pid: int) -> bool:
    try:
        return bool(Path(f"/proc/{pid}/cmdline").read_bytes())  # empty for one that only waits to be buried
    except OSError:
        return False


def test_a_worker_that_is_killed_costs_one_episode_which_is_reported_and_played_again(shell: Shell) -> None:
    command = ("samples", "--seeds", "0-3", "--workers", "1", "--json")
    process = shell.start(*command)
    until("an episode has been played", lambda: shell.count("finished"), SECONDS)
    (worker,) = worker_pids(process.pid)
    os.kill(worker, signal.SIGKILL)
    status, out, _ = ended(process)
    found = json.loads(out)
    assert found["episodes"]["finished"] + found["episodes"]["lost"] == TASKS * 4
    assert found["episodes"]["lost"] <= 1
    assert (status, found["status"]) == ((1, "error") if found["episodes"]["lost"] else (0, "finished"))
    status, found = shell.document("--resume", "1")
    assert (status, found["episodes"]["finished"]) == (0, TASKS * 4)


def test_workers_do_not_outlive_a_command_that_is_killed(shell: Shell) -> None:
    process = shell.start("samples", "--seeds", "0-99", "--workers", "2")
    until("an episode has been played", lambda: shell.count("finished"), SECONDS)
    workers = worker_pids(process.pid)
    assert len(workers) == 2
    process.kill()
    process.communicate(timeout=SECONDS)
    until("the workers have ended", lambda: not any(is_alive(pid) for pid in workers))
    assert shell.count("queued") > 0


def test_beside_a_dashboard_each_episode_is_played_once_and_only_by_the_command(
    live_stack: LiveStack,
) -> None:
    shell = Shell(live_stack.folder)
    run = live_stack.launch(seeds=tuple(range(8)))  # the dashboard's workers are busy meanwhile
    status, found = shell.document(FILE, "--seeds", "0-7", "--workers", "2", "--name", "Beside")
    assert (status, found["episodes"]["finished"]) == (0, 8)
    live_stack.wait_for(run, "finished")
    sql = "SELECT DISTINCT status, attempt FROM runs_episode WHERE run_id IN (?, ?)"
    rows = live_stack.query(sql, run, found["run"])
    assert rows == [("finished", 1)]
    assert b"8 of 8" in live_stack.get(f"runs/{found['run']}/")


def test_a_runs_budget_ends_it_and_a_larger_one_lets_it_go_on(shell: Shell) -> None:
    command = (FILE, "--policy", "centralized", "--seeds", "0-9", "--workers", "1")
    status, found = shell.document(*command, "--budget-inferences", "3")
    assert (status, found["status"]) == (0, "budget")
    counts = found["episodes"]
    assert counts["cancelled"] > 0
    assert counts["cancelled"] + counts["finished"] + counts["budget"] == 10
    assert found["spent"]["inferences"] >= 3

    status, found = shell.document("--resume", "1", "--budget-inferences", "none")
    assert (status, found["status"]) == (0, "finished")
    assert found["episodes"]["cancelled"] == 0


def test_a_server_that_is_not_known_is_named(shell: Shell) -> None:
    status, found = shell.document(FILE, "--world", "minecraft", "--server", "home")
    assert (status, found["status"]) == (2, "error")
    assert [(fault["path"], fault["message"]) for fault in found["errors"]] == [
        ("--server", "unknown Minecraft server 'home'")
    ]
