"""One page per element of the registry, from its docstring, its class and the example in it.

    summary, picture                    the example's model as drawn, or the end of its ``run``, by the package's own renderer
    signature, arguments, notes         the docstring itself (autodoc)
    arguments at a glance               unit, default, what stands in a file
    facts                               plane or space, free motions, coordinates, what laws may use, what results have
    in model files                      the element of the example as the package writes it

Nothing is listed here: a registered element gets its page, and tests/docs/test_elements.py says what its docstring lacks.
"""

from __future__ import annotations

import inspect
from pathlib import Path

import docstrings

import dalembert as da
from dalembert.io import toml
from dalembert.io.arguments import kind_of
from dalembert.io.document import arguments, document, registry, type_name
from dalembert.io.schema import needs_code
from dalembert.results.run import Run

KINDS = {"body": "Bodies", "joint": "Joints", "constraint": "Constraints", "drive": "Drives", "force": "Forces",
         "signal": "Signals and states"}
TOUCHING = ("contact", "surface", "pair", "fixture")
SIZE = (420, 262)
WORDS = {"number": "number or formula", "numbers": "number, or one per axis", "each": "number, or one for each part",
         "vector": "list of numbers", "reference": "name, or [name, name]", "law": "number, formula or table",
         "laws": "list of laws", "text": "string", "formula": "formula", "flag": "true or false", "gearing": "string",
         "frame": "\"ground\" or \"body\"", "pair": "list of two numbers", "inertia": "number, or list", "rotation": "list",
         "coefficients": "table", "shape": "table", "shapes": "table, or list of them", "function": "not in files",
         "any": "any value"}


def ordered() -> list:
    """The elements, section by section, as places.py lists them."""
    order = {name: k for k, name in enumerate(name for names in da._PLACES.values() for name in names)}
    return sorted(registry().values(), key=lambda cls: (kinds().index(cls.kind), order.get(cls.__name__, len(order))))


def kinds() -> list[str]:
    """Sections of model files that elements are in, the known ones first."""
    return [*KINDS, *sorted({cls.kind for cls in registry().values()} - set(KINDS))]


def write(folder: Path) -> None:
    """All pages, their pictures, and the page of cards that leads to them."""
    (folder / "pictures").mkdir(parents=True)
    for cls in ordered():
        name = type_name(cls)
        space = docstrings.run_examples(cls.__doc__ or "", cls.__name__)
        picture(space["m"], folder / "pictures" / f"{name}.png", run=space.get("run"))
        (folder / f"{name}.md").write_text(page(cls, space["m"]), encoding="utf-8")
    (folder / "index.md").write_text(index(), encoding="utf-8")


def picture(model, path: Path, size=SIZE, run=None) -> None:
    """The model as drawn, with what acts on it; with a run its last pose and the paths of its bodies."""
    shown, at = run, None
    if run is None:
        try:
            shown, at = da.simulate(model, 1e-3, step=5e-4), 0.0
        except da.DalembertError:  # no M⁻¹: the pose alone
            shown = da.assemble(model)
    da.render(shown, path, size=size, at=at, camera="front" if model.dim == 2 else "iso", zoom=0.8,
              arrows=isinstance(shown, Run), traces=run is not None)


def summary(cls) -> str:
    return (inspect.getdoc(cls) or cls.__name__).splitlines()[0]


def page(cls, model) -> str:
    name = type_name(cls)
    return "\n".join([
        f"# {cls.__name__}\n", f"{summary(cls)}\n",
        f"```{{image}} pictures/{name}.png\n:alt: {cls.__name__}, the example below as drawn\n:width: {SIZE[0]}px\n```\n",
        f"```{{eval-rst}}\n.. autoclass:: dalembert.{cls.__name__}\n```\n",
        "## Arguments at a glance\n", _glance(cls),
        "## Facts\n", _facts(cls),
        "## In model files\n", _file(cls, model),
        _derivation(cls)])


def _derivation(cls) -> str:
    """Where the header of its file is shown."""
    from pages import CHAPTERS

    module = cls.__module__.removeprefix("dalembert.").replace(".", "/") + ".py"
    for number, (title, places) in enumerate(CHAPTERS.items()):
        if any(module == place or module.startswith(f"{place}/") for place in places):
            chapter, anchor = f"{number:02d}-{title.lower().replace(' ', '-')}", module.replace("/", "").replace(".", "")
            return f"Derivation: [{module}](../theory/{chapter}.md#{anchor}).\n"
    return f"Derivation: in the header of `{module}`.\n"


