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
    m = da.Model("double pendulum", dim=3, gravity=(0, 0, -gravity))
    first, end = bar("first", lengths[0], angles[0], (0.0, 0.0, 0.0))
    m.add(first)
    m.add(bar("second", lengths[1], angles[1], end)[0])
    m.add(da.Revolute("O", m.ground, "first", at=(0, 0, 0), axis=(1, 0, 0)))
    m.add(da.Revolute("A", "first", "second", at=end, axis=(1, 0, 0)))
    return m
