"""Embedded formulation: dependent accelerations expressed by independent ones (coordinate partitioning).

D v̇ = γ is solved for as many components of v̇ as D has independent rows (the dependent ones, d), the others (i) are free:

    v̇ = B v̇_i + γ_i,      B = [1; −D_d⁻¹ D_i],   γ_i = [0; D_d⁻¹ γ]
    Bᵀ M B v̇_i = Bᵀ (Q − M γ_i)                    constraint forces do no work on B: Bᵀ Dᵀ = 0
    D_dᵀ λ = (Q − M v̇)_d                            the reactions, afterwards

The solution is found by exchanges: a row y_r = Σ a_rj x_j is solved for x_c and put into the others,

    a_rc ← 1/p,   a_rj ← −a_rj/p,   a_ic ← a_ic/p,   a_ij ← a_ij − a_ic a_rj/p          (p = a_rc)

until no pivot is left above the threshold: what then stands in the table is D_d⁻¹ (pivot columns), B (the other columns) and, in
the rows that were never solved, how they depend on the others.  Rows and columns are scaled (M_jj^(−1/2), unit rows), so
pivots and
entries of B are pure numbers.  A fresh choice takes the largest entry of the table each time (complete pivoting, rank
revealing); a
choice made before is kept as long as no entry of B exceeds LIMIT: near θ = π/2 of a crank whose x was taken for independent that
entry grows without bound, and another set is chosen.  The choice never changes v̇, only its accuracy.

Columns of a user's own choice are passed over as long as other pivots are left, until the choice has gone bad once.
"""

from __future__ import annotations

import math

import numpy as np

from dalembert._jit import Bound, call, entry, kernel, struct
from dalembert.algebra import pivoted
from dalembert.elements.bodies.markers import block, weigh
from dalembert.errors import AnalysisError, hint
from dalembert.system.tables import REPORT, PlanarSystem, SpatialSystem, Workspace

LIMIT = 10.0  # largest entry of B, scaled, that a kept choice may have
SMALL = 1e-5  # pivots below this are zero: the sine of the angle to the rows solved (equations/saddle.py: its square, 1e-10)
ROOM = 4_000_000  # entries of D up to which the dense table is made

Partition = struct("Partition", {
    "handle": "i8",  # terms, powers of the full system
    "table": "f8",  # nc × nv
    "row": "f8", "column": "f8",  # scales
    "solved": "i8",  # per row: the column it was solved for, or −1
    "by": "i8",  # per column: the row that gives it, or −1 (independent)
    "free": "i8",  # the independent columns
    "wish": "i8",  # per column: 1 = the user wants it independent
    "B": "f8", "MB": "f8", "drift": "f8", "M": "f8", "x": "f8", "rhs": "f8", "order": "i8", "scale": "f8",
    "meta": "i8"})  # rank, how often a choice was made, wishes that could not be kept
RANK, CHOICES, REFUSED = range(3)


@kernel
def fill(s, w, e):
    """The scaled table from D."""
    n = block(s)
    nv = w.v.size
    for k in range(e.table.size):
        e.table[k] = 0.0
    for k in range(s.blocks.size):
        b = s.blocks[k]
        for i in range(b.count):
            at = np.int64(b.at) + n * i
            to = nv * (np.int64(b.row) + i) + n * np.int64(b.body)
            for c in range(n):
                e.table[to + c] = w.D[at + c] * e.column[n * np.int64(b.body) + c]
    for r in range(w.lam.size):
        x = 0.0
        for j in range(nv):
            x += e.table[nv * r + j] ** 2
        f = 1.0 / math.sqrt(x) if x > 0.0 and w.limit[r] < np.inf else 0.0  # 0: left out (equations/dependence.py)
        e.row[r] = f
        for j in range(nv):
            e.table[nv * r + j] *= f
        e.solved[r] = -1


@kernel
def exchange(w, e, r, c):
    """Solve row r for column c."""
    nv = w.v.size
    inverse = 1.0 / e.table[nv * r + c]
    for j in range(nv):
        e.table[nv * r + j] *= -inverse
    e.table[nv * r + c] = inverse
    for i in range(w.lam.size):
        f = e.table[nv * i + c]
        if i != r and f != 0.0:
            e.table[nv * i + c] = 0.0
            for j in range(nv):
                e.table[nv * i + j] += f * e.table[nv * r + j]
    e.solved[r] = c
    e.by[c] = r


