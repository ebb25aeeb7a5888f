"""Which ES modules a page needs: its script's imports, and theirs; not those at run time, as of 3D."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles import finders

IMPORT = re.compile(r'^((?:import|export)\s[^;]*?from\s+")(\.{1,2}/[^"]+)(";)', re.MULTILINE)
"""A static import: what comes before the relative path, the path, and what follows."""


def modules(entry: str) -> tuple[str, ...]:
    """The paths of all modules that one needs, itself first, as `static` takes them.

    Raises:
        FileNotFoundError: one of them does not exist.
    """
    if settings.DEBUG:
        _modules.cache_clear()
    return _modules(entry)


@lru_cache(maxsize=16)
def _modules(entry: str) -> tuple[str, ...]:
    found: dict[str, None] = {}
    waiting = [entry]
    while waiting:
        path = waiting.pop(0)
        if path not in found:
            found[path] = None
            waiting += [resolve(path, match[2]) for match in IMPORT.finditer(read(path))]
    return tuple(found)


def resolve(path: str, relative: str) -> str:
    """The path of what a module imports by a relative one."""
    parts = path.split("/")[:-1]
    for part in relative.split("/"):
        if part == "..":
            parts.pop()
        elif part != ".":
            parts.append(part)
    return "/".join(parts)


def read(path: str) -> str:
    """The text of a static file.

    Raises:
        FileNotFoundError: there is none.
    """
    found = finders.find(path)
    if not isinstance(found, str):
        raise FileNotFoundError(f"static file {path} is missing")
    return Path(found).read_text(encoding="utf-8")
