"""Planar: j's point stays on a plane of i and the normals stay parallel (two translations, one rotation).

    on_plane + align (3 rows); axis is the normal.

Reaction: a force along the normal and a torque across it.
"""

from dalembert.elements.joints.joint import BaseJoint


class Planar(BaseJoint):
    """A plate on a table: two translations in a plane and the rotation about its normal.

    Parameters
    ----------
    name : string [–]
        Its name; results are read by it.
    i, j : body or name [–]
        First and second body; "ground" is the fixed frame.
    at : vector [m], optional
        A point of the plane in ground coordinates, as drawn; left out: the reference point of the second body.
    axis : vector [–], optional
        Normal of the plane in ground coordinates, as drawn; needed unless given on the bodies.
    on_i, on_j : vector [m], optional
        The place on each body in its own coordinates, instead of ``at``; ``assemble`` brings the places together.
    axis_i, axis_j : vector [–], optional
        The direction on each body in its own coordinates, instead of ``axis``.

    Notes
    -----
    Holds: j's point on the plane of i and the normals parallel, three rows. It holds from both sides: nothing lifts off.

    Signs: −λ of the first row is the force on j along the normal, −λ of the others the torque on j across it. The coordinate
    is the angle of j against i about the normal, zero as drawn.

    Degenerate: never by itself.

    Examples
    --------
    >>> import dalembert as da
    >>> m = da.Model("plate", dim=3, gravity=(0, 0, -9.81))
    >>> plate = m.add(da.Body.from_shape("plate", da.Box((0.5, 0.3, 0.05)), mass=4.0))
    >>> table = m.add(da.Planar("table", m.ground, plate, at=(0, 0, -0.025), axis=(0, 0, 1)))
    >>> da.accelerations(m)["table"].force.round(3).tolist()
    [0.0, 0.0, 39.24]
    """

    drawn_as = "plane"
    dims = (3,)
    free = {3: ("Tx", "Ty", "Rz")}
    place_optional = True
    coordinate_name = {"angle": "angle"}

    def recipe(self, b, i, j):
        b.on_plane(i, j)
        b.align(i, j)
