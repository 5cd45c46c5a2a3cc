"""RevoluteSpherical: a massless link hinged on i and with a ball on j.

    axis_i · d = 0 (DP2) and |d| = l (2 rows): j's point moves on a circle about the hinge axis.

Reaction: −λ of the distance pushes along the link; −λ of the other row is the force on j along the hinge axis.
"""

from __future__ import annotations

from dalembert.elements.given import Number, Ref, Vector
from dalembert.elements.joints.distance import Distance


class RevoluteSpherical(Distance):
    """A massless link with a hinge on i and a ball on j.

    Parameters
    ----------
    name : string [–]
        Its name; results are read by it.
    i, j : body or name [–]
        First and second body; "ground" is the fixed frame.
    axis : vector [–], optional
        Direction of the hinge on i in ground coordinates, as drawn.
    axis_i : vector [–], optional
        The same in i's own coordinates, instead of ``axis``.
    at_i, at_j : vector [m], optional
        The point on each body in ground coordinates, as drawn.
    on_i, on_j : vector [m], optional
        The same in each body's own coordinates, instead of ``at_i``, ``at_j``; left out both: the reference point.
    length : number or formula [m], optional
        The distance to hold; left out: as drawn.

    Notes
    -----
    Holds: |d| − l = 0 and axis · d = 0, two rows: j's point moves on a circle about the hinge's axis.

    Signs: −λ of the first row pushes the ends apart, −λ of the second is the force on j along the hinge's axis.

    Degenerate: where the points coincide; a length of zero is refused.

    Examples
    --------
    >>> import dalembert as da
    >>> m = da.Model("arm", dim=3, gravity=(0, 0, -9.81))
    >>> bob = m.add(da.Particle("bob", mass=1.0, position=(0.5, 0, 0)))
    >>> link = m.add(da.RevoluteSpherical("link", m.ground, bob, axis=(0, 1, 0), at_i=(0, 0, 0), at_j=(0.5, 0, 0)))
    >>> da.check(m).dof, da.accelerations(m)["bob"].acceleration.round(3).tolist()
    (1, [0.0, 0.0, -9.81])
    """

    drawn_as = "hinged link"
    dims = (3,)

    def __init__(self, name: str, i: Ref, j: Ref, *, axis: Vector | None = None, axis_i: Vector | None = None,
                 at_i: Vector | None = None, at_j: Vector | None = None, on_i: Vector | None = None, on_j: Vector | None = None,
                 length: Number | None = None) -> None:
        super().__init__(name, i, j, at_i=at_i, at_j=at_j, on_i=on_i, on_j=on_j, length=length)
        self.axis, self.axis_i = axis, axis_i

    def build(self, b):
        i, j = b.point_markers(self, axis=self.axis, axis_i=self.axis_i)
        b.hold(b.distance(i, j), self.held_length(b, i, j), "distance")
        b.hold(b.dot_offset(i, 2, j), 0.0, "translation along the hinge axis")
