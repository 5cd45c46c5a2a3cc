"""Orientation: a body's orientation against another follows laws of time (attitude.py).

    Φ = 2 tan(θ/2) n = 0, three rows; θ and n angle and axis of the turn that is left
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dalembert.elements.drives import attitude
from dalembert.elements.element import Element
from dalembert.elements.given import Law, Ref


class Orientation(Element):
    """A body's orientation in space, or against another body, follows laws of time.

    Parameters
    ----------
    name : string [–]
        Its name; results are read by it.
    i, j : body or name [–]
        First and second body; "ground" is the fixed frame.
    quaternion : four laws of t [–], optional
        Of the axes of j against those of i, scalar first, of any length; numbers or formulas.
    euler : three laws of t [rad], optional
        The same by angles about axes that are carried along, in the order of ``sequence``.
    sequence : string [–], default 'zyx'
        Axes of the angles: "zyx" is yaw, pitch, roll.

    Notes
    -----
    Holds: three rows, with exact rates. The body's own axes count, not the drawing; laws that do not change lock the orientation.

    Signs: λ are the multipliers of the three rows, no components of a torque by themselves; ``torque`` of the result is what
    the drive exerts on j, ground axes, ``power`` what it puts in.

    Degenerate: a drawing turned by more than 172° from the laws at t = 0 is refused. Angles may pass where two of their axes fall
    together: the orientation and its rates stay what the formulas say.

    Examples
    --------
    >>> import dalembert as da
    >>> m = da.Model("dish", dim=3)
    >>> dish = m.add(da.Body("dish", mass=2.0, inertia=(0.3, 0.2, 0.1)))
    >>> ball = m.add(da.Spherical("ball", m.ground, dish, at=(0, 0, 0)))
    >>> aim = m.add(da.Orientation("aim", m.ground, dish, euler=("0.5*t**2", 0, 0)))
    >>> da.accelerations(m)["aim"].torque.round(6).tolist()             # J_z · 1 rad/s²
    [0.0, 0.0, 0.1]
    """

    kind = "constraint"
    drawn_as = ""
    dims = (3,)
    arguments = {"quaternion": "attitude", "euler": "laws", "sequence": "text"}

    def __init__(self, name: str, i: Ref, j: Ref, *, quaternion: Sequence[Law] | None = None,
                 euler: Sequence[Law] | None = None, sequence: str = "zyx") -> None:
        self.name, self.i, self.j = name, i, j
        self.quaternion, self.euler, self.sequence = quaternion, euler, sequence

    def build(self, b):
        i, j = (b.marker(body, np.zeros(3), np.eye(3)) for body in b.pair(self))
        b.centres[self.name] = (i, j)
        attitude.hold(self, b, i, j)
