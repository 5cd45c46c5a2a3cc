"""Which forces of contacts are unique: how loads are shared among points, pairs of bodies and contacts.

Balance fixes the forces f of points and the multipliers λ of joints up to a null space,

    Σ Cᵀ δf + Dᵀ δλ = 0,      δf along the normal and, where a point sticks, across it; where it slides along its force, which the
                              law ties to the normal; a point that gives way keeps its normal force (its gap tells it);
                              δf_n ≥ 0 of a point that touches and carries nothing

A sum over points is unique if no such change alters it.  So a table on four legs has one resultant and many shares: said of
points, of the two bodies that touch, and of the contact by name.  Islands (what touches or is joined) are looked at one by one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

from dalembert.algebra.null_space import left_kernel, unit_rows
from dalembert.equations.workspace import workspace

SLIDES, STICKS, SOFT = 0, 1, 2  # of a point's state: slides or sticks, plus SOFT where it gives way
MOST = 120  # points of an island that is looked at
ISLANDS = 200
SEEN = 1e-3  # of a change of unit length: what counts as none (rows count as dependent below a sine of 1e-5)


@dataclass
class Shares:
    """What is not unique at one sample: contacts whose points, pairs of bodies or resultants have several answers."""

    points: set[str] = field(default_factory=set)
    pairs: set[tuple[str, str, str]] = field(default_factory=set)  # contact, two bodies
    resultants: set[str] = field(default_factory=set)
    unseen: int = 0  # points of islands that are too large to be looked at

    def __ior__(self, other: Shares) -> Shares:
        self.points |= other.points
        self.pairs |= other.pairs
        self.resultants |= other.resultants
        self.unseen = max(self.unseen, other.unseen)
        return self


def shares(run, sample: int) -> Shares:
    """Of the contacts of a run at one sample."""
    out, p = Shares(), run.touching.of(sample)
    D = _joints(run, sample)
    for count, (bodies, at, rows) in enumerate(_islands(run.system, p, D)):
        if len(at) > MOST or count >= ISLANDS:
            out.unseen += len(at)
        elif len(at):
            _look(run, p, bodies, at, D[rows], sample, out)
    return out


def _joints(run, sample: int) -> np.ndarray:
    s = run.system
    if not s.nc:
        return np.zeros((0, s.nv))
    w = workspace(s)
    k = range(len(run._t))[sample]
    w.set(run._t[k], run._q[k], run._v[k])
    w.run("rows")
    return w.jacobian().copy()


def _islands(system, p, D) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Bodies that hang together by points and joints, their points, their rows of D."""
    nb = system.nb
    pairs = [(a, b) for a, b in zip(p["first"], p["second"], strict=True) if a < nb and b < nb]
    held = [np.flatnonzero([np.any(row[system.at_v(b)]) for b in range(nb)]) for row in D]
    pairs += [(bodies[0], b) for bodies in held for b in bodies[1:]]
    i, j = np.array(pairs, int).reshape(-1, 2).T
    _, label = connected_components(coo_matrix((np.ones(len(i)), (i, j)), (nb, nb)), directed=False)
    of = label[np.where(p["first"] < nb, p["first"], np.minimum(p["second"], nb - 1))] if len(p["gap"]) else np.zeros(0, int)
    row_of = np.array([label[bodies[0]] if len(bodies) else -1 for bodies in held], int)
    for k in np.unique(of):
        yield np.flatnonzero(label == k), np.flatnonzero(of == k), np.flatnonzero(row_of == k)


def _directions(p, k, plane: bool) -> list[np.ndarray]:
    """The directions in which the force at a point may change."""
    n, state = p["normal"][k], int(p["state"][k])
    size = float(np.linalg.norm(p["force"][k]))
    if not state & STICKS:
        return [] if state & SOFT else [p["force"][k] / size if size > 0.0 else n]
    if plane:
        across = [np.array([-n[1], n[0], 0.0])]
    else:
        one = np.cross(n, np.eye(3)[int(np.argmin(np.abs(n)))])
        one /= np.linalg.norm(one)
        across = [one, np.cross(n, one)]
    return across if state & SOFT else [n, *across]


