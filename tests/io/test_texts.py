"""Texts of the package, plain as in a checkout and packed as in a wheel."""

import ast
import gzip
import sys
from pathlib import Path

import pytest

from dalembert.errors import FileError
from dalembert.io import texts

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def package(tmp_path, monkeypatch):
    folder = tmp_path / "parcel"
    (folder / "static").mkdir(parents=True)
    (folder / "__init__.py").write_text("")
    monkeypatch.syspath_prepend(tmp_path)
    yield folder
    sys.modules.pop("parcel", None)


def setup_names():
    """What setup.py says, without running it."""
    tree = ast.parse((ROOT / "setup.py").read_text(encoding="utf-8"))
    wanted = [n for n in tree.body if (isinstance(n, ast.Assign) and n.targets[0].id == "PACKED")
              or (isinstance(n, ast.FunctionDef) and n.name == "pack") or isinstance(n, (ast.Import, ast.ImportFrom))]
    space = {}
    exec(compile(ast.Module([n for n in wanted if "setuptools" not in ast.unparse(n)], []), "setup.py", "exec"), space)
    return space


def test_plain_packed_and_packed_again_are_the_same_text(package):
    said = setup_names()
    for name in said["PACKED"]:
        (package / name).parent.mkdir(parents=True, exist_ok=True)
        (package / name).write_text(f"<p>λ of {name}</p>\r\n" * 50, encoding="utf-8", newline="")
    plain = {n: texts.read("parcel", *n.split("/")) for n in said["PACKED"]}
    said["pack"](package)
    once = {n: (package / f"{n}.gz").read_bytes() for n in said["PACKED"]}
    assert all(data[4:8] == bytes(4) for data in once.values())  # no time of making
    for name, text in plain.items():
        assert not (package / name).exists()
        assert texts.read("parcel", *name.split("/")) == text
        assert "\r\n" in text
        (package / name).write_text(text, encoding="utf-8", newline="")
    said["pack"](package)
    assert {n: (package / f"{n}.gz").read_bytes() for n in said["PACKED"]} == once


def test_a_plain_text_beside_a_packed_one_is_the_newer(package):
    (package / "static" / "a.html.gz").write_bytes(gzip.compress(b"old"))
    (package / "static" / "a.html").write_bytes(b"new")
    assert texts.read("parcel", "static", "a.html") == "new"


def test_what_is_packed_is_there_and_is_read_packed():
    for name in setup_names()["PACKED"]:
        assert (ROOT / "src" / "dalembert" / name).stat().st_size > 100_000
        parts = name.split("/")
        used = [p for p in (ROOT / "src" / "dalembert").rglob("*.py") if f'"{parts[-1]}"' in p.read_text(encoding="utf-8")]
        assert used
        for path in used:
            assert f'texts.read("dalembert.{parts[0]}", "{parts[1]}", "{parts[2]}")' in path.read_text(encoding="utf-8")


@pytest.mark.parametrize("data", [None, b"", b"no gzip", gzip.compress(b"x" * 999)[:-20], gzip.compress(b"\xff\xfe")],
                         ids=["missing", "empty", "no gzip", "cut", "no text"])
def test_a_text_that_is_lost_or_damaged_is_told_with_the_cure(package, data):
    if data is not None:
        (package / "static" / "a.html.gz").write_bytes(data)
    with pytest.raises(FileError, match=r"a\.html\.gz of this installation cannot be read .*--force-reinstall"):
        texts.read("parcel", "static", "a.html")
