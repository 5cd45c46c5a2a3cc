"""Two-link arm: free, or driven at both joints.

Source: A. A. Shabana, Computational Dynamics, 3rd ed. (course text: open chains, methods I and II).
Shows the open chain: driven, every reaction and both motor torques follow
from the motion (inverse dynamics); free, it is a double pendulum.
"""

from math import pi

import dalembert as da


def make(*, lengths=(1.0, 0.8), masses=(3.0, 2.0), angles=(0.0, 0.5), laws=None, gravity=9.81):
    """``angles``: first link from the x axis, second relative to the first;
    ``laws`` drive both (added to the angles)."""
    m = da.Model("two-link arm", dim=2, gravity=(0, "-g"),
                 parameters={"l2": lengths[0], "l3": lengths[1], "m2": masses[0], "m3": masses[1], "theta2": angles[0],
                             "theta3": angles[0] + angles[1], "g": gravity})
    A = ("l2*cos(theta2)", "l2*sin(theta2)")
    B = (f"{A[0]} + l3*cos(theta3)", f"{A[1]} + l3*sin(theta3)")
    upper = m.add(da.Body.rod("upper", (0, 0), A, mass="m2"))
    lower = m.add(da.Body.rod("lower", A, B, mass="m3"))
    m.add(da.Revolute("shoulder", m.ground, upper, on_i=(0, 0), on_j=("-l2/2", 0)))
    m.add(da.Revolute("elbow", upper, lower, on_i=("l2/2", 0), on_j=("-l3/2", 0)))
    if laws is not None:
        m.add(da.Drive("motor 1", "shoulder", laws[0]))
        m.add(da.Drive("motor 2", "elbow", laws[1]))
    return m


def driven(*, laws=("sin(t)", "0.5*cos(2*t) - 0.5"), **kw):
    """The arm led through q₁ = sin t, q₂ = ½ cos 2t."""
    return make(laws=laws, **kw)


def hanging(*, angles=(-pi / 6, 0.9), **kw):
    """The arm released without motors."""
    return make(angles=angles, **kw)
