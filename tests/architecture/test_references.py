"""Files that headers, comments and pages name are there: a room that moved takes its references with it."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "dalembert"
NAMED = re.compile(r"(?<![\w/.*-])((?:[\w-]+/)*\w+\.py)(?!\w)")
EXAMPLES = {"NAME.py", "_space.py", "statistics.py", "_version.py", "index.py"}  # stand for others, belong to others, are made
TOPS = [ROOT / name for name in ("src", "tests", "docs", "benchmarks")]
THERE = ["/setup.py", *("/" + p.relative_to(ROOT).as_posix() for top in TOPS for p in top.rglob("*.py"))]
WRITTEN = [p for p in (ROOT / "docs").rglob("*.md") if not {"_build", "_generated"} & set(p.parts)]
READ = sorted([*SOURCE.rglob("*.py"), *WRITTEN, ROOT / "CONTRIBUTING.md", ROOT / "README.md"])


def astray(text: str, folder: str) -> list[str]:
    """Names of files that are nowhere, or bare names that several files of the source have, none of them in this folder."""
    found = []
    for name in NAMED.findall(text):
        fits = [p for p in THERE if p.endswith("/" + name)]
        several = [p for p in fits if p.startswith("/src/")]
        if name.rpartition("/")[2] not in EXAMPLES and (not fits or (
                "/" not in name and len(several) > 1 and f"{folder}/{name}" not in several)):
            found.append(name)
    return found


@pytest.mark.parametrize("path", READ, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_named_files_are_there(path):
    assert not astray(path.read_text(encoding="utf-8"), "/" + path.parent.relative_to(ROOT).as_posix())


def test_the_rule_sees_what_it_is_for():
    assert astray("(forces/effort.py)", "/src") == ["forces/effort.py"] and not astray("(rows/effort.py)", "/src")
    assert astray("see contract.py", "/src/dalembert/model") == ["contract.py"]
    assert not astray("see contract.py", "/src/dalembert/integrators")
