"""Static files: our own from static/, third-party ones from node_modules, all served by WhiteNoise."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.finders import BaseFinder
from django.core.checks import CheckMessage, Error
from django.core.files.storage import FileSystemStorage, Storage
from django.http import HttpRequest, HttpResponse
from whitenoise.middleware import WhiteNoiseMiddleware

VENDOR = {
    "vendor/tabler/tabler.min.css": "@tabler/core/dist/css/tabler.min.css",
    "vendor/three/three.module.js": "three/build/three.module.js",
    "vendor/three/three.core.js": "three/build/three.core.js",
    "vendor/plotly/plotly-cartesian.min.js": "plotly.js-cartesian-dist-min/plotly-cartesian.min.js",
}
"""Third-party files that pages use: address below /static/ → place below node_modules."""


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
        return answer
