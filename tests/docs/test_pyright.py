"""pyright on everything users read: README, documentation and the example notebooks, as one program each; and on the stub.

basedpyright is pyright with its own Node.js in the wheel, so that no test waits for a download.  Rules are pyright's standard
ones.  Libraries without types of their own (SymPy, h5py) are not guessed at: what is wrong in their guessed types is not ours.
"""


import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *(p for p in sorted((ROOT / "docs").rglob("*.md")) if not {"_build", "_generated"} & set(p.parts))]
CODE = re.compile(r"^```python\n(.*?)^```", re.M | re.S)
RULES = {"typeCheckingMode": "standard", "pythonVersion": "3.11", "useLibraryCodeForTypes": False,
         "reportMissingModuleSource": False, "reportMissingTypeStubs": False}


def programs() -> dict[str, str]:
    found = {}
    for page in PAGES:
        blocks = CODE.findall(page.read_text(encoding="utf-8"))
        if blocks:
            found[re.sub(r"\W", "_", str(page.relative_to(ROOT))) + ".py"] = "\n".join(blocks)
    for book in sorted((ROOT / "examples").glob("*.ipynb")):
        cells = json.loads(book.read_text(encoding="utf-8"))["cells"]
        code = ["".join(c["source"]) for c in cells if c["cell_type"] == "code"]
        found[re.sub(r"\W", "_", book.name) + ".py"] = "\n\n".join(code)
    return found


def check(folder: Path) -> list[str]:
    (folder / "pyrightconfig.json").write_text(json.dumps({**RULES, "extraPaths": [str(ROOT / "src")]}), encoding="utf-8")
    command = [sys.executable, "-m", "basedpyright", "--outputjson", "--level", "error", "--pythonpath", sys.executable, "."]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder)
    answer = json.loads(done.stdout)
    assert answer["summary"]["filesAnalyzed"] >= len(list(folder.glob("*.py")))
    return [f"{Path(d['file']).name}:{d['range']['start']['line'] + 1}: {d['message']}" for d in answer["generalDiagnostics"]
            if d["severity"] == "error"]


def test_readme_docs_and_examples_have_no_errors(tmp_path):
    pytest.importorskip("basedpyright")
    found = programs()
    assert len(found) > 25
    for name, text in found.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert not check(tmp_path)


def test_it_sees_what_is_wrong(tmp_path):
    """A checker that finds nothing anywhere would find nothing in the documentation either."""
    pytest.importorskip("basedpyright")
    lines = ["import dalembert as da", 'm = da.Model("m", dim=2)', "m.ad(1)", "da.Sprnig",
             'da.Revolute("A", m.ground, "b", axs=1)', 'da.simulate(m, 1.0)["A"].forse']
    (tmp_path / "wrong.py").write_text("\n".join(lines), encoding="utf-8")
    said = check(tmp_path)
    assert [int(line.split(":")[1]) for line in said] == [3, 4, 5, 6], said


