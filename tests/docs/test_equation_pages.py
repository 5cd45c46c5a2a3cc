"""The Python blocks of the pages on derived equations run as printed, one after the other, and print what the pages say."""

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.mark.parametrize(("page", "said"), [
    ("guide/equations.md", "-l·m·z̈·sin(θ_rod)/2 + θ̈_rod·(J + l²·m/4) = M - g·l·m·cos(θ_rod)/2"),
    ("theory/proofs.md", "bᵀx: True   b = −Aᵀλ: True"),
    ("theory/virtual_work.md", "δθ_rod = -l2·δθ_crank·cos(θ_crank)/(l3·cos(θ_rod))"),
])
def test_page_runs(page, said, capsys):
    blocks = re.findall(r"```python\n(.*?)```", (DOCS / page).read_text(encoding="utf-8"), flags=re.S)
    assert len(blocks) >= 3
    space: dict = {}
    for number, block in enumerate(blocks):
        exec(compile(block, f"{page} block {number}", "exec"), space)
    assert said in capsys.readouterr().out
