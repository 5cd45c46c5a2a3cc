"""Pages that the source itself tells: theory from the headers of its files, the public names, the command line, the schema."""

from __future__ import annotations

import ast
import importlib
import inspect
import json
import shutil
import textwrap
from pathlib import Path

import dalembert

PACKAGE = Path(dalembert.__file__).parent
CHAPTERS = {
    "Bodies and markers": ["elements/bodies"],
    "Measures": ["elements/measures"],
    "Joints": ["elements/joints"],
    "Constraints": ["elements/rows", "elements/constraints"],
    "Drives and laws": ["elements/drives", "elements/laws.py"],
    "Forces": ["elements/forces"],
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
    _put(folder / "api.md", _api())
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


def _api() -> str:
    out = ["# Public names\n", "Everything here is `da.name` after `import dalembert as da`.\n"]
    for place, names in dalembert._PLACES.items():
        module = importlib.import_module(f"dalembert.{place}")
        for name in names:
            out.append(f"## {name}\n")
            out.append(_described(name, getattr(module, name)))
    return "\n".join(out)


def _described(name: str, value) -> str:
    try:
        signature = str(inspect.signature(value))
    except (TypeError, ValueError):
        signature = "(...)"
    out = f"~~~~python\n{name}{signature}\n~~~~\n\n{_literal(inspect.getdoc(value) or '')}"
    if inspect.isclass(value):
        for key, member in vars(value).items():
            if key.startswith("_") or not (callable(member) or isinstance(member, (classmethod, property))):
                continue
            text = inspect.getdoc(member)
            if text:
                out += f"\n`{name}.{key}`\n\n{textwrap.indent(_literal(text), '')}"
    return out


def _commands() -> str:
    from typer.testing import CliRunner

    from dalembert.cli.app import VERBS, app

    runner = CliRunner(env={"NO_COLOR": "1", "TERMINAL_WIDTH": "100", "COLUMNS": "100"})
    out = ["# Commands\n", _help(runner, app, [])]
    for verb, _, _ in VERBS:
        out += [f"## dalembert {verb}\n", _help(runner, app, [verb])]
    return "\n".join(out)


def _help(runner, app, words) -> str:
    return _literal(runner.invoke(app, [*words, "--help"], prog_name="dalembert").stdout.strip())
