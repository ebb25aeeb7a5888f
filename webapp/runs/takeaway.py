"""A replay as one file: the page's own modules and styles with the log, which opens from disk without a server.

Modules are carried as data URLs under names of their own, which an import map knows; their relative imports are
rewritten to those names. The file's own content policy lets nothing else in, so what a model wrote stays inert.
"""

from __future__ import annotations

import base64
import re
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec
from django.conf import settings
from django.contrib.staticfiles import finders
from django.template.loader import render_to_string

from webapp.live import log
from webapp.runs import beside
from webapp.runs.models import Episode
from webapp.runs.scene import scene

ENTRY = "js/pages/replay.js"
STYLES = ("vendor/tabler/tabler.min.css", "css/app.css", "css/timeline.css", "css/spectator.css")
IMPORT = re.compile(r'^((?:import|export)\s[^;]*?from\s+")(\.{1,2}/[^"]+)(";)', re.MULTILINE)


def replay(episode: Episode, other: Episode | None = None) -> str:
    """The HTML of the replay, with another episode beside it if there is one."""
    return render_to_string(
        "runs/replay.html",
        {
            "episode": episode,
            **beside.context(episode, other),
            "replay": True,
            "styles": "\n".join(_read(name) for name in STYLES),
            "imports": msgspec.json.encode({"imports": _modules()}).decode(),
            "entry": _name(ENTRY),
            "events": _events(episode),
            "beside_events": _events(other) if other else "",
            "scene": escape(msgspec.json.encode(scene(episode.task)).decode()),
        },
    )


def _events(episode: Episode) -> str:
    events = b",".join(b"".join(log.lines(episode)).splitlines()).decode()
    return escape(f"[{events}]")


def escape(json: str) -> str:
    """JSON that can stand in a script element: no markup can begin in it."""
    return json.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _modules() -> dict[str, str]:
    """Every module that the entry needs, by its name, as a data URL."""
    if settings.DEBUG:
        _packed.cache_clear()
    return _packed()


@lru_cache(maxsize=1)
def _packed() -> dict[str, str]:
    packed: dict[str, str] = {}
    waiting = [ENTRY]
    while waiting:
        path = waiting.pop()
        if _name(path) in packed:
            continue
        text, needed = _rewritten(path)
        encoded = base64.b64encode(text.encode()).decode()
        packed[_name(path)] = f"data:text/javascript;base64,{encoded}"
        waiting += needed
    return packed


def _rewritten(path: str) -> tuple[str, list[str]]:
    needed: list[str] = []

    def rename(found: re.Match[Any]) -> str:
        target = _resolve(path, found[2])
        needed.append(target)
        return f"{found[1]}{_name(target)}{found[3]}"

    return IMPORT.sub(rename, _read(path)), needed


def _resolve(path: str, relative: str) -> str:
    parts = path.split("/")[:-1]
    for part in relative.split("/"):
        if part == "..":
            parts.pop()
        elif part != ".":
            parts.append(part)
    return "/".join(parts)


def _name(path: str) -> str:
    return f"ticking/{path.removeprefix('js/')}"


def _read(path: str) -> str:
    found = finders.find(path)
    if not isinstance(found, str):
        raise FileNotFoundError(f"static file {path} is missing")
    return Path(found).read_text(encoding="utf-8")
