"""A workspace: one state of a system and all that is computed from it, with compiled entries bound to it.  One per thread."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from dalembert._jit import MODE, Bound, Entry
from dalembert._jit.objects import FREE
from dalembert._jit.rows import lanes
from dalembert.algebra.null_space import DROP
from dalembert.system.arrays import OPTIONS, REPORT, Arrays
from dalembert.system.layout import SHARED, System
from dalembert.system.tables import RIDING, PlanarSystem

DEFAULTS = {"drop": DROP, "residual": 1e-10, "iterations": 25.0, "loose": 0.0, "poor": 1e-7, "probe": 1.0}  # two by the system
DENSE_LIMIT = 600  # rows up to which the pivoted fallback has its room
SMALL = 4096  # numbers of a workspace up to which its beginning is kept as a whole
LINE = 8  # numbers in a line of the cache: no vector (algebra/block_rows.py) reaches into a second one
_ADJOINED = {"v", "ledger", "vdot", "power"}


class Workspace:
    """Arrays of one state (system/arrays.py), and ``entries`` (by name) bound to them; made by equations/workspace.py."""

    options: Any
    report: Any

    def __init__(self, system: System, entries: Mapping[str, Entry]):
        self.system, self._entries = system, entries
        self.plan = size, places, self._offsets, self._filled = planned(system)
        raw = np.zeros(size + LINE)
        first = -(raw.ctypes.data // raw.itemsize) % LINE
        self._room = raw[first:first + size]
        self._own = self.arrays = Arrays(*(self._room[a:b] if dtype is None else self._room[a:b].view(dtype)
                                           for a, b, dtype in places))
        (at, _, _), (_, end, _) = places[_FIRST["q"]], places[_FIRST["ledger"]]
        self.y = self._room[at:end]
        (at, _, _), (_, end, _) = places[_FIRST["qdot"]], places[_FIRST["power"]]
        self.ydot = self._room[at:end]
        self.options, self.report = self._own.options.view(_NAMED["options"])[0], self._own.report.view(_NAMED["report"])[0]
        self._image: np.ndarray | None = None  # all arrays as they begin, of a small workspace that is used again
        self._begin()
        self._bound: dict[str, Bound] = {}

    def serves(self, system: System, plan: tuple) -> bool:
        """Whether it could turn to that system, of that plan: compiled entries, arrays of its own, and of the sizes asked for."""
        return MODE != "python" and self.system.dim == system.dim and self.arrays is self._own and plan is self.plan

    def turn_to(self, system: System, clear: bool = True) -> None:
        """From now on a workspace of another system that it serves, as if new; whoever used it before must be done with it."""
        if system is not self.system:
            self.system = system
            for beside in ("derivatives", "newton"):  # they have the tables of the old one
                self.__dict__.pop(beside, None)
            for bound in self._bound.values():
                bound.turned_to(system.words, (system.tables, self.arrays))
        if clear:
            self.reset()

    def reset(self) -> None:
        """As new: the drawn state, the default options, all else zero."""
        if self._image is not None and self.arrays is self._own:
            self._room[:] = self._image
            self._measures()
            return
        self._room[:] = 0.0
        if self.arrays is not self._own:
            for array in self.arrays:
                array[:] = np.zeros((), array.dtype)
        self._begin()
        if self._room.size <= SMALL and self.arrays is self._own:
            self._image = self._room.copy()

    def _measures(self) -> None:
        """What a fresh workspace takes from the numbers of its system, beside their sizes."""
        s, w = self.system, self.arrays
        numbers = w.options.view(np.float64)
        numbers[_TOLERANCE], numbers[_DEPENDENT] = 1e-13 * s.size, s.nc
        w.t[0] = 0.0
        w.q[:] = s.q_drawn
        w.v[:] = s.v_drawn

    def _begin(self) -> None:
        s, w, kind = self.system, self.arrays, self.system.kind
        w.only[0] = -1
        w.options.view("f8")[:] = _DEFAULTS
        w.limit[:] = DROP
        w.choice[1] = 1.0
        ground = w.pose[kind.POSE * s.nb:]
        if s.dim == 2:
            ground[2] = 1.0
        else:
            ground[3:12:4] = 1.0
        self._measures()

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
            self._bound[name] = self._first(entry) if other is None else other.sibling(entry)
        return self._bound[name]

    def _first(self, entry: Entry) -> Bound:
        """Bound by what is known of the places of its arrays: nobody looks at them one by one."""
        if self.arrays is not self._own:
            return entry.bind(self.system.tables, self.arrays)
        own = self._offsets + self._filled * self._room.ctypes.data
        return entry.bind(self.system.tables, self.arrays, words=np.concatenate([FREE[:1], self.system.words, own, FREE]))

    def run(self, name: str) -> int:
        bound = self._bound.get(name)
        return (self.bound(name) if bound is None else bound)()

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
        return self.arrays.report.view(np.float64)[_PIVOT:_PIVOT + 2]

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
        return self.gradients_of(range(self.system.tables.measures.size))

    def gradients_of(self, chosen: Sequence[int]) -> np.ndarray:
        """The same of some measures."""
        self.run("gradients")
        s, measures, bodies = self.system, self.system.tables.measures, self.system.tables.markers["body"]
        G = np.zeros((len(chosen), s.nv))
        found = self.arrays.gradient.reshape(measures.size, 2, -1)
        ends = measures["i"], measures["j"]
        for row, k in enumerate(chosen):
            for part, side in zip(found[k], ends, strict=True):
                body = int(bodies[side[k]])
                if body < s.nb:
                    G[row, s.at_v(body)] += part
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


_FIRST = {name: k for k, name in enumerate(Arrays._fields)}
_DEFAULTS = np.array([DEFAULTS.get(name, 0.0) for name in OPTIONS.names or ()])
_TOLERANCE, _DEPENDENT = (OPTIONS.names.index(name) for name in ("tolerance", "dependent"))  # type: ignore[union-attr]
_PIVOT = REPORT.names.index("pivot")  # type: ignore[union-attr]
_NAMED = {name: np.dtype((np.record, dtype)) for name, dtype in (("options", OPTIONS), ("report", REPORT))}
_ITEMS = [(dtype.itemsize // 8, None if dtype == np.float64 else dtype) for dtype in Arrays.dtypes]


def planned(s: System) -> tuple:
    """The plan of a system's workspaces; variants of a small model share it."""
    known = s.__dict__.get("plan")
    if known is None:
        known = s.__dict__["plan"] = _planned(s)
    return known


