"""The compiled mechanism as Python sees it: tables, and names ↔ ranges.  Immutable."""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from dalembert._jit.objects import words
from dalembert.elements.bodies import planar, spatial
from dalembert.records import field, record
from dalembert.system.laws import LawInfo

if TYPE_CHECKING:
    from dalembert.elements.constraints.mesh import Teeth


BESIDE = ("words", "plan", "second_order", "newton_pattern", "trees")  # what others keep beside a system, found anew in a copy
SHARED = 64  # blocks up to which variants of a model share what follows from their places


@lru_cache(maxsize=64)
def _dense_rows(blocks, n: int, nv: int) -> tuple[np.ndarray, np.ndarray]:
    source, to = [np.zeros(0, int)], [np.zeros(0, int)]
    for at, count, row, body in blocks:
        source.append(at + np.arange(n * count))
        to.append(((row + np.arange(count))[:, None] * nv + np.arange(n * body, n * body + n)).ravel())
    return np.concatenate(source), np.concatenate(to)


@record
class RowInfo:
    """One scalar equation in words."""

    group: str
    label: str
    level: int  # 0 position, 1 velocity
    driver: bool

    @property
    def title(self) -> str:
        return f"{self.group}: {self.label}"


@record
class GroupInfo:
    """Where the rows of one element are: λ[start:stop], and for each body its block of D."""

    name: str
    start: int
    stop: int
    blocks: dict[int, int]  # body → block number
    markers: tuple[int, int] | None
    second: int | None = None  # the body its reaction is read on, where the element names joints


