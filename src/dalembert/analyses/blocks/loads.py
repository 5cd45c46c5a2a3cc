"""Q_e load by load: which element pushes which body, and of which kind it is.

    m       forces per unit mass: gravity and what acts on the particles of bodies (F^m, n̄^m of the course)
    a       applied forces: every other force element, and central forces of gears (equations/central.py), held by the bearings
    gyro    −ω̃J̄ω̄, the inertia forces quadratic in velocity (space)
"""

from __future__ import annotations

import numpy as np

from dalembert.analyses.toolbox.loads import loads
from dalembert.errors import AnalysisError
from dalembert.results.motion import own_word

GYRO = "−ω̃J̄ω̄"


def split(solved, w, D, lam) -> dict[str, tuple[str, np.ndarray]]:
    """Every load by its name: its kind and its generalised force, in the engine's order; ``w`` is a workspace at the state."""
    s, model, d = solved.system, solved.model, solved.system.dim
    per_mass = {own_word(model, "gravity"), *(name for name, e in model.elements.items() if e.kind == "force" and e.by_particles)}
    found = {name: ("m" if name in per_mass else "a", Q) for name, Q in loads(model, w).items()}
    if d == 3:
        found[GYRO] = ("gyro", _gyroscopic(s, solved.v))
    rest = solved.observed.Q[0] - sum((Q for _, Q in found.values()), np.zeros(s.nv))
    size = sum(np.abs(Q).max(initial=0.0) for _, Q in found.values())
    if np.abs(rest).max(initial=0.0) > 1e-9 * size:
        raise AnalysisError(f"matrices of '{model.name}': a force of {np.abs(rest).max():.3g} belongs to no element")
    return found | {name: ("a", Q) for name, Q in _central(solved, D, lam).items()}


def _gyroscopic(s, v) -> np.ndarray:
    out = np.zeros(s.nv)
    for b, row in enumerate(s.tables.bodies):
        omega, J = v[s.at_v(b)][3:], np.reshape(row["inertia"], (3, 3))
        out[s.at_v(b)][3:] = -np.cross(omega, J @ omega)
    return out


def _central(solved, D, lam) -> dict[str, np.ndarray]:
    """What the reactions of gears hold besides −Dᵀλ."""
    s, n, out = solved.system, solved.system.kind.SIZE_V, {}
    for name, teeth in s.teeth.items():
        if teeth.slope or teeth.constant:
            g, Q = s.groups[name], np.zeros(s.nv)
            for body, k in g.blocks.items():
                at = s.at_v(body)
                Q[at] = solved.observed.reaction[0, n * k:n * k + n] + D[g.start:g.stop, at].T @ lam[g.start:g.stop]
            out[f"{name} (central force)"] = Q
    return out
