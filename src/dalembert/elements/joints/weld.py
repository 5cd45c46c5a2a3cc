"""Weld: no relative motion.

    plane: coincide + lock (3 rows)          space: coincide + lock (6 rows)

Reaction: any force and any torque.
"""

from dalembert.elements.joints.joint import BaseJoint


class Weld(BaseJoint):
    """Two bodies become one: no relative motion.

    Parameters
    ----------
    name : string [–]
        Its name; results are read by it.
    i, j : body or name [–]
        First and second body; "ground" is the fixed frame.
    at : vector [m], optional
        Where the bodies meet, ground coordinates, as drawn.
    axis : vector [–], optional
        Turns the axes in which rows and multipliers are counted; seldom needed.
    on_i, on_j : vector [m], optional
        The place on each body in its own coordinates, instead of ``at``; ``assemble`` brings the places together.
    axis_i, axis_j : vector [–], optional
        The direction on each body in its own coordinates, instead of ``axis``.

    Notes
    -----
    Holds: the points together and the relative rotation: three rows in the plane, six in space.

    Signs: −λ of the first rows is the force on j at the point, ground axes; −λ of the others the torque on j.

    Degenerate: never. Two welds between the same bodies are redundant: ``check`` says which rows, and that their reactions
    are not unique.

    Examples
    --------
    >>> import dalembert as da
    >>> m = da.Model("bracket", dim=2, gravity=(0, -9.81))
    >>> beam = m.add(da.Body.rod("beam", (0, 0), (1, 0), mass=2.0))
    >>> wall = m.add(da.Weld("wall", m.ground, beam, at=(0, 0)))
    >>> now = da.accelerations(m)
    >>> now["wall"].force.round(3).tolist(), round(float(now["wall"].torque), 3)        # weight, and weight × half the length
    ([0.0, 19.62], 9.81)
    """

    drawn_as = "block"
    free = {2: (), 3: ()}
    needs_axis = ()

    def recipe(self, b, i, j):
        b.coincide(i, j)
        b.lock(i, j)
