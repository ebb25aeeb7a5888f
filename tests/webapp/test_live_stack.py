"""The real processes together: Daphne, a Celery worker and the reaper, embedded and with a real Redis."""

from __future__ import annotations

import json
import signal
from pathlib import Path

import pytest

from tests.support.socket_client import SocketClient
from tests.support.stack import LiveStack

AGE = """UPDATE runs_episode SET pace = 0, enqueued_at = '2026-01-01', started_at = '2026-01-01',
         heartbeat_at = '2026-01-01' WHERE run_id = ?"""
"""What happened to a run's episodes happened long ago, so that the reaper need not be waited for."""


def log_path(run: int, index: int = 1) -> str:
    return f"runs/{run}/episodes/{index}/log.jsonl"


def set_pace(stack: LiveStack, key: int, pace: float) -> None:
    stack.query("UPDATE runs_episode SET pace = ? WHERE id = ?", pace, key)


def episode_key(stack: LiveStack, run: int) -> int:
    return int(stack.query("SELECT id FROM runs_episode WHERE run_id = ?", run)[0][0])


def test_launched_episodes_are_played_and_logged_as_on_the_command_line(
    any_stack: LiveStack, tmp_path: Path
) -> None:
    run = any_stack.launch(seeds=(0, 1, 2, 2))
    for index in (1, 2, 3, 4):
        assert any_stack.wait_for(run, "finished", "error", "lost", index=index) == "finished"
    logs = [any_stack.get(log_path(run, index)) for index in (1, 2, 3, 4)]
    assert logs[2] == logs[3]
    assert logs[0] != logs[1]

    file = tmp_path / "log.jsonl"
    any_stack.manage("run_episode", "tasks/samples/gold_rush.yaml", "--seed", "2", "--log", str(file))
    assert logs[2] == file.read_bytes()


def test_a_watcher_that_loses_its_connection_misses_nothing(any_stack: LiveStack) -> None:
    run = any_stack.launch(pace=1)
    key = episode_key(any_stack, run)
    seen: list[dict[str, object]] = []
    for connection in (1, 2, 3):
        with SocketClient(any_stack.port, f"/ws/episodes/{key}/?after={len(seen)}") as socket:
            batches = 0
            while (message := socket.receive()) is not None and message["kind"] != "end":
                if message["kind"] == "events":
                    assert message["first_seq"] == len(seen) + 1
                    seen += message["events"]
                    batches += 1
                if batches == 2 and connection < 3:
                    break
                if batches == 2:
                    set_pace(any_stack, key, 0)
    assert message is not None
    stored = any_stack.get(log_path(run)).decode().splitlines()
    assert seen == [json.loads(line) for line in stored]


def test_the_clock_runs_at_the_pace_and_follows_a_change(any_stack: LiveStack) -> None:
    run = any_stack.launch(pace=1)
    key = episode_key(any_stack, run)
    with SocketClient(any_stack.port, f"/ws/episodes/{key}/?after=0") as socket:
        ticks: list[int] = []
        changed = False
        while (message := socket.receive()) is not None and message["kind"] != "end":
            clock = message if message["kind"] == "clock" else message.get("clock")
            if clock is None:
                continue
            ticks.append(clock["tick"])
            if len(ticks) == 5 and not changed:
                changed = True
                set_pace(any_stack, key, 0)
    assert message is not None
    assert ticks == sorted(ticks)
    assert len(ticks) >= 5
    assert any_stack.wait_for(run, "finished") == "finished"


def test_a_cancelled_episode_ends_with_a_complete_log(live_stack: LiveStack) -> None:
    run = live_stack.launch(pace=1)
    live_stack.wait_for(run, "running")
    live_stack.manage(
        "shell",
        "--no-imports",
        "-c",
        "from webapp.runs.models import Run; from webapp.runs.actions import cancel_run; "
        f"cancel_run(Run.objects.get(pk={run}))",
    )
    assert live_stack.wait_for(run, "cancelled") == "cancelled"
    last = json.loads(live_stack.get(log_path(run)).splitlines()[-1])
    assert (last["type"], last["payload"]["status"]) == ("episode_ended", "cancelled")


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_a_stopped_worker_leaves_waiting_episodes_for_the_next(tmp_path: Path, how: signal.Signals) -> None:
    with LiveStack(tmp_path, workers=1) as stack:
        run = stack.launch(seeds=(0, 1), pace=1)
        stack.wait_for(run, "running", index=1)
        stack.stop("worker", how)
        assert stack.wait_for(run, "queued", index=2) == "queued"
        stack.query(AGE, run)
        assert stack.wait_for(run, "lost", index=1) == "lost"
        stack.start("worker")
        assert stack.wait_for(run, "finished", index=2) == "finished"


def test_episodes_and_pages_make_no_trouble_in_the_output(tmp_path: Path) -> None:
    with LiveStack(tmp_path) as stack:  # of its own: other tests break off connections
        before = stack.output("web")
        stack.wait_for(stack.launch(seeds=(0, 1)), "finished")
        for path in ("", "tasks/", "runs/", "launch/", "guide/", "static/vendor/tabler/tabler.min.css"):
            assert stack.get(path)
        assert stack.output("web") == before
        assert stack.output("worker") == ""
