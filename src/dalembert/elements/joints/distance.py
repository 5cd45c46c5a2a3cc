"""Distance and DoubleRevolute: a massless link of constant length between two points.

    |d| − l = 0, d = r_j − r_i (1 row); measure: distance.  In the plane it is the course's double revolute, in space a
    spherical–spherical link.

−λ is the force that pushes the ends apart: positive when the link is compressed.

The notes write the row as dᵀd − l² = 0.  Its gradient is 2 d = 2 l u where ours is u = d/|d|, and the reaction −Φ_qᵀλ is the
same, so λ of the notes is ours over 2 l: what pushes the ends apart is −2 l λ_notes.  ``squared=True`` takes the notes' row.
"""

from __future__ import annotations

from typing import ClassVar

from dalembert.elements.element import Element
from dalembert.elements.given import Number, Ref, Vector
from dalembert.errors import ModelError


class Distance(Element):
    """Two points at a constant distance: a massless link with a ball (in the plane a pin) on both ends.

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
    length : number or formula [m], optional
        The distance to hold; left out: as drawn.
    squared : flag [–], default False
        Take the notes' row dᵀd − l² instead of |d| − l.

    Notes
    -----
    Holds: |d| − l = 0 with d = r_j − r_i, one row; with ``squared`` dᵀd − l² = 0, the same motion.

    Signs: −λ is the force that pushes the ends apart, positive when the link is compressed; with ``squared`` it is −2 l λ.
    The coordinate is the distance.

    Degenerate: where the points coincide there is no direction left; a length of zero is refused (use ``Spherical`` or
    ``Revolute``).

    Examples
    --------
    >>> import dalembert as da
    >>> m = da.Model("hung", dim=2, gravity=(0, -9.81))
    >>> bob = m.add(da.Particle("bob", mass=1.0, position=(0, -1)))
    >>> string = m.add(da.Distance("string", m.ground, bob, at_i=(0, 0), at_j=(0, -1)))
    >>> da.accelerations(m)["string"].multipliers.round(3).tolist()     # λ > 0: the link is in tension
    [9.81]
    """

    drawn_as = "link"
    kind = "joint"
    coordinate_name = {"distance": "distance"}

    arguments: ClassVar[dict[str, str]] = {"squared": "flag"}

    def __init__(self, name: str, i: Ref, j: Ref, *, at_i: Vector | None = None, at_j: Vector | None = None,
                 on_i: Vector | None = None, on_j: Vector | None = None, length: Number | None = None,
                 squared: bool = False) -> None:
        self.name, self.i, self.j, self.at_i, self.at_j = name, i, j, at_i, at_j
        self.on_i, self.on_j, self.length, self.squared = on_i, on_j, length, squared

    def build(self, b):
        i, j = b.point_markers(self)
        length = self.held_length(b, i, j)
        if self.squared:
            b.hold(b.square_distance(i, j), length**2, "square of the distance")
        else:
            b.hold(b.distance(i, j), length, "distance")

    def held_length(self, b, i, j) -> float:
        length = (b.drawn_distance(i, j) if self.length is None
                  else b.positive(self.length, f"length of {self.title}"))
        if length == 0.0:
            raise ModelError(f"{self.title}: its two points are the same as drawn, so it has no direction; give "
                             "length=, or use a joint that keeps points together")
        return length


class DoubleRevolute(Distance):
    """A massless link with a pin on both ends; the course's double revolute.

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
    length : number or formula [m], optional
        The distance to hold; left out: as drawn.
    squared : flag [–], default False
        Take the notes' row dᵀd − l² instead of |d| − l.

    Notes
    -----
    Holds: |d| − l = 0 with d = r_j − r_i, one row; with ``squared`` dᵀd − l² = 0.

    Signs: −λ is the force that pushes the ends apart, positive when the link is compressed; with ``squared`` it is −2 l λ.

    Degenerate: where the points coincide there is no direction left; a length of zero is refused (use ``Revolute``).

    Examples
    --------
    >>> import dalembert as da
    >>> m = da.Model("hung rod", dim=2, gravity=(0, -9.81))
    >>> rod = m.add(da.Body.rod("rod", (0, -1), (1, -1), mass=2.0))
    >>> left = m.add(da.DoubleRevolute("left", m.ground, rod, at_i=(0, 0), at_j=(0, -1)))
    >>> right = m.add(da.DoubleRevolute("right", m.ground, rod, at_i=(1, 0), at_j=(1, -1)))
    >>> da.accelerations(m)["left"].multipliers.round(3).tolist()       # in tension by half the weight
    [9.81]
    """

    dims = (2,)
