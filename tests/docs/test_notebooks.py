"""Tutorials as notebooks: the same code as the page, in the format notebooks have, offered on the page."""

import json
import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docs" / "_ext"))

import notebooks  # noqa: E402

PAGES = notebooks.tutorials()


def test_there_are_five_of_the_texts_and_four_of_our_own():
    assert [p.name[0] for p in PAGES] == list("123456789")


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.stem)
def test_a_notebook_has_the_code_of_its_page(page, tmp_path):
    notebooks.write(tmp_path)
    found = json.loads((tmp_path / f"{page.stem}.ipynb").read_text(encoding="utf-8"))
    assert (found["nbformat"], found["nbformat_minor"]) == (4, 5)
    text = page.read_text(encoding="utf-8")
    code = ["".join(c["source"]) for c in found["cells"] if c["cell_type"] == "code"]
    assert code == [block.rstrip("\n") for block in re.findall(r"^```python\n(.*?)^```", text, flags=re.M | re.S)]
    prose = "".join("".join(c["source"]) for c in found["cells"] if c["cell_type"] == "markdown")
    assert prose.startswith("# ") and "<!--" not in prose and "](" not in re.sub(r"\]\(https?:", "", prose)
    assert len({c["id"] for c in found["cells"]}) == len(found["cells"])


def test_pages_offer_their_notebook():
    source = ["# Title\n\nText.\n"]
    notebooks.offer(None, f"tutorials/{PAGES[0].stem}", source)
    assert f"{PAGES[0].stem}.ipynb" in source[0].splitlines()[2]
    other = ["# Title\n"]
    notebooks.offer(None, "guide/bodies", other)
    assert other == ["# Title\n"]
