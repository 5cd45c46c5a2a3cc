"""A chain of n equal rods hanging from one end, in the plane or in space.

Source: defined for this project (a scaling test for formulations).
Shows many bodies with few rows each; in space neighbouring
hinges are at right angles, so the motion leaves the plane.
"""

import dalembert as da


def make(*, n=10, length=1.0, mass=1.0, dim=2, gravity=9.81):
    """Released level, at rest; ``length`` and ``mass`` are those of the whole chain."""
    weight = (0, "-g") if dim == 2 else (0, "-g*0.6", "-g*0.8")
    m = da.Model(f"chain of {n}", dim=dim, gravity=weight,
                 parameters={"L": length, "m": mass, "g": gravity, "a": f"L/{n}", "m_a": f"m/{n}"})
    rest = (0,) * (dim - 1)
    before = "ground"
    for k in range(n):
        name = f"link {k + 1}"
        m.add(da.Body.rod(name, (f"{k}*a", *rest), (f"{k + 1}*a", *rest), mass="m_a"))
        axis = {} if dim == 2 else {"axis": (0, 0, 1) if k % 2 == 0 else (0, 1, 0)}
        m.add(da.Revolute(f"hinge {k + 1}", before, name, at=(f"{k}*a", *rest), **axis))
        before = name
    return m


def in_space(*, n=10, **kw):
    """The chain in space."""
    return make(n=n, dim=3, **kw)
