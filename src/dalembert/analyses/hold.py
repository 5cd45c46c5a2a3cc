"""hold: the load, torque or spring value that balances a pose, by the principle of virtual work.

    Nᵀ Q(p) = 0          N: displacements the constraints allow; reactions do no work in them and drop out

One unknown p for each displacement that is free.  p is a parameter of the model (a load, a stiffness, a rest length …) or a force
component by name ("load", "load.x").  Solved by Newton's method; one step when Q depends linearly on p.
"""

from __future__ import annotations

import numpy as np

from dalembert.analyses import actuators
from dalembert.analyses.closing import metric
from dalembert.analyses.independent import all_coordinates, choose, rows
from dalembert.analyses.mobility import null_space
from dalembert.analyses.rest import Rest, stopped, workspace
from dalembert.errors import AnalysisError, ModelError

TOLERANCE = 1e-11
ITERATIONS = 40


class Hold(Rest):
    """The balanced pose: ``value`` (``values`` by name), and reactions as hold["A"].force."""

    def __init__(self, model, system, t, q, v, values, residual):
        super().__init__(model, system, t, q, v)
        self.values, self.residual = values, residual

    @property
    def value(self):
        return next(iter(self.values.values())) if len(self.values) == 1 else self.values

    def __repr__(self):
        found = ", ".join(f"{k} = {v:.9g}" for k, v in self.values.items())
        return f"'{self.model.name}' is held in its pose at t = {self.t:g} by {found} (unbalanced: {self.residual:.1e})"


def hold(model, unknown, *, state=None, t=0.0) -> Hold:
    """Values of the unknowns that balance the drawn pose (or a given state) at time t."""
    names = [unknown] if isinstance(unknown, str) or hasattr(unknown, "name") else list(unknown or ())
    names = [getattr(n, "name", n) for n in names]
    still, rest = stopped(model, t, state)
    w = workspace(rest)
    weight = metric(w)
    N = null_space(w, weight)
    if not N.shape[1]:
        raise AnalysisError(f"hold of '{model.name}': the pose has no free motion, its constraints and drives hold it already; "
                            "read the reactions from equilibrium, or remove a drive")
    if not names:
        raise AnalysisError(f"hold of '{model.name}': name the unknown: a parameter, or a force component (there are "
                            f"{', '.join(c.label for c in actuators.components(model)) or 'none: add a Torque, Force or Motor'})")
    put, start = _setters(still, names)

    def force(p):
        system = put(p).compile()
        v = system.workspace()
        v.set(rest.t, rest.q, rest.v)
        v.run("generalized_forces")
        return v.Q.copy()

    p = np.array(start)
    values, scale = _newton(model, still, names, N, w, weight, force, p)
    final = put(values)
    residual = float(np.linalg.norm(N.T @ force(values))) / scale
    return Hold(final, final.compile(), rest.t, rest.q, rest.v, dict(zip(names, values.tolist(), strict=True)), residual)


def _setters(model, names):
    """A function from values to a model with them put in, and where the search starts."""
    labels = {c.label: c for c in actuators.components(model)}
    parameters = [n for n in names if n in model.parameters]
    parts = {n: actuators.chosen(model, n, "hold")[0] for n in names if n not in parameters and n in labels}
    for n in names:
        if n not in parameters and n not in parts:
            actuators.chosen(model, n, "hold")  # says what there is
    known = model.parameter_values()

    def put(p):
        other = actuators.with_laws(model, {c: float(p[names.index(n)]) for n, c in parts.items()})
        for n in parameters:
            other.parameters[n] = float(p[names.index(n)])
        return other

    return put, [known[n] if n in parameters else 0.0 for n in names]


def _newton(model, still, names, N, w, weight, force, p):
    """Newton's method on Nᵀ Q(p) with differences over a whole unit (exact for loads, which enter linearly)."""
    Q = force(p)
    for k in range(ITERATIONS):
        r = N.T @ Q
        steps = [max(abs(x), 1.0) * (1.0 if k == 0 else 1e-4) for x in p]
        columns = [_column(force, p, i, h, Q) for i, h in enumerate(steps)]
        B = N.T @ np.column_stack(columns)
        scale = float(np.linalg.norm(weight @ Q)) + float(np.abs(B * p).sum()) + 1e-300
        _independent(model, still, names, B, N, w, weight, r, scale)
        dp = np.linalg.lstsq(B, -r, rcond=1e-12)[0]
        p = p + dp
        Q = force(p)
        if not np.all(np.isfinite(Q)):
            raise AnalysisError(f"hold of '{model.name}': the forces are not finite at {_said(names, p)}")
        left = np.linalg.norm(N.T @ Q)
        scale = max(scale, float(np.linalg.norm(weight @ Q)))
        if left <= TOLERANCE * scale:
            return p, scale
        if left > 0.999 * np.linalg.norm(r) and k > 3:
            break
    raise AnalysisError(f"hold of '{model.name}': no value of {', '.join(names)} balances the pose; {_said(names, p)} leaves "
                        f"{unbalanced(still, w, N, weight, Q)}")


def _column(force, p, i, h, Q):
    trial = p.copy()
    for sign in (1.0, -1.0):
        trial[i] = p[i] + sign * h
        try:
            return (force(trial) - Q) / (sign * h)
        except ModelError:
            if sign < 0:
                raise
    return None


def _said(names, p) -> str:
    return ", ".join(f"{n} = {x:.6g}" for n, x in zip(names, p, strict=True))


def _independent(model, still, names, B, N, w, weight, r, scale):
    """Refuse unknowns that cannot do it, and say which motions they leave unbalanced."""
    length = np.linalg.norm(B, axis=0)
    idle = [n for n, x in zip(names, length, strict=True) if x <= 1e-12 * (np.linalg.norm(r) + 1e-300) and x < 1e-9]
    if idle:
        raise AnalysisError(f"hold of '{model.name}': {', '.join(idle)} does no work in any motion of the pose, so it can be "
                            "anything and holds nothing (a dead point, or a load on what cannot move)")
    rank = np.linalg.matrix_rank(B / length, tol=1e-9)
    if rank < len(names):
        raise AnalysisError(f"hold of '{model.name}': {', '.join(names)} work on the same motion; {rank} of them is enough")
    if N.shape[1] > len(names):
        left = r - B @ np.linalg.lstsq(B, r, rcond=None)[0]
        if np.linalg.norm(left) > 1e-9 * scale:
            coordinates = _free(still, w, N, weight)
            raise AnalysisError(f"hold of '{model.name}': the pose has {N.shape[1]} free motions ({', '.join(coordinates)}) and "
                                f"{len(names)} unknown(s) ({', '.join(names)}); name {N.shape[1]} unknowns")


def _free(model, w, N, weight) -> list[str]:
    found = all_coordinates(model, w.system)
    w.run("rows")
    return [found[k].name for k in choose(found, rows(w, found), N, weight)]


def unbalanced(model, w, N, weight, Q) -> str:
    """The generalised force along each independent coordinate, in words."""
    found = all_coordinates(model, w.system)
    w.run("rows")
    G = rows(w, found)
    taken = choose(found, G, N, weight)
    basis = N @ np.linalg.inv(G[taken] @ N)
    return ", ".join(f"{x:.4g} along {found[k].name}" for k, x in zip(taken, basis.T @ Q, strict=True))
