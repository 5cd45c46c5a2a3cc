"""A workspace: one state of a system and all that is computed from it, with compiled entries bound to it.  One per thread."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from dalembert._jit import Bound, Entry
from dalembert.algebra.null_space import DROP
from dalembert.system.arrays import REPORT, Arrays
from dalembert.system.layout import System
from dalembert.system.tables import RIDING

DEFAULTS = {"drop": DROP, "residual": 1e-10, "iterations": 25.0, "loose": 0.0, "poor": 1e-7}  # and two by the system
DENSE_LIMIT = 600  # rows up to which the pivoted fallback has its room


class Workspace:
    """Arrays of one state (system/arrays.py), and ``entries`` (by name) bound to them; made by equations/workspace.py."""

    options: Any
    report: Any

    def __init__(self, system: System, entries: Mapping[str, Entry]):
        self.system, self._entries = system, entries
        nq, nv = system.nq, system.nv
        self.y, self.ydot = np.zeros(nq + nv + RIDING), np.zeros(nq + nv + RIDING)
        views = {"q": self.y[:nq], "v": self.y[nq:nq + nv], "ledger": self.y[nq + nv:],
                 "qdot": self.ydot[:nq], "vdot": self.ydot[nq:nq + nv], "power": self.ydot[nq + nv:]}
        sizes = _sizes(system)
        arrays = {name: views[name] if name in views else np.zeros(sizes[name], dtype)
                  for name, dtype in zip(Arrays._fields, Arrays.dtypes, strict=True)}
        self.arrays = Arrays(**arrays)
        self.options, self.report = (arrays[name].view(np.recarray)[0] for name in ("options", "report"))
        self._begin()
        self._bound: dict[str, Bound] = {}

    def reset(self) -> None:
        """As new: the drawn state, the default options, all else zero."""
        for array in self.arrays:
            array[:] = np.zeros((), array.dtype)
        self._begin()

    def _begin(self) -> None:
        s, w, kind = self.system, self.arrays, self.system.kind
        w.only[0] = -1
        for name, value in (DEFAULTS | {"tolerance": 1e-13 * s.size, "dependent": s.nc}).items():
            w.options[name] = value
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
            other = next(iter(self._bound.values()), None)
            entry = self._entries[name]
            self._bound[name] = entry.bind(self.system.tables, self.arrays) if other is None else other.sibling(entry)
        return self._bound[name]

    def run(self, name: str) -> int:
        return self.bound(name)()

    def move(self, shift) -> int:
        """q ← q ⊕ shift, a displacement of all bodies as a twist."""
        self.arrays.shift[:] = shift
        return self.run("move")

    def solve(self, rhs) -> np.ndarray:
        """S⁺ rhs, with the factors at hand."""
        self.arrays.rhs[:] = rhs
        self.run("solve")
        return self.arrays.rhs

    @property
    def quality(self) -> np.ndarray:
        """Pivot and number of rows left out, as an array that lives: what integrators watch."""
        at = REPORT.names.index("pivot")  # type: ignore[union-attr]
        return self.arrays.report.view("f8")[at:at + 2]

    def jacobian(self) -> np.ndarray:
        """D as a dense matrix (nc × nv), of the rows last evaluated."""
        D = np.zeros(self.system.nc * self.system.nv)
        source, to = self.system.dense_rows
        D[to] = self.arrays.D[source]
        return D.reshape(self.system.nc, self.system.nv)

    def sparse_jacobian(self):
        """D as a sparse matrix (rows in CSR), of the rows last evaluated."""
        from scipy import sparse

        source, to = self.system.dense_rows
        shape = (self.system.nc, self.system.nv)
        return sparse.csr_matrix((self.arrays.D[source], (to // shape[1], to % shape[1])), shape=shape)

    def gradients(self) -> np.ndarray:
        """Gradients of all measures as a dense matrix (measures × nv), at the state in (t, q, v)."""
        self.run("gradients")
        s, measures = self.system, self.system.tables.measures
        G = np.zeros((measures.size, s.nv))
        for k, parts in enumerate(self.arrays.gradient.reshape(measures.size, 2, -1)):
            for part, side in zip(parts, ("i", "j"), strict=True):
                body = int(s.tables.markers[measures[k][side]]["body"])
                if body < s.nb:
                    G[k, s.at_v(body)] += part
        return G

    def mass(self) -> np.ndarray:
        """M as a dense matrix."""
        return self.system.dense_mass.copy()

    def metric_blocks(self) -> np.ndarray:
        """M body by body (bodies × n × n), with stand-ins for zero moments (equations/spinless.py): regular, to measure with."""
        s, d, n = self.system, self.system.dim, self.system.kind.SIZE_V
        blocks = np.zeros((s.nb, n, n))
        blocks[:, range(d), range(d)] = s.tables.bodies["mass"][:, None]
        blocks[:, d:, d:] = s.tables.bodies["inertia"].reshape(s.nb, n - d, n - d)
        for k in s.spinless:
            blocks[k, d:, d:] = np.linalg.inv(np.reshape(s.tables.bodies[k]["inverse_inertia"], (n - d, n - d)))
        return blocks

    def metric_mass(self) -> np.ndarray:
        """The same as a dense matrix."""
        M = self.mass()
        for k in self.system.spinless:
            at = self.system.at_v(k)
            M[at, at] = self.metric_blocks()[k]
        return M


def _sizes(s: System) -> dict[str, int]:
    """Lengths of the arrays that are no views."""
    kind, nq, nv, nc, blocks = s.kind, s.nq, s.nv, s.nc, s.tables.blocks
    d_size = (int((blocks["at"] + blocks["count"] * kind.SIZE_V).max()) if blocks.size else 0) + 2 * kind.SIZE_V
    over = {"phi": nc, "nu": nc, "gamma": nc, "delta": nc, "before": nc, "limit": nc, "lam": nc, "residual": nc, "speed": nc,
            "rho": nc, "defect": nc, "rhs": nc, "mu": nc, "spare_c": nc, "dense_scale": nc, "order": nc, "aside": nc,
            "Q": nv, "missing": nv, "u": nv, "shift": nv, "held": nv, "predicted": nv, "spare_v": nv, "step": nv, "change": nq}
    programs = dict.fromkeys(("x0", "x1", "x2"), s.first_slot + s.tables.reading.size) | {"stack": 3 * s.depth + 3, "wrench": 16}
    unknowns = s.tables.algebraic.size
    single = dict.fromkeys(("t", "only", "options", "report"), 1)
    return over | programs | single | {
        "loop": unknowns * (unknowns + 1), "pose": kind.POSE * (s.nb + 1), "twist": kind.TWIST * (s.nb + 1),
        "D": d_size, "T": d_size - 2 * kind.SIZE_V, "S": s.S_size,
        "scaled": s.scaled_size, "choice": 2, "measured": 3 * s.tables.measures.size, "reaction": kind.SIZE_V * blocks.size,
        "gradient": 2 * kind.SIZE_V * s.tables.measures.size,
        "read": s.tables.reading.size, "strength": s.tables.effort.size, "g": s.tables.event.size, "weighed": kind.SIZE_V,
        "dense": nc * nc if nc <= DENSE_LIMIT else 0}
