"""Revolute: a hinge: one rotation about the axis.

    plane: coincide (2 rows)          space: coincide + align (5 rows)

Reaction: the force at the hinge; in space also a torque across the axis (none about it).
"""

from dalembert.elements.joints.rubbing import RubbingJoint


class Revolute(RubbingJoint):
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
    friction : number, formula or table [–], optional
        Coulomb's μ of the bearing, or {"coulomb": μ, "static": μ_s, "stribeck_m_per_s": u_s, "viscous_N_s_per_m": σ,
        "preload_N": N₀}; left out: none.
    radius : number or formula [m], optional
        Of the bearing, where it rubs; needed with friction.
    length : number or formula [m], optional
        Between the edges of the bearing, which carry the torque across the axis; needed with friction in space.

    Notes
    -----
    Holds: r_j − r_i = 0, two rows in the plane; in space also two rows that keep the axes aligned, five in all.

    Signs: ``force`` is what the hinge exerts on j, at the point, in ground axes: −λ of the first rows. In space ``torque`` acts
    across the axis; none about it. The angle is that of j against i about the axis, zero as drawn, and counts full turns.

    Friction: with ``friction`` the bearing slides at r ω and
    is pressed by N = |F| in the plane; in space by N = |F₊| + |F₋| + |F_a|, the two edge forces F/2 ∓ e × M/length across the
    axis and the axial force. Its torque is ``friction_torque``.

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

    surfaces = ("hinge",)
    wants = {2: ("radius",), 3: ("radius", "length")}
    why = "the bearing rubs at its radius, and its edges carry the torque across the axis"
    drawn_as = "hinge"
    free = {2: ("Rz",), 3: ("Rz",)}
    coordinate_name = {"angle": "angle"}

    def recipe(self, b, i, j):
        b.coincide(i, j)
        b.align(i, j)
