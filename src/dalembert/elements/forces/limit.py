"""Limit: end stops of a coordinate.

    p = −k δ − d |δ| ċ, δ how far the coordinate is outside [lower, upper]; never pulls          (rows/effort.py)

The force has a kink at each end: steps end there (event.py).
"""

from __future__ import annotations

import math

from dalembert.elements.forces.base import BaseForce
from dalembert.elements.given import Coordinate, Number
from dalembert.errors import ModelError


class Limit(BaseForce):
    """End stops of a coordinate: free between two values, a stiff spring beyond.

    Parameters
    ----------
    name : string [–]
        Its name; results are read by it.
    of : joint, coordinate or pair of bodies [–]
        What is stopped: a joint, a body's coordinate, or whatever a drive takes.
    lower : number or formula [m or rad], optional
        Where it stops on the lower side; left out: no stop there.
    upper : number or formula [m or rad], optional
        Where it stops on the upper side; left out: no stop there.
    stiffness : number or formula [N/m or N·m/rad]
        k.
    damping : number or formula [N·s/m² or N·m·s/rad²], default 0.0
        d, of the law d |δ| δ̇.

    Notes
    -----
    Acts: along the coordinate with k δ + d |δ| δ̇ back into the range, δ how far it is outside; it never pulls. What hits it at
    speed v comes back with about 1 − ⅔ (d/k) v of its speed.

    Signs: ``force`` of the result is along the coordinate on the second body: negative at the upper stop.

    Degenerate: never; the force has a kink at each end, and steps end there.

    Examples
    --------
    >>> import dalembert as da
    >>> m = da.Model("drop", dim=2, gravity=(0, -9.81))
    >>> ball = m.add(da.Particle("ball", mass=1.0, position=(0, 1.0)))
    >>> floor = m.add(da.Limit("floor", "ball.y", lower=0.0, stiffness=1e5))
    >>> run = da.simulate(m, 1.0)
    >>> bool(run["ball"].position[:, 1].min() > -0.02)
    True
    """

    law_names = ("t", "coordinate", "rate")
    no_formula = "an end stop pushes on one side only"

    def __init__(self, name: str, of: Coordinate, *, lower: Number | None = None, upper: Number | None = None, stiffness: Number,
                 damping: Number = 0.0) -> None:
        self.name, self.of, self.lower, self.upper = name, of, lower, upper
        self.stiffness, self.damping = stiffness, damping

    def kinks(self):
        return [(self.of, end) for end in (self.lower, self.upper) if end is not None]

    def build(self, b):
        if self.lower is None and self.upper is None:
            raise ModelError(f"{self.title}: give lower=, upper=, or both")
        lower = -math.inf if self.lower is None else b.number(self.lower, f"lower of {self.title}")
        upper = math.inf if self.upper is None else b.number(self.upper, f"upper of {self.title}")
        if lower >= upper:
            raise ModelError(f"{self.title}: lower is {lower:g} and upper is {upper:g}; there is no room between them")
        b.positive(self.stiffness, f"stiffness of {self.title}")
        if b.number(self.damping, f"damping of {self.title}") < 0:
            raise ModelError(f"{self.title}: damping is negative; a stop would put energy in")
        b.effort(self, b.coordinate(self.of, self), (lower, upper), None, 1.0, self.law_names)
