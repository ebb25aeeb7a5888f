"""A whole episode on the embedded server, as the command line runs it, in a process beside the test's."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Self

from tests.support.minecraft_bot import ROOT

SAMPLE = "tasks/samples/easy_copper_pair.yaml"


class Beside:
    """An episode in which something goes wrong; end it by `with`.

    Args:
        data: where the dashboard keeps what it has.
        preloaded: the script that sees to it; by default the first bot's connection breaks.
    """

    def __init__(self, data: Path, preloaded: str = "lose.cjs") -> None:
        self._environment = {
            "NODE_OPTIONS": f"--require={ROOT / 'tests/js' / preloaded}",
            "TICKING_DATA": str(data),
        }
        self._closing = ExitStack()

    def start(self) -> None:
        """Start it, and return when its bots have joined and it goes on."""
        command = ["manage.py", "run_episode", SAMPLE, "--world", "minecraft", "--seed", "1", "--json"]
        process = subprocess.Popen(
            [sys.executable, *command],
            cwd=ROOT,
            env=os.environ | self._environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self._process = self._closing.enter_context(process)
        self._closing.callback(process.kill)
        assert process.stderr is not None
        assert any(line.startswith("To watch, join 127.0.0.1:") for line in process.stderr)

    def finish(self) -> tuple[int, dict[str, Any]]:
        """Its exit status, and the document that it printed."""
        out, _ = self._process.communicate()
        document: dict[str, Any] = json.loads(out)
        return self._process.returncode, document

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_fault: object) -> None:
        self._closing.close()
