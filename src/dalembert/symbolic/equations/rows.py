"""Constraint equations as formulas: what each element's rows say in the chosen coordinates.

    position rows     Φ = 0;  C = Φ_q (or (Φ_r, Π̄) for the r–ω coordinates),  γ = −h of the jet Φ
    velocity rows     Σ a_k u_k + a_0 = 0;  C = (a_k),  γ = −d/dt of the rest

Rows keep the engine's number, so that multipliers can be compared one by one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sympy as sp

from dalembert.elements.measures.table import NAMES
from dalembert.errors import AnalysisError
from dalembert.symbolic.builder import TIME
from dalembert.symbolic.kinematics.coordinates import Kinematics
from dalembert.symbolic.kinematics.frames import cross
from dalembert.symbolic.kinematics.jet import ONE, ZERO, Jet, compose, dot, minus
from dalembert.symbolic.kinematics.valued import exact, formula
from dalembert.symbolic.simplify import tidy


@dataclass
class Row:
    """One scalar equation."""

    number: int  # in the engine
    element: str
    label: str
    level: int  # 0 position, 1 velocity
    phi: Any  # None at the velocity level
    grad: dict
    rate: Any  # the left side at the velocity level
    gamma: Any
    driver: bool = False

    @property
    def title(self) -> str:
        return f"{self.element}: {self.label}"


def measure(kin: Kinematics, k: int) -> Jet:
    """A measure as a jet; a coordinate itself where it is one."""
    if k not in kin.known:
        kin.known[k] = _measure(kin, kin.b.measures[k])
    return kin.known[k]


def marker_of(kin, m):
    marker = kin.b.markers[m]
    return kin.frames[marker.body], formula(marker.local), formula(marker.axes)


def _measure(kin, m) -> Jet:
    name = NAMES[m["kind"]]
    if name not in MEASURES:
        raise AnalysisError(f"the measure {name} has no formula yet: add it to MEASURES in symbolic/equations/rows.py")
    return MEASURES[name](kin, m, marker_of(kin, m["i"]), marker_of(kin, m["j"])) - exact(m["offset"])


def _angle(kin, m, i, j):
    (fi, _, Fi), (fj, _, Fj) = i, j
    if kin.dim == 2:
        return fj.theta - fi.theta
    x = fj.axis(Fj[:, 0])
    u, p = (dot(x, fi.axis(Fi[:, c])) for c in (0, 1))
    a, c = sp.Symbol("_p"), sp.Symbol("_u")
    return compose(sp.atan2(a, c), {a: p, c: u})


def _dot_axes(kin, m, i, j):
    return dot(i[0].axis(i[2][:, m["axis_i"]]), j[0].axis(j[2][:, m["axis_j"]]))


def _offset(i, j):
    return minus(j[0].point(j[1]), i[0].point(i[1]))


def _dot_offset(kin, m, i, j):
    return dot(i[0].axis(i[2][:, m["axis_i"]]), _offset(i, j))


def _component(kin, m, i, j):
    return dot([Jet(x) for x in marker_of(kin, m["guide"])[2][:, 0]], _offset(i, j))


def _square_distance(kin, m, i, j):
    d = _offset(i, j)
    return dot(d, d)


def _distance(kin, m, i, j):
    return _square_distance(kin, m, i, j).sqrt()


MEASURES = {"angle": _angle, "dot_axes": _dot_axes, "dot_offset": _dot_offset, "component": _component, "distance": _distance,
            "square_distance": _square_distance}


def law(kin, number, element) -> Jet:
    """A law of time as a jet."""
    expr = kin.b.formulas[number].at(element.title, TIME)
    return kin.motion(element.name, expr) if expr.has(TIME) else Jet(expr)


def rows(kin: Kinematics) -> list[Row]:
    """All rows that the coordinates do not satisfy by themselves, in the engine's order."""
    found: list[Row] = []
    number = 0
    for g in kin.b.groups:
        if g.name not in kin.settled:
            for family, first, columns in g.pieces:
                if family not in FAMILIES or g.element.no_formula:
                    why = g.element.no_formula or f"its rows '{family}' have no formula yet"
                    raise AnalysisError(f"{g.element.title} has no symbolic form ({why}): derive without it, or simulate the "
                                        "model")
                for k, (phi, extra) in enumerate(FAMILIES[family](kin, g, columns)):
                    info = g.rows[first + k]
                    found.append(_row(number + first + k, g.name, info, phi, extra))
        number += len(g.rows)
    return found


def _row(number, name, info, phi, extra) -> Row:
    if extra is None:
        return Row(number, name, info.label, 0, phi.value, phi.grad, phi.rate, -phi.bias, info.driver)
    position, grad, rate, gamma = extra
    return Row(number, name, info.label, 0 if position is not None else 1, position, grad, rate, gamma, info.driver)


def _coincide(kin, g, c):
    (fi, pi, _), (fj, pj, _) = marker_of(kin, c["i"]), marker_of(kin, c["j"])
    return [(d, None) for d in minus(fj.point(pj), fi.point(pi))]


def _hold(kin, g, c):
    return [(measure(kin, c["measure"]) - law(kin, c["law"], g.element), None)]


def _terms(kin, c):
    return kin.b.terms[c["start"] : c["stop"]]


def _combine(kin, g, c):
    total = -law(kin, c["law"], g.element)
    for term in _terms(kin, c):
        total = total + measure(kin, term["measure"]) * exact(term["factor"])
    return [(total, None)]


