"""A blow on a body: generalised impulses on all bodies.

    impulse P through the point p, turning impulse H:      (P, (p − c) × P + H),   c the centre of mass

along the components of v: ground axes for P, in space the body's own axes for the turn.  Joints answer at once: Δv = respond(Q)
(formulations/contract.py, rule 8), the same equation as for accelerations, so that D Δv = 0.
"""

from __future__ import annotations

import numpy as np

from dalembert.elements.element import name_of
from dalembert.errors import AnalysisError, hint


def wrench(sim, body, impulse, at, torque) -> np.ndarray:
    """Over v of all bodies."""
    s, name = sim.system, name_of(body, "push")
    if name not in s.bodies:
        raise AnalysisError(f"push: there is no body '{name}'{hint(name, s.bodies)} (bodies: {', '.join(s.bodies)})")
    if impulse is None and torque is None:
        raise AnalysisError(f"push on '{name}': give an impulse (N·s), or torque= (N·m·s), or both")
    k, d = s.bodies.index(name), s.dim
    turns = s.at_v(k).stop - s.at_v(k).start - d
    P = _vector(impulse, d, "impulse", name)
    H = _vector(torque, turns, "torque", name)
    q, _ = sim._bodies()
    c = np.array(s.each_q(q)[k, :d])
    arm = np.zeros(d) if at is None else _vector(at, d, "at", name) - c
    moment = (np.array([arm[0] * P[1] - arm[1] * P[0]]) if d == 2 else np.cross(arm, P)) + H
    if d == 3:
        e = s.each_q(q)[k, 3:]
        moment = _matrix(e).T @ moment
    out = np.zeros(s.nv)
    out[s.at_v(k)] = [*P, *moment]
    return out


def _vector(value, size: int, what: str, name: str) -> np.ndarray:
    if value is None:
        return np.zeros(size)
    try:
        found = np.atleast_1d(np.asarray(value, dtype=float))
    except (TypeError, ValueError):
        found = np.zeros(0)
    if found.shape != (size,) or not np.isfinite(found).all():
        raise AnalysisError(f"push on '{name}': {what} has {size} component{'s' * (size > 1)}, finite numbers; got {value!r:.60}")
    return found


def _matrix(e) -> np.ndarray:
    """Rotation of a quaternion (scalar first): body axes to ground axes."""
    a, u = e[0], e[1:]
    cross = np.array([[0.0, -u[2], u[1]], [u[2], 0.0, -u[0]], [-u[1], u[0], 0.0]])
    return np.eye(3) + 2.0 * a * cross + 2.0 * cross @ cross
