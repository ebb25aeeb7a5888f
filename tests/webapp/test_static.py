"""Static files as browsers get them."""

from __future__ import annotations

import gzip

from django.test import Client

from tests.support.node import ROOT
from webapp.runs.takeaway import STYLES

EPISODE = "/static/js/pages/episode.js"
SOURCE = ROOT / "static" / "js" / "pages" / "episode.js"


def test_text_is_sent_compressed_to_browsers_that_take_it(client: Client) -> None:
    answer = client.get(EPISODE, headers={"Accept-Encoding": "gzip, br"})
    assert answer["Content-Encoding"] == "gzip"
    assert gzip.decompress(answer.content) == SOURCE.read_bytes()
    assert int(answer["Content-Length"]) == len(answer.content) < SOURCE.stat().st_size
    assert answer["Vary"] == "Accept-Encoding"
    plain = client.get(EPISODE)
    assert plain.content == SOURCE.read_bytes()
    assert "Content-Encoding" not in plain


def test_a_file_that_has_not_changed_is_not_sent_again(client: Client) -> None:
    tag = client.get(EPISODE, headers={"Accept-Encoding": "gzip"})["ETag"]
    answer = client.get(EPISODE, headers={"Accept-Encoding": "gzip", "If-None-Match": tag})
    assert (answer.status_code, answer.content) == (304, b"")


def test_the_episode_page_weighs_less_than_500_kb_before_3d(client: Client) -> None:
    modules = (ROOT / "static" / "js").rglob("*.js")
    paths = [*STYLES, *(str(path.relative_to(ROOT / "static")) for path in modules)]
    sizes = [
        len(client.get(f"/static/{path}", headers={"Accept-Encoding": "gzip"}).content) for path in paths
    ]
    assert sum(sizes) < 500_000
