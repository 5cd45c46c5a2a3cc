"""Prismatic: a slide: one translation along the axis.

    plane: on_line + lock (2 rows)          space: on_line + lock (5 rows)

Reaction: a force across the axis and a torque; no force along it.  Coordinate: how far j's point is along i's axis.
"""

from dalembert.elements.joints.rubbing import RubbingJoint


class Prismatic(RubbingJoint):
    """A slide: one translation along the axis, no rotation.

    Parameters
    ----------
    name : string [–]
        Its name; results are read by it.
    i, j : body or name [–]
        First and second body; "ground" is the fixed frame.
    at : vector [m], optional
        A point of the line in ground coordinates, as drawn; left out: the reference point of the second body.
    axis : vector [–], optional
        Direction of the slide in ground coordinates, as drawn; needed unless given on the bodies.
    on_i, on_j : vector [m], optional
        The place on each body in its own coordinates, instead of ``at``; ``assemble`` brings the places together.
    axis_i, axis_j : vector [–], optional
        The direction on each body in its own coordinates, instead of ``axis``.
    friction : number, formula or table [–], optional
        Coulomb's μ of the guide, or {"coulomb": μ, "static": μ_s, "stribeck_m_per_s": u_s, "viscous_N_s_per_m": σ,
        "preload_N": N₀}; left out: none.
    radius : number or formula [m], optional
        Where the guide carries a torque about its axis; needed with friction in space.
    length : number or formula [m], optional
        Between the two edges of the collar, centred at j's point; needed with friction.

    Notes
    -----
    Holds: j's point on the line through i's point along i's axis, and the relative rotation: two rows in the plane, five in
    space.

    Signs: −λ of the line rows is the force on j across the axis, −λ of the rotation rows the torque on j; there is no force along
    the axis. The coordinate is how far j's point is along i's axis, zero as drawn.

    Friction: with ``friction`` the collar is pressed at its two
    edges, N = |F/2 + M/length| + |F/2 − M/length| (in space also |M_a|/radius), so that it jams; friction acts along the axis
    through j's point, ``friction_force``.

    Degenerate: never by itself. A long arm between guide and load gives large torques, as it does in the machine.

    Examples
    --------
    >>> import dalembert as da
    >>> m = da.Model("slider", dim=2, gravity=(0, -9.81))
    >>> block = m.add(da.Body("block", mass=3.0, inertia=0.02, shapes=[da.Box((0.4, 0.2))]))
    >>> guide = m.add(da.Prismatic("guide", m.ground, block, axis=(1, 0)))
    >>> push = m.add(da.Force("push", block, (6.0, 0.0)))
    >>> now = da.accelerations(m)
    >>> (now["block"].acceleration.round(3) + 0).tolist(), now["guide"].force.round(3).tolist()
    ([2.0, 0.0], [0.0, 29.43])
    """

    surfaces = ("slide",)
    wants = {2: ("length",), 3: ("radius", "length")}
    why = "the two edges of the collar carry torques, and press where they rub"
    drawn_as = "slide"
    free = {2: ("Tx",), 3: ("Tz",)}
    needs_axis = (2, 3)
    place_optional = True
    coordinate_name = {"slide": "slide"}

    def recipe(self, b, i, j):
        b.on_line(i, j)
        b.lock(i, j)