def _glance(cls) -> str:
    told = docstrings.parameters(cls.__doc__ or "")
    lines = ["| argument | what | unit | default | in files |", "|---|---|---|---|---|"]
    for name, p in arguments(cls).items():
        kind = told.get(name) or docstrings.Parameter(name, "", "", "", "")
        default = "" if p.default is p.empty else "–" if p.default is None else f"`{p.default!r}`"
        inside = "`between`, with the other body" if name in ("i", "j") and {"i", "j"} <= set(arguments(cls)) else WORDS.get(
            kind_of(cls, name), kind_of(cls, name))
        cells = (f"`{name}`", kind.kind, kind.unit, default or "**needed**", inside)
        lines.append("| " + " | ".join(c.replace("|", "\\|") for c in cells) + " |")
    return "\n".join(lines) + "\n"


def _facts(cls) -> str:
    where = {(2, 3): "plane and space", (2,): "plane only", (3,): "space only"}[tuple(cls.dims)]
    facts = [("Where", where), ("Section of files", f"`[[{cls.kind}]]`, `type = \"{type_name(cls)}\"`")]
    for dim, free in cls.free.items():
        facts.append((f"Free motions, {'plane' if dim == 2 else 'space'}", ", ".join(free) or "none"))
    if cls.coordinate_name:
        facts.append(("Coordinates", ", ".join(f"`{c}`" for c in cls.coordinate_name)))
    if cls.kind == "force" and cls.law_names != ("t",):
        facts.append(("Laws may use", ", ".join(f"`{n}`" for n in cls.law_names)))
    if cls.unknowns:
        facts.append(("Can be the unknown of `inverse_dynamics` and `hold`", ", ".join(f"`{n}`" for n in cls.unknowns)))
    if cls.kind in TOUCHING:
        facts.append(("Taken by", "`simulate`; other questions leave contacts out"))
        return "\n".join(f"- {key}: {value}" for key, value in facts) + "\n"
    facts.append(("`derive`", f"refused: {cls.no_formula}" if cls.no_formula else "as formulas"))
    facts.append(("In results", _result(cls)))
    return "\n".join(f"- {key}: {value}" for key, value in facts) + "\n"


def _result(cls) -> str:
    view = {"body": "BodyView", "drive": "DriveView", "force": "ForceView", "signal": "SignalView"}.get(cls.kind, "JointView")
    return f"`run[\"name\"]` is a [{view}](../results/{type_name_of(view)}.md)"


def type_name_of(word: str) -> str:
    return type_name(type(word, (), {}))


def _file(cls, model) -> str:
    if needs_code(cls):
        return "Not in files: it holds a Python function. Add it after `da.load_model`.\n"
    found = [e for e in (*model.bodies.values(), *model.elements.values(), *model.contacts.values()) if type(e) is cls]
    text = toml.dumps({cls.kind: [document(model)[cls.kind][_position(model, e)] for e in found[:1]]}).strip()
    return f"As the example's model is [saved](../../guide/model-files.md):\n\n```toml\n{text}\n```\n"


def _position(model, element) -> int:
    alike = [e for e in (*model.bodies.values(), *model.elements.values(), *model.contacts.values()) if e.kind == element.kind]
    return alike.index(element)


def index() -> str:
    out = ["# Elements\n", "What a model is made of. Each page has a picture of its example, every argument with unit and "
           "default, what is held, signs and multipliers, poses in which it fails, and its place in files; the same text is "
           "`help(da.Revolute)`. Arrows: green is what joints exert on their second body, red the forces and orange the torques "
           "that act.\n"]
    for kind in kinds():
        out += [f"## {KINDS.get(kind, kind.capitalize())}\n", "::::{grid} 2 3 3 4\n:gutter: 2\n"]
        for cls in ordered():
            if cls.kind == kind:
                name = type_name(cls)
                where = {(2,): " (plane)", (3,): " (space)"}.get(tuple(cls.dims), "")
                out.append(f":::{{grid-item-card}} {cls.__name__}\n:link: {name}\n:link-type: doc\n"
                           f":img-top: pictures/{name}.png\n\n{summary(cls)}{where}\n:::\n")
        out.append("::::\n")
    out += ["```{toctree}\n:hidden:\n", *(type_name(cls) for cls in ordered()), "```\n"]
    return "\n".join(out)
