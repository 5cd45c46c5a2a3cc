"""The four basic constraints of the course, each with an optional law f(t).

    DP1  a_i · a_j = f(t)          DP2  a_i · (r_j − r_i) = f(t)          CD  n · (r_j − r_i) = f(t)          D  d · d = f(t)

Φ, Φ_r, Π̄, ν and γ are those of the measures (dot_axes, dot_offset, component, square distance) under ``hold``.
``law`` defaults to the value as drawn.
"""

from __future__ import annotations

from dalembert.elements.element import Element
from dalembert.elements.given import Law, Ref, Vector
from dalembert.errors import ModelError


class _Basic(Element):
    kind = "constraint"
    drawn_as = ""
    law: Law | None = None

    def held(self, b, measure, label):
        law = b.drawn_value(measure) if self.law is None else self.law
        b.hold(measure, law, label)


class DP1(_Basic):
    """The product of a unit vector on i and one on j follows a law (the course's DP1).

    Parameters
    ----------
    name : string [–]
        Its name; results are read by it.
    i, j : body or name [–]
        First and second body; "ground" is the fixed frame.
    axis : vector [–], optional
        The vector on i in ground coordinates, as drawn.
    axis2 : vector [–], optional
        The vector on j in ground coordinates, as drawn.
    axis_i, axis_j : vector [–], optional
        The direction on each body in its own coordinates, instead of ``axis``.
    law : law of t [–], optional
        Value of the product (cosine of the angle between them); left out: as drawn.

    Notes
    -----
    Holds: a_i · a_j − f(t) = 0, one row.

    Signs: with perpendicular vectors −λ is the torque on j about a_j × a_i, the one rotation that is forbidden; the opposite acts
    on i.

    Degenerate: where the vectors are parallel the row has no gradient: hold it near 0, not near ±1.

    Examples
    --------
    >>> import dalembert as da
    >>> m = da.Model("upright", dim=3)
    >>> rod = m.add(da.Body.rod("rod", (0, 0, 0), (1, 0, 0), mass=1.0))
    >>> ball = m.add(da.Spherical("ball", m.ground, rod, at=(0, 0, 0)))
    >>> level = m.add(da.DP1("level", m.ground, rod, axis=(0, 0, 1), axis2=(1, 0, 0)))
    >>> da.check(m).dof                                        # it turns about the vertical and about itself
    2
    """

    dims = (3,)

    def __init__(self, name: str, i: Ref, j: Ref, *, axis: Vector | None = None, axis2: Vector | None = None,
                 axis_i: Vector | None = None, axis_j: Vector | None = None, law: Law | None = None) -> None:
        self.name, self.i, self.j, self.axis, self.axis2 = name, i, j, axis, axis2
        self.axis_i, self.axis_j, self.law = axis_i, axis_j, law

    def build(self, b):
        if self.axis is not None and self.axis2 is None and self.law is None:
            raise ModelError(f"{self.title}: give axis2=, the vector on the second body; the product of a vector with "
                             "itself is 1 and holds nothing")
        i, j = b.axis_markers(self)
        self.held(b, b.dot_axes(i, b.main_axis, j, b.main_axis), "product of the two axes")


class DP2(_Basic):
    """The offset of j's point from i's along a unit vector on i follows a law (the course's DP2).

    Parameters
    ----------
    name : string [–]
        Its name; results are read by it.
    i, j : body or name [–]
        First and second body; "ground" is the fixed frame.
    axis : vector [–], optional
        The vector on i in ground coordinates, as drawn.
    axis_i : vector [–], optional
        The same in i's own coordinates, instead of ``axis``.
    at_i, at_j : vector [m], optional
        The point on each body in ground coordinates, as drawn.
    on_i, on_j : vector [m], optional
        The same in each body's own coordinates, instead of ``at_i``, ``at_j``; left out both: the reference point.
    law : law of t [m], optional
        Value of the offset; left out: as drawn.

    Notes
    -----
    Holds: a_i · (r_j − r_i) − f(t) = 0, one row: j's point stays on a plane fixed on i.

    Signs: −λ is the force on j along a_i, at j's point; the opposite acts on i along the same line.

    Degenerate: never.

    Examples
    --------
    >>> import dalembert as da
    >>> m = da.Model("bead on a table", dim=3, gravity=(0, 0, -9.81))
    >>> bead = m.add(da.Particle("bead", mass=2.0, position=(0.3, 0.2, 0.5), velocity=(1, 2, 0)))
    >>> table = m.add(da.DP2("table", m.ground, bead, axis=(0, 0, 1), at_i=(0, 0, 0), at_j=(0.3, 0.2, 0.5)))
    >>> run = da.simulate(m, 1.0)
    >>> da.accelerations(m)["table"].multipliers.round(3).tolist()      # −λ: the table carries the weight
    [-19.62]
    """

    dims = (3,)

    def __init__(self, name: str, i: Ref, j: Ref, *, axis: Vector | None = None, axis_i: Vector | None = None,
                 at_i: Vector | None = None, at_j: Vector | None = None, on_i: Vector | None = None, on_j: Vector | None = None,
                 law: Law | None = None) -> None:
        self.name, self.i, self.j, self.axis, self.axis_i = name, i, j, axis, axis_i
        self.at_i, self.at_j, self.on_i, self.on_j, self.law = at_i, at_j, on_i, on_j, law

    def build(self, b):
        i, j = b.point_markers(self, axis=self.axis, axis_i=self.axis_i)
        self.held(b, b.dot_offset(i, b.main_axis, j), "offset along the axis")


