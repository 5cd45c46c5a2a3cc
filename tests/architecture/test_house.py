"""The house keeps its rooms: no import goes in a circle, verbs are visible, files are short, the picture shows what is there."""

import ast
import importlib.util
import statistics
from pathlib import Path

import dalembert

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "src" / "dalembert"
MEDIAN = 120  # lines of a file

spec = importlib.util.spec_from_file_location("house", ROOT / "docs" / "_ext" / "house.py")
assert spec is not None and spec.loader is not None
house = importlib.util.module_from_spec(spec)
spec.loader.exec_module(house)


def module_of(path: Path) -> str:
    parts = path.relative_to(SOURCES.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported() -> dict[str, set[str]]:
    """Module → modules of the package it imports, wherever in the file (also inside functions)."""
    files = {module_of(path): path for path in sorted(SOURCES.rglob("*.py"))}
    found: dict[str, set[str]] = {}
    for name, path in files.items():
        targets = {t for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) for t in house._targets(node, path)}
        known = {t if t in files else t.rpartition(".")[0] for t in targets}
        found[name] = {t for t in known if t in files and t not in (name, "dalembert")}
    return found


def circles(graph: dict[str, set[str]]) -> list[str]:
    """Modules that are left when those that import nothing that is left are taken away, again and again."""
    left = dict(graph)
    while True:
        free = [name for name, others in left.items() if not any(other in left for other in others)]
        if not free:
            return sorted(left)
        for name in free:
            del left[name]


def reached(graph, start) -> set[str]:
    seen, todo = set(), [start]
    while todo:
        for other in graph.get(todo.pop(), ()):
            if other not in seen:
                seen.add(other)
                todo.append(other)
    return seen


def test_no_import_goes_in_a_circle():
    graph = imported()
    assert len(graph) > 300
    found = [name for name in circles(graph) if name in reached(graph, name)]
    assert not found, f"these import each other (also inside functions): {found}"


def test_a_circle_is_found():
    graph = {"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}, "e": set()}
    assert [name for name in circles(graph) if name in reached(graph, name)] == ["a", "b", "c"]


def test_the_top_of_analyses_shows_verbs_only():
    verbs = {place.partition(".")[2] for place in dalembert._PLACES if place.startswith("analyses.")}
    there = {path.stem for path in (SOURCES / "analyses").glob("*.py")} - {"__init__"}
    assert there == verbs


def test_files_are_short_in_the_median():
    lengths = [len(path.read_text(encoding="utf-8").splitlines()) for path in SOURCES.rglob("*.py") if path.name != "__init__.py"]
    assert statistics.median(lengths) <= MEDIAN


def test_private_names_stay_at_home():
    """A module does not import another one's underscored names."""
    found = []
    for path in sorted(SOURCES.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and ((node.module or "").startswith("dalembert") or node.level):
                found += [f"{path.relative_to(SOURCES)}: {a.name}" for a in node.names
                          if a.name.startswith("_") and a.name not in ("_jit", "__version__") and not a.name.startswith("__")]
    assert not found, found


def test_the_picture_shows_what_is_there():
    """After a package or a room came or went: python docs/_ext/house.py"""
    kept = (ROOT / "docs" / "house.svg").read_text(encoding="utf-8")
    for package in house.layers():
        assert f">{package}</text>" in kept, package
        assert " · ".join(house.rooms(package)) in kept, f"rooms of {package}"
    drawn = house.draw(["cli/app.py", "model/model.py", "_jit/loader.py"])
    assert drawn.count("<circle") == 3 and drawn.count("<rect") == len(house.layers()) + 1
