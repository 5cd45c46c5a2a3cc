"""Two-link arm: free, driven at both joints, or led by computed torque.

Source: A. A. Shabana, Computational Dynamics, 3rd ed. (course text: open chains, methods I and II).
Shows the open chain: driven, every reaction and both motor torques follow
from the motion (inverse dynamics); free, it is a double pendulum.

Computed torque (uniform rods, θ the turn of the first link from x, e of the second from the first):
    c = m₃ l₂ l₃/2 cos e,  s = m₃ l₂ l₃/2 sin e,   M₂₂ = m₃ l₃²/3,  M₁₂ = M₂₂ + c,  M₁₁ = (m₂/3 + m₃) l₂² + M₂₂ + 2c
    τ₁ = M₁₁ u₁ + M₁₂ u₂ − s ė (2 θ̇ + ė) + (m₂/2 + m₃) g l₂ cos θ + w
    τ₂ = M₁₂ u₁ + M₂₂ u₂ + s θ̇² + w,   w = m₃ g l₃/2 cos(θ + e)
    u = q̈_d + k_d (q̇_d − q̇) + k_p (q_d − q):  what is missed obeys  ë + k_d ė + k_p e = 0,  each joint for itself.
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


def computed(*, start=(0.3, -0.2), kp=25.0, kd=10.0, **kw):
    """Motors that cancel what the links do to each other lead it along q₁ = sin t, q₂ = ½ cos 2t − ½; it begins at ``start``."""
    m = make(**kw)
    m.parameters |= {"kp": kp, "kd": kd, "d2": start[0], "d3": start[1]}
    m.add(da.Signal("c", "m3*l2*l3/2*cos(theta3 - theta2 + elbow.angle)"))
    m.add(da.Signal("s", "m3*l2*l3/2*sin(theta3 - theta2 + elbow.angle)"))
    m.add(da.Signal("w", "m3*g*l3/2*cos(theta3 + shoulder.angle + elbow.angle)"))
    m.add(da.Signal("u1", "-sin(t) + kd*(cos(t) - shoulder.rate) + kp*(sin(t) - shoulder.angle)"))
    m.add(da.Signal("u2", "-2*cos(2*t) + kd*(-sin(2*t) - elbow.rate) + kp*(0.5*cos(2*t) - 0.5 - elbow.angle)"))
    m.add(da.Motor("motor 1", "shoulder", "((m2/3 + m3)*l2**2 + m3*l3**2/3 + 2*c)*u1 + (m3*l3**2/3 + c)*u2"
                   " - s*elbow.rate*(2*shoulder.rate + elbow.rate) + (m2/2 + m3)*g*l2*cos(theta2 + shoulder.angle) + w"))
    m.add(da.Motor("motor 2", "elbow", "(m3*l3**2/3 + c)*u1 + m3*l3**2/3*u2 + s*shoulder.rate**2 + w"))
    m.initial("shoulder", coordinate="d2")
    m.initial("elbow", coordinate="d3")
    return m
