"""Force: a force at a point, each component a law of time, in ground axes or in body axes.

    F through the point at the arm s:  Q gets (F, s × F)
    body axes: the components are along the marker's axes, which turn with the body (a follower force).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dalembert._jit import kernel
from dalembert.algebra.vectors import moment, scale
from dalembert.elements.bodies.markers import arm, axis, dimension, load, push, store
from dalembert.elements.forces.base import BaseForce
from dalembert.elements.given import Law, Ref, Vector
from dalembert.elements.laws import law_value
from dalembert.errors import ModelError

ROW = np.dtype([("marker", "u4"), ("follows", "u4"), ("law", "u4", (3,)), ("element", "u4")])


@kernel
def evaluate(s, w):
    n = dimension(s)
    for k in range(s.force.size):
        f = s.force[k]
        if w.only[0] >= 0 and w.only[0] != f.element:
            continue
        for c in range(n):
            w.wrench[c] = 0.0
        for c in range(n):
            value = law_value(s, w, f.law[c], w.t[0], 0.0, 0.0)
            if f.follows:
                store(s, w.wrench, 3, scale(axis(s, w, f.marker, c), value))
                for m in range(n):
                    w.wrench[m] += w.wrench[3 + m]
            else:
                w.wrench[c] += value
        F = load(s, w.wrench, 0)
        push(s, w, s.markers[f.marker].body, F, moment(arm(s, w, f.marker), F))


class Force(BaseForce):
    """A force on a body at a point, each component a law of time.

    Parameters
    ----------
    name : string [–]
        Its name; results are read by it.
    body : body or name [–]
        What it acts on.
    components : list of laws of t [N]
        Two in the plane, three in space.
    at : vector [m], optional
        Where it acts, ground coordinates as drawn; the point then moves with the body.
    on : vector [m], optional
        The same in the body's own coordinates; left out both: the reference point.
    frame : text [–], default 'ground'
        "ground", or "body": components along the body's axes (a follower force).

    Notes
    -----
    Acts: through the point, so that it also turns the body about its centre of mass.

    Signs: components as they are read, in ground axes or body axes; ``force`` of the result is in ground axes.

    Degenerate: never; a force on the ground is refused.

    Examples
    --------
    >>> import dalembert as da
    >>> m = da.Model("thruster", dim=2)
    >>> rod = m.add(da.Body.rod("rod", (0, 0), (1, 0), mass=3.0))
    >>> jet = m.add(da.Force("jet", rod, (0.0, 6.0), at=(1, 0), frame="body"))
    >>> run = da.simulate(m, 0.4)
    >>> now = da.accelerations(m)
    >>> now["rod"].acceleration.round(3).tolist(), round(float(now["rod"].angular_acceleration), 3)
    ([0.0, 2.0], 12.0)
    """

    drawn_as = ""  # an arrow
    unknowns = ("components",)

    def __init__(self, name: str, body: Ref, components: Law | Sequence[Law], *, at: Vector | None = None,
                 on: Vector | None = None, frame: str = "ground") -> None:
        self.name, self.body, self.components, self.at, self.on, self.frame = name, body, components, at, on, frame

    def build(self, b):
        apply(b, self, "force", self.components, b.dim)


def apply(b, element, family, components, count):
    """Row of a force or torque whose components are laws of time."""
    body = b.body(element.body, element)
    if body == b.ground:
        raise ModelError(f"{element.title}: acts on the ground, which does not move")
    if element.frame not in ("ground", "body"):
        raise ModelError(f"{element.title}: frame is 'ground' or 'body', not {element.frame!r}")
    if isinstance(components, str) or not hasattr(components, "__len__") or len(components) != count:
        raise ModelError(f"{element.title}: needs {count} component{'s' * (count > 1)}, got {components!r}")
    marker = b.marker(body, b.point_on(element, body, element.at, element.on, "on"), np.eye(b.dim))
    b.at_markers(element, marker, marker)
    found = [b.law(x, element) for x in components] + [0] * (3 - count)
    for row in found:
        b.switch(row)
    b.force(family, element, (marker,), marker=marker, follows=int(element.frame == "body"), law=found)