@kernel
def largest(w, e, allowed):
    """The largest entry of unsolved rows, its row and column; allowed: 0 all columns, 1 not the wished, 2 the standing choice."""
    nv = w.v.size
    best, row, column = 0.0, -1, -1
    for r in range(w.lam.size):
        if e.solved[r] >= 0:
            continue
        for j in range(nv):
            if e.by[j] >= 0 or (allowed == 1 and e.wish[j] != 0) or (allowed == 2 and e.by[j] != -2):
                continue
            x = math.fabs(e.table[nv * r + j])
            if x > best:
                best, row, column = x, r, j
    return best, row, column


@kernel
def keep(w, e):
    """Solve with the standing choice.  Returns whether it is still good."""
    for j in range(w.v.size):
        e.by[j] = -2 if e.by[j] >= 0 else -1  # −2: to be solved for
    for _ in range(e.meta[RANK]):
        x, r, c = largest(w, e, 2)
        if x <= SMALL:
            return False
        exchange(w, e, r, c)
    return good(w, e) <= LIMIT and largest(w, e, 0)[0] <= SMALL


@kernel
def choose(w, e, first):
    """A fresh choice, from phase ``first`` on (0: the wished columns are passed over); returns the smallest pivot."""
    smallest = 1.0
    rank = 0
    e.meta[REFUSED] = 0
    for j in range(w.v.size):
        e.by[j] = -1
    for phase in range(first, 2):
        while rank < w.lam.size:
            x, r, c = largest(w, e, 1 - phase)
            if x <= SMALL:
                break
            e.meta[REFUSED] += phase * e.wish[c]
            exchange(w, e, r, c)
            smallest = min(smallest, x)
            rank += 1
    e.meta[RANK] = rank
    e.meta[CHOICES] += 1
    return smallest


@kernel
def good(w, e):
    """Largest entry of B in solved rows (scaled)."""
    nv = w.v.size
    worst = 0.0
    for r in range(w.lam.size):
        if e.solved[r] >= 0:
            for j in range(nv):
                if e.by[j] < 0:
                    worst = max(worst, math.fabs(e.table[nv * r + j]))
    return worst


@kernel
def partition(s, w, e):
    """The table solved, B and γ_i in user units; report: smallest pivot squared, dropped rows."""
    nv, nc = w.v.size, w.lam.size
    fill(s, w, e)
    fine = e.meta[CHOICES] > 0 and keep(w, e)
    if not fine:
        fill(s, w, e)
        again = e.meta[CHOICES] > 0
        smallest = choose(w, e, 0)
        if again and good(w, e) > LIMIT:  # the user's wish has gone bad
            fill(s, w, e)
            e.meta[CHOICES] -= 1
            smallest = choose(w, e, 1)
        w.report[8] = smallest**2
    ni = 0
    for j in range(nv):
        if e.by[j] < 0:
            e.free[ni] = j
            ni += 1
    for k in range(nv * ni):
        e.B[k] = 0.0
    for i in range(ni):
        e.B[ni * e.free[i] + i] = 1.0
        e.drift[e.free[i]] = 0.0
    for r in range(nc):
        c = e.solved[r]
        if c < 0:
            continue
        for i in range(ni):
            j = e.free[i]
            e.B[ni * c + i] = e.table[nv * r + j] * e.column[c] / e.column[j]
        x = 0.0
        for m in range(nc):
            if e.solved[m] >= 0:
                x += e.table[nv * r + e.solved[m]] * e.row[m] * w.gamma[m]
        e.drift[c] = x * e.column[c]
    w.report[0] = nc - e.meta[RANK]
    if w.report[0] > w.options[5]:  # as in equations/saddle.py
        w.report[8] = 0.0
    return ni


@kernel
def reduce(s, w, e, ni):
    """M_i = BᵀMB and Bᵀ(Q − M γ_i)."""
    n = block(s)
    nv = w.v.size
    for b in range(s.bodies.size):
        weigh(s, b, False, e.drift, n * b, e.x, n * b)
    for k in range(nv):
        e.x[k] = w.Q[k] - e.x[k]
    for i in range(ni):
        for b in range(s.bodies.size):  # column i of M B, gathered through the scratch in w.work
            for c in range(n):
                w.work[c] = e.B[ni * (n * b + c) + i]
            weigh(s, b, False, w.work, 0, e.scale, 0)
            for c in range(n):
                e.MB[ni * (n * b + c) + i] = e.scale[c]
        y = 0.0
        for k in range(nv):
            y += e.B[ni * k + i] * e.x[k]
        e.rhs[i] = y
    for k in range(ni * ni):
        e.M[k] = 0.0
    for k in range(nv):
        for i in range(ni):
            f = e.B[ni * k + i]
            if f != 0.0:
                for j in range(ni):
                    e.M[ni * i + j] += f * e.MB[ni * k + j]


