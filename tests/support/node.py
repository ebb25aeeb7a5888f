"""Running our own scripts under the environment's node."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NODE = Path(sys.executable).parent / "node"


def node(*arguments: str) -> str:
    """What a script prints; it must succeed."""
    done = subprocess.run(
        [str(NODE), *arguments], cwd=ROOT, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
