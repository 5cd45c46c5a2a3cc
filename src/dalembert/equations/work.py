"""A workspace with the compiled entries bound to it: one state and all that is computed from it.  One per thread."""

from __future__ import annotations

from typing import Any

import numpy as np

from dalembert._jit import Bound
from dalembert.equations.entries import ENTRIES
from dalembert.system.layout import System
from dalembert.system.tables import DROP, OPTIONS, REPORT, Workspace

DENSE_LIMIT = 600  # rows up to which the pivoted fallback has its room


class Work:
    """One workspace, and the entries bound to it."""

    def __init__(self, system: System):
        self.system = s = system
        kind, nq, nv, nc = s.kind, s.nq, s.nv, s.nc
        self.y, self.ydot = np.zeros(nq + nv + 3), np.zeros(nq + nv + 3)
        blocks = s.tables.blocks
        d_size = (int((blocks["at"] + blocks["count"] * kind.SIZE_V).max()) if blocks.size else 0) + 2 * kind.SIZE_V
        terms = max([3, *(int(r["stop"]) - int(r["start"]) for f in ("equation", "velocity_equation", "event")
                          for r in getattr(s.tables, f))])
        sizes = {"t": 1, "pose": kind.POSE * (s.nb + 1), "twist": kind.TWIST * (s.nb + 1), "phi": nc, "nu": nc,
                 "gamma": nc, "D": d_size, "T": d_size, "Q": nv, "S": s.S_size, "delta": nc, "before": nc,
                 "limit": nc, "choice": 2,
                 "scaled": s.scaled_size, "lam": nc, "residual": nc, "work": max(nv, nc, kind.SIZE_V),
                 "measured": 3 * s.tables.measures.size, "reaction": kind.SIZE_V * blocks.size,
                 "x0": max(8, terms + 1), "x1": max(8, terms + 1), "x2": max(8, terms + 1), "stack": 3 * s.depth + 3,
                 "wrench": 16, "strength": s.tables.effort.size, "dense": nc * nc if nc <= DENSE_LIMIT else 0,
                 "order": nc, "only": 1, "options": len(OPTIONS), "report": 12, "spare": nv, "held": nv, "g": s.tables.event.size}
        views = {"q": self.y[:nq], "v": self.y[nq:nq + nv], "ledger": self.y[nq + nv:],
                 "qdot": self.ydot[:nq], "vdot": self.ydot[nq:nq + nv], "power": self.ydot[nq + nv:]}
        arrays = {name: views[name] if name in views else np.zeros(sizes[name], dtype)
                  for name, dtype in zip(Workspace._fields, Workspace.dtypes, strict=True)}
        self.arrays = Workspace(**arrays)
        self.reset()
        self._bound: dict[str, Bound] = {}

    def reset(self) -> None:
        """As new: the drawn state, the default options, all else zero."""
        s, w, kind = self.system, self.arrays, self.system.kind
        for array in w:
            array[:] = 0
        w.only[0] = -1
        w.options[:] = [DROP, 1e-10, 1e-13 * s.size, 25, 0, s.nc, 1e-7]
        w.limit[:], w.choice[:] = DROP, (0.0, 1.0)
        ground = w.pose[kind.POSE * s.nb:]
        if s.dim == 2:
            ground[2] = 1.0
        else:
            ground[[3, 7, 11]] = 1.0
        self.set(0.0, s.q_drawn, s.v_drawn)

    def __getattr__(self, name) -> Any:
        return getattr(self.arrays, name)

    def set(self, t, q, v) -> None:
        self.arrays.t[0] = t
        self.arrays.q[:] = q
        self.arrays.v[:] = v

    def bound(self, name: str) -> Bound:
        """The compiled entry of that name on this workspace."""
        if name not in self._bound:
            group = "planar" if self.system.dim == 2 else "spatial"
            other = next(iter(self._bound.values()), None)
            self._bound[name] = (ENTRIES[group, name].bind(self.system.tables, self.arrays) if other is None
                                 else other.sibling(ENTRIES[group, name]))
        return self._bound[name]

    def run(self, name: str) -> int:
        return self.bound(name)()

    def reported(self, name: str) -> float:
        return float(self.arrays.report[REPORT[name]])

    def jacobian(self) -> np.ndarray:
        """D as a dense matrix (nc × nv), of the rows last evaluated."""
        n = self.system.kind.SIZE_V
        D = np.zeros((self.system.nc, self.system.nv))
        for b in self.system.tables.blocks:
            at, size, row, body = (int(b[k]) for k in ("at", "count", "row", "body"))
            D[row:row + size, n * body:n * body + n] = self.arrays.D[at:at + n * size].reshape(size, n)
        return D

    def mass(self) -> np.ndarray:
        """M as a dense matrix."""
        n = self.system.kind.SIZE_V
        M = np.zeros((self.system.nv, self.system.nv))
        for k, body in enumerate(self.system.tables.bodies):
            d = self.system.dim
            M[n * k:n * k + d, n * k:n * k + d] = np.eye(d) * body["mass"]
            M[n * k + d:n * k + n, n * k + d:n * k + n] = np.reshape(body["inertia"], (n - d, n - d))
        return M
