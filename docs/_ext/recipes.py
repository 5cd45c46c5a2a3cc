"""Pictures of recipes: the mechanism of each as drawn, made when the documentation is built.

Of a recipe's script the statements are carried out that describe the mechanism: all before the first that asks a question
(``da.simulate`` and the other verbs) or prints.  What is then in ``m`` is drawn; without it the ready mechanism that is named.
"""

from __future__ import annotations

import ast
import contextlib
import re
from pathlib import Path

import elements

from dalembert import catalog

HERE = Path(__file__).resolve().parents[1] / "recipes"
ASKS = re.compile(r"\bda\.[a-z]\w*\(|\bprint\(|\bopen\(|\.save\(|^assert\b|\bda\.robotics\b")
NAMED = re.compile(r"catalog\.make\((\"[^\"]+\"(?:, \w+=[\w.]+)*)\)")
SIZE = (360, 220)


def recipes() -> list[Path]:
    return sorted(HERE.glob("[0-9]*.md"))


def model(page: Path):
    """The mechanism of a recipe, or None."""
    code = "\n".join(re.findall(r"^```python\n(.*?)^```", page.read_text(encoding="utf-8"), flags=re.M | re.S))
    space: dict = {}
    for statement in ast.parse(code).body:
        text = ast.get_source_segment(code, statement) or ""
        if not isinstance(statement, ast.FunctionDef) and ASKS.search(text):
            break
        exec(compile(ast.Module([statement], []), page.name, "exec"), space)
    named = NAMED.search(code)
    if "m" not in space and named:
        space["m"] = eval(f"make({named.group(1)})", {"make": catalog.make})
    return space.get("m")


def write(folder: Path) -> None:
    """All pictures into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for page in recipes():
        found = model(page)
        if found is not None:
            elements.picture(found, folder / f"{page.stem}.png", SIZE)


def offer(app, name: str, source: list[str]) -> None:
    """Sphinx's source-read: the picture below the title of a recipe."""
    stem = name.removeprefix("recipes/")
    with contextlib.suppress(StopIteration):
        next(p for p in (HERE.parent / "_generated" / "recipes").glob("*.png") if name != stem and p.stem == stem)
        title, _, rest = source[0].partition("\n")
        image = f"```{{image}} ../_generated/recipes/{stem}.png\n:alt: {title.strip('# ')}: the mechanism as drawn\n```\n"
        source[0] = f"{title}\n\n{image}{rest}"
