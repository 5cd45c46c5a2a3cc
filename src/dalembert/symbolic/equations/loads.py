"""Active forces as virtual work: δW = Σ Q_k δq_k, element by element.

force at a point   F·δr           torque   T·δθ           along a measure   p δc,  p = −k (c − c₀) − d ċ + σ f(t, c, ċ)
spring             −f_s δl,  f_s = k (l − l₀) + c l̇ + f_a,  δl = I_P·δr_P,  I_P the unit vector from P_i to P_j
gravity            m g·δr_G       field    ∫ f·δr dm over the particles of each body
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import sympy as sp

from dalembert.elements.element import Element
from dalembert.elements.measures.table import NAMES
from dalembert.errors import AnalysisError
from dalembert.symbolic.builder import TIME
from dalembert.symbolic.equations.rows import marker_of, measure, turn_of
from dalembert.symbolic.kinematics.coordinates import Kinematics
from dalembert.symbolic.kinematics.frames import cross, zeros
from dalembert.symbolic.kinematics.jet import ZERO, minus
from dalembert.symbolic.kinematics.valued import exact, formula
from dalembert.symbolic.simplify import tidy


@dataclass
class Load:
    """One element's share: generalised forces by speed number, the virtual work in words, and a potential if it has one."""

    name: str
    Q: dict
    work: str
    potential: Any = None
    on: dict = field(default_factory=dict)  # body → (force, torque about the centre of mass), ground axes, where they are simple
    mutual: bool = False  # equal and opposite on two bodies
    spring: tuple = ()  # symbols l, l̇, f_s with ∂l/∂q by speed number, where the load is told by them


def loads(kin: Kinematics) -> list[Load]:
    """All active forces: gravity first, then elements in the order they were added."""
    found = []
    if any(x != 0 for x in kin.b.gravity):
        found.append(_gravity(kin))
    number = {n: name for name, n in kin.b.element_number.items()}
    order = [(row["element"], family, row) for family, items in kin.b.forces.items() for row in items]
    for element, family, row in sorted(order, key=lambda x: x[0]):
        item = kin.b.model.elements[number[element]]
        if family not in FAMILIES:
            why = item.no_formula or f"its force '{family}' has no formula yet"
            raise AnalysisError(f"{item.title} has no symbolic form ({why}): write it with Force, Torque, Spring, Motor or Field "
                                "and formulas to derive with it, or simulate the model")
        found.append(FAMILIES[family](kin, item, row))
    return found


def _gravity(kin) -> Load:
    Q: dict = {}
    V = ZERO
    on = {}
    for k, body in enumerate(kin.b.body_names):
        f = kin.frames[k]
        F = [f.mass * g for g in kin.b.gravity]
        _push(Q, f.com, F)
        V -= sum(a * p.value for a, p in zip(F, f.com, strict=True))
        on[body] = (F, None)
    return Load("gravity", Q, "m g·δr_G", V, on)


def _push(Q, point, F):
    for a, p in zip(F, point, strict=True):
        if a != 0:
            for k, g in p.grad.items():
                Q[k] = Q.get(k, ZERO) + a * g


def _twist(Q, spin, T):
    for k, g in spin.grad.items():
        x = sum(a * b for a, b in zip(T, g, strict=True))
        if x != 0:
            Q[k] = Q.get(k, ZERO) + x


def _components(kin, element, row, count):
    return [kin.b.formulas[row["law"][c]].at(element.title, TIME) for c in range(count)]


def _force(kin, element: Element, row) -> Load:
    frame, local, axes = marker_of(kin, row["marker"])
    F = _components(kin, element, row, kin.dim)
    if row["follows"]:
        F = list(frame.A @ np.array(F, dtype=object))
    Q: dict = {}
    point = frame.point(local)
    _push(Q, point, F)
    arm = [p.value - c.value for p, c in zip(point, frame.com, strict=True)]
    T = [arm[0] * F[1] - arm[1] * F[0]] if kin.dim == 2 else list(cross(arm, F))
    return Load(element.name, Q, "F·δr_P", None, {kin.title(kin.b.markers[row["marker"]].body): (F, T)})


