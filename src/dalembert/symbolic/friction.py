"""Friction in derivations: a symbol f for the force at each pair of surfaces, and the law that says what it is.

f enters the equations as the effort that it has along the joint's own coordinate (a hinge: r f about its axis; a thread: along
its helix, so √(r² + a²) f with the lead a per radian); whether it sticks or slides is no formula, so the law is told in words:

    sticks   u = 0,  |f| ≤ μ_s N          slides   f = −μ N sign(u)
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from dalembert.elements.element import OwnName
from dalembert.elements.forces.motor import Motor
from dalembert.errors import AnalysisError
from dalembert.model.rubbing import rubs, without_friction

WORKS = {  # kind → (coordinate, effort of a unit of f along it, speed at the surface)
    "hinge": (("angle", "({r})", "{r} ω"),), "slide": (("slide", "1", "ṡ"),),
    "sleeve": (("slide", "1", "ṡ"), ("angle", "({r})", "{r} ω")),
    "thread": (("angle", "sqrt(({r})**2 + ({a})**2)", "√(({r})² + ({a})²) ω"),), "clutch": (("", "({r})", "{r} ω"),),
    "band": (("", "({r})", "{r} ω"),), "roll": (("", "({r})", "{r} ω"),)}
EDGES = "|F₊| + |F₋|, F± = F/2 ∓ e × M/{l} across the axis"
PRESSED = {("hinge", 2): "|F|", ("hinge", 3): EDGES + ", and |F·e|",
           ("slide", 2): "|F/2 + M/{l}| + |F/2 − M/{l}|, F across the slide",
           ("slide", 3): EDGES + ", and |M·e|/{r}", ("sleeve", 3): EDGES, ("thread", 3): EDGES + ", and |F·e|/cos β",
           ("clutch", 2): "{faces} · {force}", ("roll", 2): "−λ of its normal row, 0 where that pulls"}


def with_symbols(model) -> tuple[Any, list[str]]:
    """A copy in which friction is a force with a name, and the law of each."""
    names, told = rubs(model), []
    other = without_friction(model)
    kinds = {x["element"]: x["kind"] for x in model.compile().rubbing}
    for name in names:
        element, kind = model.elements[name], kinds.get(name, "")
        if kind not in WORKS or (model.dim == 3 and not element.coordinate_name):
            raise AnalysisError(f"derive of '{model.name}': {element.title} rubs, and its friction has no symbolic form (it "
                                "does not act along one coordinate); derive a copy without its friction")
        sizes = {"r": getattr(element, "radius", None), "l": getattr(element, "length", None),
                 "a": f"({getattr(element, 'pitch', 0)})/(2*pi)", "faces": getattr(element, "faces", ""),
                 "force": getattr(element, "force", "")}
        for coordinate, effort, speed in WORKS[kind]:
            f = _free(other, f"f_{name}" + (f"_{coordinate}" if len(WORKS[kind]) > 1 else ""))
            other.parameters[f] = 0.0
            of: Any = f"{name}.{coordinate}" if element.coordinate_name else (element.i, element.j)
            other.add(Motor(OwnName(f"friction of {name}{coordinate if len(WORKS[kind]) > 1 else ''}"), of,
                            f"{effort.format(**sizes)}*{f}"))
            told.append(_law(element, kind, model.dim, f, speed.format(**sizes), sizes))
    return other, told


def _free(model, wanted: str) -> str:
    """A parameter's name that is not taken."""
    name = re.sub(r"\W", "_", wanted)
    while name in model.parameters or name in model:
        name += "_"
    return name


def _law(element, kind: str, dim: int, f: str, speed: str, sizes) -> str:
    given = element.friction
    table: Mapping[str, Any] = given if isinstance(given, Mapping) else {"coulomb": given}
    mu = table.get("coulomb", table.get("static", 0))
    static = table.get("static", mu)
    more = [f"+ {table['preload_N']}"] if table.get("preload_N") else []
    N = f"N_{element.name}"
    if kind == "band":
        return (f"{element.title}: f = {f} on j at u = {speed}, the difference of its tensions T (pulled) = {sizes['force']} and "
                f"T (held). Sticks: u = 0 and the larger is at most exp({static}·β) times the smaller, β = |{element.wrap}|; "
                f"slides: exp({mu}·β) times, f against u.")
    if kind == "roll":
        mu = static = f"({element.resistance})/({element.radius})"
    slides = f"{f} = −{mu} {N} sign(u)"
    if "stribeck_m_per_s" in table:
        slides = f"{f} = −({mu} + ({static} − {mu}) exp(−(u/{table['stribeck_m_per_s']})²)) {N} sign(u)"
    if table.get("viscous_N_s_per_m"):
        slides += f" − {table['viscous_N_s_per_m']} u"
    several = ", sign(u) as u/|u| of both directions together" if kind == "sleeve" else ""
    pressed = PRESSED[kind, dim].format(**sizes) + " ".join(["", *more])
    return (f"{element.title}: f = {f} on j at u = {speed}, pressed by {N} = {pressed}. Sticks: u = 0 and |{f}| ≤ {static} {N}; "
            f"slides: {slides}{several}.")
