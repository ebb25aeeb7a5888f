from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from webapp.core import modules
from webapp.core.templatetags.ui import preload_modules


@pytest.fixture
def scripts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Three modules that import one another in a ring, and one that is imported at run time."""
    files = {
        "js/pages/a.js": 'import { b } from "../b.js";\nimport three from "three";\nimport("../late.js");\n',
        "js/b.js": 'import {\n  c,\n  d,\n} from "./deep/c.js";\n',
        "js/deep/c.js": 'export { a } from "../pages/a.js";\n',
        "js/late.js": "",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.setattr(
        modules.finders, "find", lambda path: str(tmp_path / path) if (tmp_path / path).exists() else None
    )
    modules._modules.cache_clear()
    yield tmp_path
    modules._modules.cache_clear()


def test_a_script_needs_what_it_imports_and_what_that_imports(scripts: Path) -> None:
    assert modules.modules("js/pages/a.js") == ("js/pages/a.js", "js/b.js", "js/deep/c.js")


def test_a_module_that_is_missing_is_named(scripts: Path) -> None:
    (scripts / "js/deep/c.js").unlink()
    with pytest.raises(FileNotFoundError, match=r"js/deep/c\.js"):
        modules.modules("js/pages/a.js")


def test_the_page_names_each_module_once(scripts: Path) -> None:
    assert preload_modules("js/pages/a.js").splitlines() == [
        f'<link rel="modulepreload" href="/static/js/{name}.js">' for name in ("pages/a", "b", "deep/c")
    ]
