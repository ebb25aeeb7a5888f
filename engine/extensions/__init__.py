"""Your own events, mechanics, policies and causes: every Python file here is loaded, and registers what it adds.

See "Extending" in the user guide.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import iter_modules


@cache
def load_extensions() -> None:
    """Import the files of this folder, in the order of their names, once."""
    for module in sorted(found.name for found in iter_modules(__path__)):
        import_module(f"{__name__}.{module}")
