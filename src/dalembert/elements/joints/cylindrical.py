"""Cylindrical: rotation about the axis and translation along it.

    on_line + align (4 rows)

Reaction: force and torque across the axis.  Coordinates: angle (main) and slide.
"""

from dalembert.elements.joints.rubbing import RubbingJoint


class Cylindrical(RubbingJoint):
    """A sleeve on a shaft: rotation about the axis and translation along it.

    Parameters
    ----------
    name : string [–]
        Its name; results are read by it.
    i, j : body or name [–]
        First and second body; "ground" is the fixed frame.
    at : vector [m], optional
        Where the bodies meet, ground coordinates, as drawn.
    axis : vector [–], optional
        Direction of the shaft in ground coordinates, as drawn; needed unless given on the bodies.
    on_i, on_j : vector [m], optional
        The place on each body in its own coordinates, instead of ``at``; ``assemble`` brings the places together.
    axis_i, axis_j : vector [–], optional
        The direction on each body in its own coordinates, instead of ``axis``.
    friction : number, formula or table [–], optional
        Coulomb's μ of the sleeve, or {"coulomb": μ, "static": μ_s, "stribeck_m_per_s": u_s, "viscous_N_s_per_m": σ,
        "preload_N": N₀}; left out: none.
    radius : number or formula [m], optional
        Of the shaft, where the sleeve rubs; needed with friction.
    length : number or formula [m], optional
        Between the two edges of the sleeve, centred at j's point; needed with friction.

    Notes
    -----
    Holds: j's point on i's axis and the axes parallel, four rows.

    Signs: −λ of the first two rows is the force on j across the axis, −λ of the others the torque on j across it. Coordinates:
    "angle" (the main one) and "slide" of j against i, both zero as drawn.

    Friction: with ``friction`` the sleeve is pressed at its
    two edges, N = |F₊| + |F₋|, and slides along and around, u = (ṡ, r ω): one friction force against both.

    Degenerate: never by itself.

    Examples
    --------
    >>> import dalembert as da
    >>> m = da.Model("sleeve", dim=3, gravity=(0, 0, -9.81))
    >>> tube = m.add(da.Body.from_shape("tube", da.Cylinder(0.1, 0.4), mass=2.0))
    >>> shaft = m.add(da.Cylindrical("shaft", m.ground, tube, at=(0, 0, -0.4), axis=(0, 0, 1)))
    >>> twist = m.add(da.Torque("twist", tube, (0, 0, 0.05)))
    >>> now = da.accelerations(m)
    >>> now["tube"].acceleration.round(3).tolist(), now["tube"].angular_acceleration.round(3).tolist()
    ([0.0, 0.0, -9.81], [0.0, 0.0, 5.0])
    """

    surfaces = ("sleeve",)
    wants = {3: ("radius", "length")}
    why = "the sleeve rubs at the radius of the shaft, and its two edges carry torques"
    drawn_as = "slide"
    dims = (3,)
    free = {3: ("Rz", "Tz")}
    coordinate_name = {"angle": "angle", "slide": "slide"}

    def recipe(self, b, i, j):
        b.on_line(i, j)
        b.align(i, j)
