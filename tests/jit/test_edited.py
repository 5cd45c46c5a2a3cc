"""Sources that are edited while they are compiled: code of the old text is never kept under the digest of the new one."""

import os
import sys
import time

import pytest

pytest.importorskip("numba")
from dalembert._jit import build, objects, store


def watch(monkeypatch, tmp_path, since):
    """A group of one source, as imported."""
    (tmp_path / "toy.py").write_text("x = 1\n")
    for module in (build, store):
        monkeypatch.setattr(module, "PACKAGE", tmp_path)
    monkeypatch.setattr(build, "_sources", lambda: ["toy.py"])
    return build.Watch("errno", since)


@pytest.mark.parametrize("ahead", [0.0, 1e5])
def test_what_was_not_edited_is_kept(monkeypatch, tmp_path, ahead):
    seen = watch(monkeypatch, tmp_path, time.time() + 1)
    os.utime(tmp_path / "toy.py", (time.time() + ahead,) * 2)  # far ahead: the clock of another machine
    facts = seen.facts()
    assert facts == {"files": ["toy.py"], "digest": store.source_digest(["toy.py"])}


@pytest.mark.parametrize("kind", ["between asking and import", "after import", "with an old date", "and back"])
def test_edited_sources_keep_nothing(monkeypatch, tmp_path, kind, capsys):
    past = time.time() - 100
    seen = watch(monkeypatch, tmp_path, past if kind == "between asking and import" else past + 90)
    if kind != "between asking and import":
        os.utime(tmp_path / "toy.py", (past, past))
    if kind == "after import":
        (tmp_path / "toy.py").write_text("x = 2\n")
    if kind == "with an old date":
        (tmp_path / "toy.py").write_text("x = 2\n")
        os.utime(tmp_path / "toy.py", (past, past))
    if kind == "and back":
        (tmp_path / "toy.py").write_text("x = 1\n")  # a module that was imported in between would be another one
    with pytest.raises(SystemExit) as ended:
        seen.facts()
    assert ended.value.code == store.EDITED and "edited while it was compiled" in capsys.readouterr().err


def test_an_edited_group_is_built_again(monkeypatch, tmp_path):
    """The first child finds its source edited, the second one does not; the group of the second is taken."""
    monkeypatch.setattr(store, "PACKAGE", tmp_path)
    (tmp_path / "toy.py").write_text("x = 1\n")
    folder = tmp_path / "cache"
    folder.mkdir(mode=0o700)
    made = tmp_path / "tries"
    child = tmp_path / "child"
    child.write_text("import sys\nfrom pathlib import Path\n"
                     f"tries = Path({str(made)!r})\ntries.open('a').write('x')\n"
                     "if len(tries.read_text()) < 2: sys.exit(75)\n"
                     f"from dalembert._jit import store\nstore.PACKAGE = Path({str(tmp_path)!r})\n"
                     f"store.write(Path({str(folder)!r}), 'toy', b'code', {{'files': ['toy.py'], 'digest': "
                     "store.source_digest(['toy.py'])})\n")
    real = sys.executable
    stand_in = tmp_path / "python"
    stand_in.write_text(f"#!/bin/sh\nexec {real} {child}\n")
    stand_in.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(stand_in))
    data, _ = objects._build("toy", "errno", folder, "")
    assert data == b"code" and made.read_text() == "xx" and store.EDITED == 75
