"""Elements are known by their facts (attributes): nobody outside elements/ asks for the name of their class."""

import ast
from pathlib import Path

import dalembert
from dalembert import places

PACKAGE = Path(dalembert.__file__).parent
NAMES = {name for names in places.PLACES.values() for name in names}
NAMES |= {"BaseJoint", "BaseForce", "Event", "Edge", "BaseGear", "_Pair"}
TITLES = NAMES - {"D"}  # the letter is a word of its own


def _trees():
    for path in sorted(PACKAGE.rglob("*.py")):
        place = path.relative_to(PACKAGE).as_posix()
        if not place.startswith("elements/") and place not in ("places.py", "records.py"):  # records: no element is one
            yield place, ast.parse(path.read_text(encoding="utf-8"))


def _class_name(node) -> bool:
    """type(x).__name__, x.__class__, x.species."""
    if isinstance(node, ast.Attribute) and node.attr == "__name__":
        inner = node.value
        return getattr(getattr(inner, "func", None), "id", "") == "type" or getattr(inner, "attr", "") == "__class__"
    return isinstance(node, ast.Attribute) and node.attr in ("species", "__class__")


def faults(tree) -> list[int]:
    """Lines that compare class names, hold a table of them, or ask isinstance of an element class."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare) and any(_class_name(x) for x in ast.walk(node)):
            found.append(node.lineno)
        if isinstance(node, ast.Attribute) and node.attr == "species":
            found.append(node.lineno)
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("isinstance", "issubclass") and len(node.args) == 2:
            asked = {getattr(x, "id", getattr(x, "attr", "")) for x in ast.walk(node.args[1])}
            if asked & NAMES:
                found.append(node.lineno)
        parts = ("elts", "keys", "comparators")
        texts = [*(x for part in parts for x in getattr(node, part, ())), getattr(node, "left", None)]
        if any(isinstance(x, ast.Constant) and isinstance(x.value, str) and x.value in TITLES for x in texts):
            found.append(node.lineno)
    return found


def test_nobody_asks_for_the_name_of_a_class():
    found = {place: lines for place, tree in _trees() if (lines := faults(tree))}
    assert not found, f"give the element an attribute instead (elements/element.py): {found}"


def test_the_check_sees_what_it_should():
    bad = ['if type(e).__name__ == "Spring": pass', "x = e.species", "isinstance(e, (da.Force, da.Torque))",
           'RAILS = ("Prismatic", "Screw")', 'if kind == "Revolute": pass', "e.__class__ is Cat", 'T = {"Spring": 1}']
    assert all(faults(ast.parse(line)) for line in bad)
    assert not any(faults(ast.parse(line)) for line in ("isinstance(x, Element)", 'f"{type(x).__name__}"', 'e.kind == "drive"'))
