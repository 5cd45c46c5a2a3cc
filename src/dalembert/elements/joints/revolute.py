"""Revolute: a hinge: one rotation about the axis.

    plane: coincide (2 rows)          space: coincide + align (5 rows)

Reaction: the force at the hinge; in space also a torque across the axis (none about it).
"""

from dalembert.elements.joints.joint import BaseJoint


class Revolute(BaseJoint):
    """A hinge: the bodies share a point and turn about one axis through it.

    Parameters
    ----------
    name : string [–]
        Its name; results are read by it.
    i, j : body or name [–]
        First and second body; "ground" is the fixed frame.
    at : vector [m], optional
        Where the bodies meet, ground coordinates, as drawn.
    axis : vector [–], optional
        Direction of the hinge in ground coordinates, as drawn; needed in space, of no use in the plane (it is z).
    on_i, on_j : vector [m], optional
        The place on each body in its own coordinates, instead of ``at``; ``assemble`` brings the places together.
    axis_i, axis_j : vector [–], optional
        The direction on each body in its own coordinates, instead of ``axis``.

    Notes
    -----
    Holds: r_j − r_i = 0, two rows in the plane; in space also two rows that keep the axes aligned, five in all.

    Signs: ``force`` is what the hinge exerts on j, at the point, in ground axes: −λ of the first rows. In space ``torque`` acts
    across the axis; none about it. The angle is that of j against i about the axis, zero as drawn, and counts full turns.

    Degenerate: never by itself; in loops rows may depend on others, which ``check`` names.

    Examples
    --------
    >>> import dalembert as da
    >>> m = da.Model("door", dim=2, gravity=(0, -9.81))
    >>> rod = m.add(da.Body.rod("rod", (0, 0), (1, 0), mass=2.0))
    >>> pin = m.add(da.Revolute("pin", m.ground, rod, at=(0, 0)))
    >>> da.accelerations(m)["pin"].force.round(3).tolist()       # a quarter of the weight, upwards
    [0.0, 4.905]
    """

    drawn_as = "hinge"
    free = {2: ("Rz",), 3: ("Rz",)}
    coordinate_name = {"angle": "angle"}

    def recipe(self, b, i, j):
        b.coincide(i, j)
        b.align(i, j)
