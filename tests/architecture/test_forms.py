"""Forms stand behind their contract: one place makes them, and helpers of runs do not import the verbs that use them."""

import ast
import re
from pathlib import Path

SOURCES = Path(__file__).resolve().parents[2] / "src" / "dalembert"
PROSE = ("place", "spin", "flow", "carry", "burden", "gather", "supply", "ask", "answer", "arrive", "follow")


def imported(path: Path) -> set[str]:
    """Modules and names that a file imports, as dotted words, inside functions too."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return found


def test_helpers_of_runs_do_not_import_the_verb_that_uses_them():
    for path in [*(SOURCES / "analyses" / "simulation").glob("*.py"), SOURCES / "analyses" / "toolbox" / "forms.py"]:
        assert not {m for m in imported(path) if m.startswith("dalembert.analyses.dynamics")}, path.name


def test_analyses_choose_forms_by_name_in_one_place():
    """Only toolbox/forms.py makes forms; results take the augmented one where an analysis gave none."""
    makers = {"analyses/toolbox/forms.py", "results/motion.py", "robotics/tree.py"}
    inside = re.compile(r"dalembert\.formulations\.(augmented\.form|embedded\.form|recursive\.tree)")
    for path in SOURCES.rglob("*.py"):
        where = path.relative_to(SOURCES).as_posix()
        if where.startswith("formulations/") or where in makers:
            continue
        assert not any(inside.match(m) for m in imported(path)), where


def test_the_recursion_speaks_the_language_of_the_theory():
    for path in (SOURCES / "formulations" / "recursive").glob("*.py"):
        functions = {n.name for n in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(n, ast.FunctionDef)}
        assert not functions & set(PROSE), path.name
