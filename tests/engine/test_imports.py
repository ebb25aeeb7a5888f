from __future__ import annotations

import ast
from pathlib import Path

ENGINE = Path(__file__).parents[2] / "engine"
FORBIDDEN = {"django", "celery", "channels", "daphne", "kombu", "webapp"}


def imported(path: Path) -> set[str]:
    """Top-level names of the packages that a module imports, wherever in it the import stands."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            names.add(node.module.split(".")[0])
    return names


def test_the_engine_imports_nothing_of_the_web() -> None:
    modules = sorted(ENGINE.rglob("*.py"))
    assert len(modules) > 10
    found = {str(path.relative_to(ENGINE)): sorted(imported(path) & FORBIDDEN) for path in modules}
    assert {path: names for path, names in found.items() if names} == {}


def test_the_walk_sees_imports_within_functions(tmp_path: Path) -> None:
    path = tmp_path / "module.py"
    path.write_text("def f():\n    from django.db import models\n    import os.path, celery.app\n")
    assert imported(path) == {"django", "os", "celery"}


def modules_imported(path: Path) -> set[str]:
    """Full names of the modules that a module imports from."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    names = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module}
    return names | {
        alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names
    }


def test_the_two_worlds_know_nothing_of_each_other() -> None:
    for one, other in (("minecraft", "simulator"), ("simulator", "minecraft")):
        modules = sorted((ENGINE / one).rglob("*.py"))
        assert len(modules) >= 5
        found = {path.name: modules_imported(path) for path in modules}
        assert [
            name for name, names in found.items() if any(n.startswith(f"engine.{other}") for n in names)
        ] == []
