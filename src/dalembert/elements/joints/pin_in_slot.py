"""PinInSlot: a pin of j slides in a straight slot of i (plane).

    on_line (1 row); axis is the slot's direction, fixed on i.

Reaction: a force across the slot, at the pin.  Coordinate: how far the pin is along the slot.
"""

from dalembert.elements.joints.joint import BaseJoint


class PinInSlot(BaseJoint):
    """A pin of j slides in a straight slot of i and turns in it.

    Parameters
    ----------
    name : string [–]
        Its name; results are read by it.
    i, j : body or name [–]
        First and second body; "ground" is the fixed frame.
    at : vector [m], optional
        Where the bodies meet, ground coordinates, as drawn.
    axis : vector [–], optional
        Direction of the slot, which is fixed on i, in ground coordinates as drawn; needed unless given on the bodies.
    on_i, on_j : vector [m], optional
        The place on each body in its own coordinates, instead of ``at``; ``assemble`` brings the places together.
    axis_i, axis_j : vector [–], optional
        The direction on each body in its own coordinates, instead of ``axis``.

    Notes
    -----
    Holds: the pin on the slot's line, one row.

    Signs: −λ is the force of the slot on the pin, across the slot, at the pin. The coordinate is how far the pin is along the
    slot, zero as drawn. Which body has the slot matters: name it first.

    Degenerate: never by itself; the slot has no ends (``Limit`` gives it some).

    Examples
    --------
    >>> import dalembert as da
    >>> m = da.Model("scotch yoke", dim=2)
    >>> crank = m.add(da.Body.rod("crank", (0, 0), (0.3, 0.4), mass=1.0))
    >>> yoke = m.add(da.Body("yoke", mass=2.0, inertia=0.1, position=(0.3, 0)))
    >>> shaft = m.add(da.Revolute("shaft", m.ground, crank, at=(0, 0)))
    >>> guide = m.add(da.Prismatic("guide", m.ground, yoke, at=(0.3, 0), axis=(1, 0)))
    >>> slot = m.add(da.PinInSlot("slot", yoke, crank, at=(0.3, 0.4), axis=(0, 1)))
    >>> m.initial("shaft", rate=1.0)
    >>> da.assemble(m)["yoke"].velocity.round(3).tolist()        # −0.4: the height of the pin
    [-0.4, 0.0]
    """

    drawn_as = "slot"
    dims = (2,)
    free = {2: ("Tx", "Rz")}
    needs_axis = (2,)
    coordinate_name = {"slide": "slide"}

    def recipe(self, b, i, j):
        b.on_line(i, j)
