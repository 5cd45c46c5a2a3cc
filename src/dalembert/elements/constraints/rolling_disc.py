"""RollingDisc: a thin disc that rolls without slip on a fixed line (plane) or plane (space).

Contact at r_c + R u (r_c the disc's centre, u in the disc's plane towards the ground; algebra: rim).  The material
point there is at rest:  n · (ṙ_c + ω × R u) = 0  for the normal N and each tangent n, all fixed in the ground.

    D on j: force n at the contact          ν = 0          γ = −n·(ω × (ω × s_c) + ω × R u̇)
    first row (n = N) is also the derivative of  Φ = N·(r_c − p) − R ρ = 0,  ρ = −N·u;  the tangents have no Φ

−λ: the contact force on the disc (normal first, then along the tangents).  Rolling resistance: a couple of at most f |λ₀| about
the disc's axis, Coulomb's law for the speed R ω with the coefficient f/R (contacts/rubbing).
Degenerates when the disc lies flat: ρ = 0.
"""

from __future__ import annotations

import math

import numpy as np

from dalembert._jit import kernel
from dalembert.algebra import rotations
from dalembert.algebra.vectors import add, dot, moment, rim, scale, sub, turn
from dalembert.elements.bodies.markers import NONE, add_row, arm, axis, bias, block, dimension, omega, point
from dalembert.elements.element import name_of
from dalembert.elements.friction import Rubs
from dalembert.elements.given import Number, Ref, Vector
from dalembert.errors import ModelError

ROW = np.dtype([("i", "u4"), ("j", "u4"), ("normal", "u4"), ("axis_j", "u4"), ("row", "u4"), ("at_j", "u4"),
                    ("radius", "f8")])


@kernel
def evaluate(s, w):
    for k in range(s.rolling_disc.size):
        c = s.rolling_disc[k]
        b = s.markers[c.j].body
        rate = omega(s, w, b)
        N = axis(s, w, c.i, c.normal)
        u, du, rho = rim(N, axis(s, w, c.j, c.axis_j), rate)
        sc = arm(s, w, c.j)
        contact = add(sc, scale(u, c.radius))
        drift = add(bias(s, w, c.j, sc), turn(rate, scale(du, c.radius)))
        offset = sub(point(s, w, c.j, sc), point(s, w, c.i, arm(s, w, c.i)))
        row = c.row
        for m in range(dimension(s)):
            n = axis(s, w, c.i, (c.normal + m) % dimension(s))
            w.phi[row] = dot(N, offset) - c.radius * rho if m == 0 else 0.0
            w.nu[row] = 0.0
            w.gamma[row] = -dot(n, drift)
            if c.at_j != NONE:
                add_row(s, w, c.at_j + m * block(s), b, 1.0, n, moment(contact, n))
            row += 1


