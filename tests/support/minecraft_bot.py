"""A Mineflayer bot in a process of its own, which does what a test tells it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, Self

ROOT = Path(__file__).resolve().parents[2]
NODE = Path(sys.executable).parent / "node"


class Bot:
    """Joins a server of this machine; called with what to do, as `tests/js/player.cjs` lists it, it answers."""

    def __init__(self, port: int, name: str) -> None:
        script = [str(NODE), "tests/js/player.cjs", str(port), name]
        self._process = subprocess.Popen(
            script, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert self._answer() == "joined"

    def _answer(self) -> Any:
        assert self._process.stdout is not None
        return json.loads(self._process.stdout.readline())

    def __call__(self, *act: object) -> Any:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(act) + "\n")
        self._process.stdin.flush()
        return self._answer()

    def close(self) -> None:
        """Leave the server."""
        self._process.communicate()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_fault: object) -> None:
        self.close()
