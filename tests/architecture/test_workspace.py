"""The workspace is read by name: no index into options and report, no arithmetic with a body's number outside the one place."""

import ast
import re
from pathlib import Path

SOURCES = Path(__file__).resolve().parents[2] / "src" / "dalembert"
RECORDS = {"options", "report"}
PLACES = ("elements/bodies/planar.py", "elements/bodies/spatial.py", "system/layout.py", "system/poses.py", "system/workspace.py",
          "newton/layout.py")


def sources():
    return {f.relative_to(SOURCES).as_posix(): f.read_text(encoding="utf-8") for f in sorted(SOURCES.rglob("*.py"))}


def bare(text: str) -> list[str]:
    """Subscripts of a workspace's options or report by anything but a name."""
    found = []
    for node in ast.walk(ast.parse(text)):
        if not (isinstance(node, ast.Subscript) and isinstance(node.value, ast.Attribute) and node.value.attr in RECORDS):
            continue
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if any((isinstance(x, ast.Constant) and isinstance(x.value, int)) or (isinstance(x, ast.Slice) and (x.lower or x.upper))
               for x in parts):
            found.append(f"{node.lineno}: {ast.unparse(node)}")
    return found


def test_options_and_report_are_read_by_name():
    wrong = {name: found for name, text in sources().items() if (found := bare(text))}
    assert not wrong, f"write w.options.tolerance, w.report.dropped: {wrong}"


def test_the_search_finds_bare_indices():
    for text in ("w.options[3] = 8", "x = w.report[:, 0]", "w.arrays.report[8:10]", "o.report[0, 7]"):
        assert bare(text), text
    for text in ("w.options.drop = 1", "w.report['pivot']", "options[3]", "self.options[name]", "w.report[name]"):
        assert not bare(text), text


# n * body, 3 * b, 7 * body + 3: where a body begins, worked out by hand
BY_HAND = re.compile(r"\b(?:n|size|[367]|12|kind\.SIZE_[QV]) \* (?:np\.int64\()?(?:\w+\.)*(?:b|body|index|nb)\b")
ELSEWHERE = ("symbolic/", "model/table.py", "contacts/")  # derived equations and scenes number their own coordinates; a cubic


def test_a_bodys_place_in_q_and_v_is_known_in_one_place():
    """at_q, at_v of elements/bodies in kernels, of System in Python: no other file multiplies by a body's number."""
    wrong = {}
    for name, text in sources().items():
        if name.endswith(PLACES) or name.startswith(ELSEWHERE):
            continue
        lines = [f"{k}: {line.strip()}" for k, line in enumerate(text.splitlines(), 1)
                 if BY_HAND.search(line.split("#")[0]) and not ALLOWED.search(line)]
        if lines:
            wrong[name] = lines
    assert not wrong, f"use at_v(s, b), system.at_v(b), system.each_v(x): {wrong}"


ALLOWED = re.compile(r"size \* size \* b")  # one block of the masses per body: no place in v


def test_the_workspace_is_no_business_of_the_system():
    """Equations hand their entries to a workspace; nothing below them knows them by name."""
    for name, text in sources().items():
        if name.startswith(("system/", "elements/", "algebra/")):
            assert "dalembert.equations" not in text.replace("``equations", ""), name