class CD(_Basic):
    """The offset of j's point from i's along a direction fixed in the ground follows a law (the course's CD).

    Parameters
    ----------
    name : string [–]
        Its name; results are read by it.
    i, j : body or name [–]
        First and second body; "ground" is the fixed frame.
    axis : vector [–]
        The direction, fixed in the ground.
    at_i, at_j : vector [m], optional
        The point on each body in ground coordinates, as drawn.
    on_i, on_j : vector [m], optional
        The same in each body's own coordinates, instead of ``at_i``, ``at_j``; left out both: the reference point.
    law : law of t [m], optional
        Value of the offset; left out: as drawn.

    Notes
    -----
    Holds: n · (r_j − r_i) − f(t) = 0, one row.

    Signs: −λ is the force on j along n, at j's point; the opposite acts on i at i's point. The pair has a moment unless the
    points lie along n: the ground takes it through whatever fixes n.

    Degenerate: never.

    Examples
    --------
    >>> import dalembert as da
    >>> m = da.Model("lift", dim=3, gravity=(0, 0, -9.81))
    >>> load = m.add(da.Particle("load", mass=2.0))
    >>> height = m.add(da.CD("height", m.ground, load, axis=(0, 0, 1), at_i=(0, 0, 0), at_j=(0, 0, 0), law="0.5*t**2"))
    >>> run = da.simulate(m, 1.0)
    >>> da.accelerations(m)["height"].force.round(3).tolist()           # m (g + 1)
    [0.0, 0.0, 21.62]
    """

    dims = (3,)

    def __init__(self, name: str, i: Ref, j: Ref, *, axis: Vector, at_i: Vector | None = None, at_j: Vector | None = None,
                 on_i: Vector | None = None, on_j: Vector | None = None, law: Law | None = None) -> None:
        self.name, self.i, self.j, self.axis = name, i, j, axis
        self.at_i, self.at_j, self.on_i, self.on_j, self.law = at_i, at_j, on_i, on_j, law

    def build(self, b):
        i, j = b.point_markers(self)
        guide = b.ground_marker(b.direction(self.axis, f"axis of {self.title}"))
        self.held(b, b.component(i, j, guide), "offset along the fixed direction")


class D(_Basic):
    """The square of the distance of two points follows a law (the course's D).

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
    law : law of t [m²], optional
        Value of the squared distance; left out: as drawn.

    Notes
    -----
    Holds: d · d − f(t) = 0 with d = r_j − r_i, one row.

    Signs: −2 λ |d| is the force that pushes the ends apart.

    Degenerate: where the points coincide there is no direction left; a distance of zero as drawn is refused.

    Examples
    --------
    >>> import dalembert as da
    >>> m = da.Model("winch", dim=3, gravity=(0, 0, -9.81))
    >>> load = m.add(da.Particle("load", mass=1.0, position=(0, 0, -2), velocity=(0, 2, 0)))
    >>> rope = m.add(da.D("rope", m.ground, load, at_i=(0, 0, 0), at_j=(0, 0, -2)))
    >>> run = da.simulate(m, 0.6)
    >>> da.accelerations(m)["rope"].multipliers.round(4).tolist()       # 2 λ |d| = 4 λ: weight and m v²/l, 9.81 + 2 N
    [2.9525]
    """

    dims = (3,)

    def __init__(self, name: str, i: Ref, j: Ref, *, at_i: Vector | None = None, at_j: Vector | None = None,
                 on_i: Vector | None = None, on_j: Vector | None = None, law: Law | None = None) -> None:
        self.name, self.i, self.j = name, i, j
        self.at_i, self.at_j, self.on_i, self.on_j, self.law = at_i, at_j, on_i, on_j, law

    def build(self, b):
        i, j = b.point_markers(self)
        if self.law is None and b.drawn_distance(i, j) == 0.0:
            raise ModelError(f"{self.title}: its two points are the same as drawn, so it has no direction; give law=, or "
                             "use a joint that keeps points together")
        self.held(b, b.square_distance(i, j), "square of the distance")
