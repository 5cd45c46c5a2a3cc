"""Parameters that share a lane of duals on the way back: those that no force and no row sees both of.

The parameters' part of a stage is aᵀ u_p − bᵀ ρ_p (formulations/augmented/adjoint.py), and a dual pass has WIDTH lanes.  What one
parameter moves (the mass of a link, the place of its pin) is seen by few rows of u and ρ; those seen by different rows can be
moved together in one lane, and every row says whose derivative its tangent is: as K is found with classes of bodies
(newton/classes.py).  A parameter of the start alone moves no row and needs no lane.

Which rows see a parameter is tried at the start and beside it, with velocities, accelerations and multipliers drawn at random.
Parameters of a stop that is out of reach there are not seen: they get lanes of their own.  Where one was seen in part only, the
way back does not agree with the tangent along a random combination of all parameters with which it is compared (gradient.py:
_agrees); then every parameter gets a lane of its own, and the way is gone once more.
"""

from __future__ import annotations

import numpy as np

from dalembert._jit.duals import WIDTH
from dalembert.analyses.derived.parameters import seed
from dalembert.formulations.augmented.derivatives import Derivatives

PROBES = 3
ASIDE = 0.1  # of the mechanism's size, rad: how far beside the start


def seen(work, moves) -> tuple[np.ndarray, np.ndarray]:
    """Which rows see which parameter: of u, and of constraints (parameters × rows); the workspace is left where it was."""
    s, y, t = work.system, work.y.copy(), float(work.t[0])
    forces, rows = np.zeros((len(moves), s.nv), bool), np.zeros((len(moves), s.nc), bool)
    d, random = Derivatives(work), np.random.default_rng(3)
    for first in range(0, len(moves), WIDTH):
        group = moves[first:first + WIDTH]
        seed(d, group)
        here = slice(first, first + len(group))
        for probe in range(PROBES):
            work.t[0], work.y[:] = t, y
            if probe:
                work.move(ASIDE * s.units(1.0) * random.uniform(-1, 1, s.nv))
            work.v[:] += random.uniform(-1, 1, s.nv)
            work.vdot[:], work.lam[:] = random.uniform(-1, 1, s.nv), random.uniform(-1, 1, s.nc)
            d.run("balanced")
            forces[here] |= d.found["u"].T[:len(group)] != 0.0
            rows[here] |= d.found["rho"].T[:len(group)] != 0.0
            d.run("speeds")
            rows[here] |= (d.found["speed"].T[:len(group)] != 0.0) | (d.found["phi"].T[:len(group)] != 0.0)
    work.t[0], work.y[:] = t, y
    work.run("accelerations")
    for k, m in enumerate(moves):  # what moves tables and was not seen (a stop out of reach) may be seen later, by any row
        if m.changed and not (forces[k].any() or rows[k].any()):
            forces[k], rows[k] = True, True
    return forces, rows


def shared(forces, rows) -> list[list[int]]:
    """Parameters of each lane: no two of them are seen by the same row; those that nothing sees are in none."""
    marks = np.hstack([forces, rows])
    lanes: list[list[int]] = []
    taken: list[np.ndarray] = []
    for k in sorted(range(len(marks)), key=lambda k: -int(marks[k].sum())):
        if not marks[k].any():
            continue
        for lane, used in zip(lanes, taken, strict=True):
            if not np.any(used & marks[k]):
                lane.append(k)
                used |= marks[k]
                break
        else:
            lanes.append([k])
            taken.append(marks[k].copy())
    return lanes


def owners(lanes, marks, nobody) -> np.ndarray:
    """Whose derivative the tangent of a row is in each of WIDTH lanes (rows × WIDTH): ``nobody`` where none is seen."""
    out = np.full((marks.shape[1], WIDTH), nobody, np.int64)
    for lane, members in enumerate(lanes):
        for k in members:
            out[marks[k], lane] = k
    return out
