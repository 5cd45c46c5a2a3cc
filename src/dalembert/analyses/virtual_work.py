"""virtual_work: the work of all forces in a displacement that the joints allow; null_space: all such displacements by name.

    δW_e = Σ Q_e·δx          gravity, every force element, every driver: the rows of drives and all others with explicit time
                             (their efforts −λ are counted as external)
    δW_c = −Σ λ·D δx         every joint: zero in sum for each, though the works on its two bodies are not
    δW_i = (M v̇ + ω × Jω)·δx          inertia, per body                          in the computed motion  δW_e = δW_i

δx is a displacement with time stopped: twists (δr, δπ̄) of all bodies (δr of the centre of mass in ground axes, δπ̄ in body axes)
with D δx = 0 for every row but those of drives (drives="held" keeps these too).  Statics is the case v = v̇ = 0: δW_e = 0.

By body:  δW_e^i + δW_c^i − δW_i^i = 0 for every body i and every displacement: ``table`` has bodies down and forces across.
A joint's work on one of its bodies is not zero, the one on the other is its opposite: ``parts`` has both.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dalembert.analyses.accelerations import accelerations
from dalembert.analyses.free_bodies.displacement import Displacement
from dalembert.analyses.free_bodies.works import NullSpace, VirtualWork
from dalembert.analyses.toolbox.closing import metric
from dalembert.analyses.toolbox.independent import all_coordinates, choose, named, rows
from dalembert.analyses.toolbox.loads import loads
from dalembert.analyses.toolbox.mobility import null_space as free_motions
from dalembert.analyses.toolbox.named import Named, axis
from dalembert.analyses.toolbox.stateless import refuse_friction
from dalembert.elements.given import Names
from dalembert.equations.workspace import workspace
from dalembert.errors import AnalysisError
from dalembert.model.model import Model
from dalembert.results.motion import State


def _at(model, state, t, drives):
    """A workspace at the state, and the rows that bind displacements."""
    if drives not in ("released", "held"):
        raise AnalysisError(f"drives= is 'released' (their efforts do work) or 'held', not {drives!r}")
    solved = accelerations(model, state, t)
    w = workspace(solved.system)
    w.set(solved.t, solved.q, solved.v)
    w.run("rows")
    return solved, w, np.array([drives == "held" or not r.driver for r in solved.system.rows], dtype=bool)


def null_space(model: Model, state: State | None = None, *, t: float = 0.0, coordinates: Names | None = None,
               drives: str = "held") -> NullSpace:
    """Displacements that the constraints allow, by name.

    Parameters
    ----------
    model : Model
        The mechanism.
    state : State, optional
        Where; left out: assembled at time t.
    t : number [s], default 0.0
        Time of the drawing that is assembled.
    coordinates : names, optional
        Which ones to use; left out: chosen.
    drives : str, default "held"
        Or "released": drives are no constraints.

    Returns
    -------
    NullSpace
        One column for each degree of freedom.
    """
    solved, w, kept = _at(model, state, t, drives)
    weight = metric(w)
    N = free_motions(w, weight, kept)
    found = all_coordinates(model, w.system)
    wanted = [] if coordinates is None else [found.index(c) for c in named(model, w.system, coordinates, "null_space")]
    if len(wanted) not in (0, N.shape[1]):
        raise AnalysisError(f"null_space of '{model.name}': {N.shape[1]} coordinates are independent, got {len(wanted)}")
    G = rows(w, found)
    taken = choose(found, G, N, weight, wanted)
    basis = N @ np.linalg.inv(G[taken] @ N) if taken else N
    return NullSpace(model.name, [found[k].name for k in taken], basis, [Displacement(solved, x) for x in basis.T])


def virtual_work(model: Model, displacement: Any = None, *, state: State | None = None, t: float = 0.0, drives: str = "released",
                 seed: int = 0) -> VirtualWork:
    """δW of all forces in a state, by element.

    Parameters
    ----------
    model : Model
        The mechanism.
    displacement : dict or array, optional
        {"O": 1.0} for given changes of named coordinates (what they leave open moves as little as possible); or twists of
        all bodies as an array (then δW_c shows what the joints would do); left out: a random one that the joints allow.
    state : State, optional
        Where; left out: assembled at time t.
    t : number [s], default 0.0
        Time of the drawing that is assembled.
    drives : str, default "released"
        Or "held": displacements that the drives allow.
    seed : int, default 0
        Of the random displacement.

    Returns
    -------
    VirtualWork
        δW by element and in sum.
    """
    refuse_friction(model, f"virtual_work of '{getattr(model, 'name', model)}'")
    solved, w, kept = _at(model, state, t, drives)
    system, o = solved.system, solved.observed
    weight = metric(w)
    N = free_motions(w, weight, kept)
    x = _displacement(model, w, N, displacement, seed)
    Q = o.Q[0].copy()
    acting = _reach(system, w.mass() @ o.vdot[0], x) + _reach(system, Q, x)
    external: dict[str, np.ndarray] = {}  # force → work on each body
    for name, force in loads(model, w).items():
        external[name] = _works(system, force, x)
        Q -= force
    constraint, single = {}, {}
    for name, g in system.groups.items():
        pushes = -o.lam[0, g.start:g.stop, None] * _rows_of(w, g)
        driver = np.array([r.driver for r in system.rows[g.start:g.stop]])
        supplied = _works(system, pushes[driver].sum(axis=0), x)
        if driver.any():
            external[name] = supplied
        if not driver.all():
            constraint[name] = _works(system, _reaction(system, o, g), x) - supplied
            single[name] = sum(_reach(system, f, x) for f in pushes[~driver])
    inertia = _works(system, w.mass() @ o.vdot[0] - Q, x)  # what is left in Q is −ω × Jω
    columns = axis(external, "δW_e") + axis(constraint, "δW_c") + axis(["inertia"], "δW_i")
    table = Named("δW", np.array([*external.values(), *constraint.values(), inertia]).T, axis(system.bodies, "bodies"), columns,
                  "work on each body", r"\delta W")
    return VirtualWork(model.name, solved.t, x, table, single, acting, Displacement(solved, x))


def _works(system, force, x) -> np.ndarray:
    """Work of a generalised force on each body."""
    return (system.each_v(force) * system.each_v(x)).sum(axis=1)


def _reaction(system, o, g) -> np.ndarray:
    """What an element's rows do to the bodies, as a generalised force."""
    n, out = system.kind.SIZE_V, np.zeros(system.nv)
    for b, k in g.blocks.items():
        out[system.at_v(b)] = o.reaction[0, n * k:n * k + n]
    return out


