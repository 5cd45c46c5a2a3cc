"""The planting of faults (plant.py) on a toy: one fault that its test catches, one that it does not, one that never ends."""

import ast
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

import mutants
import plant

TOY = '''"""A toy."""

import math


def height(v, t, g):
    """h = v t − ½ g t² of a throw: a - b in words is not touched."""
    if t < 0.0:
        raise ValueError("t - 1 < 0")
    return v * t - 0.5 * g * t**2


def range_of(v, angle, g):
    return v * v * math.sin(2.0 * angle) / g


def last(values, count):
    k = 0
    while k < count:
        k += 1
    return values[k - 1]
'''
TEST = '''from toy import height, last


def test_height():
    assert height(3.0, 1.0, 10.0) == -2.0
    assert last([1, 2, 3], 3) == 3
'''


@pytest.fixture
def tree(tmp_path):
    (tmp_path / "tree" / "src").mkdir(parents=True)
    (tmp_path / "tree" / "tests").mkdir()
    (tmp_path / "tree" / "src" / "toy.py").write_text(TOY)
    (tmp_path / "tree" / "tests" / "test_toy.py").write_text(TEST)
    (tmp_path / "tree" / "pyproject.toml").write_text('[tool.pytest.ini_options]\npythonpath = ["src"]\n')
    return tmp_path / "tree"


def test_faults_are_single_and_are_programs(tree):
    found = mutants.faults(tree, "src/toy.py")
    source = TOY.encode()
    assert len({f.planted(source) for f in found}) == len(found)
    for fault in found:
        assert ast.get_docstring(ast.parse(fault.planted(source)).body[2]) == ast.get_docstring(ast.parse(source).body[2])
        assert "t - 1 < 0" in fault.planted(source).decode()
    kinds = {f.kind for f in found}
    assert {"comparison", "operator", "factor", "function", "negated", "index", "left out"} <= kinds
    assert mutants.chosen(tree, ["src/toy.py"], 12, 7) == mutants.chosen(tree, ["src/toy.py"], 12, 7)
    assert mutants.chosen(tree, ["src/toy.py"], 12, 7) != mutants.chosen(tree, ["src/toy.py"], 12, 8)


def test_what_is_noticed_and_what_is_not(tree, tmp_path):
    found = {(f.where, f.kind, f.new): f for f in mutants.faults(tree, "src/toy.py")}
    faults = [found["height", "factor", "1.0"], found["range_of", "function", "cos"], found["last", "operator", "-="]]
    campaign = plant.Campaign(tree, tmp_path / "out", ["tests"], plain=True)
    campaign.prepare()
    said = []
    rows = campaign.run(faults[:2], said.append)
    campaign.patience = 3.0
    rows += campaign.run(faults[2:], said.append)
    assert [row["outcome"] for row in rows] == ["caught", "SURVIVED", "caught"]
    assert rows[0]["by"].endswith("test_height") and rows[2]["by"] == "endless"
    assert any("-    return v * v * math.sin(2.0 * angle) / g" in line for line in said)
    assert (tree / "src" / "toy.py").read_text() == TOY == (tmp_path / "out" / "copy0" / "src" / "toy.py").read_text()
    assert plant.summary(rows).startswith("2 of 3 faults caught")


def test_sources_that_have_changed_are_refused(tree):
    fault = mutants.faults(tree, "src/toy.py")[0]
    with pytest.raises(ValueError, match="has changed"):
        fault.planted(b"x" + TOY.encode())