@kernel
def accelerations(s, w, e):
    """v̇ and λ at (t, q, v)."""
    n = block(s)
    nv, nc = w.v.size, w.lam.size
    call(e.handle[0])
    ni = partition(s, w, e)
    reduce(s, w, e, ni)
    if ni > 0:
        rank = pivoted.factor(e.M[:ni * ni], ni, e.order, e.scale, 1e-14)
        pivoted.solve(e.M[:ni * ni], ni, e.order, e.scale, rank, e.rhs, e.x)
    for k in range(nv):
        y = e.drift[k]
        for i in range(ni):
            y += e.B[ni * k + i] * e.x[i]
        w.vdot[k] = y
    for b in range(s.bodies.size):
        weigh(s, b, False, w.vdot, n * b, e.x, n * b)
    worst = 0.0
    for m in range(nc):
        y = 0.0
        c = e.solved[m]
        if c >= 0:
            for r in range(nc):
                d = e.solved[r]
                if d >= 0:
                    y += e.table[nv * r + c] * e.column[d] * (w.Q[d] - e.x[d])
        else:  # a dependent row: it must be met by itself
            x = -e.row[m] * w.gamma[m]
            size = math.fabs(x)
            for r in range(nc):
                if e.solved[r] >= 0:
                    part = e.table[nv * m + e.solved[r]] * e.row[r] * w.gamma[r]
                    x += part
                    size = max(size, math.fabs(part))
            worst = max(worst, math.fabs(x) / (size + 1e-300) if size > 1e-12 else 0.0)
        w.lam[m] = y * e.row[m]
    w.report[1] = worst
    call(e.handle[1])
    for k in range(nv):
        if not math.isfinite(w.vdot[k]):
            return 3
    return 0


ENTRIES = {2: entry("planar_embedded", "accelerations", accelerations, PlanarSystem, Workspace, Partition, module=__name__),
           3: entry("spatial_embedded", "accelerations", accelerations, SpatialSystem, Workspace, Partition, module=__name__)}


class Embedded:
    """The embedded formulation on a workspace of a system: which accelerations are independent, B, γ_i, and the solve."""

    name = "embedded"

    def __init__(self, work, independent=None):
        self.work, self.system = work, work.system
        nv, nc = self.system.nv, self.system.nc
        if nv * nc > ROOM:
            raise AnalysisError(f"the embedded formulation works with full matrices: {nc} × {nv} is too large for it; use "
                                "formulation='augmented' or 'recursive'")
        diagonal = _diagonal(self.system)
        self.names = speed_names(self.system)
        arrays = {
            "handle": np.array([work.bound("terms").handle, work.bound("power").handle], dtype=np.int64),
            "table": np.zeros(nc * nv), "row": np.zeros(nc), "column": 1.0 / diagonal, "solved": np.zeros(nc, np.int64),
            "by": np.full(nv, -1, np.int64), "free": np.zeros(nv, np.int64), "wish": self._wish(independent),
            "B": np.zeros(nv * nv), "MB": np.zeros(nv * nv), "drift": np.zeros(nv), "M": np.zeros(nv * nv), "x": np.zeros(nv),
            "rhs": np.zeros(nv), "order": np.zeros(nv, np.int64), "scale": np.zeros(max(nv, 6)), "meta": np.zeros(3, np.int64)}
        self.arrays = Partition(**arrays)
        self.bound: Bound = ENTRIES[self.system.dim].bind(self.system.tables, work.arrays, self.arrays)

    def _wish(self, independent):
        out = np.zeros(self.system.nv, np.int64)
        for name in [independent] if isinstance(independent, str) else independent or ():
            if name not in self.names:
                raise AnalysisError(f"independent: there is no coordinate '{name}'{hint(name, self.names)} (a body's x, y and "
                                    f"{'angle' if self.system.dim == 2 else 'z, and wx, wy, wz about its axes'})")
            out[self.names.index(name)] = 1
        return out

    def run(self) -> int:
        return self.bound()

    def observe(self, work) -> int:
        """Solve at the state of ``work``, a workspace of the same system: v̇ and λ into it."""
        w = self.work
        w.set(work.t[0], work.q, work.v)
        status = self.run()
        work.vdot[:], work.lam[:] = w.vdot, w.lam
        for k in (REPORT["dropped"], REPORT["residual"], REPORT["pivot"]):
            work.report[k] = w.report[k]
        return status

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


def speed_names(system) -> list[str]:
    """Names of the components of v: speeds of x, y, angle; in space of x, y, z and turns about the body's axes."""
    parts = ("x", "y", "angle") if system.dim == 2 else ("x", "y", "z", "wx", "wy", "wz")
    return [f"{body}.{p}" for body in system.bodies for p in parts]
