"""Car axis: two wheels on springs, one over a bump that moves up and down.

Source: Test Set for IVP Solvers (Bari/CWI), problem "Car axis" (index 3, ten unknowns).
Shows a user's own equation and a driven point.  The wheels are point masses:
nothing turns them, so their rotation is locked; the right spring stands on a
massless road point, here a body whose three coordinates are all driven.
"""

import dalembert as da


def make(*, length=1.0, rest_length=0.5, amplitude=0.1, frequency=10.0, mass=5e-4, gravity=1.0):
    """Road point y_b = r sin ωt, x_b = √(L² − y_b²);
    the left wheel moves perpendicular to the road's line."""
    yb, xb = "r*sin(omega*t)", "sqrt(L**2 - (r*sin(omega*t))**2)"
    m = da.Model("car axis", dim=2, gravity=(0, "-g"),
                 parameters={"L": length, "l0": rest_length, "r": amplitude, "omega": frequency, "m": mass, "k": 1.0,
                             "g": gravity})
    for name, x in (("left", 0.0), ("right", "L")):
        m.add(da.Body(name, mass="m", inertia="m", position=(x, "l0"), velocity=(-0.5, 0.0),
                      shapes=da.Cylinder(0.1, 0.05)))
        m.add(da.RelativeAngle(f"no spin {name}", m.ground, name))
    m.add(da.Body("road", mass="m", inertia="m", position=("L", 0), shapes=da.Box((0.2, 0.02, 0.1))))
    m.add(da.DoubleRevolute("axle", "left", "right", on_i=(0, 0), on_j=(0, 0)))
    m.add(da.Equation("guide", f"left.x*{xb} + left.y*({yb})"))
    m.add(da.Spring("left spring", m.ground, "left", at_i=(0, 0), on_j=(0, 0), stiffness="k", length="l0"))
    m.add(da.Spring("right spring", "road", "right", on_i=(0, 0), on_j=(0, 0), stiffness="k", length="l0"))
    m.add(da.Drive("road x", "road.x", xb))
    m.add(da.Drive("road y", "road.y", yb))
    m.add(da.Drive("road level", "road.angle", 0.0))
    return m
