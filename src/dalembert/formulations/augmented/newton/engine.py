"""Newton's linear algebra bound to one workspace of the equations.

``differentiate`` is exact (augmented/sensitivity.py: jacobians), unless a law of a user can only be differentiated by differences
through Python: then, and with exact=False, it is the one of tangent.py.

The pattern is kept with the system.  All this with its entries takes as long to make as forty steps of two rods, so it stays with
its workspace (``newton_of``) and goes with it from run to run (equations/workspace.py), cleared.
"""

from __future__ import annotations

import numpy as np

from dalembert._jit import Bound
from dalembert.formulations.augmented.derivatives import LINE, Derivatives, aligned
from dalembert.formulations.augmented.newton import layout as at
from dalembert.formulations.augmented.newton.layout import Newton, pattern
from dalembert.formulations.augmented.newton.second_order import ENTRIES as SECOND_ORDER
from dalembert.formulations.augmented.newton.steps import ENTRIES as FIRST_ORDER

ENTRIES = {**FIRST_ORDER, **SECOND_ORDER}


class NewtonWork:
    """Arrays and bound entries of the implicit side of ``work`` (system/workspace.py)."""

    def __init__(self, work, exact=True):
        self.work, self.exact = work, exact
        self._derivatives: Derivatives | None = None
        s, w = work.system, work.arrays
        m = len(s.felt)
        n, nq, nv, nc, nz, ny = s.kind.SIZE_V, s.nq, s.nv, s.nc, len(s.states), work.y.size
        table = _pattern(s)
        mass = np.zeros((s.nb, n, n))
        for k, body in enumerate(s.tables.bodies):
            mass[k, :s.dim, :s.dim] = np.eye(s.dim) * body["mass"]
            mass[k, s.dim:, s.dim:] = np.reshape(body["inertia"], (n - s.dim, n - s.dim))
        total = float(s.tables.bodies["mass"].sum())
        largest = table["largest"]
        turns = 9 * s.nb if s.dim == 3 else 0
        lu, values = table["lu_size"], table["k_size"]
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
        self._room, found = _parted(sizes)
        self.arrays = Newton(**{name: np.ascontiguousarray(own[name], dtype) if name in own else found[name] if name in found
                                else getattr(w, name) for name, dtype in zip(Newton._fields, Newton.dtypes, strict=True)})
        self._bound: dict[str, Bound] = {}

    def clear(self) -> None:
        """As new."""
        self._room[:] = 0.0
        self.arrays.scale[at.SPEED] = 0.0
        if self._derivatives is not None:
            self._derivatives.clear()

    def bound(self, name: str) -> Bound:
        if name not in self._bound:
            exact = self._exact() if name == "differentiate" and self.exact else None
            self._bound[name] = ENTRIES[name].bind(self.arrays) if exact is None else exact
        return self._bound[name]

    def _exact(self) -> Bound | None:
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


def newton_of(work) -> NewtonWork:
    """The implicit side of a workspace, as new; made once."""
    found = work.__dict__.get("newton")
    if found is None:
        found = work.__dict__["newton"] = NewtonWork(work)
    else:
        found.clear()
    return found


def _pattern(system) -> dict:
    """The pattern of a system, found once."""
    found = system.__dict__.get("newton_pattern")
    if found is None:
        found = system.__dict__["newton_pattern"] = pattern(system)
    return found


def _parted(sizes: dict[str, int]) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Arrays of these lengths, all zero, in one piece of memory; each begins a line of the cache."""
    dtypes = dict(zip(Newton._fields, Newton.dtypes, strict=True))
    lines = {name: -(-size * dtypes[name].itemsize // 8 // LINE) for name, size in sizes.items()}
    room, found, begin = aligned(LINE * sum(lines.values())), {}, 0
    for name, size in sizes.items():
        found[name] = room[begin:begin + LINE * lines[name]].view(dtypes[name])[:size]
        begin += LINE * lines[name]
    return room, found
