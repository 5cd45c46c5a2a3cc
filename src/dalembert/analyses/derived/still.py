"""Derivatives of what is solved for and not integrated: poses at rest, and driven motions sample by sample."""

from __future__ import annotations

import numpy as np

from dalembert._jit.duals import WIDTH
from dalembert.analyses.assembly.adopted import length_of
from dalembert.analyses.derived.moves import moved
from dalembert.analyses.derived.parameters import constrained, numbers_of, seed
from dalembert.analyses.derived.readings import Derivative
from dalembert.analyses.statics.at_rest import frozen
from dalembert.analyses.toolbox.closing import metric
from dalembert.analyses.toolbox.exact import Exact, tangent
from dalembert.analyses.toolbox.mobility import null_space
from dalembert.analyses.toolbox.tangents import stiffness
from dalembert.equations.paths import FIELDS
from dalembert.equations.workspace import workspace
from dalembert.errors import AnalysisError
from dalembert.formulations.augmented.derivatives import Derivatives, displacements
from dalembert.results.motion import State

SHARE = 0.1  # of the largest part of a motion: smaller ones are not told
EVEN = 1e-10  # of the largest: what a symmetric stiffness may be uneven by
STIFF = 1e-10  # of the largest: a smaller eigenvalue of the reduced stiffness does not fix the pose


def _lanes(moves) -> list[list]:
    alike = [m for m in moves if m.same]
    return [alike[k:k + WIDTH] for k in range(0, len(alike), WIDTH)] + [[m] for m in moves if not m.same]


def _inverse(derivatives) -> None:
    """``observed`` takes accelerations as they are given: λ from the balance (equations/driven.py: inverse)."""
    derivatives._plain.handle[2] = derivatives.work.bound("inverse").handle


def _observed(w, d) -> dict[str, np.ndarray]:
    d.run("observed")
    return {n: np.zeros_like(d.found[n]) if n in ("residual", "speed") else d.found[n].copy() for n in FIELDS}


def _told(system, motion) -> str:
    """The speeds that a motion is made of, in units of the mechanism's size and radians."""
    sizes = motion / system.units(length_of(system) or 1.0)
    order = np.argsort(-sizes, kind="stable")
    return ", ".join(system.speed_names[k] for k in order[:3] if sizes[k] > SHARE * sizes[order[0]])


def of_pose(model, rest, names, question) -> dict[str, Derivative]:
    """Of an equilibrium of ``model``: the pose follows the parameters; drives hold what their laws give at this time."""
    system = rest.system
    names = numbers_of(model, names, question)
    start = State(rest.model, system, rest.t, rest.q, np.zeros_like(rest.v))
    moves = moved(model, system, names, question, rest.t, start, lambda m: frozen(m, rest.t))
    out = {}
    for group in _lanes(moves):
        w = workspace(group[0].system)
        w.set(rest.t, rest.q, np.zeros_like(rest.v))
        w.run("begin")
        w.run("rows")
        weight = metric(w)
        N = null_space(w, weight)
        w.vdot[:] = 0.0
        w.run("inverse")
        d = Derivatives(w)
        _inverse(d)
        T = Exact(w, d)
        K = N.T @ stiffness(T, N)
        if N.shape[1]:
            values, ways = np.linalg.eig(K)
            loose = int(np.argmin(np.abs(values)))
            if not np.abs(values[loose]) > STIFF * np.abs(values).max():
                raise AnalysisError(f"{question} of '{model.name}': the pose is not fixed by the forces: nothing holds "
                                    f"{_told(w.system, np.abs(N @ ways[:, loose]))} (an eigenvalue of the reduced stiffness "
                                    "vanishes), so it has no derivative: it is one of many")
        seed(d, group)
        w.vdot[:] = 0.0
        w.run("inverse")
        constrained(d, model, group, question)
        d.found["v"][:] = 0.0
        d.run("directions")
        y = np.linalg.solve(K, N.T @ d.found["u"]) if N.shape[1] else np.zeros((0, WIDTH))
        d.found["q"][:] += displacements(w.system, w.q, N @ y)
        d.run("constrained")
        d.found["v"][:] = 0.0
        seen = _observed(w, d)
        for lane, m in enumerate(group):
            tangents = {"q": d.found["q"][None, :, lane].copy(), "v": np.zeros((1, system.nv)), "t": np.zeros(1),
                        "observed": {n: a[None, :, lane] for n, a in seen.items()}}
            out[m.name] = Derivative(rest, m.name, m, tangents, "the equilibrium", {"eigenvalues": _eigenvalues})
    return out


def _eigenvalues(rest) -> np.ndarray:
    """Of the reduced stiffness at a pose beside one at rest, in the order of the verdict (statics/stability.py)."""
    w = workspace(rest.system)
    w.set(rest.t, rest.q, np.zeros(rest.system.nv))
    w.run("begin")
    w.set(rest.t, rest.q, np.zeros(rest.system.nv))
    w.run("rows")
    N = null_space(w, metric(w))
    w.vdot[:] = 0.0
    w.run("inverse")
    K = N.T @ stiffness(tangent(w).suit(N), N)
    if np.abs(K - K.T).max(initial=0.0) <= EVEN * np.abs(K).max(initial=0.0):
        return np.linalg.eigvalsh(0.5 * (K + K.T))
    found = np.linalg.eigvals(K)
    return found[np.lexsort((found.imag, found.real))]


def of_path(motion, names, question) -> dict[str, Derivative]:
    """Of a motion that drives prescribe (kinematics, inverse_dynamics), sample by sample."""
    model, system = motion.model, motion.system
    names = numbers_of(model, names, question)
    unknown = getattr(motion, "unknown", {})
    if unknown:  # the balance below is carried by the drives
        raise AnalysisError(f"{question} of '{model.name}': there are no derivatives where unknown= is solved for "
                            f"({', '.join(list(unknown)[:4])}), of reactions neither: leave it to the drives, or take "
                            "differences")
    start = motion.state(0)
    moves = moved(model, system, names, question, start.t, start)
    t, q, v = motion._t, motion._q, motion._v
    a = motion.observed.vdot
    out: dict[str, Derivative] = {}
    for group in _lanes(moves):
        w = workspace(group[0].system)
        d = Derivatives(w)
        _inverse(d)
        w.set(t[0], q[0], v[0])
        w.run("begin")
        found = {"q": [], "v": [], "observed": []}  # type: dict[str, list]
        for k in range(len(t)):
            w.set(t[k], q[k], v[k])
            w.vdot[:] = a[k]
            w.run("inverse")
            if k == 0 and null_space(w).shape[1]:
                raise AnalysisError(f"{question} of '{model.name}': the drives leave a motion free")
            seed(d, group)
            constrained(d, model, group, question)
            w.vdot[:] = a[k]
            found["observed"].append(_observed(w, d))
            found["q"].append(d.found["q"].copy())
            found["v"].append(d.found["v"].copy())
        dq, dv = np.array(found["q"]), np.array(found["v"])
        for lane, m in enumerate(group):
            seen = {n: np.array([o[n][:, lane] for o in found["observed"]]) for n in FIELDS}
            out[m.name] = Derivative(motion, m.name, m, {"q": dq[:, :, lane], "v": dv[:, :, lane], "t": np.zeros(len(t)),
                                                         "observed": seen}, "the motion")
    return out
