"""Joint forces by name: F_x^12 instead of λ, with the signs of a free-body diagram, and as formulas.

    Q_c = −Cᵀλ = Cᵀ F,   F = −λ        F^ij acts on j, its opposite on i       (rows are r_j − r_i, θ_j − θ_i: +1 on j)

Rows that hold points together are F_x, F_y, F_z along ground axes; a row across a guide is F_x or F_y where the guide stays along
an axis of the ground, F_n otherwise; a row that holds an angle is M.  Drives are M or F with the drive's name above; any other
row is R with the element's name above: what it exerts along its own equation.

Formulas   M v̇ + h = Q + Cᵀ F with v̇ known: 3 n_b (6 n_b) equations for n_c forces.  They are solved one after the other, the
equation with the fewest unknown forces first, as one does by hand; as many equations are left over as there are degrees of
freedom, and with the forces put in they are the embedded equations of motion.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import sympy as sp

from dalembert.elements.measures.table import NAMES
from dalembert.errors import AnalysisError
from dalembert.symbolic.equations.embedding import Loops
from dalembert.symbolic.kinematics.jet import ZERO
from dalembert.symbolic.simplify import weight

REACTIONS = ("lambda", "F")
SHORT = 60  # operations: longer forces are told by their neighbours where that is possible


def ground_name(bodies) -> str:
    """The ground among numbered bodies is 1 (or 0 if a body is), otherwise it keeps its name."""
    if bodies and all(b.isdigit() for b in bodies):
        return "1" if "1" not in bodies else "0"
    return "ground"


def pair(i: str, j: str) -> str:
    return i + j if len(i) == len(j) == 1 else f"{i},{j}"


def entries(kin, rows) -> list[tuple[str, str]]:
    """Letter and index of each row's reaction."""
    names = [*kin.b.body_names, ground_name(kin.b.body_names)]
    found: list[tuple[str, str]] = []
    joints: dict[str, str] = {}
    for name, (mi, mj) in kin.b.joints.items():
        joints[name] = pair(*(names[kin.b.markers[m].body] for m in (mi, mj)))
    several = {p for p in joints.values() if [*joints.values()].count(p) > 1}
    kinds = _kinds(kin)
    for r in rows:
        element = kin.b.model.elements[r.element]
        above = joints.get(r.element, r.element)
        if above in several:
            above = f"{above},{r.element}"
        letter, below = kinds[r.number]
        if element.kind == "drive":
            above = r.element
            below = ""
        elif r.element not in joints and letter == "R":
            above = r.element
        found.append((letter, f"{below}^{above}"))
    return _apart(found)


def _apart(found):
    """The same name twice gets numbers."""
    out: list[tuple[str, str]] = []
    count: dict[tuple[str, str], int] = {}
    for item in found:
        count[item] = count.get(item, 0) + 1
        letter, index = item
        below, _, above = index.partition("^")
        out.append((letter, f"{below}{count[item]}^{above}") if found.count(item) > 1 else item)
    return out


def _kinds(kin) -> dict[int, tuple[str, str]]:
    """Engine's row number → letter and what stands below."""
    out: dict[int, tuple[str, str]] = {}
    number = 0
    for g in kin.b.groups:
        for family, first, columns in g.pieces:
            if family == "coincide":
                out |= {number + first + k: ("F", letter) for k, letter in enumerate("xyz"[: kin.dim])}
            elif family == "hold":
                out[number + first] = _held(kin, g.element, columns["measure"])
        for k in range(len(g.rows)):
            out.setdefault(number + k, ("R", ""))
        number += len(g.rows)
    return out


