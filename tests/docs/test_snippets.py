"""Every Python block of the README runs as printed."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BLOCKS = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), flags=re.S)


@pytest.mark.parametrize("number", range(len(BLOCKS)))
def test_readme_block_runs(number, capsys):
    space: dict = {}
    exec(compile(BLOCKS[number], f"README block {number}", "exec"), space)
    out = capsys.readouterr().out
    assert "degrees of freedom       1" in out
    assert space["run"].certificate.position_error < 1e-10
    assert space["run"].energy.total[-1] == pytest.approx(space["run"].energy.total[0], rel=1e-4)
