"""Spring: spring, damper and actuator between two points.

    tension k (l − l₀) + c l̇ + f_a(t, l, l̇), along the line of the points          (rows/effort.py on the measure distance)
"""

from __future__ import annotations

from dalembert.elements.forces.base import BaseForce
from dalembert.elements.given import Law, Number, Ref, Vector
from dalembert.errors import ModelError


class Spring(BaseForce):
    """Spring, damper and actuator between two points.

    Parameters
    ----------
    name : string [–]
        Its name; results are read by it.
    i, j : body or name [–]
        First and second body; "ground" is the fixed frame.
    at_i, at_j : vector [m], optional
        The point on each body in ground coordinates, as drawn.
    on_i, on_j : vector [m], optional
        The same in each body's own coordinates, instead of ``at_i``, ``at_j``; left out both: the reference point.
    stiffness : number or formula [N/m], default 0.0
        k.
    damping : number or formula [N·s/m], default 0.0
        c.
    length : number or formula [m], optional
        Length l₀ without tension; left out: as drawn.
    actuator : law of t, length, rate [N], optional
        Adds to the tension; positive pulls the ends together. A hydraulic cylinder, a muscle or a nonlinear spring is such a law.

    Notes
    -----
    Acts: along the line of the two points with the tension k (l − l₀) + c l̇ + f(t, l, l̇).

    Signs: ``force`` of the result is the tension: positive pulls the ends together. ``length`` and ``rate`` are l and l̇.

    Degenerate: where the points meet there is no direction; as drawn that is refused.

    Examples
    --------
    >>> import dalembert as da
    >>> m = da.Model("hung mass", dim=2, gravity=(0, -9.81))
    >>> mass = m.add(da.Particle("mass", mass=1.0, position=(0, -1)))
    >>> spring = m.add(da.Spring("spring", m.ground, mass, at_i=(0, 0), at_j=(0, -1), stiffness=100.0, length=0.9))
    >>> float(da.assemble(m)["spring"].force.round(6))
    10.0
    """

    pulls = True
    drawn_as = "spring"
    law_names = ("t", "length", "rate")
    unknowns = ("actuator",)

    def __init__(self, name: str, i: Ref, j: Ref, *, at_i: Vector | None = None, at_j: Vector | None = None,
                 on_i: Vector | None = None, on_j: Vector | None = None, stiffness: Number = 0.0, damping: Number = 0.0,
                 length: Number | None = None, actuator: Law | None = None) -> None:
        self.name, self.i, self.j, self.at_i, self.at_j, self.on_i, self.on_j = name, i, j, at_i, at_j, on_i, on_j
        self.stiffness, self.damping, self.length, self.actuator = stiffness, damping, length, actuator

    def build(self, b):
        i, j = b.point_markers(self)
        rest = b.drawn_distance(i, j) if self.length is None else b.number(self.length, f"length of {self.title}")
        if b.drawn_distance(i, j) == 0.0:
            raise ModelError(f"{self.title}: its two points are the same as drawn, so the spring has no direction; draw them "
                             "apart, length= says where it is slack (even 0), or hold two points together by a Bushing, which "
                             "pulls along every axis")
        b.effort(self, b.distance(i, j), rest, self.actuator, -1.0, self.law_names)
