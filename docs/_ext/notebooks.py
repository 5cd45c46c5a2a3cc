"""Tutorials as notebooks: one .ipynb for each page, made from its Markdown when the documentation is built.

Text between blocks becomes a Markdown cell, a python block a code cell; other blocks stay text.  Directives are left out.  The
page offers its notebook below its title (``offer``).
"""

from __future__ import annotations

import json
import re
from pathlib import Path

BLOCK = re.compile(r"^```(\w*)\n(.*?)^```\n?", re.M | re.S)
DIRECTIVE = re.compile(r"^```\{.*?^```\n*", re.M | re.S)
LINK = re.compile(r"\[([^\]]+)\]\((?![a-z]+:)[^)\s]*\)")
HERE = Path(__file__).resolve().parents[1] / "tutorials"
LINE = "[Download this page as a notebook](../_generated/files/notebooks/{name}.ipynb)\n"


def tutorials() -> list[Path]:
    return sorted(HERE.glob("[0-9]*.md"))


def write(folder: Path) -> None:
    """All notebooks into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for page in tutorials():
        text = json.dumps(notebook(page.read_text(encoding="utf-8")), indent=1, ensure_ascii=False)
        (folder / f"{page.stem}.ipynb").write_text(text + "\n", encoding="utf-8")


def notebook(text: str) -> dict:
    """A page as a notebook (nbformat 4.5)."""
    text = DIRECTIVE.sub("", text)
    cells: list[dict] = []
    prose, at = "", 0
    for found in BLOCK.finditer(text):
        if found.group(1) != "python":
            prose += text[at:found.end()]
        else:
            _say(cells, prose + text[at:found.start()])
            cells.append({"cell_type": "code", "id": f"cell{len(cells)}", "metadata": {}, "execution_count": None, "outputs": [],
                          "source": found.group(2).rstrip("\n").splitlines(keepends=True)})
            prose = ""
        at = found.end()
    _say(cells, prose + text[at:])
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return {"cells": cells, "metadata": {"kernelspec": kernel, "language_info": {"name": "python"}}, "nbformat": 4,
            "nbformat_minor": 5}


def _say(cells: list[dict], text: str) -> None:
    text = LINK.sub(r"\1", text)  # other pages are not beside a notebook
    if text.strip():
        cells.append({"cell_type": "markdown", "id": f"cell{len(cells)}", "metadata": {},
                      "source": text.strip("\n").splitlines(keepends=True)})


def offer(app, name: str, source: list[str]) -> None:
    """Sphinx's source-read: the download below the title of a tutorial."""
    page = HERE.parent / f"{name}.md"
    if page in tutorials():
        title, _, rest = source[0].partition("\n")
        source[0] = f"{title}\n\n{LINE.format(name=page.stem)}{rest}"
