"""Parallel: a vector on i and one on j stay parallel.

    plane: (normal of a_i) · a_j = 0 (1 row)          space: both normals of a_i perpendicular to a_j (2 rows)

−λ is a torque on j (for unit vectors).  Parallel and antiparallel are both solutions: the one as drawn is kept.
"""

from __future__ import annotations

from dalembert.elements.element import Element
from dalembert.elements.given import Ref, Vector


class Parallel(Element):
    """A vector on i and one on j stay parallel.

    Parameters
    ----------
    name : string [–]
        Its name; results are read by it.
    i, j : body or name [–]
        First and second body; "ground" is the fixed frame.
    axis : vector [–], optional
        Both vectors in ground coordinates, as drawn.
    axis_i, axis_j : vector [–], optional
        The direction on each body in its own coordinates, instead of ``axis``.

    Notes
    -----
    Holds: one row in the plane (no relative rotation), two in space (rotation about the vector stays free).

    Signs: −λ is a torque on j, about the axis that the row's label names; the opposite acts on i.

    Degenerate: never near the drawn pose. Parallel and antiparallel both fulfil the rows: the one as drawn is kept.

    Examples
    --------
    >>> import dalembert as da
    >>> m = da.Model("desk lamp", dim=2, gravity=(0, -9.81))
    >>> shade = m.add(da.Body.rod("shade", (0, 0), (0.4, 0), mass=1.0))
    >>> level = m.add(da.Parallel("level", m.ground, shade, axis=(1, 0)))
    >>> off = m.add(da.Force("off centre", shade, (0, 1.0), at=(0.4, 0)))
    >>> round(float(da.accelerations(m)["level"].torque), 3)            # against 0.2 m × 1 N
    -0.2
    """

    kind = "constraint"
    drawn_as = ""

    def __init__(self, name: str, i: Ref, j: Ref, *, axis: Vector | None = None, axis_i: Vector | None = None,
                 axis_j: Vector | None = None) -> None:
        self.name, self.i, self.j, self.axis, self.axis_i, self.axis_j = name, i, j, axis, axis_i, axis_j
        self.axis2 = axis

    def build(self, b):
        i, j = b.axis_markers(self)
        for normal in b.normals:
            b.hold(b.dot_axes(i, normal, j, b.main_axis), 0.0, "rotation", about=(i, normal, j, b.main_axis))
