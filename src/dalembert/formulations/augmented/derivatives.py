"""A workspace with its duals: derivatives of everything the equations compute, along WIDTH directions at once.

    d = Derivatives(work)
    d.found["q"][:, 0] = …            the tangents of t, q, v: numbers × WIDTH
    d.column("effort", "stiffness")   those of a column of a table: rows × numbers × WIDTH
    d.run("directions")               (sensitivity.py)
    d.found["vdot"]                   the tangents of any array of the workspace

Values are those of ``work``; its factors must belong to its state (``accelerations``, ``observe``), except for ``forward``,
``projected`` and ``observed``, which solve themselves.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from dalembert._jit import Bound
from dalembert._jit.duals import WIDTH, dual_values, of_column, real_fields
from dalembert.algebra.rotations import crosses
from dalembert.elements.laws import FUNCTION
from dalembert.elements.signals.readings import CALL
from dalembert.equations.workspace import workspace
from dalembert.formulations.augmented.newton.classes import lane_tables
from dalembert.formulations.augmented.newton.closed import places, split
from dalembert.formulations.augmented.sensitivity import DISPLACED, ENTRIES, Plain
from dalembert.system.arrays import Arrays
from dalembert.system.tables import RIDING

LINE = 8  # numbers in a line of the cache


class Derivatives:
    """Duals beside the arrays of ``work``; tangents of y and ẏ are one array each (``y``, ``ydot``: numbers × WIDTH)."""

    def __init__(self, work, y=None, ydot=None):
        self.work, self.system = work, work.system
        s = self.system
        self.values = workspace(s)
        size = s.nq + s.nv + RIDING
        self.y = aligned(WIDTH * size) if y is None else y
        self.ydot = aligned(WIDTH * size) if ydot is None else ydot
        room, moved = _in_line(Arrays, self.values.arrays)
        cuts = np.cumsum([0, s.nq, s.nv, RIDING]) * WIDTH
        for names, array in ((("q", "v", "ledger"), self.y), (("qdot", "vdot", "power"), self.ydot)):
            for name, a, b in zip(names, cuts, cuts[1:], strict=False):
                moved[name] = array[a:b]
        self._moved = moved
        base = type(s.tables)
        self._tables, self._laws = _with_derivatives(s)
        of_tables, self._tables_moved = _in_line(base, s.tables)
        self.structs = (s.tables, work.arrays, dual_values(base, self._tables, self._tables_moved),
                        dual_values(Arrays, self.values.arrays, moved))
        handles = [work.bound(name).handle for name in ("accelerations", "project", "observe")]
        self._plain = Plain(np.array(handles, np.int64))
        self.found = {name: array.reshape(-1, WIDTH) for name, array in moved.items()}
        self._rooms = [self.y, self.ydot, room, of_tables]
        self._bound: dict[str, Bound] = {}

    def clear(self) -> None:
        """As new: no directions, and the values those of the drawing."""
        self.values.reset()
        for room in self._rooms:
            room[:] = 0.0

    @property
    def notes(self) -> list[str]:
        """Laws of users that are differentiated by differences, in words."""
        return [law.note for law in self._laws if law.note]

    def bound(self, name: str) -> Bound:
        if name not in self._bound:
            entry = ENTRIES[self.system.dim][name]
            other = next(iter(self._bound.values()), None)
            self._bound[name] = entry.bind(*self.structs, self._plain) if other is None else other.sibling(entry)
        return self._bound[name]

    def run(self, name: str) -> int:
        return self.bound(name)()

    def jacobians(self, newton) -> Bound:
        """K, C, G_q, G_v into the arrays of Newton's method: in closed form, and what has none (newton/closed.py) by lanes of its
        own, two kinds of them (newton/classes.py).

        Its passes have a γ of their own: ρ takes that of all rows away, they write that of what is left alone, and what other
        entries leave in the others is no part of it."""
        s = self.system
        closed, left, tables, displaced, blocks = self._split(newton)
        base: Any = type(left)
        moved = {name: self._tables_moved[name][:getattr(left, name).size * words * WIDTH]
                 for _, name, words in real_fields(base)}
        own = self.values.arrays._replace(gamma=np.zeros(s.nc))
        gamma = aligned(WIDTH * s.nc)
        self._rooms += [own.gamma, gamma]
        arrays = dual_values(Arrays, own, {**self._moved, "gamma": gamma})
        structs = (closed, self.work.arrays, dual_values(base, left, moved), arrays)
        shape = np.append(newton.shape[:DISPLACED], displaced)
        return ENTRIES[s.dim]["jacobians"].bind(*structs, newton._replace(**tables, shape=shape), blocks)

    def _split(self, newton) -> tuple:
        """What ``jacobians`` needs of the system alone; kept with it, unless laws of users have other addresses.

        Tables do not change, but for the values of laws, which all have in common."""
        s, own = self.system, self._tables is not self.system.tables
        found = None if own else s.__dict__.get("second_order")
        if found is None:
            closed, left = split(s, self._tables)
            found = closed, left, *lane_tables(s, left), places(s, newton)
            if not own:
                s.__dict__["second_order"] = found
        return found

    @cached_property
    def lanes(self) -> tuple[dict[str, np.ndarray], int]:
        """Which columns of K and C would be found together by duals alone, and how many lanes are displacements."""
        return lane_tables(self.system)

    def column(self, table: str, column: str) -> np.ndarray:
        """Tangents of a column of a table: rows × numbers × WIDTH."""
        return of_column(getattr(self.system.tables, table).dtype, self._tables_moved[table], column)

    def table(self, name: str) -> np.ndarray:
        """Tangents of a plain table of reals (constants, gravity): numbers × WIDTH."""
        return self._tables_moved[name].reshape(-1, WIDTH)

    def still(self) -> None:
        """No direction: all tangents of the state and of the tables zero."""
        for array in (*(self._moved[name] for name in ("t", "q", "v", "ledger")), *self._tables_moved.values()):
            array[:] = 0.0

    def seeds(self, X=None, Y=None, dq=None) -> None:
        """Displacements X (twists of all bodies) and changes Y of v, up to WIDTH columns each, as directions; t is kept.

        ``dq``: the changes of q that belong to X, where they are known.
        """
        s, q, v = self.system, self.found["q"], self.found["v"]
        self.found["t"][:], q[:], v[:] = 0.0, 0.0, 0.0
        if Y is not None:
            v[:, :Y.shape[1]] = Y
        if X is not None:
            q[:, :X.shape[1]] = displacements(s, self.work.q, X) if dq is None else dq


def aligned(size: int, before: int = 0) -> np.ndarray:
    """Zeros whose number ``before`` begins a line of the cache.

    The WIDTH tangents of a number fill one line: no access reaches into a second one (10 to 20 % of the time of a pass).
    """
    raw = np.zeros(size + LINE)
    first = -(raw.ctypes.data // raw.itemsize + before) % LINE
    return raw[first:first + size]


def _in_line(base, values) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Tangents of the arrays of a struct, all zero, by name: one piece of memory, in which each begins a line of its own."""
    sizes = [(name, values[k].size * words * WIDTH) for k, name, words in real_fields(base)]
    room, found, at = aligned(sum(size for _, size in sizes)), {}, 0
    for name, size in sizes:
        found[name] = room[at:at + size]
        at += size
    return room, found