def _arguments(kin, g, c, program):
    names = kin.b.formulas[program].variables
    jets = [measure(kin, t["measure"]) for t in _terms(kin, c)]
    return dict(zip(names, [*jets, Jet(TIME, {}, ONE)], strict=True))


def _equation(kin, g, c):
    return [(compose(kin.b.formulas[c["law"]].expr, _arguments(kin, g, c, c["law"])), None)]


def _velocity_equation(kin, g, c):
    arguments = _arguments(kin, g, c, c["law"])
    a0 = compose(kin.b.formulas[c["law"]].expr, arguments)
    grad: dict = {}
    rate, gamma = a0.value, -a0.rate
    for term, j in zip(_terms(kin, c), arguments.values(), strict=False):
        a = compose(kin.b.formulas[term["law"]].expr, arguments)
        for k, x in j.grad.items():
            grad[k] = grad.get(k, ZERO) + a.value * x
        rate += a.value * j.rate
        gamma -= a.rate * j.rate + a.value * j.bias
    return [(None, (None, grad, rate, gamma))]


def turn_of(w, r, dim):
    """ω × r in ground axes."""
    return [-w[0] * r[1], w[0] * r[0]] if dim == 2 else list(cross(w, r))


def _knife_edge(kin, g, c):
    """n · (ṙ_j − u) with u the velocity of i's material at the point."""
    fi, _, _ = marker_of(kin, c["i"])
    fj, pj, Fj = marker_of(kin, c["j"])
    n, p, o = fj.axis(Fj[:, c["axis_j"]]), fj.point(pj), fi.com
    rho = [a.value - b.value for a, b in zip(p, o, strict=True)]
    w, dim = fi.spin, kin.dim
    slip = [p[k].rate - o[k].rate - x for k, x in enumerate(turn_of(w.rate, rho, dim))]
    carried = turn_of(w.rate, [a.rate - b.rate for a, b in zip(p, o, strict=True)], dim)
    turned = turn_of(w.bias, rho, dim)
    grad = {}
    for k in range(kin.n):
        u = turn_of(w.grad[k], rho, dim) if k in w.grad else [ZERO] * dim
        x = sum(n[m].value * (p[m].grad.get(k, ZERO) - o[m].grad.get(k, ZERO) - u[m]) for m in range(dim))
        if x != 0:
            grad[k] = x
    rate = sum(n[m].value * slip[m] for m in range(dim))
    gamma = -sum(n[m].rate * slip[m] + n[m].value * (p[m].bias - o[m].bias - turned[m] - carried[m]) for m in range(dim))
    return [(None, (None, grad, rate, gamma))]


def _neat(j: Jet) -> Jet:
    return Jet(tidy(j.value), {k: x for k, g in j.grad.items() if (x := tidy(g)) != 0}, tidy(j.rate), tidy(j.bias))


def _root(kin, j: Jet) -> Jet:
    """√j; of sin² θ it is sin θ where θ is the middle one of Euler's angles, which lies between 0 and π."""
    if j.value.is_Pow and j.value.exp == 2 and j.value.base.func is sp.sin:
        for k, x in enumerate(kin.coordinates):
            if x.q == j.value.base.args[0] and x.name.endswith(".theta"):
                kin.positive[j.value.base] = f"{x.name} lies between 0 and π"
                return Jet(x.q, {k: ONE}, x.u).sin()
    return j.sqrt()


def _rolling_disc(kin, g, c):
    """n · (ṙ_c + ω × R u) for the normal and the tangents; u from the centre to the contact (constraints/rolling_disc.py)."""
    dim, radius = kin.dim, exact(c["radius"])
    fi, pi, Fi = marker_of(kin, c["i"])
    fj, pj, Fj = marker_of(kin, c["j"])
    N = [Jet(x) for x in Fi[:, c["normal"]]]
    centre, w = fj.point(pj), fj.spin
    if dim == 2:
        u, height = [-x for x in N], Jet(ONE)
    else:
        e = [_neat(x) for x in fj.axis(Fj[:, c["axis_j"]])]
        w = w.tidied()
        sigma = _neat(dot(N, e))
        height = _root(kin, _neat(1 - sigma * sigma))
        u = [_neat((sigma * e[k] - N[k]) / height) for k in range(3)]
    arm = [x.value * radius for x in u]
    spun = turn_of(w.rate, arm, dim)
    drift = turn_of(w.rate, [x.rate * radius for x in u], dim)
    lifted = turn_of(w.bias, arm, dim)
    grads = {k: turn_of(w.grad[k], arm, dim) if k in w.grad else [ZERO] * dim for k in range(kin.n)}
    out = []
    for m in range(dim):
        n = [Fi[k, (c["normal"] + m) % dim] for k in range(dim)]
        grad = {
            k: x for k in range(kin.n) if (x := sum(n[a] * (centre[a].grad.get(k, ZERO) + grads[k][a]) for a in range(dim))) != 0
        }
        rate = sum(n[a] * (centre[a].rate + spun[a]) for a in range(dim))
        gamma = -sum(n[a] * (centre[a].bias + drift[a] + lifted[a]) for a in range(dim))
        phi = (dot(N, minus(centre, fi.point(pi))) - radius * height).value if m == 0 else None
        out.append((None, (phi, grad, rate, gamma)))
    return out


FAMILIES = {
    "coincide": _coincide,
    "hold": _hold,
    "combine": _combine,
    "equation": _equation,
    "velocity_equation": _velocity_equation,
    "knife_edge": _knife_edge,
    "rolling_disc": _rolling_disc,
}
