"""A picture of the house, drawn from the code: packages with their rooms, who imports whom, and the way of one ``simulate``.

    python docs/_ext/house.py          writes docs/house.svg

Rows are packages in the order of the layers in pyproject.toml, the highest first: imports go down.  The way runs from left to
right through the modules that one simulate of a four-bar linkage enters, in the order of first entry; kernels are compiled and do
not show.  What flows along it stands below.
"""

import ast
import html
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "src" / "dalembert"
FLOW = ("Model", "System (tables)", "Workspace", "y(t), steps", "samples", "Run (names, certificate)")
WIDTH, LEFT, ROW, TOP, WAY = 1500, 20, 58, 70, 640


def layers() -> list[str]:
    """Packages and modules below dalembert, highest layer first."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contract = next(c for c in settings["tool"]["importlinter"]["contracts"] if c["id"] == "layers")
    return [name.strip(" ()") for layer in contract["layers"] for name in layer.split("|")]


def rooms(package: str) -> list[str]:
    """Packages inside a package."""
    folder = SOURCES / package
    return sorted(p.parent.name for p in folder.glob("*/__init__.py"))


def purpose(package: str) -> str:
    """First sentence of the package's docstring."""
    path = SOURCES / package / "__init__.py"
    path = path if path.exists() else SOURCES / f"{package}.py"
    return (ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or "").split("\n")[0].strip()


def imports() -> dict[str, set[str]]:
    """Package → packages it imports."""
    found: dict[str, set[str]] = {name: set() for name in layers()}
    for name in found:
        files = [SOURCES / f"{name}.py"] if not (SOURCES / name).is_dir() else sorted((SOURCES / name).rglob("*.py"))
        for file in files:
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                for target in _targets(node, file):
                    parts = target.split(".")
                    if parts[0] == "dalembert" and len(parts) > 1 and parts[1] in found and parts[1] != name:
                        found[name].add(parts[1])
    return found


def _targets(node, file) -> list[str]:
    if isinstance(node, ast.Import):
        return [a.name for a in node.names]
    if not isinstance(node, ast.ImportFrom):
        return []
    base = (node.module or "").split(".") if node.module else []
    if node.level:
        here = ["dalembert", *file.relative_to(SOURCES).parts[:-1]]
        base = here[:len(here) - node.level + 1] + base
    return [".".join([*base, a.name]) for a in node.names]


def way() -> list[str]:
    """Modules that one simulate enters, in the order of first entry."""
    import dalembert as da
    from dalembert import catalog

    da.simulate(catalog.make("four-bar"), 0.5)
    model, seen = catalog.make("four-bar"), dict[str, None]()

    def enter(frame, event, _):
        name = frame.f_code.co_filename
        if event == "call" and name.startswith(str(SOURCES)):
            seen.setdefault(Path(name).relative_to(SOURCES).as_posix())

    sys.setprofile(enter)
    try:
        repr(da.simulate(model, 0.5))
    finally:
        sys.setprofile(None)
    return [name for name in seen if not name.startswith(("__init__", "catalog"))]


def text(x, y, words, size=12, weight="normal", fill="#222", more="") -> str:
    return (f'<text x="{x:.0f}" y="{y:.0f}" font-size="{size}" font-weight="{weight}" fill="{fill}" {more}>'
            f"{html.escape(words)}</text>")


def shortened(words: str, most: int) -> str:
    return words if len(words) <= most else words[:most].rsplit(" ", 1)[0] + " …"


def draw(visited: list[str]) -> str:
    names, below = layers(), imports()
    row = {name: TOP + ROW * k for k, name in enumerate(names)}
    parts = [text(LEFT, 28, "The house of dalembert", 20, "bold"),
             text(LEFT, 48, "imports go down; below each name what it is for, its rooms, and what it imports", 12, fill="#666"),
             text(WAY, 48, "the way of one simulate: modules in the order in which it enters them", 12, fill="#666")]
    for name, y in row.items():
        parts.append(f'<rect x="{LEFT}" y="{y}" width="{WIDTH - 2 * LEFT}" height="{ROW - 6}" rx="6" fill="#f3f5f7"/>')
        parts.append(text(LEFT + 10, y + 18, name, 14, "bold"))
        parts.append(text(LEFT + 120, y + 18, shortened(purpose(name), 82), 11, fill="#444"))
        parts.append(text(LEFT + 120, y + 32, " · ".join(rooms(name)), 11, fill="#1a5276"))
        parts.append(text(LEFT + 120, y + 46, "imports " + ", ".join(n for n in names if n in below[name]) if below[name] else "",
                          10, fill="#888"))
    stops = [name for name in visited if name.split("/")[0].removesuffix(".py") in row]
    gap = (WIDTH - LEFT - WAY - 30) / max(len(stops), 1)
    points, labels, count = [], [], dict[str, int]()
    for k, name in enumerate(stops):
        package = name.split("/")[0].removesuffix(".py")
        x, y = WAY + 10 + gap * k, row[package] + 14
        level = count[package] = count.get(package, -1) + 1
        points.append(f"{x:.1f},{y}")
        labels.append(f'<circle cx="{x:.1f}" cy="{y}" r="2.5" fill="#c0392b"/>')
        labels.append(text(x - 2, y + 14 + 9 * (level % 3), name.split("/", 1)[-1].removesuffix(".py"), 8, fill="#555"))
    parts.append(f'<polyline points="{" ".join(points)}" fill="none" stroke="#c0392b" stroke-width="1" opacity="0.55"/>')
    foot = TOP + ROW * len(names) + 24
    parts += labels
    for k, word in enumerate(FLOW):
        x = WAY + 10 + k * (WIDTH - LEFT - WAY - 40) / len(FLOW)
        parts.append(text(x, foot, ("" if not k else "→ ") + word, 12, "bold", "#c0392b"))
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {foot + 20}" font-family="sans-serif" role="img" '
            f'aria-label="Packages of dalembert and the way of one simulate">\n<rect width="100%" height="100%" fill="white"/>\n'
            + "\n".join(parts) + "\n</svg>\n")


if __name__ == "__main__":
    (ROOT / "docs" / "house.svg").write_text(draw(way()), encoding="utf-8")
