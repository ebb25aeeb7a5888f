from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.test import Client

from tests.support.builders import make_task
from tests.support.pages import Page
from webapp.guide import pages

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("name", pages.names())
def test_every_link_of_the_guide_leads_somewhere(client: Client, name: str) -> None:
    make_task()
    page = pages.load(name)
    assert page
    targets = re.findall(r'href="([^"]+)"', page.html)
    for target in targets:
        address, _, anchor = target.partition("#")
        if address.startswith(("http://", "https://")):
            continue
        answer = client.get(address or page.address)
        assert answer.status_code == 200, target
        if anchor:
            assert anchor in Page(answer).ids(), target


def test_links_of_the_readme_lead_to_files(root: Path) -> None:
    text = (root / "README.md").read_text(encoding="utf-8")
    links = [link for link in re.findall(r"\]\(([^)]+)\)", text) if not link.startswith("http")]
    missing = [link for link in links if not (root / link).is_file() and link != "static/img/episode.png"]
    assert links
    assert missing == []


def test_the_menu_has_the_pages_in_their_order_then_others() -> None:
    assert [page.name for page in pages.pages()][: len(pages.ORDER)] == list(pages.ORDER)


def test_a_page_that_does_not_exist_is_not_found(client: Client) -> None:
    assert client.get("/guide/nothing/").status_code == 404
    assert client.get("/guide/settings/").status_code == 404


def test_the_first_page_has_one_address(client: Client) -> None:
    assert client.get("/guide/index/")["Location"] == "/guide/"


def test_markdown_gets_anchors_tables_and_page_links_but_no_raw_html(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "folder", lambda: tmp_path)
    (tmp_path / "one.md").write_text(
        "# One\n\n## A thing\n\n## A thing\n\n[two](two.md#x) [out](https://example.org/a.md)\n\n"
        "<script>alert(1)</script>\n\n| a |\n| --- |\n| b |\n"
    )
    page = pages.load("one")
    assert page
    assert page.title == "One"
    assert [heading.anchor for heading in page.headings] == ["a-thing", "a-thing-2"]
    assert '<h2 id="a-thing-2">' in page.html
    assert 'href="/guide/two/#x"' in page.html
    assert 'href="https://example.org/a.md"' in page.html
    assert "<script>" not in page.html
    assert '<table class="table table-sm">' in page.html
