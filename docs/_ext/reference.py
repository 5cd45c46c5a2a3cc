"""Pages of the public names, of what the verbs give back, of the ready mechanisms and of the functions of formulas.

    api/NAME.md          every name of ``dalembert.__all__`` that is no element (those: elements.py)
    results/NAME.md      the classes that verbs return, and the views on them: RESULTS
    catalog.md           every entry of the catalogue, with its picture
    formulas.md          every function that formulas may use: FORMULAS

Texts are the docstrings (autodoc).  Fields of dataclasses are told by the comments beside them.
"""

from __future__ import annotations

import ast
import dataclasses
import importlib
import inspect
import re
import textwrap
from pathlib import Path

import elements

import dalembert as da
from dalembert import catalog
from dalembert.expressions import CONSTANTS, FUNCTIONS
from dalembert.io.document import registry, type_name

GROUPS = {
    "Models": ("model.", "elements.", "io.files", "io."),
    "Questions": ("analyses.",),
    "Equations": ("symbolic.",),
    "Results, pictures, files": ("results.", "viewer.", "workshop."),
    "Errors": ("errors",),
}
RESULTS: dict[str, tuple[str, ...]] = {
    "results.run": ("Run",),
    "results.motion": ("State",),
    "results.driven": ("Driven", "DrivenCertificate"),
    "results.views.bodies": ("BodyView",),
    "results.views.elements": ("JointView", "DriveView", "ForceView"),
    "results.views.signals": ("SignalView",),
    "results.views.gears": ("GearView",),
    "results.trust.certificate": ("Certificate", "Energy"),
    "results.table": ("SweepTable",),
    "analyses.check": ("Check",),
    "analyses.accelerations": ("Solved",),
    "analyses.kinematics": ("Kinematics",),
    "analyses.driven.lockup": ("SingularPose",),
    "analyses.inverse_dynamics": ("Inverse",),
    "analyses.statics.at_rest": ("Rest",),
    "analyses.hold": ("Hold",), "analyses.statics.rubbing": ("HoldRange",),
    "analyses.equilibrium": ("Equilibrium",),
    "analyses.equilibria": ("Equilibria",),
    "analyses.linearize": ("Linear",),
    "analyses.linear.modes": ("Modes", "Mode"),
    "analyses.blocks.equations": ("Matrices", "Identity"),
    "analyses.blocks.theorem": ("MultiplierTheorem",),
    "analyses.free_bodies.works": ("VirtualWork", "NullSpace"),
    "analyses.resultant": ("Resultant",),
    "analyses.subsystem": ("Subsystem", "Wrench"),
    "analyses.sensitivities": ("Sensitivities",),
    "analyses.derived.readings": ("Derivative",),
    "analyses.optimize": ("Best",),
    "analyses.stepping.single": ("Stepper",),
    "analyses.stepping.crowd": ("Steppers",),
    "analyses.compare": ("Comparison",),
    "symbolic.equations.result": ("Equations",),
    "symbolic.numbers.verify": ("Verification",),
    "symbolic.numbers.trajectory": ("Trajectory",),
    "viewer.diagrams.fbd": ("Diagram",),
    "viewer.files.course": ("Clip",),
    "model.principal": ("Principal",),
}
FORMULAS: dict[str, tuple[str, str]] = {
    "sin": ("sin(x)", "sine, x in rad"), "cos": ("cos(x)", "cosine"), "tan": ("tan(x)", "tangent"),
    "asin": ("asin(x)", "arc sine, −π/2 … π/2"), "acos": ("acos(x)", "arc cosine, 0 … π"), "atan": ("atan(x)", "arc tangent"),
    "atan2": ("atan2(y, x)", "angle of the point (x, y), −π … π"),
    "sinh": ("sinh(x)", "hyperbolic sine"), "cosh": ("cosh(x)", "hyperbolic cosine"),
    "tanh": ("tanh(x)", "hyperbolic tangent; a smooth sign, as in friction: −F tanh(rate/0.01)"),
    "exp": ("exp(x)", "exponential"), "log": ("log(x)", "natural logarithm"), "log10": ("log10(x)", "logarithm to base 10"),
    "sqrt": ("sqrt(x)", "square root"), "abs": ("abs(x)", "absolute value; a kink where x = 0"),
    "sign": ("sign(x)", "−1, 0 or 1; steps end where x = 0"),
    "min": ("min(a, b)", "the smaller one; a kink where a = b"), "max": ("max(a, b)", "the larger one; a kink where a = b"),
    "floor": ("floor(x)", "the next whole number below; jumps"),
    "step": ("step(x)", "0 for x < 0, otherwise 1; steps end where x = 0"),
    "smoothstep": ("smoothstep(x, x0, y0, x1, y1)", "from y0 at x0 to y1 at x1, constant outside, continuous second derivative"),
    "hypot": ("hypot(a, b)", "√(a² + b²)"),
}
PICTURE = (300, 200)
ORPHAN = "---\norphan: true\n---\n"  # reached from its table: the tree beside every page would be twice as long, and the build