def _planned(s: System) -> tuple:
    blocks, tables = s.tables.blocks, s.tables
    if blocks.size > SHARED:
        return _plan(_sizes(s))
    key = (s.dim, s.nb, s.slots, len(s.states), s.nc, s.depth, s.S_size, s.scaled_size, s.first_slot, blocks.tobytes(),
           *(tables[k].size for k in _COUNTED))
    found = _PLANS.get(key)
    if found is None:
        if len(_PLANS) >= 64:
            _PLANS.clear()
        found = _PLANS[key] = _plan(_sizes(s))
    return found


_PLANS: dict[tuple, tuple] = {}
_COUNTED = [PlanarSystem._fields.index(name) for name in ("hubs", "measures", "reading", "algebraic", "felt", "effort", "event")]


@lru_cache(maxsize=64)
def _plan(sizes: tuple[int, ...]) -> tuple[int, tuple, np.ndarray, np.ndarray]:
    """One piece of memory for all arrays: its size, where each begins and ends, and these as a bound entry wants them.

    q, v and ledger follow each other (y), so do their rates (ẏ); every other array begins with a line of the cache.
    """
    places: list[tuple] = []
    words: list[int] = []
    filled: list[int] = []
    at = 0
    for name, n, (item, dtype) in zip(Arrays._fields, sizes, _ITEMS, strict=True):
        if name not in _ADJOINED:
            at = -(-at // LINE) * LINE
        places.append((at, at + n * item, dtype))
        words += (8 * at if n else 0, n)
        filled += (int(n > 0), 0)
        at += n * item
    return at, tuple(places), np.array(words, np.int64), np.array(filled, np.int64)


def _sizes(s: System) -> tuple[int, ...]:
    """Lengths of the arrays, in their order."""
    kind, nq, nv, nc, blocks = s.kind, s.nq, s.nv, s.nc, s.tables.blocks
    n = kind.SIZE_V
    rows = blocks[["at", "count", "weighed"]].tolist()
    d_size = max([at + count * n for at, count, _ in rows], default=0) + 2 * n
    t_size = max([weighed + n * lanes(count) for _, count, weighed in rows], default=0)
    over = {"phi": nc, "nu": nc, "gamma": nc, "delta": nc, "before": nc, "limit": nc, "lam": nc, "residual": nc, "speed": nc,
            "rho": nc, "defect": nc, "rhs": nc, "mu": nc, "spare_c": nc, "dense_scale": nc, "order": nc, "aside": nc,
            "Q": nv, "missing": nv, "u": nv, "shift": nv, "held": nv, "predicted": nv, "spare_v": nv, "step": nv, "change": nq}
    programs = dict.fromkeys(("x0", "x1", "x2"), s.first_slot + s.tables.reading.size) | {"stack": 3 * s.depth + 3, "wrench": 16}
    unknowns = s.tables.algebraic.size
    felt = s.tables.felt.size
    late = nc + n * s.tables.hubs.size if s.tables.hubs.size else 0
    feeling = dict.fromkeys(("felt", "felt_order", "sizes", "sensed", "gaps"), felt) | {"feedback": felt * felt}
    single = dict.fromkeys(("t", "only", "options", "report"), 1)
    found = over | programs | single | feeling | dict.fromkeys(("deltas", "wide", "befores", "limits"), late) | {
        "q": nq, "v": nv, "ledger": RIDING, "qdot": nq, "vdot": nv, "power": RIDING,
        "loop": unknowns * (unknowns + 2), "pose": kind.POSE * (s.nb + 1), "twist": kind.TWIST * (s.nb + 1),
        "D": d_size, "T": t_size, "S": s.S_size,
        "scaled": s.scaled_size, "choice": 2, "measured": 3 * s.tables.measures.size, "reaction": kind.SIZE_V * blocks.size,
        "gradient": 2 * kind.SIZE_V * s.tables.measures.size,
        "read": s.tables.reading.size, "strength": s.tables.effort.size, "g": s.tables.event.size, "weighed": kind.SIZE_V,
        "dense": nc * nc if nc <= DENSE_LIMIT else 0}
    return tuple(map(found.__getitem__, Arrays._fields))
