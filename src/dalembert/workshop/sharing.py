"""What leaves the studio: an offline page with sliders, a Python script, the model file's text.

Nothing is written by the server: the browser saves what it gets.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dalembert.analyses.dynamics import simulate
from dalembert.errors import AnalysisError, DalembertError
from dalembert.io.document import document, sections
from dalembert.model.model import Model
from dalembert.viewer.diagrams.along import along
from dalembert.viewer.page.page import filled, page_of

MOST_SLIDERS, VALUES = 6, 11


def shared(session: Any, m: dict[str, Any]) -> list[dict | bytes]:
    """The reply to the message share."""
    kind, name = m.get("as"), "".join(c if c.isalnum() or c in "-_" else "-" for c in session.model.name) or "mechanism"
    if kind == "python":
        return [{"what": "shared", "file": f"{name}.py", "type": "text/x-python", "text": script(session.model)}]
    if kind == "text":
        paper = session.history.paper
        return [{"what": "shared", "file": f"{name}.{paper.kind}", "type": "text/plain", "text": paper.text}]
    if kind == "page":
        return [{"what": "shared", "file": f"{name}.html", "type": "text/html",
                 "text": page(session.model, session.wish.until, m.get("sliders"), session.wish.plotted)}]
    raise AnalysisError("share: as is 'page', 'python' or 'text'")


def page(model: Model, until: float, names: Any, plotted: list[str]) -> str:
    """The explorable page of the model as it is: each slider runs from half to one and a half times its value."""
    chosen = [n for n in names if isinstance(n, str) and n in model.parameters][:MOST_SLIDERS] if isinstance(names, list) else []
    run = simulate(model, times=np.linspace(0.0, until, 201), progress=False)
    values = model.parameter_values()
    sliders = {n: list(np.linspace(0.5, 1.5, VALUES) * values[n]) for n in chosen if values[n] and math.isfinite(values[n])}
    known = []
    for channel in plotted:
        try:
            run.channels(channel)
            known.append(channel)
        except DalembertError:
            continue
    return page_of(filled(run, sliders=sliders or None, plot=tuple(known), diagrams=along(run, None)))


def script(model: Model) -> str:
    """The model as a Python script that builds and simulates it."""
    plain = document(model)
    title = str(plain["name"]).replace('"', "'").replace("\\", "/")
    lines = [f'"""{title}, written by the studio of dalembert."""', "", "import dalembert as da", "",
             f"m = da.Model({plain['name']!r}, dim={plain['dim']}, gravity={tuple(plain['gravity'])!r}"
             + (f",\n             parameters={plain['parameters']!r})" if plain.get("parameters") else ")")]
    if plain.get("ground"):
        lines.append(f"m.ground.shapes = ({_shapes(plain['ground']['shapes'])},)")
    for section, types in sections().items():
        for entry in plain.get(section, []):
            cls = types[entry.get("type", section)]
            given = {k: v for k, v in entry.items() if k not in ("type", "name", "between")}
            parts = [repr(entry["name"]), *(repr(x) for x in entry.get("between", ()))]
            parts += [f"{k}={_value(k, v)}" for k, v in given.items()]
            lines.append(f"m.add(da.{cls.__name__}({', '.join(parts)}))")
    lines += [f"m.initial({e['of']!r}, " + ", ".join(f"{k}={e[k]!r}" for k in ("rate", "coordinate") if k in e) + ")"
              for e in plain.get("initial", [])]
    lines += ["", 'if __name__ == "__main__":', "    print(da.check(m))", "    run = da.simulate(m, 5.0)",
              "    print(run.certificate)", ""]
    return "\n".join(lines)


def _value(key: str, value: Any) -> str:
    if key in ("shape", "shapes"):
        return f"[{_shapes(value)}]" if isinstance(value, list) else _shapes([value])
    if isinstance(value, dict) and {"x", "y"} <= set(value):
        return f"da.Table({value['x']!r}, {value['y']!r}, {value.get('of', 't')!r}, kind={value.get('kind', 'cubic')!r})"
    if isinstance(value, list):
        return "(" + ", ".join(_value("", x) for x in value) + ("," if len(value) == 1 else "") + ")"
    return repr(value)


def _shapes(shapes: list[dict]) -> str:
    made = []
    for shape in shapes:
        name = "".join(w.capitalize() for w in str(shape["type"]).split("_"))
        made.append(f"da.{name}(" + ", ".join(f"{k}={v!r}" for k, v in shape.items() if k != "type") + ")")
    return ", ".join(made)
