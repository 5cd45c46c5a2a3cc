"""How the forces along the free motions change with the unknowns of ``hold``, exactly.

With  u = Q − Dᵀλ  and the λ that leave only what works along the free motions, g = NᵀQ = Nᵀu; with λ held and NᵀMN = 1,

    ∂g/∂p = Nᵀ δu + δNᵀ u,     u = M N g,     δNᵀ M N = −½ Nᵀ δM N + (a turn of the basis, which moves no zero of g)

δu is one pass on duals along the tangents of tables and assembled pose (derived/moves.py); loads are parameters for that.  Where
these are not to be had exactly (a given state, functions that lose slopes, drives that depend on the unknowns), None: ``hold``
then takes differences.
"""

from __future__ import annotations

import numpy as np

from dalembert._jit.duals import WIDTH
from dalembert.analyses.derived.moves import exactly
from dalembert.analyses.derived.parameters import seed
from dalembert.analyses.driven import actuators
from dalembert.analyses.statics.at_rest import frozen
from dalembert.equations.workspace import workspace
from dalembert.errors import DalembertError
from dalembert.formulations.augmented.derivatives import Derivatives
from dalembert.model.moving import Unmoved


def slopes(trials, here) -> np.ndarray | None:
    """∂g/∂p at a trial: free motions × unknowns."""
    if trials.state is not None:
        return None
    try:
        model, names = _named(trials, here.p)
        system = frozen(model, trials.t).compile()
        q, v = here.state.q, np.zeros(system.nv)
        if system.nq != len(q):
            return None
        moves = exactly(model, system, names, trials.t, None, lambda m: frozen(m, trials.t), (q, v))
    except (Unmoved, DalembertError):
        return None
    w = workspace(system)
    w.set(trials.t, q, v)
    w.run("generalized_forces")
    Q = w.Q.copy()
    w.run("rows")
    D = w.jacobian()
    w.lam[:] = w.solve(D @ (here.weight @ (here.weight.T @ Q)))
    w.vdot[:] = 0.0
    d, N, out = Derivatives(w), here.N, []
    if d.notes:
        return None
    for first in range(0, len(moves), WIDTH):
        group = moves[first:first + WIDTH]
        seed(d, group)
        for lane, m in enumerate(group):
            d.found["q"][:, lane] = m.q
        d.run("balanced")
        out += [N.T @ (d.found["u"][:, lane] - 0.5 * _heavier(system, m.tables["bodies"], N @ here.g))
                for lane, m in enumerate(group)]
    found = np.column_stack(out)
    return found if np.all(np.isfinite(found)) else None


def _named(trials, p) -> tuple:
    """The model with these values, its loads given as parameters; the names of all unknowns as parameters."""
    called: dict[str, str] = {}
    for n in trials.parts:
        called[n] = f"load_{len(called)}"
        while called[n] in trials.model.parameters:
            called[n] += "_"
    model = actuators.with_laws(trials.model, {c: called[n] for n, c in trials.parts.items()})
    names = [called.get(n, n) for n in trials.names]
    for n, x in zip(names, p.tolist(), strict=True):
        model.parameters[n] = x
    return model, names


def _heavier(system, bodies, x) -> np.ndarray:
    """δM x."""
    out, d = np.zeros(system.nv), system.dim
    for k in range(system.nb):
        at = system.at_v(k)
        turned = x[at][d:]
        out[at][:d] = bodies["mass"][k] * x[at][:d]
        out[at][d:] = bodies["inertia"][k].reshape(turned.size, turned.size) @ turned
    return out
