"""The user guide: Markdown files turned into HTML with a table of contents."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from django.conf import settings
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import slugify
from markdown_it import MarkdownIt
from markdown_it.token import Token

ORDER = (
    "index",
    "running",
    "watching",
    "models",
    "teams",
    "latency",
    "task-yaml",
    "difficulty",
    "samples",
    "oracles",
    "results",
    "command-line",
    "minecraft",
    "extending",
    "speed",
    "speed-watching",
    "changelog",
)
"""The pages as the guide's menu lists them; others follow by name."""

_markdown = MarkdownIt("commonmark", {"html": False, "typographer": True}).enable(["table", "smartquotes"])


@dataclass(frozen=True, slots=True)
class Heading:
    """A second-level heading, for the list of what is on the page."""

    anchor: str
    text: str


@dataclass(frozen=True, slots=True)
class Page:
    """One page of the guide, rendered."""

    name: str
    title: str
    headings: list[Heading]
    html: SafeString

    @property
    def address(self) -> str:
        """Where it is shown."""
        return address(self.name)


def folder() -> Path:
    """Where the Markdown files lie."""
    return Path(settings.BASE_DIR) / "templates" / "docs"


def address(name: str) -> str:
    """A page's address."""
    return reverse("guide:index") if name == "index" else reverse("guide:page", args=[name])


def names() -> list[str]:
    """All pages in the order of the menu."""
    found = {path.stem for path in folder().glob("*.md")}
    return [name for name in ORDER if name in found] + sorted(found - set(ORDER))


def load(name: str) -> Page | None:
    """A page by its name; None when there is none. Rendered once for each change of its file."""
    path = folder() / f"{name}.md"
    return _render(name, path, path.stat().st_mtime_ns) if name in names() else None


def pages() -> list[Page]:
    """All pages in the order of the menu."""
    return [page for name in names() if (page := load(name))]


@cache
def _render(name: str, path: Path, _changed: int) -> Page:
    tokens = _markdown.parse(path.read_text(encoding="utf-8"))
    title, headings, taken = name, [], set[str]()
    for place, token in enumerate(tokens):
        if token.type == "heading_open":
            text = _plain(tokens[place + 1])
            anchor = _anchor(text, taken)
            token.attrSet("id", anchor)
            if token.tag == "h1":
                title = text
            elif token.tag == "h2":
                headings.append(Heading(anchor, text))
        elif token.type == "table_open":
            token.attrSet("class", "table table-sm")
        for child in token.children or ():
            _link(child)
    html = _markdown.renderer.render(tokens, _markdown.options, {}).replace("<pre>", '<pre tabindex="0">')
    framed = re.sub(
        r"(<table.*?</table>)", r'<div class="table-scroll" tabindex="0">\1</div>', html, flags=re.DOTALL
    )
    return Page(name, title, headings, mark_safe(framed))  # noqa: S308 - our own files, raw HTML off


def _plain(inline: Token) -> str:
    return "".join(child.content for child in inline.children or ())


def _anchor(text: str, taken: set[str]) -> str:
    base = slugify(text) or "section"
    anchor, number = base, 2
    while anchor in taken:
        anchor, number = f"{base}-{number}", number + 1
    taken.add(anchor)
    return anchor


def _link(token: Token) -> None:
    """Links between the files (`results.md#scores`) become links between the pages."""
    if token.type != "link_open":
        return
    found = re.match(r"([\w-]+)\.md(#.*)?\Z", str(token.attrGet("href")))
    if found:
        token.attrSet("href", address(found[1]) + (found[2] or ""))