def _torque(kin, element, row) -> Load:
    frame, _, _ = marker_of(kin, row["marker"])
    T = _components(kin, element, row, 1 if kin.dim == 2 else 3)
    Q: dict = {}
    follows = row["follows"] or kin.dim == 2
    _twist(Q, frame.turn if follows else frame.spin, T)
    ground = T if kin.dim == 2 or not row["follows"] else list(frame.A @ np.array(T, dtype=object))
    return Load(element.name, Q, "M δθ", None, {kin.title(kin.b.markers[row["marker"]].body): (None, ground)})


def _effort(kin, element, row) -> Load:
    if row["lower"] != row["upper"]:
        raise AnalysisError(f"{element.title} has no symbolic form ({element.no_formula}): derive the motion "
                            "between its ends without it, or simulate the model")
    k, d, rest = (exact(row[x]) for x in ("stiffness", "damping", "lower"))
    if NAMES[kin.b.measures[row["measure"]]["kind"]] == "distance" and row["measure"] not in kin.known and row["sign"] == -1.0:
        return _spring(kin, element, row, k, d, rest)
    c = measure(kin, row["measure"])
    p = -k * (c.value - rest) - d * c.rate
    p += exact(row["sign"]) * kin.b.formulas[row["law"]].at(element.title, TIME, c.value, c.rate)
    V = k * (c.value - rest) ** 2 / 2 if p + k * (c.value - rest) == 0 else None
    return Load(element.name, {n: p * g for n, g in c.grad.items()}, "p δc", V, mutual=True)


def _spring(kin, element, row, k, d, rest) -> Load:
    """−f_s δl with symbols for l, l̇ and f_s, whose formulas are ``kin.abbreviations``."""
    m = kin.b.measures[row["measure"]]
    (fi, pi, _), (fj, pj, _) = marker_of(kin, m["i"]), marker_of(kin, m["j"])
    way = minus(fj.point(pj), fi.point(pi))
    l, rate = kin.names.symbols("l", element.name, (0, 1))
    (f_s,) = kin.names.symbols("f", element.name, (0,))
    kin.abbreviations[l] = sp.sqrt(sum(tidy(x.value) ** 2 for x in way)) - exact(m["offset"])
    length = l + exact(m["offset"])
    grad: dict = {}
    for x in way:
        for n, g in x.grad.items():
            grad[n] = grad.get(n, ZERO) + x.value * g
    grad = {n: y / length for n, x in grad.items() if (y := tidy(x)) != 0}
    kin.abbreviations[rate] = tidy(sum((x.value * x.rate for x in way), ZERO)) / length
    push = kin.b.formulas[row["law"]].at(element.title, TIME, l, rate)
    kin.abbreviations[f_s] = k * (l - rest) + d * rate + push
    return Load(element.name, {n: -f_s * g for n, g in grad.items()}, "−f_s δl", mutual=True, spring=(l, rate, f_s, grad))


MOST = 64  # particles of one body in a formula


def _field(kin, element, row) -> Load:
    Q: dict = {}
    dim = kin.dim
    names = kin.b.formulas[row["law"][0]].variables[:dim]
    exprs = [kin.b.formulas[row["law"][c]].expr for c in range(dim)]
    on = {}
    parts = kin.b.particles[row["start"] : row["stop"]]
    for k, body in enumerate(kin.b.body_names):
        f = kin.frames[k]
        own = [p for p in parts if p["body"] == k]
        if len(own) > MOST:
            raise AnalysisError(f"{element.title}: its integral over body '{body}' has {len(own)} terms, too many to read (at "
                                f"most {MOST}): derive with a field of a lower degree, or simulate the model")
        F, T = zeros(dim), zeros(1 if dim == 2 else 3)
        com = kin.b.placed[k].com
        for p in own:
            point = frame_point(f, com, p["s"], dim)
            at = {s: c.value for s, c in zip(names, point, strict=True)}
            push = [exact(p["mass"]) * e.xreplace(at) for e in exprs]
            arm = [a.value - c.value for a, c in zip(point, f.com, strict=True)]
            F = F + np.array(push, dtype=object)
            T = T + np.array([arm[0] * push[1] - arm[1] * push[0]] if dim == 2 else list(cross(arm, push)), dtype=object)
        _push(Q, f.com, list(F))
        _twist(Q, f.spin, list(T))
        on[body] = (list(F), list(T))
    return Load(element.name, Q, "∫ f·δr dm", None, on)


def frame_point(frame, com, s, dim):
    """The point of a body at s from its centre of mass."""
    return frame.point(formula(np.array([c + x for c, x in zip(com, s[:dim], strict=True)], dtype=object)))


