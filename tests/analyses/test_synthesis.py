"""Path synthesis with timing: a four-bar whose coupler point passes five given points at given crank angles, by gradients."""

import math

import numpy as np

import dalembert as da

POINTS = np.array([(3, 3), (2.759, 3.363), (2.372, 3.663), (1.89, 3.862), (1.355, 3.943)])
FOUND = {"ground": 3.6697, "crank": 1.9978, "coupler": 3.9963, "rocker": 2.7049, "px": 1.6721, "py": 1.6801}


def linkage():
    """Crank pivot at the origin, drawn at 30°, turned by 15° per second."""
    m = da.Model("synthesis", dim=2, gravity=(0, 0), parameters={"ground": 3.5, "crank": 2.0, "coupler": 4.0, "rocker": 3.0,
                                                                 "px": 1.6, "py": 1.6})
    B = (f"crank*cos({math.pi / 6!r})", f"crank*sin({math.pi / 6!r})")
    s = f"sqrt((ground - {B[0]})**2 + ({B[1]})**2)"
    turn = f"(atan2(-({B[1]}), ground - {B[0]}) + acos((coupler**2 + {s}**2 - rocker**2)/(2*coupler*{s})))"
    C = (f"{B[0]} + coupler*cos({turn})", f"{B[1]} + coupler*sin({turn})")
    m.add(da.Body("crank link", mass=1, inertia=1, angle=math.pi / 6))
    m.add(da.Body("coupler link", mass=1, inertia=1, position=B, angle=turn))
    m.add(da.Body("rocker link", mass=1, inertia=1, position=("ground", 0), angle=f"atan2({C[1]}, {C[0]} - ground)"))
    m.add(da.Revolute("O", m.ground, "crank link", at=(0, 0)))
    m.add(da.Revolute("B", "crank link", "coupler link", on_i=("crank", 0), on_j=(0, 0)))
    m.add(da.Revolute("C", "coupler link", "rocker link", on_i=("coupler", 0), on_j=("rocker", 0)))
    m.add(da.Revolute("D", m.ground, "rocker link", at=("ground", 0)))
    m.add(da.Drive("turning", "O", f"{math.pi / 12!r}*t"))
    return m


def path(run):
    """Of the coupler point, which is a parameter of this question alone."""
    values = run.model.parameter_values()
    return run.point("coupler link", (values["px"], values["py"]))


def test_coupler_point_through_five_points():
    ranges = {name: (1.0, 5.0) if len(name) > 2 else (0.0, 5.0) for name in FOUND}
    best = da.fit(linkage(), ranges, da.kinematics, times=[0.0, 1.0, 2.0, 3.0, 4.0], output=path, data=POINTS, tolerance=1e-13,
                  trials=300)
    assert abs(best.goal - 7.416e-7) < 1e-10 and len(best.trials) < 30
    for name, value in FOUND.items():
        assert abs(best.values[name] - value) < 1e-4
