"""Torque: a torque on a body, each component a law of time, in ground axes or in body axes.

    Q gets (0, T); body axes: the components are along the marker's axes, which turn with the body.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dalembert._jit import kernel
from dalembert.algebra.vectors import scale
from dalembert.elements.bodies.markers import axis, dimension, load_turn, push, turn_from_marker
from dalembert.elements.forces.base import BaseForce
from dalembert.elements.forces.force import apply
from dalembert.elements.given import Law, Ref
from dalembert.elements.laws import law_value

ROW = np.dtype([("marker", "u4"), ("follows", "u4"), ("law", "u4", (3,)), ("element", "u4")])


@kernel
def evaluate(s, w):
    n = 2 * dimension(s) - 3
    for k in range(s.torque.size):
        f = s.torque[k]
        if w.only[0] >= 0 and w.only[0] != f.element:
            continue
        for c in range(n):
            w.wrench[c] = law_value(s, w, f.law[c], w.t[0], 0.0, 0.0)
        T = load_turn(s, w.wrench, 0)
        if f.follows:
            T = turn_from_marker(s, w, f.marker, T)
        b = s.markers[f.marker].body
        push(s, w, b, scale(axis(s, w, f.marker, 0), 0.0), T)


class Torque(BaseForce):
    """A torque on a body, each component a law of time.

    Parameters
    ----------
    name : string [–]
        Its name; results are read by it.
    body : body or name [–]
        What it acts on.
    components : law, or list of laws of t [N·m]
        One in the plane (counter-clockwise), three in space.
    frame : text [–], default 'ground'
        "ground", or "body": components along the body's axes.

    Notes
    -----
    Acts: as a pure torque, wherever on the body; nothing takes it up on another body (a ``Motor`` on a joint does that).

    Signs: positive about the axis by the right hand, in the plane counter-clockwise.

    Degenerate: never; a torque on the ground is refused.

    Examples
    --------
    >>> import dalembert as da
    >>> m = da.Model("flywheel", dim=2)
    >>> disc = m.add(da.Body("disc", mass=5.0, inertia=0.4, shapes=[da.Cylinder(0.4, 0.05)]))
    >>> shaft = m.add(da.Revolute("shaft", m.ground, disc, at=(0, 0)))
    >>> load = m.add(da.Torque("load", disc, "2*step(t - 1)"))
    >>> run = da.simulate(m, 2.0)
    >>> float(run["shaft"].rate[-1].round(4))                            # one second of 2/0.4 rad/s²
    5.0
    """

    drawn_as = ""  # an arrow
    unknowns = ("components",)

    def __init__(self, name: str, body: Ref, components: Law | Sequence[Law], *, frame: str = "ground") -> None:
        self.name, self.body, self.components, self.frame = name, body, components, frame
        self.at = self.on = None

    def build(self, b):
        components = [self.components] if b.dim == 2 and not isinstance(self.components, (list, tuple)) else self.components
        apply(b, self, "torque", components, 1 if b.dim == 2 else 3)
