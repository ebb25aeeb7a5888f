"""The guide's pages of measured figures."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path


def publish(lines: Iterable[str], page: Path, description: str | None) -> None:
    """Print a report line by line, since it takes minutes; with `--write` make it the guide's page as well."""
    parser = argparse.ArgumentParser(prog="make bench", description=description)
    parser.add_argument("--write", action="store_true", help=f"write {page.name} of the guide")
    write = parser.parse_args().write
    shown = []
    for line in lines:
        sys.stdout.write(line + "\n")
        sys.stdout.flush()
        shown.append(line)
    if write:
        page.write_text("\n".join(shown) + "\n", encoding="utf-8")