def write(folder: Path) -> None:
    """All pages into their folders."""
    for name in ("api", "results", "catalog"):
        (folder / name).mkdir(parents=True)
    for name in others():
        _put(folder / "api" / f"{page_name(name)}.md", _page(name, f"dalembert.{name}", getattr(da, name)))
    for place, names in RESULTS.items():
        for name in names:
            value = getattr(importlib.import_module(f"dalembert.{place}"), name)
            _put(folder / "results" / f"{page_name(name)}.md", _page(name, f"dalembert.{place}.{name}", value))
    _put(folder / "api" / "robotics.md", _module("robotics"))
    _put(folder / "api" / "parts.md", _module("parts"))
    _put(folder / "api.md", _names())
    _put(folder / "results.md", _results())
    _put(folder / "formulas.md", formulas())
    for entry in (catalog.CATALOG | catalog.CONTROLLED | catalog.RUBBING).values():
        elements.picture(entry.make(), folder / "catalog" / f"{entry.name}.png", PICTURE)
    _put(folder / "catalog.md", _catalog())


def others() -> list[str]:
    """Public names that are no elements."""
    return [n for n in da.__all__ if n != "__version__" and n not in registry()]


def page_name(name: str) -> str:
    return type_name(type(name, (), {}))


def _put(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")


def first_line(value) -> str:
    """The first sentence of a docstring, ready for a table."""
    text = (inspect.getdoc(value) or "").split("\n\n")[0].replace("\n", " ")
    return re.split(r"(?<=[.:])\s", text)[0].rstrip(":").replace("|", "\\|").replace("*", "\\*")


def _page(name: str, path: str, value) -> str:
    kind = "exception" if inspect.isclass(value) and issubclass(value, BaseException) else (
        "class" if inspect.isclass(value) else "function")
    options = ["   :members:", "   :inherited-members: object, list, dict, Exception"] if kind == "class" else []
    return "\n".join([ORPHAN, f"# {name}\n", "```{eval-rst}", f".. auto{kind}:: {path}", *options, "```\n", *_fields(value)])


def _fields(value) -> list[str]:
    """The fields of a dataclass, by the comments beside them."""
    if not (inspect.isclass(value) and dataclasses.is_dataclass(value)):
        return []
    told = _comments(value)
    rows = [f"| `{f.name}` | {told.get(f.name, '')} |" for f in dataclasses.fields(value) if not f.name.startswith("_")]
    return ["## Fields\n", "| name | |", "|---|---|", *rows, ""] if rows else []


def _comments(cls) -> dict[str, str]:
    found: dict[str, str] = {}
    for base in reversed(cls.__mro__[:-1]):
        try:
            source = textwrap.dedent(inspect.getsource(base))
        except (OSError, TypeError):
            continue
        lines = source.splitlines()
        for node in ast.parse(source).body[0].body:  # type: ignore[attr-defined]
            if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                comment = re.search(r"  # (.*)$", lines[node.end_lineno - 1])
                if comment:
                    found[node.target.id] = comment.group(1).replace("|", "\\|").replace("*", "\\*")
    return found


def _names() -> str:
    out = ["# Public names\n", "Everything here is `da.name` after `import dalembert as da`; loaded when first used. "
           "Elements have [pages of their own](elements/index.md), so have [what the verbs give back](results.md), "
           "[`da.robotics`](api/robotics.md), [`da.parts`](api/parts.md), the "
           "[ready mechanisms](catalog.md) and the [functions of formulas](formulas.md).\n"]
    left = dict.fromkeys(others())
    for title, prefixes in GROUPS.items():
        names = [n for n in left if da._HOME[n].startswith(prefixes)]
        out += [f"## {title}\n", "| | |", "|---|---|"]
        out += [f"| [`{n}`](api/{page_name(n)}.md) | {first_line(getattr(da, n))} |" for n in names]
        out.append("")
        for n in names:
            del left[n]
    if left:
        raise LookupError(f"docs/_ext/reference.py: no group for {', '.join(left)}")
    return "\n".join(out)


def _results() -> str:
    out = ["# Results\n", "What the verbs give back. Names of parts are keys: `run[\"rod\"].position`, `run[\"A\"].force`.\n",
           "| class | what it is |", "|---|---|"]
    for place, names in RESULTS.items():
        module = importlib.import_module(f"dalembert.{place}")
        out += [f"| [`{n}`](results/{page_name(n)}.md) | {first_line(getattr(module, n))} |" for n in names]
    return "\n".join([*out, ""])


def _module(folder: str) -> str:
    """A whole folder of public names, as da.robotics."""
    module = getattr(da, folder)
    text = [ORPHAN, f"# da.{folder}\n\n~~~~text\n{inspect.getdoc(module)}\n~~~~\n", "```{eval-rst}"]
    for name in module.__all__:
        value = getattr(module, name)
        kind = "class" if inspect.isclass(value) else "function"
        text += [f".. auto{kind}:: dalembert.{folder}.{name}", *(["   :members:"] if kind == "class" else []), ""]
    return "\n".join([*text, "```\n"])


def formulas() -> str:
    """The functions and constants of formulas."""
    out = ["# Functions of formulas\n",
           "Formulas stand for numbers and laws everywhere: in Python as strings, in files, on the command line. They have "
           "`+ - * / **`, parentheses, parameters of the model, and what the element offers (t, and for springs and motors their "
           "coordinate and rate): see [laws](../guide/laws.md). Their derivatives are exact.\n",
           "| function | value |", "|---|---|"]
    out += [f"| `{FORMULAS[name][0]}` | {FORMULAS[name][1].replace('|', chr(92) + '|')} |" for name in FUNCTIONS]
    out += ["", "Constants: " + ", ".join(f"`{name}` = {value:.12g}" for name, value in CONSTANTS.items()) + ".\n"]
    return "\n".join(out)


def _catalog() -> str:
    out = ["# Ready mechanisms\n", "`from dalembert import catalog`, then `catalog.make(\"slider-crank\")` is a fresh model, "
           "free to change; `dalembert list` names them, `dalembert run slider-crank` runs one. Numbers in `m.parameters` can be "
           "changed.\n",
           "::::{grid} 1 2 3 3\n:gutter: 2\n"]
    for entry in (catalog.CATALOG | catalog.CONTROLLED | catalog.RUBBING).values():
        parameters = ", ".join(f"`{p}`" for p in entry.make().parameters)
        out.append(f":::{{grid-item-card}} {entry.title}\n:img-top: catalog/{entry.name}.png\n\n`{entry.name}` "
                   f"({', '.join(entry.tags)}). {entry.source}.{' Parameters: ' + parameters + '.' if parameters else ''}\n:::\n")
    out += ["::::\n", "```{eval-rst}", ".. autofunction:: dalembert.catalog.make", "", ".. autoclass:: dalembert.catalog.Entry",
            "   :members:", "```\n"]
    return "\n".join(out)
