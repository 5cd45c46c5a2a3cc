"""Universal: a cross between two shafts; it passes torque along them and lets both bend.

    coincide + one DP1: the arm of the cross on i stays perpendicular to the arm on j (4 rows).

``axis`` is the arm fixed on i, ``axis2`` the arm fixed on j, perpendicular as drawn (or axis_i and axis_j).
Reaction: a force at the centre and a torque along the normal of the cross.
"""

from __future__ import annotations

import numpy as np

from dalembert.elements.friction import Rubbing
from dalembert.elements.given import Number, Ref, Vector
from dalembert.elements.joints.rubbing import RubbingJoint
from dalembert.errors import ModelError


class Universal(RubbingJoint):
    """A cross between two shafts (Cardan joint): both may bend, and torque passes along them.

    Parameters
    ----------
    name : string [–]
        Its name; results are read by it.
    i, j : body or name [–]
        First and second body; "ground" is the fixed frame.
    at : vector [m], optional
        Where the bodies meet, ground coordinates, as drawn.
    axis : vector [–], optional
        The arm of the cross that is fixed on i, ground coordinates as drawn.
    axis2 : vector [–], optional
        The arm of the cross that is fixed on j, perpendicular to ``axis`` as drawn.
    on_i, on_j : vector [m], optional
        The place on each body in its own coordinates, instead of ``at``; ``assemble`` brings the places together.
    axis_i, axis_j : vector [–], optional
        The direction on each body in its own coordinates, instead of ``axis``.
    friction : number, formula or table [–], optional
        Coulomb's μ of the pins of the cross, or {"coulomb": μ, "static": μ_s, "stribeck_m_per_s": u_s, "viscous_N_s_per_m": σ,
        "preload_N": N₀}; left out: none.
    radius : number or formula [m], optional
        Of the pins, where they rub; needed with friction.
    length : number or formula [m], optional
        Between the two pins of an arm, which carry the torque; needed with friction.

    Notes
    -----
    Holds: the points together and the two arms perpendicular, four rows.

    Signs: −λ of the first three rows is the force on j at the centre, ground axes; −λ of the last the torque on j along the
    normal of the cross. It has no single coordinate.

    Friction: with ``friction`` each arm e has two pins,
    pressed by |F/2 ∓ e × M/length|.

    Degenerate: when the shafts are at a right angle the torque no longer passes (the arms of i and the shaft of j are along one
    line), which a driven motion tells as a singular pose.

    Examples
    --------
    >>> import dalembert as da
    >>> m = da.Model("shafts", dim=3)
    >>> one = m.add(da.Body.rod("one", (-1, 0, 0), (0, 0, 0), mass=1.0, radius=0.05))
    >>> two = m.add(da.Body.rod("two", (0, 0, 0), (0.8, 0.6, 0), mass=1.0, radius=0.05))
    >>> left = m.add(da.Revolute("left", m.ground, one, at=(-1, 0, 0), axis=(1, 0, 0)))
    >>> right = m.add(da.Cylindrical("right", m.ground, two, at=(0.8, 0.6, 0), axis=(0.8, 0.6, 0)))
    >>> cross = m.add(da.Universal("cross", one, two, at=(0, 0, 0), axis=(0, 0, 1), axis2=(-0.6, 0.8, 0)))
    >>> m.initial("left", rate=1.0)
    >>> round(float(da.assemble(m)["right"].rate), 3)          # cos β = 0.8: arm of the driving shaft across the plane of both
    0.8
    """

    surfaces = ("arm i", "arm j")
    wants = {3: ("radius", "length")}
    why = "pins rub at their radius, and the two of an arm carry the torque"
    drawn_as = "cross"
    dims = (3,)
    free = {3: ("arm i", "arm j")}

    def __init__(self, name: str, i: Ref, j: Ref, *, at: Vector | None = None, axis: Vector | None = None,
                 axis2: Vector | None = None, on_i: Vector | None = None, on_j: Vector | None = None,
                 axis_i: Vector | None = None, axis_j: Vector | None = None, friction: Rubbing | None = None,
                 radius: Number | None = None, length: Number | None = None) -> None:
        super().__init__(name, i, j, at=at, axis=axis, on_i=on_i, on_j=on_j, axis_i=axis_i, axis_j=axis_j, friction=friction,
                         radius=radius, length=length)
        self.axis2 = axis2

    def build(self, b):
        if self.axis_j is None and self.axis2 is None:
            raise ModelError(f"{self.title}: give both arms of the cross, axis= (on the first body) and axis2= (on the "
                             "second), perpendicular to each other")
        i, j = b.joint_markers(self, axis_j=self.axis2)
        if self.axis is not None and self.axis2 is not None:
            a, c = b.direction(self.axis, f"axis of {self.title}"), b.direction(self.axis2, f"axis2 of {self.title}")
            if abs(np.dot(a, c)) > 1e-6:
                raise ModelError(f"{self.title}: axis and axis2 must be perpendicular as drawn")
        b.coincide(i, j)
        b.hold(b.dot_axes(i, 2, j, 2), 0.0, "rotation about the normal of the cross")
        self._rub(b)
