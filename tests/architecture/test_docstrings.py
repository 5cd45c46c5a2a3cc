"""Docstrings read on: no word is left alone on a line by a rewrap."""

import ast
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "dalembert"
LONG, SHORT = 90, 20


def alone(text: str) -> list[str]:
    """Short lines in the middle of a paragraph, after a long one."""
    lines = text.split("\n")
    found = []
    for before, line, after in zip(lines, lines[1:], lines[2:], strict=False):
        same = len(line) - len(line.lstrip()) == len(after) - len(after.lstrip()) and after.strip()
        if len(before) >= LONG and 0 < len(line.strip()) <= SHORT and same and not line.rstrip().endswith((".", ":", ";")):
            found.append(line.strip())
    return found


def docstrings(path: Path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef):
            yield ast.get_docstring(node, clean=False) or ""


@pytest.mark.parametrize("path", sorted(SOURCE.rglob("*.py")), ids=lambda p: str(p.relative_to(SOURCE)))
def test_no_word_is_left_alone(path):
    assert not [word for text in docstrings(path) for word in alone(text)]


def test_the_rule_sees_what_it_is_for():
    assert alone("x" * 100 + "\nthat\nboth pass.\n") == ["that"]
    assert alone("x" * 100 + "\nthe end.\n") == []
