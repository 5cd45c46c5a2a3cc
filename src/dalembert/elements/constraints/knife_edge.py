"""KnifeEdge: a blade that cannot slip sideways: skate, sleigh runner, thin wheel seen from above (nonholonomic).

    n · (ṙ_j − u) = 0,   n an axis fixed on j, u the velocity of i's material at the point:  u = ṙ_i + ω_i × ρ
    D on j: force n at r_j,   on i: force −n at the same point          ν = 0
    γ = −(ṅ·(ṙ_j − u) + n·(ω_j × (ω_j × s_j) − ω_i × (ṙ_j − ṙ_i)))

−λ is the sideways force on j.  No position equation.  Never degenerate.
"""

from __future__ import annotations

import numpy as np

from dalembert._jit import kernel
from dalembert.algebra import rotations
from dalembert.algebra.vectors import add, dot, moment, sub, turn
from dalembert.elements.bodies.markers import (
    NONE,
    add_row,
    arm,
    axis,
    bias,
    omega,
    point,
    point_velocity,
    position,
    spun,
    velocity,
)
from dalembert.elements.element import Element
from dalembert.elements.given import Ref, Vector
from dalembert.errors import ModelError

ROW = np.dtype([("i", "u4"), ("j", "u4"), ("axis_j", "u4"), ("row", "u4"), ("at_i", "u4"), ("at_j", "u4")])


@kernel
def evaluate(s, w):
    for k in range(s.knife_edge.size):
        c = s.knife_edge[k]
        bi = s.markers[c.i].body
        n = axis(s, w, c.j, c.axis_j)
        sj = arm(s, w, c.j)
        rho = sub(point(s, w, c.j, sj), position(s, w, bi))
        vj = point_velocity(s, w, c.j, sj)
        wi = omega(s, w, bi)
        u = add(velocity(s, w, bi), turn(wi, rho))
        carried = turn(wi, sub(vj, velocity(s, w, bi)))
        w.phi[c.row] = 0.0
        w.nu[c.row] = 0.0
        w.gamma[c.row] = -dot(spun(s, w, c.j, n), sub(vj, u)) - dot(n, sub(bias(s, w, c.j, sj), carried))
        if c.at_i != NONE:
            add_row(s, w, c.at_i, bi, -1.0, n, moment(rho, n))
        if c.at_j != NONE:
            add_row(s, w, c.at_j, s.markers[c.j].body, 1.0, n, moment(sj, n))


class KnifeEdge(Element):
    """A blade that cannot slip sideways: skate, sleigh runner, thin wheel seen from above.

    Parameters
    ----------
    name : string [–]
        Its name; results are read by it.
    i, j : body or name [–]
        First and second body; "ground" is the fixed frame.
    axis : vector [–]
        Direction of the blade on j, ground coordinates as drawn.
    at : vector [m], optional
        Where it touches, ground coordinates as drawn; left out: the reference point of j.
    on_j : vector [m], optional
        The same in j's own coordinates, instead of ``at``.
    normal : vector [–], optional
        In space, the sideways direction fixed on j; left out: across the blade and the vertical z.

    Notes
    -----
    Holds: n · (ṙ_j − u) = 0, one row on velocities, u the velocity of i's material at the point; no equation for positions.

    Signs: −λ is the sideways force on j.

    Degenerate: never; in space a vertical blade needs ``normal``.

    Examples
    --------
    >>> import dalembert as da
    >>> m = da.Model("sleigh", dim=2)
    >>> sleigh = m.add(da.Body("sleigh", mass=2.0, inertia=0.3, velocity=(1, 0), omega=1.5, shapes=[da.Box((0.6, 0.2))]))
    >>> runner = m.add(da.KnifeEdge("runner", m.ground, sleigh, axis=(1, 0), at=(0, 0)))
    >>> run = da.simulate(m, 2.0)
    >>> da.accelerations(m)["runner"].force.round(3).tolist()           # m v ω, towards the centre
    [0.0, 3.0]
    """

    kind = "constraint"
    drawn_as = ""

    def __init__(self, name: str, i: Ref, j: Ref, *, axis: Vector, at: Vector | None = None, on_j: Vector | None = None,
                 normal: Vector | None = None) -> None:
        self.name, self.i, self.j, self.axis, self.at, self.on_j, self.normal = name, i, j, axis, at, on_j, normal

    def build(self, b):
        i, j = b.pair(self)
        if self.at is not None and self.on_j is not None:
            raise ModelError(f"{self.title}: give at= (ground coordinates) or on_j= (body coordinates), not both")
        local = b.point_on(self, j, self.at, self.on_j, "on_j")
        frame = self._frame(b, b.direction(self.axis, f"axis of {self.title}"))
        mi = b.marker(i, np.zeros(b.dim), np.eye(b.dim))
        mj = b.marker(j, local, b.placed[j].A.T @ frame)
        b.at_markers(self, mi, mj)
        b.rows("knife_edge", {"sideways slip": 1}, (mi, mj), i=mi, j=mj, axis_j=1)

    def _frame(self, b, blade):
        """Axes along the blade and sideways."""
        if b.dim == 2:
            return rotations.frame_along(blade, 0)
        side = np.cross([0.0, 0.0, 1.0], blade) if self.normal is None else b.direction(self.normal, f"normal of {self.title}")
        if np.linalg.norm(side) < 1e-9:
            raise ModelError(f"{self.title}: the blade is vertical; give normal=, the direction it cannot slip in")
        side = side / np.linalg.norm(side)
        if abs(side @ blade) > 1 - 1e-9:
            raise ModelError(f"{self.title}: normal= is along the blade; give the direction it cannot slip in")
        return np.column_stack([np.cross(side, np.cross(blade, side)), side, np.cross(blade, side)])