@record(frozen=False, eq=False)
class System:
    """Tables of a mechanism and the names of what is in them."""

    dim: int
    tables: Any
    bodies: list[str]
    rows: list[RowInfo]
    groups: dict[str, GroupInfo]
    numbers: dict[str, int]  # element → number used by w.only
    primary: dict[str, int]  # element → the measure it holds or acts on
    coordinates: dict[str, int]  # joint coordinate name → measure
    markers: dict[str, tuple[int, int]]
    slots: int
    depth: int
    S_size: int
    scaled_size: int
    q_drawn: np.ndarray
    v_drawn: np.ndarray
    kept: list = field(default_factory=list)
    aligned: list[tuple[str, int, int, bool]] = field(default_factory=list)  # joints whose axes must not end opposite
    laws: list[LawInfo] = field(default_factory=list)  # those that are not constants
    switches: list[LawInfo] = field(default_factory=list)  # the law behind each of the last events: it switches with the state
    couples: dict[str, tuple[int, ...]] = field(default_factory=dict)  # force → the bodies whose motion it depends on
    particles: list[int] = field(default_factory=list)  # bodies without an orientation: their turns are idle
    spinless: list[int] = field(default_factory=list)  # bodies with a zero principal moment (equations/spinless.py)
    teeth: dict[str, Teeth] = field(default_factory=dict)  # gear pairs
    first_slot: int = 16  # where the slots of readings begin in x0
    readings: dict[str, int] = field(default_factory=dict)  # name in a law → slot
    states: dict[str, int] = field(default_factory=dict)  # differential → its place in q
    scales: dict[str, float] = field(default_factory=dict)  # differential → its size, by which its tolerance goes
    felt: list[str] = field(default_factory=list)  # reactions and accelerations that laws read
    feeling: list[str] = field(default_factory=list)  # forces whose laws depend on these
    rubbing: list[dict] = field(default_factory=list)  # surfaces of joints with friction (model/rubbing.py)
    inputs: dict[str, int] = field(default_factory=dict)  # signals and force components that are numbers → row of their law
    notes: list[str] = field(default_factory=list)  # how elements were understood, for users to know

    @property
    def kind(self):
        return planar if self.dim == 2 else spatial

    @property
    def nb(self) -> int:
        return len(self.bodies)

    @property
    def nq(self) -> int:
        return self.kind.SIZE_Q * self.nb + self.slots + len(self.states)

    @property
    def nv(self) -> int:
        return self.kind.SIZE_V * self.nb

    @cached_property
    def words(self) -> np.ndarray:
        """Where the tables are in memory, for entries bound to them."""
        return words(type(self.tables), self.tables)

    def __getstate__(self):
        """Copies, also those in another process, have their tables elsewhere, and make what is kept beside them anew."""
        return {k: v for k, v in self.__dict__.items() if k not in BESIDE}

    @cached_property
    def moving(self) -> np.ndarray:
        """Places in v that count: all but the idle turns of particles."""
        counts = np.ones((self.nb, self.kind.SIZE_V), dtype=bool)
        counts[self.particles, self.dim:] = False
        return np.flatnonzero(counts.ravel())

    @property
    def freedoms(self) -> int:
        """Coordinates of all bodies before any constraint: 3 or 6 for a body, 2 or 3 for a particle."""
        return self.moving.size

    @property
    def nc(self) -> int:
        return len(self.rows)

    def at_q(self, body: int) -> slice:
        """The place of a body in q: the kernels' own function says where it begins."""
        return slice(int(self.kind.at_q(self.tables, body)), int(self.kind.at_q(self.tables, body + 1)))

    def at_v(self, body: int) -> slice:
        """The place of a body in v, and in all that goes with v (v̇, Q, displacements, the columns of D)."""
        return slice(int(self.kind.at_v(self.tables, body)), int(self.kind.at_v(self.tables, body + 1)))

    def each_q(self, q) -> np.ndarray:
        """The bodies' coordinates in q (states along the first axes): … × bodies × coordinates of one, a view."""
        return np.asarray(q)[..., : self.kind.SIZE_Q * self.nb].reshape(*np.shape(q)[:-1], self.nb, self.kind.SIZE_Q)

    def each_v(self, v) -> np.ndarray:
        """The same of v, and of all that goes with v."""
        return np.asarray(v).reshape(*np.shape(v)[:-1], self.nb, self.kind.SIZE_V)

    @property
    def speed_names(self) -> list[str]:
        """Names of the components of v: speeds of x, y, angle; in space of x, y, z and turns about the body's axes."""
        parts = ("x", "y", "angle") if self.dim == 2 else ("x", "y", "z", "wx", "wy", "wz")
        return [f"{body}.{p}" for body in self.bodies for p in parts]

    @property
    def running(self) -> slice:
        """The running angles in q, behind the bodies; behind them the states of differentials."""
        start = self.kind.SIZE_Q * self.nb
        return slice(start, start + self.slots)

    def body_at(self, k: int) -> str:
        """The body that component k of v belongs to."""
        return self.bodies[k // self.kind.SIZE_V]

    def units(self, length: float) -> np.ndarray:
        """Over v: a length for translations, 1 (radian) for turns."""
        return np.tile([length] * self.dim + [1.0] * (self.kind.SIZE_V - self.dim), self.nb)

    @cached_property
    def dense_rows(self) -> tuple[np.ndarray, np.ndarray]:
        """Where the numbers of D's blocks are, and where they belong in the dense matrix (nc × nv, flat)."""
        blocks = self.tables.blocks
        find = _dense_rows if blocks.size <= SHARED else _dense_rows.__wrapped__
        return find(tuple(blocks[["at", "count", "row", "body"]].tolist()), self.kind.SIZE_V, self.nv)

    @cached_property
    def dense_mass(self) -> np.ndarray:
        """M as a dense matrix; not to be written to."""
        M, d = np.zeros((self.nv, self.nv)), self.dim
        if d == 2:
            bodies = self.tables.bodies
            M.ravel()[::self.nv + 1] = np.array([bodies["mass"], bodies["mass"], bodies["inertia"]]).T.ravel()
            return M
        for k, body in enumerate(self.tables.bodies):
            at = self.at_v(k)
            M[at, at][:d, :d] = np.eye(d) * body["mass"]
            M[at, at][d:, d:] = np.reshape(body["inertia"], (at.stop - at.start - d, -1))
        return M

    @cached_property
    def mass(self) -> float:
        """Of all bodies (kg)."""
        return float(self.tables.bodies["mass"].sum())

    @cached_property
    def pull(self) -> float:
        """Of gravity (m/s²)."""
        return float(np.linalg.norm(self.tables.gravity))

    @cached_property
    def size(self) -> float:
        """Size of the mechanism as drawn, in the metric of the masses: √(Σ m r² + J), r from the common centre."""
        b = self.tables.bodies
        r = self.each_q(self.q_drawn)[:, : self.dim]
        m = b["mass"]
        spread = (m[:, None] * (r - m @ r / m.sum()) ** 2).sum()
        moments = b["inertia"][:, None] if self.dim == 2 else b["inertia"][:, [0, 4, 8]]
        if self.particles:
            moments = moments.copy()
            moments[self.particles] = 0.0
        if len(self.particles) == self.nb and spread == 0.0:  # one point: how far it is from what holds it, or 1 m
            ground = self.tables.markers["s"][self.tables.markers["body"] == self.nb].reshape(-1, self.dim)
            spread = m.sum() * (((ground - r[0]) ** 2).sum(axis=1).max(initial=0.0) or 1.0)
        return float(np.sqrt(spread + moments.sum()))