def _look(run, p, bodies, at, D, sample, out: Shares) -> None:
    system, plane = run.system, run.system.dim == 2
    nb, names = system.nb, [*system.bodies, "ground"]
    place = {int(b): k for k, b in enumerate(bodies)}
    x = p["x"][at]
    middle = x.mean(axis=0)
    centres = system.each_q(run._q[range(len(run._t))[sample]])[bodies, :system.dim]
    length = max(float(np.abs(x - middle).max()), float(np.abs(centres - middle[:system.dim]).max()), 1e-100)
    moves: list[np.ndarray] = []  # generalized force of every unknown, on all bodies of the island
    point_of, along = [], []
    for k in at:
        for d in _directions(p, k, plane):
            row = np.zeros((len(bodies), 6))
            moment = np.cross(p["x"][k] - middle, d) / length
            for body, sign in ((p["first"][k], -1.0), (p["second"][k], 1.0)):
                if body < nb:
                    row[place[int(body)]] += sign * np.array([*d, *moment])
            moves.append(row.ravel())
            point_of.append(k)
            along.append(d)
    if not moves:
        return
    moves += [_of_joint(run, row, bodies, middle, length, sample) for row in D]
    Z = left_kernel(unit_rows(np.array(moves))[0])[0] / unit_rows(np.array(moves))[1][:, None]
    if not Z.shape[1]:
        return
    points, directions = np.array(point_of), np.array(along)
    force = Z[:len(points)]
    Z = Z @ _allowed(p, points, directions, force)
    force, size = Z[:len(points)], max(float(np.abs(Z).max(initial=0.0)), 1e-300)

    def changes(chosen, signs) -> bool:
        """Whether the sum of forces and moments over chosen unknowns can change."""
        f = np.einsum("k,kc,kz->cz", signs, directions[chosen], force[chosen])
        m = np.einsum("k,kc,kz->cz", signs, np.cross(p["x"][points[chosen]] - middle, directions[chosen]) / length, force[chosen])
        return bool(max(np.abs(f).max(initial=0.0), np.abs(m).max(initial=0.0)) > SEEN * size)

    for c in np.unique(p["contact"][at]):
        name = run.touching.names[c]
        mine = p["contact"][points] == c
        if any(changes(np.flatnonzero(points == k), np.ones(int((points == k).sum()))) for k in np.unique(points[mine])):
            out.points.add(name)
        for a, b in {(int(i), int(j)) for i, j in zip(p["first"][points[mine]], p["second"][points[mine]], strict=True)}:
            chosen = np.flatnonzero(mine & (p["first"][points] == a) & (p["second"][points] == b))
            if changes(chosen, np.ones(len(chosen))):
                out.pairs.add((name, names[a], names[b]))
        chosen = np.flatnonzero(mine)
        if changes(chosen, np.array([_sign(run.model.contacts[name], names, p, k) for k in points[chosen]])):
            out.resultants.add(name)


def _of_joint(run, row, bodies, middle, length, sample) -> np.ndarray:
    """A row of D as forces and moments about ``middle`` on the bodies of an island."""
    system, out = run.system, np.zeros((len(bodies), 6))
    k = range(len(run._t))[sample]
    for n, b in enumerate(bodies):
        part, q = row[system.at_v(int(b))], system.each_q(run._q[k])[b]
        f, m, x = np.zeros(3), np.zeros(3), np.zeros(3)
        f[:system.dim], x[:system.dim] = part[:system.dim], q[:system.dim]
        if system.dim == 2:
            m[2] = part[2]
        else:
            turn = np.reshape(run[system.bodies[b]].rotation, (-1, 3, 3))[k]
            m = turn @ part[3:]
        out[n] = [*f, *((m + np.cross(x - middle, f)) / length)]
    return out.ravel()


def _allowed(p, points, directions, force) -> np.ndarray:
    """Combinations of null vectors that no unloaded point forbids: a basis of their span."""
    normal = np.sum(p["normal"][points] * directions, axis=1)
    idle = np.flatnonzero((np.linalg.norm(p["force"][points], axis=1) == 0.0) & (np.abs(normal) > 0.5))
    n = force.shape[1]
    if not len(idle):
        return np.eye(n)
    A, found = force[idle], []
    for goal in (*A, *np.eye(n), *-np.eye(n)):
        best = linprog(-goal, A_ub=-A, b_ub=np.zeros(len(A)), bounds=[(-1.0, 1.0)] * n)
        if best.status == 0 and -best.fun > SEEN:
            found.append(best.x)
    return np.array(found).T if found else np.zeros((n, 0))


def _sign(contact, names, p, k) -> float:
    """On whom the resultant of a contact is read (model/touching.py): the second body 1, the first −1, both 0."""
    first, second = names[p["first"][k]], names[p["second"][k]]
    if "ground" in (first, second):
        return 1.0 if first == "ground" else -1.0
    a, b = (({*names} if "all" in side else {*side}) for side in contact.sides())
    forth, back = first in a and second in b, second in a and first in b
    return 0.0 if forth and back else 1.0 if forth else -1.0


def told(run) -> list[str]:
    """Sentences for the notes of a run: of its last sample and a few others."""
    if run.touching is None or not len(run.touching.points["gap"]):
        return []
    found, n = Shares(), len(run._t)
    for k in sorted({n - 1, *np.linspace(0, n - 1, min(n, 6)).astype(int).tolist()}):
        found |= shares(run, k)
    out = []
    listed = lambda names: ", ".join(f"'{x}'" for x in sorted(names)[:6]) + (" …" if len(names) > 6 else "")  # noqa: E731
    if found.resultants:
        out.append(f"the resultant of {listed(found.resultants)} is not unique: other contacts or joints could carry more and it "
                   "less, with the same motion; one of many answers is given")
    pairs = {f"{a} and {b}" for c, a, b in found.pairs if c not in found.resultants}
    if pairs:
        out.append(f"what {listed(pairs)} exert on each other is not unique, though the sum by contact is")
    points = found.points - found.resultants
    if points:
        out.append(f"forces at single points of {listed(points)} are not unique (more points than balance needs, as of a table "
                   "on four legs); their sum is" + ("" if not pairs else ", where nothing else is said"))
    if found.unseen:
        out.append(f"whether forces are unique was not asked where more than {MOST} points hang together")
    return out
