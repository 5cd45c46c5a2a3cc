"""Central forces of gears: what teeth, chains and belts do to their bearings along the line of centres (constraints/mesh.py).

    f = slope |λ| + constant,  λ of the gear's row;   f n on j and −f n on i at one point

The bearings hold the centres, so the pair is workless: as a generalised force it is Q_s = Dᵀ c with the rows of the bearings, and
the accelerations do not feel it.  It is found after the solve, as one more linear response:

    S μ = D M⁻¹ Q_s,     λ ← λ + μ,     reaction of the gear ← −Dᵀ λ + Q_s

The gear's own λ does not change unless its row depends on others; then the steps are repeated, and a reading whose steps do not
settle is refused.  When M⁻¹(Q_s − Dᵀ μ) of a pair is not zero the bearings do not hold its centres: the pair would do work, and
the reading is refused.
"""

from __future__ import annotations

import numpy as np

from dalembert.equations.workspace import workspace
from dalembert.errors import AnalysisError
from dalembert.system import poses

HELD = 1e-7  # what the bearings may leave of Q_s, in the metric of the masses
REPEATS = 200
SETTLED = 1e-9  # of the largest multiplier: what the last of the repeated steps may change


def central(system, t, q, v, found) -> None:
    """Put the central forces into λ, reactions and the bodies' ledger of all samples."""
    acting = [(name, e) for name, e in system.teeth.items() if e.slope != 0.0 or e.constant != 0.0]
    if not acting:
        return
    rows = [system.groups[name].start for name, _ in acting]
    w = workspace(system)
    inverse = np.linalg.inv(w.metric_mass())
    for k in range(len(t)):
        w.set(t[k], q[k], v[k])
        w.run("rows")
        D = w.jacobian()
        lam = found["lam"][k]
        mu = np.zeros_like(lam)
        for _ in range(REPEATS):
            pushes = [(name, _push(system, w, e, e.slope * abs(lam[system.groups[name].start] + mu[system.groups[name].start])
                                   + e.constant)) for name, e in acting]
            before, mu = mu, _response(w, D, inverse, sum(p for _, p in pushes))
            if np.all(np.abs(mu[rows] - before[rows]) <= 1e-13 * (np.abs(lam[rows]) + 1e-300)):
                break
        unheld = [name for name, push in pushes if not _held(w, D, inverse, push)]
        if unheld:
            names = ", ".join(f"'{name}'" for name in unheld)
            raise AnalysisError(f"at t = {t[k]:g} the joints do not hold the distance of the centres of {names}: the force "
                                "between them (pressure_angle, chain, belt) would do work. Put both gears on hinges of one body")
        moved = np.abs(mu[rows] - before[rows])
        if moved.max() > SETTLED * np.abs(lam + mu).max():
            raise AnalysisError(f"at t = {t[k]:g} the force along the line of centres of '{acting[int(np.argmax(moved))][0]}' "
                                f"does not settle in {REPEATS} steps: force and reaction raise each other. Take a smaller "
                                "pressure_angle, or remove the constraint that the gear's row repeats")
        lam += mu
        _tell(system, D, mu, pushes, found, k)


def _tell(system, D, mu, pushes, found, k) -> None:
    n = system.kind.SIZE_V
    for g in system.groups.values():
        for body, block in g.blocks.items():
            at = system.at_v(body)
            found["reaction"][k, n * block:n * block + n] -= D[g.start:g.stop, at].T @ mu[g.start:g.stop]
    for name, push in pushes:
        for body, block in system.groups[name].blocks.items():
            found["reaction"][k, n * block:n * block + n] += push[system.at_v(body)]
    found["missing"][k] += D.T @ mu - sum(p for _, p in pushes)


def _response(w, D, inverse, Q):
    mu = np.zeros(len(D))
    for _ in range(2):  # the second time mends the rounding of the first
        mu += w.solve(D @ (inverse @ (Q - D.T @ mu)))
    return mu


def _held(w, D, inverse, push) -> bool:
    """Whether the bearings take the whole of one pair's force; judged pair by pair, a strong one hides no weak one."""
    left = push - D.T @ _response(w, D, inverse, push)
    return not left @ inverse @ left > HELD**2 * (push @ inverse @ push)


def _push(system, w, e, f):
    """Generalised force of f n on the second body and −f n on the first."""
    d = system.dim
    out = np.zeros(system.nv)
    point, axis = poses.marker(system, w.pose, e.point)[0], poses.marker(system, w.pose, e.guide)[1][:, 0]
    for body, sign in zip(e.bodies, (-1.0, 1.0), strict=True):
        if body < system.nb:
            r, A = poses.body(system, w.pose, body)
            F = sign * f * axis
            arm = point - r
            turn = [arm[0] * F[1] - arm[1] * F[0]] if d == 2 else A.T @ np.cross(arm, F)
            out[system.at_v(body)] += np.concatenate([F, turn])
    return out

