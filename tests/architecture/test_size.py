"""Files stay small enough to read, say what they are for, and tests test something."""

import ast
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LIMIT = 400  # lines


def modules() -> dict[str, str]:
    """Source of every Python file under src, by its path from the root."""
    found = sorted((ROOT / "src").rglob("*.py"))
    return {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in found}


def checks_something(source: str) -> bool:
    """True if the source has an assert statement or calls an assert_… function."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Assert):
            return True
        if isinstance(node, ast.Call):
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            if name.startswith("assert_"):
                return True
    return False


def test_modules_are_found():
    assert "src/dalembert/__init__.py" in modules()


def test_no_module_is_too_long():
    lengths = {name: len(source.splitlines()) for name, source in modules().items()}
    too_long = {name: length for name, length in lengths.items() if length > LIMIT}
    assert not too_long, f"more than {LIMIT} lines; split by concept: {too_long}"


def test_every_module_has_a_docstring():
    silent = [name for name, source in modules().items() if not ast.get_docstring(ast.parse(source))]
    assert not silent, f"no docstring at the top: {silent}"


def test_every_test_file_asserts():
    idle = [
        path.relative_to(ROOT).as_posix()
        for path in sorted((ROOT / "tests").rglob("test_*.py"))
        if not checks_something(path.read_text(encoding="utf-8"))
    ]
    assert not idle, f"nothing is asserted in {idle}"
