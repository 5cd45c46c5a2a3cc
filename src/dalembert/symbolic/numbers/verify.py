"""verify: are the printed equations the solved ones?

At random consistent states of the engine the derivation is evaluated and compared, quantity by quantity, with what the
engine's compiled kernels give for the same bodies, carried to the derivation's coordinates by v = J u:

    positions and velocities of all bodies
    mass matrix     Jᵀ M J             forcing   Jᵀ (Q − M b)          constraint Jacobian   D J          γ − D b
    joint forces    −λ by their formulas, where they were asked for
    accelerations   J u̇ + b = v̇       multipliers λ (or the reactions Cᵀλ where constraints are redundant and λ is not unique)

It also says where the equations hold: independent coordinates end at their dead points.

Differences are relative to the largest entry of the quantity, or of what it is made of where that is larger.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dalembert.algebra.null_space import rank, unit_rows
from dalembert.equations.spinless import regular
from dalembert.equations.workspace import workspace
from dalembert.symbolic.numbers.flow import Flow
from dalembert.symbolic.numbers.states import random_states

TOLERANCE = 1e-10


@dataclass
class Verification:
    """Largest relative difference for each quantity.

    Attributes
    ----------
    ok : bool
        All differences are at rounding.
    largest : number
        The largest relative difference.
    title, states, differences : text, number, dict
        What was compared, in how many random states, with which difference each.
    """

    title: str
    states: int
    differences: dict[str, float]
    where: str  # where the equations hold

    @property
    def largest(self) -> float:
        return max(self.differences.values(), default=0.0)

    @property
    def ok(self) -> bool:
        return bool(self.largest <= TOLERANCE)

    def __bool__(self) -> bool:
        return self.ok

    def __str__(self) -> str:
        lines = [
            f"{self.title} against the engine, {self.states} random states: "
            + (f"the same (largest difference {self.largest:.1e})" if self.ok else f"NOT the same ({self.largest:.1e})")
        ]
        lines += [f"  {name:22s} {x:.1e}" for name, x in self.differences.items()]
        lines.append(f"  they hold {self.where}")
        return "\n".join(lines)

    __repr__ = __str__


def verify(eqs, model, count, seed) -> Verification:
    found: dict[str, float] = {}
    states = random_states(model, count, seed)
    regular(states[0].system, f"verify of '{model.name}'")
    for state in states:
        for name, (mine, engine, scale) in _compare(eqs, model, state).items():
            mine, engine = np.asarray(mine, float), np.asarray(engine, float)
            if mine.size == 0:
                continue
            size = max(np.abs(mine).max(), np.abs(engine).max(), scale)
            error = np.abs(mine - engine).max() / size if size > 0 else 0.0
            found[name] = max(found.get(name, 0.0), float(error) if np.isfinite(error) else np.inf)
    return Verification(eqs.story.title, len(states), found, _where(eqs, model, states))


def _where(eqs, model, states) -> str:
    """The poses the equations are good for, in words."""
    euler = [c.name for c in eqs.kin.coordinates if c.name.endswith((".theta", ".beta"))]
    angles = f", but for the singular poses of the angles ({', '.join(euler)})" if euler else ""
    if eqs.partition is None or not eqs.partition.dependent:
        return f"in every pose{angles}"
    flow = Flow(eqs)
    kappa = [flow.meaning_at(s.t, np.append(flow.start(*flow.read(s)), 0.0)) for s in states]
    return (f"where the motion can be read off {', '.join(eqs.coordinates)}, not at a dead point{angles}: κ → 0 there "
            f"(flow.py), in these states it is {min(kappa):.2g} … {max(kappa):.2g}")


def _compare(eqs, model, state):
    t = eqs.terms
    x, u = eqs._read(state, model)
    numbers = eqs._evaluator(state.t, x, u)
    J, velocity, bias = eqs._motion(state.t, x, u)
    w = workspace(state.system)
    w.set(state.t, state.q, state.v)
    w.run("observe")
    M, D = w.mass(), w.jacobian()
    B, g = _embedding(eqs, state.t, x, u)
    whole, drift = J @ B, bias + J @ g
    inertia = M @ drift
    places = state.system.each_q(state.q)[:, : state.system.dim].ravel()
    out = {
        "positions": (eqs._motion.centres(state.t, x), places, 1e-3 * state.system.size / np.sqrt(M[0, 0])),
        "velocities": (velocity, state.v, 0.0),
        "mass matrix": (numbers.mass_matrix, whole.T @ M @ whole, 0.0),
        "forcing": (numbers.forcing, whole.T @ (w.Q - inertia), _top(np.abs(whole.T) @ (np.abs(w.Q) + np.abs(inertia)))),
        "accelerations": (J @ numbers.accelerations + bias, w.vdot, _top(bias, np.linalg.norm(state.system.tables.gravity))),
    }
    if eqs.told_forces and rank(unit_rows(D)[0]) == len(D):
        forces = eqs.told_forces(state)
        out["joint forces"] = (forces, -w.lam[[r.number for r in eqs.free.rows]], _top(w.Q))
    rows = [r.number for r in t.rows]
    if not rows:
        return out
    C = D[rows] @ J
    out["constraint Jacobian"] = (numbers.constraint_jacobian, C, 0.0)
    push = _top(np.abs(C) @ np.abs(numbers.accelerations), np.abs(D[rows]) @ np.abs(bias))  # what γ = C u̇ is made of
    out["constraint bias"] = (numbers.gamma, w.gamma[rows] - D[rows] @ bias, push)
    lam = w.lam[rows]
    if rank(unit_rows(D)[0]) == len(D):
        out["multipliers"] = (numbers.multipliers, lam, _top(w.Q))
    else:
        settled = [k for k in range(len(D)) if k not in rows]
        reaction = C.T @ lam + (D[settled] @ J).T @ w.lam[settled]
        out["reactions"] = (numbers.constraint_jacobian.T @ numbers.multipliers, reaction, _top(np.abs(J.T) @ np.abs(w.Q)))
    return out


def _top(*items) -> float:
    return max((float(np.abs(x).max(initial=0.0)) for x in map(np.atleast_1d, items)), default=0.0)


def _embedding(eqs, t, x, u):
    """B and g of an embedded form in numbers; the identity otherwise."""
    if eqs.terms.B is None:
        return np.eye(eqs.kin.n), np.zeros(eqs.kin.n)
    return eqs._embedding(t, x, u)
