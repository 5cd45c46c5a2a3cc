"""Pages that the source itself tells: theory from the headers of its files, elements, public names, commands, the schema."""

from __future__ import annotations

import ast
import json
import shutil
from pathlib import Path

import elements
import reference

import dalembert

PACKAGE = Path(dalembert.__file__).parent
CHAPTERS = {
    "Bodies and markers": ["elements/bodies"],
    "Measures": ["elements/measures"],
    "Joints": ["elements/joints"],
    "Constraints": ["elements/rows", "elements/constraints"],
    "Drives and laws": ["elements/drives", "elements/laws.py", "elements/signals"],
    "Forces": ["elements/forces"],
    "Second-order blocks": ["elements/second_order"],
    "Equations": ["equations"],
    "Formulations": ["formulations"],
    "Integrators": ["integrators"],
    "Contact": ["elements/contacts", "contacts"],
    "Linear algebra": ["algebra"],
}


def write(folder: Path) -> None:
    """Write all pages anew."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "files").mkdir(parents=True)
    (folder / "theory").mkdir()
    _theory(folder / "theory")
    elements.write(folder / "elements")
    reference.write(folder)
    _put(folder / "commands.md", _commands())
    from dalembert.io.schema import schema

    _put(folder / "files" / "model.schema.json", json.dumps(schema(), indent=1, ensure_ascii=False) + "\n")


def _put(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")


def _theory(folder: Path) -> None:
    for number, (title, places) in enumerate(CHAPTERS.items()):
        parts = [f"# {title}\n", *([_methods()] if title == "Integrators" else [])]
        for place in places:
            path = PACKAGE / place
            for file in [path] if path.suffix else _files(path):
                text = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8")))
                if text:
                    name = file.relative_to(PACKAGE).as_posix()
                    parts.append(f"## {name.removesuffix('/__init__.py')}\n\n{_literal(text)}\n")
        if len(parts) > 1:
            slug = title.lower().replace(" ", "-")
            _put(folder / f"{number:02d}-{slug}.md", "\n".join(parts))


def _files(folder: Path) -> list[Path]:
    """Of a folder and the rooms in it: its own files first, then room by room."""
    return sorted(folder.rglob("*.py"), key=lambda p: (p.parent.parts, p.name))


def _methods() -> str:
    """The methods as their records tell of them."""
    from dalembert.integrators.registry import records

    lines = ["| name | in files | order | between steps | | chooses its steps |", "|---|---|---|---|---|---|"]
    for m in records().values():
        lines.append(f"| {', '.join(f'`{n}`' for n in m.names)} | {m.name} | {m.order} | {m.dense} | {m.text} | "
                     f"{'yes' if m.error_control else 'no: fixed_step='} |")
    return "\n".join(lines) + "\n"


def _literal(text: str) -> str:
    """A docstring as it stands: headers are laid out by hand, equations and all."""
    fence = "~~~~"
    return f"{fence}text\n{text.rstrip()}\n{fence}\n"


def _commands() -> str:
    from click.testing import CliRunner

    from dalembert.cli.app import VERBS, app

    runner = CliRunner(env={"NO_COLOR": "1", "TERMINAL_WIDTH": "100", "COLUMNS": "100"})
    out = ["# Commands\n", _help(runner, app, [])]
    for verb, _, _ in VERBS:
        out += [f"## dalembert {verb}\n", _help(runner, app, [verb])]
    return "\n".join(out)


def _help(runner, app, words) -> str:
    return _literal(runner.invoke(app, [*words, "--help"], prog_name="dalembert").stdout.strip())
