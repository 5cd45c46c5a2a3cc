"""Screw: a nut on a thread; j advances by the pitch per turn.

    on_line + align + (slide − pitch/2π · angle) held at zero (5 rows)

Reaction: as a cylindrical joint's, and along the thread a force −λ with the torque pitch/2π · λ.
"""

from __future__ import annotations

import math

from dalembert.elements.friction import Rubbing
from dalembert.elements.given import Number, Ref, Vector
from dalembert.elements.joints.rubbing import RubbingJoint


class Screw(RubbingJoint):
    """A nut on a thread: j advances along the axis as it turns.

    Parameters
    ----------
    name : string [–]
        Its name; results are read by it.
    i, j : body or name [–]
        First and second body; "ground" is the fixed frame.
    pitch : number or formula [m]
        Advance of j per full turn, right-handed when positive.
    at : vector [m], optional
        Where the bodies meet, ground coordinates, as drawn.
    axis : vector [–], optional
        Direction of the thread in ground coordinates, as drawn; needed unless given on the bodies.
    on_i, on_j : vector [m], optional
        The place on each body in its own coordinates, instead of ``at``; ``assemble`` brings the places together.
    axis_i, axis_j : vector [–], optional
        The direction on each body in its own coordinates, instead of ``axis``.
    friction : number, formula or table [–], optional
        Coulomb's μ of the thread, or {"coulomb": μ, "static": μ_s, "stribeck_m_per_s": u_s, "viscous_N_s_per_m": σ,
        "preload_N": N₀}; left out: none.
    radius : number or formula [m], optional
        Mean radius of the thread; needed with friction.
    length : number or formula [m], optional
        Of the nut, whose edges carry what acts across the axis; needed with friction.

    Notes
    -----
    Holds: as a cylindrical joint, and slide − pitch/2π · angle = 0: five rows.

    Signs: −λ of the last row is the force on j along the thread, with the torque pitch/2π · λ on j about it; the others as for
    ``Cylindrical``. Coordinates: "angle" (the main one) and "slide".

    Friction: with ``friction`` the thread slides along its helix of lead angle tan β = pitch/(2π radius), pressed
    by N = |F_a|/cos β + |F₊| + |F₋|: it holds a load by itself where tan β ≤ μ.

    Degenerate: never by itself; pitch = 0 is a hinge.

    Examples
    --------
    >>> import dalembert as da
    >>> m = da.Model("lead screw", dim=3)
    >>> nut = m.add(da.Body.from_shape("nut", da.Cylinder(0.1, 0.2), mass=2.0))
    >>> thread = m.add(da.Screw("thread", m.ground, nut, pitch=0.05, at=(0, 0, -0.3), axis=(0, 0, 1)))
    >>> m.initial("thread", rate=6.283185307179586)
    >>> da.assemble(m)["nut"].velocity.round(4).tolist()       # one turn a second
    [0.0, 0.0, 0.05]
    """

    surfaces = ("thread",)
    wants = {3: ("radius", "length")}
    why = "the thread rubs at its mean radius, and the edges of the nut carry what acts across"
    drawn_as = "slide"
    dims = (3,)
    free = {3: ("screw",)}
    coordinate_name = {"angle": "angle", "slide": "slide"}

    def __init__(self, name: str, i: Ref, j: Ref, *, pitch: Number, at: Vector | None = None, axis: Vector | None = None,
                 on_i: Vector | None = None, on_j: Vector | None = None, axis_i: Vector | None = None,
                 axis_j: Vector | None = None, friction: Rubbing | None = None, radius: Number | None = None,
                 length: Number | None = None) -> None:
        super().__init__(name, i, j, at=at, axis=axis, on_i=on_i, on_j=on_j, axis_i=axis_i, axis_j=axis_j, friction=friction,
                         radius=radius, length=length)
        self.pitch = pitch

    def _lead(self, b) -> float:
        return float(b.number(self.pitch, f"pitch of {self.title}")) / (2 * math.pi)

    def recipe(self, b, i, j):
        lead = b.number(self.pitch, f"pitch of {self.title}") / (2 * math.pi)
        b.on_line(i, j)
        b.align(i, j)
        b.combine([(b.slide(i, j), 1.0), (b.angle(i, j), -lead)], 0.0, "advance along the thread")
