"""Every Python block of the guide on formulations runs as printed."""

import re
from pathlib import Path

import pytest

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "guide" / "formulations.md"
BLOCKS = re.findall(r"```python\n(.*?)```", GUIDE.read_text(encoding="utf-8"), flags=re.S)


@pytest.mark.parametrize("number", range(len(BLOCKS)))
def test_block_runs(number, capsys):
    exec(compile(BLOCKS[number], f"formulations block {number}", "exec"), {})
    assert capsys.readouterr().out.strip()