def displacements(s, q, X) -> np.ndarray:
    """Changes of q that belong to twists of all bodies (columns); running angles follow by themselves where they are measured."""
    out = np.zeros((X.shape[1], s.nq))
    if s.dim == 2:
        out[:, :s.nv] = X.T
        return out.T
    e, x, to = s.each_q(q)[:, 3:], s.each_v(X.T), s.each_q(out)
    to[..., :3] = x[..., :3]
    to[..., 3] = -0.5 * (e[:, 1:] * x[..., 3:]).sum(axis=-1)
    to[..., 4:] = 0.5 * (e[:, :1] * x[..., 3:] + crosses(e[:, 1:], x[..., 3:]))
    return out.T


def twists(s, q, dq) -> np.ndarray:
    """The twists of all bodies (columns) of changes of q; a change of a quaternion's length is dropped."""
    if s.dim == 2:
        return np.array(dq[:s.nv])
    e, d, out = s.each_q(q)[:, 3:], s.each_q(dq.T), np.empty((dq.shape[1], s.nv))
    to = s.each_v(out)
    to[..., :3] = d[..., :3]
    to[..., 3:] = 2.0 * (e[:, :1] * d[..., 4:] - d[..., 3:4] * e[:, 1:] - crosses(e[:, 1:], d[..., 4:]))
    return out.T


def derivatives_of(work) -> Derivatives:
    """The duals beside a workspace; made once."""
    found = work.__dict__.get("derivatives")
    if found is None:
        found = work.__dict__["derivatives"] = Derivatives(work)
    return found


def _with_derivatives(system) -> tuple:
    """The tables with the addresses of users' laws replaced by those that give derivatives; what keeps these alive."""
    tables = system.tables
    of_laws, of_forces = tables.laws["kind"] == FUNCTION, tables.user_force.size
    of_readings = tables.reading["kind"] == CALL
    if not (of_laws.any() or of_forces or of_readings.any()):
        return tables, []
    from dalembert._jit.dual_laws import derivative_of

    known, used, copies = {law.address: law for law in system.kept if hasattr(law, "address")}, [], {}
    for name, rows in (("laws", np.flatnonzero(of_laws)), ("user_force", np.arange(of_forces)),
                       ("reading", np.flatnonzero(of_readings))):
        copies[name] = getattr(tables, name).copy()
        for k in rows:
            found = derivative_of(known[int(copies[name]["handle"][k])])
            copies[name]["handle"][k] = found.address
            used.append(found)
    return tables._replace(**copies), used
