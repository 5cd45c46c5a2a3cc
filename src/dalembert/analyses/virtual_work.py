"""virtual_work: the work of all forces in a displacement that the joints allow; null_space: all such displacements by name.

    δW_e = Σ Q_e·δx          gravity, every force element, every driver: the rows of drives and all others with explicit time
                             (their efforts −λ are counted as external)
    δW_c = −Σ λ·D δx         every joint: zero in sum for each, though the works on its two bodies are not
    δW_i = (M v̇ + ω × Jω)·δx          inertia, per body                          in the computed motion  δW_e = δW_i

δx is a displacement with time stopped: twists (δr, δθ̄) of all bodies with D δx = 0 for every row but those of drives
(drives="held" keeps these too).  Statics is the case v = v̇ = 0: δW_e = 0.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from dalembert.analyses.accelerations import accelerations
from dalembert.analyses.toolbox.closing import metric
from dalembert.analyses.toolbox.independent import all_coordinates, body_rows, choose, named, rows
from dalembert.analyses.toolbox.mobility import null_space as free_motions
from dalembert.equations.workspace import workspace
from dalembert.errors import AnalysisError
from dalembert.results.motion import own_word


@dataclass
class VirtualWork:
    """Works by name; print it."""

    model: str
    t: float
    displacement: np.ndarray
    external: dict[str, float]
    constraint: dict[str, float]
    inertia: dict[str, float]
    single: dict[str, float] = field(repr=False)  # joint → |force| |displacement| summed over its rows and bodies: what cancels
    bodies: dict[str, tuple[np.ndarray, np.ndarray]] = field(repr=False)  # body → displacement of its reference point, its turn
    acting: float = field(repr=False)  # |force| |displacement| summed over external and inertia forces

    @property
    def external_total(self) -> float:
        return sum(self.external.values())

    @property
    def constraint_total(self) -> float:
        return sum(self.constraint.values())

    @property
    def inertia_total(self) -> float:
        return sum(self.inertia.values())

    @property
    def residual(self) -> float:
        """δW_e + δW_c − δW_i: zero in the computed motion."""
        return self.external_total + self.constraint_total - self.inertia_total

    @property
    def scale(self) -> float:
        """Sum of |force| |displacement| over all forces: what the residual is small against."""
        return sum(self.single.values()) + self.acting or 1.0

    def __str__(self):
        lines = [f"virtual work in '{self.model}' at t = {self.t:g}"]
        for title, part, total in (("external forces", self.external, self.external_total),
                                   ("constraint forces", self.constraint, self.constraint_total),
                                   ("inertia (Q_i)", self.inertia, self.inertia_total)):
            lines.append(f"  δW of {title}: {total:.6g}")
            lines += [f"    {name}: {x:.6g}" + (f"   (its parts: {self.single[name]:.6g})" if title.startswith("con") else "")
                      for name, x in part.items()]
        lines.append(f"  δW_e + δW_c − δW_i = {self.residual:.2e}")
        return "\n".join(lines)

    __repr__ = __str__


@dataclass
class NullSpace:
    """Basis of the displacements that the constraints allow; column k moves coordinate names[k] by one, the other names not."""

    model: str
    names: list[str]
    matrix: np.ndarray  # nv × f, twists (δr of the centre of mass, δθ̄) of all bodies
    bodies: list[dict[str, tuple[np.ndarray, np.ndarray]]]  # per column: body → displacement of its reference point, its turn
    particles: frozenset[str] = frozenset()  # bodies that have no turn

    def __str__(self):
        lines = [f"displacements of '{self.model}' that the constraints allow: {len(self.names)}"]
        for name, moved in zip(self.names, self.bodies, strict=True):
            lines.append(f"  δ({name}) = 1:")
            for body, (place, turn) in moved.items():
                turned = "" if body in self.particles else f", δθ = {_brief(turn)}"
                lines.append(f"    {body}: δr = {_brief(place)}{turned}")
        return "\n".join(lines)

    __repr__ = __str__


def _brief(x) -> str:
    values = [f"{v:.5g}" for v in np.atleast_1d(np.round(x, 12) + 0.0)]
    return values[0] if len(values) == 1 else f"({', '.join(values)})"


def _moved(work, x) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    d, out = work.system.dim, {}
    for b, name in enumerate(work.system.bodies):
        y = body_rows(work, b) @ x
        out[name] = (y[:d], y[2] if d == 2 else y[3:])
    return out


def _at(model, state, t, drives):
    """A workspace at the state, and the rows that bind displacements."""
    if drives not in ("released", "held"):
        raise AnalysisError(f"drives= is 'released' (their efforts do work) or 'held', not {drives!r}")
    solved = accelerations(model, state, t)
    w = workspace(solved.system)
    w.set(solved.t, solved.q, solved.v)
    w.run("rows")
    return solved, w, np.array([drives == "held" or not r.driver for r in solved.system.rows], dtype=bool)


def null_space(model, state=None, *, t=0.0, coordinates=None, drives="held") -> NullSpace:
    """Displacements that the constraints allow, by name; ``coordinates`` says which ones to use."""
    _, w, kept = _at(model, state, t, drives)
    weight = metric(w)
    N = free_motions(w, weight, kept)
    found = all_coordinates(model, w.system)
    wanted = [] if coordinates is None else [found.index(c) for c in named(model, w.system, coordinates, "null_space")]
    if len(wanted) not in (0, N.shape[1]):
        raise AnalysisError(f"null_space of '{model.name}': {N.shape[1]} coordinates are independent, got {len(wanted)}")
    G = rows(w, found)
    taken = choose(found, G, N, weight, wanted)
    basis = N @ np.linalg.inv(G[taken] @ N) if taken else N
    points = frozenset(w.system.bodies[k] for k in w.system.particles)
    return NullSpace(model.name, [found[k].name for k in taken], basis, [_moved(w, x) for x in basis.T], points)


def virtual_work(model, displacement=None, *, state=None, t=0.0, drives="released", seed=0) -> VirtualWork:
    """δW of all forces in a state (default: assembled), by element.

    ``displacement``: None for a random one that the joints allow; {"O": 1.0} for given changes of named coordinates (what they
    leave open moves as little as possible); or twists of all bodies as an array (then δW_c shows what the joints would do).
    """
    solved, w, kept = _at(model, state, t, drives)
    system, o = solved.system, solved.observed
    weight = metric(w)
    N = free_motions(w, weight, kept)
    x = _displacement(model, w, N, displacement, seed)
    n, d = system.kind.SIZE_V, system.dim
    Q = o.Q[0].copy()
    external: dict[str, float] = {}
    acting = _reach(system, w.mass() @ o.vdot[0], x) + _reach(system, Q, x)
    gravity = np.zeros(system.nv)
    for b, row in enumerate(system.tables.bodies):
        gravity[system.at_v(b)][:d] = row["mass"] * system.tables.gravity[:d]
    if np.any(gravity):
        external[own_word(model, "gravity")] = float(gravity @ x)
        Q -= gravity
    for name, e in model.elements.items():
        if e.kind == "force":
            w.only[0] = system.numbers[name]
            w.run("generalized_forces")
            external[name] = float(w.Q @ x)
            Q -= w.Q
    w.only[0] = -1
    constraint, single = {}, {}
    for name, g in system.groups.items():
        pushes = -o.lam[0, g.start:g.stop, None] * _rows_of(w, g)
        total = sum(float(o.reaction[0, n * k:n * k + n] @ x[system.at_v(b)]) for b, k in g.blocks.items())
        driver = np.array([r.driver for r in system.rows[g.start:g.stop]])
        if driver.any():
            external[name] = float((pushes[driver] @ x).sum())
        if not driver.all():
            constraint[name] = total - external.get(name, 0.0)
            single[name] = sum(_reach(system, f, x) for f in pushes[~driver])
    inertia = {}
    momentum = w.mass() @ o.vdot[0] - Q  # what is left in Q is −ω × Jω
    for b, name in enumerate(system.bodies):
        inertia[name] = float(momentum[system.at_v(b)] @ x[system.at_v(b)])
    return VirtualWork(model.name, solved.t, x, external, constraint, inertia, single, _moved(w, x), acting)


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
    if x.shape != (w.system.nv,):
        raise AnalysisError(f"virtual_work of '{model.name}': a displacement as an array has {w.system.nv} entries (twists of "
                            f"all bodies), got shape {x.shape}; give a dictionary of coordinates instead, as {{'O': 1.0}}")
    return x
