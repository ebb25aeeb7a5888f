"""Static files: our own from static/, third-party ones from node_modules, all served by WhiteNoise."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from http import HTTPStatus
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.finders import BaseFinder
from django.core.checks import CheckMessage, Error
from django.core.files.storage import FileSystemStorage, Storage
from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers
from whitenoise.middleware import WhiteNoiseMiddleware

VENDOR = {
    "vendor/tabler/tabler.min.css": "@tabler/core/dist/css/tabler.min.css",
    "vendor/three/three.module.js": "three/build/three.module.js",
    "vendor/three/three.core.js": "three/build/three.core.js",
    "vendor/plotly/plotly-cartesian.min.js": "plotly.js-cartesian-dist-min/plotly-cartesian.min.js",
}
"""Third-party files that pages use: address below /static/ → place below node_modules."""

COMPRESSIBLE = ("text/", "application/json", "image/svg+xml")
"""Beginnings of the types of files that are sent compressed."""


class VendorFinder(BaseFinder):
    """Finds the files of `VENDOR`, and nothing else of node_modules."""

    def __init__(self, *_args: Any, **_kwargs: Any) -> None:
        self.root = Path(settings.BASE_DIR) / "node_modules"

    def check(self, **_kwargs: Any) -> list[CheckMessage]:
        """Name the files that set-up has not installed."""
        missing = [source for source in VENDOR.values() if not (self.root / source).is_file()]
        return [
            Error(
                f"Third-party file node_modules/{source} is missing.",
                hint="Run `make install`.",
                id="ticking.E001",
            )
            for source in missing
        ]

    def find(self, path: str, find_all: bool = False, **_kwargs: Any) -> Any:
        """The file's place on disk, or nothing."""
        source = VENDOR.get(path)
        found = source is not None and (self.root / source).is_file()
        place = str(self.root / source) if found and source else ""
        if find_all:
            return [place] if place else []
        return place or None

    def list(self, _ignore_patterns: Any) -> Iterator[tuple[str, Storage]]:
        """All files, each with a storage that opens it."""
        storage = _VendorStorage(self.root)
        for path in VENDOR:
            yield path, storage


class _VendorStorage(FileSystemStorage):
    """Opens a file of `VENDOR` by its address."""

    def path(self, name: str) -> str:
        return super().path(VENDOR[name])


class StaticMiddleware(WhiteNoiseMiddleware):
    """WhiteNoise with whole responses: under ASGI Django warns of synchronous streams; files are small."""

    @staticmethod
    def serve(static_file: Any, request: HttpRequest) -> HttpResponse:
        """One file, or `not modified`."""
        found = static_file.get_response(request.method, request.META)
        body = b""
        if found.file is not None:
            with found.file:
                body = found.file.read()
        answer = HttpResponse(body, status=int(found.status))
        del answer["Content-Type"]
        for name, value in found.headers:
            answer[name] = value
        if found.status == HTTPStatus.OK and body and _may_compress(request, answer["Content-Type"]):
            answer.content = _compressed(request.path, answer["ETag"], body)
            answer["Content-Encoding"] = "gzip"
            answer["Content-Length"] = str(len(answer.content))
        patch_vary_headers(answer, ["Accept-Encoding"])
        return answer


_packed: dict[str, tuple[str, bytes]] = {}
"""Compressed files by address, each with the tag of the version that it was made of."""


def _may_compress(request: HttpRequest, content_type: str) -> bool:
    accepted = "gzip" in request.headers.get("Accept-Encoding", "")
    return accepted and content_type.startswith(COMPRESSIBLE)


def _compressed(address: str, tag: str, body: bytes) -> bytes:
    known = _packed.get(address)
    if known is None or known[0] != tag:
        known = _packed[address] = tag, gzip.compress(body, mtime=0)
    return known[1]
