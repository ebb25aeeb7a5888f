"""A replay as one file: the page's own modules and styles with the log, which opens from disk without a server.

Modules are carried as data URLs under names of their own, which an import map knows; their relative imports are
rewritten to those names. The file's own content policy lets nothing else in, so what a model wrote stays inert.
"""

from __future__ import annotations

import base64
import re
from functools import lru_cache

import msgspec
from django.conf import settings
from django.template.loader import render_to_string

from webapp.core.modules import IMPORT, modules, read, resolve
from webapp.live import log
from webapp.runs import beside
from webapp.runs.models import Episode
from webapp.runs.scene import scene

ENTRY = "js/pages/replay.js"
STYLES = (
    "vendor/tabler/tabler.min.css",
    "css/palette.css",
    "css/page.css",
    "css/cards.css",
    "css/home.css",
    "css/tasks.css",
    "css/forms.css",
    "css/runs.css",
    "css/guide.css",
    "css/narrow.css",
    "css/decision.css",
    "css/timeline.css",
    "css/spectator.css",
    "css/episode.css",
    "css/beside.css",
)
"""The styles of the episode page, in the order in which it links them."""


def replay(episode: Episode, other: Episode | None = None) -> str:
    """The HTML of the replay, with another episode beside it if there is one."""
    return render_to_string(
        "runs/replay.html",
        {
            "episode": episode,
            **beside.context(episode, other),
            "replay": True,
            "styles": "\n".join(read(name) for name in STYLES),
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
    texts = {path: _rewritten(path) for path in modules(ENTRY)}
    return {
        _name(path): f"data:text/javascript;base64,{base64.b64encode(text.encode()).decode()}"
        for path, text in texts.items()
    }


def _rewritten(path: str) -> str:
    def rename(found: re.Match[str]) -> str:
        return f"{found[1]}{_name(resolve(path, found[2]))}{found[3]}"

    return IMPORT.sub(rename, read(path))


def _name(path: str) -> str:
    return f"ticking/{path.removeprefix('js/')}"