def _reach(system, force, x) -> float:
    """Σ |force| |displacement| + |torque| |turn| over the bodies: the work if all were along the displacement."""
    d = system.dim
    f, y = system.each_v(force), system.each_v(x)
    return float(sum((np.linalg.norm(f[:, part], axis=1) * np.linalg.norm(y[:, part], axis=1)).sum()
                     for part in (slice(0, d), slice(d, None))))


def _rows_of(w, g) -> np.ndarray:
    """Rows of D of one element (rows × nv)."""
    out = np.zeros((g.stop - g.start, w.system.nv))
    for body, block in g.blocks.items():
        at, to = int(w.system.tables.blocks[block]["at"]), w.system.at_v(body)
        out[:, to] = w.D[at:at + (to.stop - to.start) * len(out)].reshape(len(out), -1)
    return out


def _displacement(model, w, N, given, seed) -> np.ndarray:
    if given is None:
        if not N.shape[1]:
            return np.zeros(w.system.nv)
        x = N @ np.random.default_rng(seed).standard_normal(N.shape[1])
        return x / np.abs(x).max()
    if isinstance(given, dict):
        found = named(model, w.system, given, "virtual_work")
        want = np.array([float(v) for v in given.values()])
        G = rows(w, found) @ N
        y = np.linalg.lstsq(G, want, rcond=1e-10)[0] if N.shape[1] else np.zeros(0)
        if np.abs(G @ y - want).max(initial=0.0) > 1e-9 * np.abs(want).max(initial=1e-300):
            raise AnalysisError(f"virtual_work of '{model.name}': the joints do not allow the displacement "
                                f"{', '.join(f'δ({k}) = {v:g}' for k, v in given.items())}; there are {N.shape[1]} free "
                                "motion(s), see null_space")
        return N @ y
    x = np.asarray(given, dtype=float)
    if x.shape == (w.system.freedoms,):  # without idle turns of particles, as columns of matrices(layout="body").B
        whole = np.zeros(w.system.nv)
        whole[w.system.moving] = x
        return whole
    raise AnalysisError(f"virtual_work of '{model.name}': a displacement as an array has {w.system.freedoms} entries (twists of "
                        f"all bodies), got shape {x.shape}; give a dictionary of coordinates instead, as {{'O': 1.0}}")