def _bushing(kin, element, row) -> Load:
    dim = kin.dim
    fi, pi, Fi = marker_of(kin, row["i"])
    fj, pj, Fj = marker_of(kin, row["j"])
    k, c, kt, ct = (formula(np.asarray(row[x], dtype=object)) for x in ("stiffness", "damping", "torsion", "torsion_damping"))
    a, b = fi.point(pi), fj.point(pj)
    d = [y.value - x.value for x, y in zip(a, b, strict=True)]
    wi, wj = fi.spin, fj.spin
    slip = [b[m].rate - a[m].rate - x for m, x in enumerate(turn_of(wi.rate, d, dim))]
    F = zeros(dim)
    axes = [[x.value for x in fi.axis(Fi[:, m])] for m in range(dim)]
    for m in range(dim):
        along = np.array(axes[m], dtype=object)
        F = F - along * (k[m] * sum(along * d) + c[m] * sum(along * slip))
    spin = wj.rate - wi.rate
    if dim == 2:
        e = [x.value for x in fj.axis(Fj[:, 0])]
        phi = sp.atan2(sum(x * y for x, y in zip(e, axes[1], strict=True)), sum(x * y for x, y in zip(e, axes[0], strict=True)))
        T = np.array([-kt[0] * phi - ct[0] * spin[0]], dtype=object)
    else:
        T = _torsion(fi, fj, Fi, Fj, axes, spin, kt, ct)
    Q: dict = {}
    _push(Q, b, F)
    _twist(Q, wj, T)
    touch = fi.com  # i feels −F at j's point
    arm = [b[m].value - touch[m].value for m in range(dim)]
    moment = [arm[0] * F[1] - arm[1] * F[0]] if dim == 2 else list(cross(arm, F))
    _push(Q, touch, list(-F))
    _twist(Q, wi, [-(x + y) for x, y in zip(T, moment, strict=True)])
    return Load(element.name, Q, "F·δd + T·δφ", mutual=True)


def _torsion(fi, fj, Fi, Fj, axes, spin, kt, ct):
    """Torque of a bushing in space: −κ φ − ζ ω about i's axes, φ the rotation vector."""
    x = np.array(axes, dtype=object)
    y = np.array([[v.value for v in fj.axis(Fj[:, m])] for m in range(3)], dtype=object)
    R = x @ y.T
    h = [(R[2, 1] - R[1, 2]) / 2, (R[0, 2] - R[2, 0]) / 2, (R[1, 0] - R[0, 1]) / 2]
    sine = sp.sqrt(sum(v * v for v in h))
    factor = sp.Piecewise((sp.atan2(sine, (R[0, 0] + R[1, 1] + R[2, 2] - 1) / 2) / sine, sine > sp.Float(1e-9)), (1, True))
    T = zeros(3)
    for m in range(3):
        T = T + x[m] * (-kt[m] * h[m] * factor - ct[m] * sum(x[m] * spin))
    return T


FAMILIES = {"force": _force, "torque": _torque, "effort": _effort, "field": _field, "bushing": _bushing}


def replaced(kin, element, story):
    """A force, torque or motor as it is, and with symbols for what it exerts: (old, new, symbols)."""
    family, row = next(((f, r) for f, items in kin.b.forces.items() for r in items
                        if r["element"] == kin.b.element_number.get(element.name)), (None, None))
    if row is None or family not in ("force", "torque", "effort"):
        raise AnalysisError(f"{element.title} is no force, torque or motor: name one of these, or a parameter of a load")
    count = kin.dim if family == "force" else 2 * kin.dim - 3
    laws = [row["law"]] if family == "effort" else [row["law"][c] for c in range(count)]
    below = "xyz" if len(laws) > 1 else [""]
    symbols = [story.symbol("M" if family == "torque" else "F" if family == "force" else "u", f"{c}^{element.name}")
               for c, _ in zip(below, laws, strict=False)]
    old = FAMILIES[family](kin, element, row)
    kept = {law: kin.b.formulas[law] for law in laws}
    for law, s in zip(laws, symbols, strict=True):
        kin.b.formulas[law] = type(kept[law])(s)
    new = FAMILIES[family](kin, element, row)
    for law, formula_ in kept.items():
        kin.b.formulas[law] = formula_
    return old, new, symbols
