"""Nobody but the registry knows integration methods by name, and every status code is returned by somebody."""

import ast
import re
from pathlib import Path

from dalembert import errors
from dalembert.integrators.registry import records

SOURCE = Path(__file__).parents[2] / "src" / "dalembert"
WORDS = {w for m in records().values() for w in (*m.names, m.name)} - {"alpha"}  # also an angle, an acceleration


def strings(path: Path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def test_methods_are_known_by_their_records_only():
    found = {}
    for path in sorted(SOURCE.rglob("*.py")):
        words = set(strings(path)) & (WORDS | ({"alpha"} if path.is_relative_to(SOURCE / "analyses") else set()))
        if words and not path.is_relative_to(SOURCE / "integrators"):
            found[str(path.relative_to(SOURCE))] = sorted(words)
    assert not found, "ask the record (integrators/registry.py) instead of the name"


def test_every_status_code_is_used():
    text = "\n".join(p.read_text(encoding="utf-8") for p in SOURCE.rglob("*.py") if p.name not in ("errors.py", "status.py"))
    codes = [name for name, value in vars(errors).items() if name.isupper() and isinstance(value, int)]
    assert len(codes) > 8
    assert not [name for name in codes if not re.search(rf"\b{name}\b", text)]
