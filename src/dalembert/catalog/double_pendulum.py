"""Double pendulum in space: bars of 4 m and 2 m on parallel hinges, the first level, the second hanging.

Source: University of Wisconsin–Madison, ME751 simEngine3D, homework 8, problem 2.
Shows forward dynamics in space of a motion that stays in a
plane; 12 coordinates, 10 constraints, 2 degrees of freedom.
"""

from math import pi

import dalembert as da
from dalembert.catalog.driven_bar import bar


def make(*, lengths=(4.0, 2.0), angles=(pi / 2, 0.0), gravity=9.81):
    """``angles`` of both bars from −z, about x."""
    m = da.Model("double pendulum", dim=3, gravity=(0, 0, "-g"),
                 parameters={"l1": lengths[0], "l2": lengths[1], "w": 0.05, "rho": 7800.0, "m1": "rho*l1*w**2",
                             "m2": "rho*l2*w**2", "theta1": angles[0], "theta2": angles[1], "g": gravity})
    m.add(bar("first", 1, (0, 0)))
    m.add(bar("second", 2, ("l1*sin(theta1)", "-l1*cos(theta1)")))
    m.add(da.Revolute("O", m.ground, "first", on_i=(0, 0, 0), on_j=("-l1/2", 0, 0), axis=(1, 0, 0)))
    m.add(da.Revolute("A", "first", "second", on_i=("l1/2", 0, 0), on_j=("-l2/2", 0, 0), axis=(1, 0, 0)))
    return m
