"""The reference that the source tells of itself (docs/_ext/pages.py) leaves nothing out."""

import ast
import importlib.util
from pathlib import Path

import pytest

from dalembert.integrators.registry import records

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "dalembert"


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    spec = importlib.util.spec_from_file_location("pages", ROOT / "docs" / "_ext" / "pages.py")
    pages = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(pages)
    folder = tmp_path_factory.mktemp("theory")
    pages._theory(folder)
    return pages.CHAPTERS, "\n".join(p.read_text(encoding="utf-8") for p in folder.glob("*.md"))


def test_every_header_of_a_chapter_is_in_it(written):
    chapters, text = written
    for place in (p for places in chapters.values() for p in places if not p.endswith(".py")):
        for file in (SOURCE / place).rglob("*.py"):
            if ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))):
                name = file.relative_to(SOURCE).as_posix().removesuffix("/__init__.py")
                assert f"\n## {name}\n" in text, f"{name} is in no chapter"


def test_every_package_of_equations_and_elements_has_a_chapter(written):
    chapters, text = written
    for room in (p.parent.relative_to(SOURCE).as_posix() for p in (SOURCE / "elements").glob("*/__init__.py")):
        assert f"\n## {room}/" in text, f"docs/_ext/pages.py: no chapter for {room}"


def test_methods_by_their_records(written):
    assert all(f"| {m.name} | {m.order} | {m.dense} |" in written[1] for m in records().values())
