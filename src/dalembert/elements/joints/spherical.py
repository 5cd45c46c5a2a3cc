"""Spherical: a ball and socket.

    coincide (3 rows)

Reaction: a force at the centre, no torque.
"""

from dalembert.elements.joints.rubbing import RubbingJoint


class Spherical(RubbingJoint):
    """A ball and socket: the bodies share a point and turn freely about it.

    Parameters
    ----------
    name : string [–]
        Its name; results are read by it.
    i, j : body or name [–]
        First and second body; "ground" is the fixed frame.
    at : vector [m], optional
        Where the bodies meet, ground coordinates, as drawn.
    axis : vector [–], optional
        Of no use here; it is taken so that joints can be exchanged.
    on_i, on_j : vector [m], optional
        The place on each body in its own coordinates, instead of ``at``; ``assemble`` brings the places together.
    axis_i, axis_j : vector [–], optional
        The direction on each body in its own coordinates, instead of ``axis``.
    friction : number, formula or table [–], optional
        Coulomb's μ of the ball, or {"coulomb": μ, "static": μ_s, "stribeck_m_per_s": u_s, "viscous_N_s_per_m": σ,
        "preload_N": N₀}; left out: none.
    radius : number or formula [m], optional
        Of the ball, where it rubs; needed with friction.
    length : number or formula [m], optional
        Of no use here.

    Notes
    -----
    Holds: r_j − r_i = 0, three rows.

    Signs: −λ is the force on j at the centre, ground axes; there is no torque. It has no single coordinate; read orientations
    of the bodies instead.

    Friction: with ``friction`` the ball is pressed by N = |F| and its torque,
    μ r N, is against the relative angular velocity.

    Degenerate: never by itself. A rod between two balls turns freely about its own axis, a degree of freedom that ``check``
    counts.

    Examples
    --------
    >>> import dalembert as da
    >>> m = da.Model("spherical pendulum", dim=3, gravity=(0, 0, -9.81))
    >>> rod = m.add(da.Body.rod("rod", (0, 0, 0), (0.6, 0, -0.8), mass=1.0))
    >>> ball = m.add(da.Spherical("ball", m.ground, rod, at=(0, 0, 0)))
    >>> m.initial("rod.y", rate=1.0)
    >>> run = da.simulate(m, 0.8)
    >>> da.check(m).dof
    3
    """

    surfaces = ("ball",)
    wants = {3: ("radius",)}
    why = "the ball rubs at its radius"
    drawn_as = "ball"
    dims = (3,)
    free = {3: ("Rx", "Ry", "Rz")}
    needs_axis = ()

    def recipe(self, b, i, j):
        b.coincide(i, j)