def _held(kin, element, measure) -> tuple[str, str]:
    """Letter and component of a row that holds a measure; components only where their direction stays along a ground axis."""
    m = kin.b.measures[measure]
    kind = NAMES[m["kind"]]
    turns = {x for x in getattr(element, "free", {}).get(kin.dim, ("any",)) if not x.startswith("T")}
    bodies = [kin.b.markers[m[side]].body for side in "ij"]
    if kind == "angle":
        return "M", ""
    if kind == "dot_axes":
        a, b = (np.array([float(x) for x in kin.b.axes_of(m[s])[:, m[f"axis_{s}"]]]) for s in "ij")
        fixed = kin.b.ground in bodies and (not turns or (turns == {"Rz"} and m["axis_j"] == 2))
        return "M", (_letter(np.cross(b, a)) or "") if fixed else ""
    if kind == "dot_offset":
        fixed = bodies[0] == kin.b.ground or (kin.b.ground in bodies and not turns)
        return "F", (_letter(kin.b.axes_of(m["i"])[:, m["axis_i"]]) if fixed else None) or "n"
    if kind == "component":
        return "F", _letter(kin.b.axes_of(m["guide"])[:, 0]) or "n"
    return ("F", "") if kind == "distance" else ("R", "")


def _letter(direction) -> str | None:
    """x, y or z for a direction along such an axis (not against it)."""
    return next((c for c, x in zip("xyz", direction, strict=False) if abs(float(x) - 1.0) < 1e-9), None)


def symbols(story, kin, rows) -> list[sp.Symbol]:
    return [story.symbol(letter, index) for letter, index in entries(kin, rows)]


@dataclass
class JointForces:
    """Forces as formulas of the motion, and what the equations say that were not needed for them."""

    forces: dict[sp.Symbol, Any]
    used: list[int]  # numbers of the equations they come from
    left: list[Any]  # equations that are left over, forces put in: left side = right side
    rows: list[list[Any]]  # coefficients of the forces, equation by equation
    right: list[Any]
    known: bool = True  # False: constraints are redundant, so that forces are not unique


def joint_forces(terms, unknown, numbers, at=None, accelerations=None) -> JointForces:
    """F of M v̇ + h = Q + Cᵀ F.  ``numbers`` is C in numbers at a state, for the choice of pivots; ``at`` puts other coordinates
    in; ``accelerations`` are formulas for v̇ (its symbols otherwise)."""
    kin, at = terms.kin, at or {}
    v = accelerations or [c.a for c in kin.coordinates]
    C = [[r.grad.get(k, ZERO).xreplace(at) for r in terms.rows] for k in range(kin.n)]
    right = []
    for k in range(kin.n):
        total = terms.inertia[k].xreplace(at) - terms.applied[k].xreplace(at)
        right.append([total + sum((m.xreplace(at) * a for m, a in zip(terms.M[k], v, strict=True) if m != 0), ZERO)])
    system = Loops([list(row) for row in C], numbers.T.copy(), list(range(len(unknown))), right)
    system.run()
    if len(system.solved) < len(unknown):
        return JointForces({}, [], [], [], [], known=False)
    forces = {unknown[k]: system.solved[k][0] for k in range(len(unknown))}
    values = [*forces.values()]
    left = [sp.Eq(right[k][0], sum((c * f for c, f in zip(C[k], values, strict=True) if c != 0), ZERO), evaluate=False)
            for k in sorted(system.left)]
    return JointForces(forces, [k for k in range(kin.n) if k not in system.left], left, C, [x for (x,) in right])


def in_turn(rows, right, unknown, solution):
    """(symbol, formula) in the order to read them: short ones as they are, long ones by those told before, from an equation
    that has the force alone with them."""
    told: list = []
    size = {s: weight(solution[s]) for s in unknown}
    for s in sorted(unknown, key=lambda s: size[s] if size[s] > SHORT else 0):
        other = _by_others(rows, right, unknown, unknown.index(s), told) if size[s] > SHORT else None
        yield s, solution[s] if other is None else other
        told.append(s)


def _by_others(rows, right, unknown, which, told):
    for row, total in zip(rows, right, strict=True):
        own = {j: x for j, x in enumerate(row) if x != 0}
        if abs(own.get(which, ZERO)) == 1 and all(unknown[j] in told for j in own if j != which):
            return (total - sum((x * unknown[j] for j, x in own.items() if j != which), ZERO)) / own[which]
    return None


def need_newton_euler(eqs, what: str):
    """The free bodies of a derivation, or our error."""
    if eqs.free is None:
        raise AnalysisError(f"{what} needs every body by itself: derive with method='newton-euler' (this is {eqs.method})")
    return eqs.free
