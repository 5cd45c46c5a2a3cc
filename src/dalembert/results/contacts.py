"""What a run knows of its contacts: sums by name, points with their forces, losses, and how well the law was met.

    sums      samples × contacts × 13: force, torque about the origin, power (of both sides), impulse since the start, its moment
    wrench    samples × bodies × 6: force and torque about the centre of mass, ground axes (the step that ends at the sample)
    points    of all samples one behind the other; sample k has those from start[k] to start[k + 1]
    history   samples × HISTORY: largest since the sample before; J lost since the start, J in springs of contacts that give way

Accelerations and reactions at the samples are those with these forces: v̇ = v̇(Q + w) (``answered``).
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import numpy as np

from dalembert.elements.element import name_of
from dalembert.equations.workspace import workspace
from dalembert.errors import AnalysisError, hint
from dalembert.model.standing import standing
from dalembert.results.views.view import View

if TYPE_CHECKING:
    from dalembert.results.trust.shares import Shares

HISTORY = ("residual", "rms", "penetration", "closed", "friction", "impact", "stored")
POINTS = ("contact", "first", "second", "x", "normal", "force", "gap", "state")  # state: 1 sticks, plus 2 where it gives way
MOST_POINTS = 4_000_000


class Touching:
    """Contacts of one run; plain arrays by name (``plain``), as they are saved."""

    def __init__(self, names, sums, wrench, history, start, points):
        self.names, self.sums, self.wrench, self.history = list(names), sums, wrench, history
        self.start, self.points = start, points

    def __getattr__(self, name):
        if name in HISTORY:
            return self.history[:, HISTORY.index(name)]
        raise AttributeError(name)

    def plain(self) -> dict:
        return {"names": self.names, "sums": self.sums, "wrench": self.wrench, "history": self.history, "start": self.start,
                "points": dict(self.points)}

    @classmethod
    def restored(cls, found, samples: int, bodies: int) -> Touching:
        """From a file; sizes that do not belong together are refused."""
        t = cls(*(found[k] for k in ("names", "sums", "wrench", "history", "start", "points")))
        t.points.setdefault("state", np.ones(len(t.points["gap"]), np.int64))  # of before this was kept
        n = len(t.points["gap"])
        if t.history.shape == (samples, len(HISTORY) - 1):  # of before contacts could give way
            t.history = np.pad(t.history, ((0, 0), (0, 1)))
        good = (t.sums.shape == (samples, len(t.names), 13) and t.wrench.shape == (samples, bodies, 6)
                and t.history.shape == (samples, len(HISTORY)) and t.start.shape == (samples + 1,)
                and np.all(np.diff(t.start) >= 0) and t.start[0] == 0 and t.start[-1] == n
                and all(len(t.points[k]) == n for k in POINTS))
        if not good:
            raise AnalysisError("what is kept of contacts does not belong together")
        return t

    def shared(self, run) -> dict[str, np.ndarray]:
        """Arrays of the stepping state that the file holds anyway."""
        return {"t": run._t, "q": run._q, "v": run._v, "ledger": run._ledger, "sums": self.sums, "wrench": self.wrench,
                "history": self.history, "points_start": self.start, **{f"points_{k}": self.points[k] for k in POINTS}}

    def of(self, sample: int) -> dict[str, np.ndarray]:
        """The points of one sample."""
        samples = len(self.start) - 1
        if not -samples <= sample < samples:
            raise AnalysisError(f"there is no sample {sample}: the run has {samples} (0 … {samples - 1}, or −1 for the last)")
        k = range(samples)[sample]
        return {name: values[self.start[k]:self.start[k + 1]] for name, values in self.points.items()}


def answered(system, t, q, v, found: dict, wrench: np.ndarray) -> None:
    """Contact forces into what was observed: v̇, λ, reactions and forces Q of every sample."""
    each = np.zeros((len(t), system.nb, system.kind.SIZE_V))
    d = system.dim
    each[..., :d] = wrench[..., :d]
    A = found["pose"].reshape(len(t), system.nb + 1, -1)[:, :system.nb]
    if d == 2:
        each[..., 2] = wrench[..., 5]
    else:
        each[..., 3:] = np.einsum("tbij,tbi->tbj", A[..., 3:].reshape(len(t), system.nb, 3, 3), wrench[..., 3:])
    Q = each.reshape(len(t), -1)
    bodies = system.tables.bodies
    a = each.copy()
    a[..., :d] *= bodies["inverse_mass"][:, None]
    if d == 2:
        a[..., 2] *= bodies["inverse_inertia"]
    else:
        a[..., 3:] = np.einsum("bij,tbj->tbi", bodies["inverse_inertia"].reshape(-1, 3, 3), each[..., 3:])
    a = a.reshape(len(t), -1)
    found["Q"] += Q
    if not system.nc:
        found["vdot"] += a
        return
    w = workspace(system)
    M = w.mass()
    n = system.kind.SIZE_V
    for k in np.flatnonzero(np.any(Q, axis=1)):
        w.set(t[k], q[k], v[k])
        w.run("observe")
        D = w.jacobian()
        mu = w.solve(D @ a[k]).copy()
        change = a[k] - np.linalg.solve(M, D.T @ mu)
        found["vdot"][k] += change
        found["lam"][k] += mu
        for group in system.groups.values():
            for body, block in group.blocks.items():
                rows = D[group.start:group.stop, system.at_v(body)]
                found["reaction"][k, n * block:n * block + n] -= rows.T @ mu[group.start:group.stop]


class ContactView(View):
    """A contact by name: force and torque on its bodies b (torque about the ground's origin), power, impulse, points."""

    def __init__(self, motion, name, body=None, point=None, other=None):
        self._m, self.name, self._body, self._point, self._other = motion, name, body, point, other
        touching = getattr(motion, "touching", None)
        if touching is None:
            raise AnalysisError(f"contact '{name}' has forces in runs of simulate only")
        self._t: Touching = touching
        self._k = self._t.names.index(name)

    def on(self, body) -> ContactView:
        """Only what acts on one body."""
        name = name_of(body, "on")
        if name not in self._m.system.bodies:
            raise AnalysisError(f"contact '{self.name}' does not act on '{name}'; bodies: {', '.join(self._m.system.bodies)}")
        return ContactView(self._m, self.name, name, self._point)

    def between(self, a, b) -> ContactView:
        """What two bodies exert on each other, read on the second: run["stones"].between("stone 1", "stone 2").force."""
        names = [*self._m.system.bodies, "ground"]
        pair = tuple(name_of(x, "between") for x in (a, b))
        fixed = {f.name for f in standing(self._m.model)}
        for name in pair:
            if name in fixed - {"ground"}:
                raise AnalysisError(f"between: '{name}' is a fixture; what stands still is 'ground' here (give each fixture a "
                                    "contact of its own to tell them apart)")
            if name not in names:
                raise AnalysisError(f"between: there is no body '{name}'{hint(name, names)} (bodies: {', '.join(names)})")
        return ContactView(self._m, self.name, pair[1], self._point, pair[0])

    def unique(self, sample: int = -1) -> Shares:
        """What of its forces is not unique at one sample: .points, .pairs, .resultants (names; empty where all are unique)."""
        from dalembert.results.trust.shares import Shares, shares

        found = shares(self._m, sample)
        return Shares(found.points & {self.name}, {p for p in found.pairs if p[0] == self.name}, found.resultants & {self.name},
                      found.unseen)

    def at(self, point) -> ContactView:
        """The same with the torque about another point (ground coordinates)."""
        return ContactView(self._m, self.name, self._body, np.asarray(point, float), self._other)

    def _wrench(self):
        d = self._m.system.dim
        if self._body is None:
            force, torque = self._t.sums[:, self._k, :3], self._t.sums[:, self._k, 3:6]
        else:
            names = [*self._m.system.bodies, "ground"]
            force, torque = self._by_points(*(None if x is None else names.index(x) for x in (self._body, self._other)))
        if self._point is not None:
            p = np.zeros((len(force), 3))
            p[:, :d] = self._point
            torque = torque - np.cross(p, force)
        return force[:, :d], torque[:, 2] if d == 2 else torque

    def _by_points(self, body, other):
        p, start = self._t.points, self._t.start
        second, first = p["second"] == body, p["first"] == body
        if other is not None:
            second, first = second & (p["first"] == other), first & (p["second"] == other)
        sign = (np.where(second, 1.0, 0.0) - np.where(first, 1.0, 0.0)) * (p["contact"] == self._k)
        force = sign[:, None] * p["force"]
        torque = np.cross(p["x"], force)
        add = lambda x: np.array([x[a:b].sum(axis=0) for a, b in itertools.pairwise(start)])  # noqa: E731
        return add(force), add(torque)

    def _of_all(self, what: str) -> None:
        """Refuse for one body what is summed over all."""
        if self._body is not None:
            whose = f"on '{self._body}'" if self._other is None else f"between '{self._other}' and '{self._body}'"
            raise AnalysisError(f"the {what} of contact '{self.name}' is known of the whole contact only, not {whose}; give "
                                "these two bodies a Contact of their own (of several, the one added last counts)")

    @property
    def force(self):
        return self._m.shape(self._wrench()[0])

    @property
    def torque(self):
        return self._m.shape(self._wrench()[1])

    @property
    def power(self):
        """Work per second of the contact on both sides: negative while friction slides."""
        self._of_all("power")
        return self._m.shape(self._t.sums[:, self._k, 6])

    @property
    def impulse(self):
        """∫ force dt since the start, blows included."""
        self._of_all("impulse")
        return self._m.shape(self._t.sums[:, self._k, 7:7 + self._m.system.dim])

    def points(self, sample: int = -1) -> dict[str, np.ndarray]:
        """Points that carry something at one sample: x, normal (from first to second body), force on the second, gap, bodies."""
        found, d = self._t.of(sample), self._m.system.dim
        mine = (found["contact"] == self._k) & np.any(found["force"] != 0.0, axis=1)
        names = [*self._m.system.bodies, "ground"]
        out = {k: found[k][mine][:, :d] for k in ("x", "normal", "force")}
        return out | {"gap": found["gap"][mine], "first": [names[k] for k in found["first"][mine]],
                      "second": [names[k] for k in found["second"][mine]]}
