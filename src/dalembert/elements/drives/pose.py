"""Pose: place and orientation of a body against another follow laws of time.

    x_k · (r_j − r_i) − p_k(t) = 0 (rows/equation.py) along the axes of i, and the three rows of an orientation (attitude.py)
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dalembert import expressions
from dalembert.elements.drives import attitude
from dalembert.elements.element import Element
from dalembert.elements.given import Law, Ref, Vector
from dalembert.errors import ModelError


class Pose(Element):
    """Place and orientation of a body, or of it against another, follow laws of time: the platform of a parallel robot.

    Parameters
    ----------
    name : string [–]
        Its name; results are read by it.
    i, j : body or name [–]
        First and second body; "ground" is the fixed frame.
    position : three laws of t [m]
        Of the point ``on_j`` against the reference point of i, along the axes of i; numbers or formulas.
    quaternion : four laws of t [–], optional
        Of the axes of j against those of i, scalar first, of any length; numbers or formulas.
    euler : three laws of t [rad], optional
        The same by angles about axes that are carried along, in the order of ``sequence``.
    sequence : string [–], default 'zyx'
        Axes of the angles: "zyx" is yaw, pitch, roll.
    on_j : vector [m], optional
        The point, in the axes of j; left out: its reference point.

    Notes
    -----
    Holds: six rows, with exact rates: a platform driven so has no freedom left, and the lengths of its legs follow
    (inverse kinematics).

    Signs: λ are the multipliers of the six rows; ``force`` and ``torque`` of the result are what the drive exerts on j at the
    point, ground axes; ``power`` is what it puts in.

    Degenerate: a drawing turned by more than 172° from the laws at t = 0 is refused.

    Examples
    --------
    >>> import dalembert as da
    >>> m = da.Model("carried", dim=3, gravity=(0, 0, -9.81))
    >>> box = m.add(da.Body("box", mass=2.0, inertia=(0.3, 0.2, 0.1)))
    >>> path = m.add(da.Pose("path", m.ground, box, position=("0.1*t", 0, "0.5*t**2"), euler=(0, "0.2*t", 0)))
    >>> da.accelerations(m)["path"].force.round(6).tolist()             # m (g + 1 m/s²)
    [0.0, 0.0, 21.62]
    """

    kind = "constraint"
    drawn_as = ""
    dims = (3,)
    arguments = {"position": "laws", "quaternion": "attitude", "euler": "laws", "sequence": "text"}

    def __init__(self, name: str, i: Ref, j: Ref, *, position: Sequence[Law], quaternion: Sequence[Law] | None = None,
                 euler: Sequence[Law] | None = None, sequence: str = "zyx", on_j: Vector | None = None) -> None:
        self.name, self.i, self.j, self.position, self.on_j = name, i, j, position, on_j
        self.quaternion, self.euler, self.sequence = quaternion, euler, sequence

    def build(self, b):
        if isinstance(self.position, str) or not hasattr(self.position, "__len__") or len(self.position) != 3:
            raise ModelError(f"{self.title}: position= has three laws, got {self.position!r:.60}")
        first, second = b.pair(self)
        on = np.zeros(3) if self.on_j is None else b.vector(self.on_j, f"on_j of {self.title}")
        i, j = b.marker(first, np.zeros(3), np.eye(3)), b.marker(second, on, np.eye(3))
        b.centres[self.name] = (i, j)
        for k, law in enumerate(self.position):
            gap = expressions.parse("place - law").substitute({"law": attitude.of_time(b, self, law)})
            b.equation([b.dot_offset(i, k, j)], b.program(gap, ["place", "t"], self.title), f"place along {'xyz'[k]}")
        attitude.hold(self, b, i, j)
