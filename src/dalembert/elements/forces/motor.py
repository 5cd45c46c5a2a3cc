"""Motor: a given torque or force on a coordinate.

    p = f(t, c, ċ) on the second body, −p on the first          (rows/effort.py on the coordinate)
"""

from __future__ import annotations

from dalembert.elements.forces.base import BaseForce
from dalembert.elements.given import Coordinate, Law


class Motor(BaseForce):
    """A given torque or force on a coordinate: motors, controllers, friction laws.

    Parameters
    ----------
    name : string [–]
        Its name; results are read by it.
    of : joint, coordinate or pair of bodies [–]
        What it works on: a joint or a body's coordinate such as "cart.x".
    law : law of t, coordinate, rate [N or N·m]
        Number, formula such as "-40*(coordinate - 0.3) - 2*rate" (a PD controller), table or Python function.

    Notes
    -----
    Acts: along the coordinate with p = f(t, c, ċ) on the second body, −p on the first.

    Signs: positive drives the second body forward, in the direction in which the coordinate grows; ``force`` and ``torque``
    of the result are p.

    Degenerate: never. Unlike a ``Drive`` it prescribes no motion.

    Examples
    --------
    >>> import dalembert as da
    >>> m = da.Model("servo", dim=2)
    >>> rod = m.add(da.Body.rod("rod", (0, 0), (1, 0), mass=3.0))
    >>> pin = m.add(da.Revolute("pin", m.ground, rod, at=(0, 0)))
    >>> servo = m.add(da.Motor("servo", "pin", "-40*(coordinate - 0.3) - 8*rate"))
    >>> run = da.simulate(m, 3.0)
    >>> float(run["pin"].coordinate[-1].round(2))
    0.3
    """

    law_names = ("t", "coordinate", "rate")
    unknowns = ("law",)

    def __init__(self, name: str, of: Coordinate, law: Law) -> None:
        self.name, self.of, self.law = name, of, law
        self.stiffness = self.damping = 0.0

    def on_joint(self):
        return self.of, 0.0, 0.0, 0.0, self.law

    def build(self, b):
        b.effort(self, b.coordinate(self.of, self), 0.0, self.law, 1.0, self.law_names)