class RollingDisc(Rubs):
    """A thin disc rolls without slip on a fixed line (plane) or plane (space).

    Parameters
    ----------
    name : string [–]
        Its name; results are read by it.
    i : ground [–]
        The ground.
    j : body or name [–]
        The disc.
    radius : number or formula [m]
        Radius of the disc.
    axis : vector [–], optional
        Axis of the disc in ground coordinates, as drawn; needed in space.
    at : vector [m], optional
        Centre of the disc in ground coordinates, as drawn; left out: the reference point of j.
    on_j : vector [m], optional
        The centre in j's own coordinates, instead of ``at``.
    axis_j : vector [–], optional
        The axis in j's own coordinates, instead of ``axis``.
    ground_point : vector [m], optional
        A point of the line or plane; left out: the origin.
    ground_normal : vector [–], optional
        Its normal; left out: the last axis (y in the plane, z in space).
    resistance : number or formula [m], optional
        Lever arm f of rolling resistance: the couple f N against the turning about the disc's axis; left out: none.

    Notes
    -----
    Holds: the material point at the contact is at rest: two rows in the plane, three in space; the first is also held as a
    position (the disc touches).

    Signs: −λ is the contact force on the disc: along the normal first, then along the tangents. It may pull: nothing lifts off.

    Friction: with ``resistance`` the disc is slowed by the couple f N about its axis, and rests where less is needed:
    ``friction_torque``, ``normal_force`` N, ``sticking``, ``friction_loss`` as of a joint that rubs.

    Degenerate: when the disc lies flat.

    Examples
    --------
    >>> import dalembert as da
    >>> m = da.Model("wheel on a slope", dim=2, gravity=(0.6 * 9.81, -0.8 * 9.81))
    >>> wheel = m.add(da.Body("wheel", mass=2.0, inertia=0.09, position=(0, 0.3), shapes=[da.Cylinder(0.3, 0.05)]))
    >>> road = m.add(da.RollingDisc("road", m.ground, wheel, radius=0.3))
    >>> da.accelerations(m)["wheel"].acceleration.round(3).tolist()     # ⅔ g sin α
    [3.924, 0.0]
    """

    kind = "constraint"
    drawn_as = "wheel"
    arguments = {"resistance": "number"}

    def __init__(self, name: str, i: Ref, j: Ref, *, radius: Number, axis: Vector | None = None, at: Vector | None = None,
                 on_j: Vector | None = None, axis_j: Vector | None = None, ground_point: Vector | None = None,
                 ground_normal: Vector | None = None, resistance: Number | None = None) -> None:
        self.name, self.i, self.j, self.radius, self.axis, self.at = name, i, j, radius, axis, at
        self.on_j, self.axis_j, self.ground_point, self.ground_normal = on_j, axis_j, ground_point, ground_normal
        self.resistance = self.friction = resistance

    def smooth(self) -> RollingDisc:
        return type(self)(**{k: v for k, v in self.given.items() if k != "resistance"})

    def pitch_radius(self, names):
        return self.radius if name_of(self.j, self.title) in names else None

    def build(self, b):
        if name_of(self.i, self.title) != "ground":
            raise ModelError(f"{self.title}: a disc rolls on the ground; its first body must be ground (for a wheel on a "
                             "moving body use Gear, RackPinion or VelocityEquation)")
        i, j = b.pair(self)
        n = b.dim
        normal = np.eye(n)[:, n - 1] if self.ground_normal is None else b.direction(self.ground_normal, f"normal of {self.title}")
        point = np.zeros(n) if self.ground_point is None else b.vector(self.ground_point, f"point of {self.title}")
        local = b.point_on(self, j, self.at, self.on_j, "on_j")
        ground, axes = self._frames(b, j, normal)
        mi, mj = b.marker(i, point, ground), b.marker(j, local, axes)
        b.at_markers(self, mi, mj)
        slips = ["rolling along the ground"] if n == 2 else ["slip along t1", "slip along t2"]
        radius = b.positive(self.radius, f"radius of {self.title}")
        b.rows("rolling_disc", {"normal": 0, **dict.fromkeys(slips, 1)}, (mi, mj), i=mi, j=mj, normal=n - 1, axis_j=n - 1,
               radius=radius)
        if self.rubs:
            lever = float(b.number(self.resistance, f"resistance of {self.title}"))
            if not (math.isfinite(lever) and lever >= 0.0):
                raise ModelError(f"{self.title}: resistance is {lever!r}; the lever arm [m] of its couple must be zero or more")
            b.rub(self, "roll", coulomb=lever / float(radius), static=lever / float(radius), stribeck=0.0, viscous=0.0,
                  preload=0.0, radius=float(radius), length=1.0, lead=0.0)

    def _frames(self, b, j, normal):
        """Axes of the ground, the normal last, and axes of the disc, its own last."""
        if b.dim == 2:  # first axis along the line, second normal
            return np.array([[normal[1], normal[0]], [-normal[0], normal[1]]]), b.placed[j].A.T
        if self.axis is None and self.axis_j is None:
            raise ModelError(f"{self.title}: give the disc's axis= (ground coordinates as drawn) or axis_j=")
        a = (b.direction(self.axis_j, f"axis_j of {self.title}") if self.axis_j is not None
             else b.placed[j].A.T @ b.direction(self.axis, f"axis of {self.title}"))
        if abs(abs((b.placed[j].A @ a) @ normal) - 1.0) < 1e-9:
            raise ModelError(f"{self.title}: the disc lies flat on the ground as drawn; tilt it, or check axis=")
        return rotations.frame_along(normal, 2), rotations.frame_along(a, 2)
