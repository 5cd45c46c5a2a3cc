"""Newton's linear algebra bound to one workspace of the equations.

``differentiate`` is exact (augmented/sensitivity.py: jacobians), unless a law of a user can only be differentiated by differences
through Python: then, and with exact=False, it is the one of tangent.py.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dalembert._jit import Bound
from dalembert.formulations.augmented.newton import layout as at
from dalembert.formulations.augmented.newton.layout import Newton, pattern
from dalembert.formulations.augmented.newton.second_order import ENTRIES as SECOND_ORDER
from dalembert.formulations.augmented.newton.steps import ENTRIES as FIRST_ORDER

ENTRIES = {**FIRST_ORDER, **SECOND_ORDER}


class NewtonWork:
    """Arrays and bound entries of the implicit side of ``work`` (system/workspace.py)."""

    def __init__(self, work, exact=True):
        self.work, self.exact = work, exact
        self._derivatives: Any = None
        s, w = work.system, work.arrays
        m = len(s.felt)
        n, nq, nv, nc, nz, ny = s.kind.SIZE_V, s.nq, s.nv, s.nc, len(s.states), work.y.size
        table = pattern(s)
        mass = np.zeros((s.nb, n, n))
        for k, body in enumerate(s.tables.bodies):
            mass[k, :s.dim, :s.dim] = np.eye(s.dim) * body["mass"]
            mass[k, s.dim:, s.dim:] = np.reshape(body["inertia"], (n - s.dim, n - s.dim))
        total = float(s.tables.bodies["mass"].sum())
        largest = table.pop("largest")
        turns = 9 * s.nb if s.dim == 3 else 0
        lu, values = table.pop("lu_size"), table.pop("k_size")
        handles = [work.bound(name).handle for name in ("move", "unbalanced", "twist", "coordinates", "defects")]
        own = {"shape": np.array([n, s.nb, nq, nv, nc], np.int64), "handle": np.array(handles, np.int64), **table,
               "states": np.array(list(s.states.values()), np.uint32), "levels": s.tables.levels,
               "mass": mass.ravel(), "scale": np.array([s.size / np.sqrt(total), 0.0]),
               "y": work.y, "ydot": work.ydot}
        sizes = {"K": values, "C": values, "D0": w.D.size, "Gq": w.D.size, "Gv": w.D.size, "S0": nc, "spin": nv,
                 "P": turns, "zP": turns, "q0": nq, "v0": nv,
                 "Q1": nv, "r1": nc, "lu": lu, "zlu": lu, "x": nv + nc + nz, "z": nv + nc + nz,
                 "twist": 3 * nv + nz, "ztwist": 3 * nv,
                 "buffer": largest, "zbuffer": largest, "swaps": largest, "a": ny, "b": ny, "coefficient": 3,
                 "B": (nz + m) * nv, "H": m * (nv + nc), "Z": nz * m,
                 "Eq": nz * nv, "Ev": nz * nv, "F": nz * nz, "Y": (nz + m) * (nv + nc + nz),
                 "zY": (nz + m) * (nv + nc + nz), "W": (nz + m) ** 2, "zW": (nz + m) ** 2,
                 "xz": nz + m, "zxz": nz + m, "old": nz, "order": nz + m, "zorder": nz + m}
        arrays = {}
        for name, dtype in zip(Newton._fields, Newton.dtypes, strict=True):
            if name in own:
                arrays[name] = np.ascontiguousarray(own[name], dtype)
            else:
                arrays[name] = np.zeros(sizes[name], dtype) if name in sizes else getattr(w, name)
        self.arrays = Newton(**arrays)
        self._bound: dict[str, Bound] = {}

    def bound(self, name: str) -> Bound:
        if name not in self._bound:
            exact = self._exact() if name == "differentiate" and self.exact else None
            self._bound[name] = ENTRIES[name].bind(self.arrays) if exact is None else exact
        return self._bound[name]

    def _exact(self) -> Bound | None:
        from dalembert.formulations.augmented.derivatives import Derivatives

        self._derivatives = Derivatives(self.work)
        return None if self._derivatives.notes else self._derivatives.jacobians(self.arrays)

    def matrix(self, name: str) -> np.ndarray:
        """K or C as a dense matrix."""
        a, n, nv = self.arrays, int(self.arrays.shape[at.SIZE]), int(self.arrays.shape[at.NV])
        out = np.zeros((nv, nv))
        for c in a.couples:
            i, j, k = n * int(c["row"]), n * int(c["column"]), int(c["at"])
            out[i:i + n, j:j + n] = getattr(a, name)[k:k + n * n].reshape(n, n)
        return out
