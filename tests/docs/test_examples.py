"""The example notebooks run from the first cell to the last, and what ends a cell shows itself: tables, pictures, pages."""

import json
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BOOKS = sorted((ROOT / "examples").glob("*.ipynb"))
SHOWN = {"1-a-mechanism": ["text/html", "text/html", "text/html", "text/html", "image/png", "text/html"],
         "2-forces-into-tables": ["text/html", "text/html", "text/plain", "image/png"],
         "3-rest-modes-and-sweeps": ["text/html", "text/html", "text/html", "text/html", "text/html", "text/plain"]}


def test_there_are_three_without_outputs():
    assert [b.stem for b in BOOKS] == sorted(SHOWN)
    for book in BOOKS:
        cells = json.loads(book.read_text(encoding="utf-8"))["cells"]
        assert not any(c.get("outputs") for c in cells), f"{book.name}: clear its outputs before it is kept"


@pytest.mark.parametrize("book", BOOKS, ids=lambda b: b.stem)
def test_it_runs_and_shows(book, tmp_path, monkeypatch):
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    monkeypatch.setenv("PYTHONPATH", str(ROOT / "src"))
    monkeypatch.setenv("PYDEVD_DISABLE_FILE_VALIDATION", "1")
    read = nbformat.read(book, as_version=4)
    nbclient.NotebookClient(read, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}).execute()
    found = [o["data"] for c in read.cells if c.cell_type == "code" for o in c.outputs if o.output_type == "execute_result"]
    assert len(found) == len(SHOWN[book.stem])
    for data, kind in zip(found, SHOWN[book.stem], strict=True):
        assert kind in data, sorted(data)
