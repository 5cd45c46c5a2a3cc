"""The embedded form on a workspace: y, projection and events are those of the bodies, accelerations and the tangent its own.

S is factored by the projection alone; the tangent goes by the factors of the last solve, as in every form.
"""

from __future__ import annotations

import numpy as np

from dalembert.errors import AnalysisError, hint
from dalembert.formulations.augmented.form import Augmented
from dalembert.formulations.contract import Form
from dalembert.formulations.response import answers

from .partition import CHOICES, ENTRIES, RANK, REFUSED, Partition

ROOM = 4_000_000  # entries of D up to which the dense table is made


class Embedded(Augmented):
    """The embedded formulation on a workspace of a system: which accelerations are independent, B, γ_i, and the solve."""

    name = "embedded"

    def __init__(self, work, independent=None):
        super().__init__(work)
        nv, nc = self.system.nv, self.system.nc
        if nv * nc > ROOM:
            raise AnalysisError(f"the embedded formulation works with full matrices: {nc} × {nv} is too large for it; use "
                                "formulation='augmented' or 'recursive'")
        diagonal = _diagonal(self.system)
        self.names = self.system.speed_names
        arrays = {
            "handle": np.array([work.bound("terms").handle, work.bound("power").handle], dtype=np.int64),
            "table": np.zeros(nc * nv), "row": np.zeros(nc), "column": 1.0 / diagonal, "solved": np.zeros(nc, np.int64),
            "by": np.full(nv, -1, np.int64), "free": np.zeros(nv, np.int64), "wish": self._wish(independent),
            "B": np.zeros(nv * nv), "MB": np.zeros(nv * nv), "drift": np.zeros(nv), "M": np.zeros(nv * nv), "x": np.zeros(nv),
            "rhs": np.zeros(nv), "order": np.zeros(nv, np.int64), "scale": np.zeros(max(nv, 6)),
            "mass_rank": np.zeros(1, np.int64), "meta": np.zeros(3, np.int64)}
        self.arrays = Partition(**arrays)
        structs = self.system.tables, work.arrays, self.arrays
        self.rhs = ENTRIES[self.system.dim, "accelerations"].bind(*structs)
        self.tangent = self.rhs.sibling(ENTRIES[self.system.dim, "tangent"]) if nc else None

    @property
    def memory(self):
        return super().memory | {"by": self.arrays.by, "meta": self.arrays.meta, "quality": self.quality}

    def stale(self) -> None:
        self.arrays.mass_rank[0] = 0

    def _wish(self, independent):
        out = np.zeros(self.system.nv, np.int64)
        for name in [independent] if isinstance(independent, str) else independent or ():
            if name not in self.names:
                raise AnalysisError(f"independent: there is no coordinate '{name}'{hint(name, self.names)} (a body's x, y and "
                                    f"{'angle' if self.system.dim == 2 else 'z, and wx, wy, wz about its axes'})")
            out[self.names.index(name)] = 1
        return out

    observe_all = Form.observe_all

    def observe(self, work) -> int:
        w = self.work
        w.set(work.t[0], work.q, work.v)
        status = self.rhs()
        work.vdot[:], work.lam[:] = w.vdot, w.lam
        for name in ("dropped", "residual", "pivot"):
            work.report[name] = w.report[name]
        return status

    @property
    def solved(self) -> bool:
        return bool(self.arrays.mass_rank[0]) or (self.free == 0 and bool(self.arrays.meta[CHOICES]))

    def respond(self, wrench):
        s = self.system
        return answers(ENTRIES[s.dim, "respond"], self, (s.tables, self.work.arrays, self.arrays), wrench, 0)

    @property
    def free(self) -> int:
        """Degrees of freedom."""
        return int(self.system.nv - self.arrays.meta[RANK])

    @property
    def independent(self) -> list[str]:
        return [self.names[k] for k in self.arrays.free[: self.free]]

    @property
    def dependent(self) -> list[str]:
        chosen = set(self.independent)
        return [n for n in self.names if n not in chosen]

    @property
    def B(self) -> np.ndarray:
        """v̇ = B v̇_i + γ_i (nv × degrees of freedom), rows in the order of ``names``."""
        return self.arrays.B[: self.system.nv * self.free].reshape(self.system.nv, self.free).copy()

    @property
    def gamma(self) -> np.ndarray:
        """γ_i."""
        return self.arrays.drift.copy()

    @property
    def choices(self) -> int:
        """How often a set was chosen."""
        return int(self.arrays.meta[CHOICES])

    @property
    def refused(self) -> int:
        """How many of the wished coordinates could not be independent at the last choice."""
        return int(self.arrays.meta[REFUSED])


def _diagonal(system) -> np.ndarray:
    b, n = system.tables.bodies, system.kind.SIZE_V
    out = np.empty((system.nb, n))
    out[:, : system.dim] = b["mass"][:, None]
    out[:, system.dim:] = b["inertia"][:, None] if system.dim == 2 else b["inertia"][:, [0, 4, 8]]
    return np.sqrt(out.ravel())
