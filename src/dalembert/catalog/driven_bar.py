"""Driven bar in space: a bar on a hinge about x, led through θ = π/4 cos 2t from the vertical.

Source: University of Wisconsin–Madison, ME751 simEngine3D,
homework 6 (bar of length 4 m, section 0.05 m, 7800 kg/m³).
Shows kinematically driven inverse dynamics in space: the drive's torque is (J + 4 m) θ̈ + 2 m g sin θ.
"""

from math import pi

import dalembert as da


def bar(name, k, start):
    """A square bar in the y–z plane from ``start``, θ_k from −z; its own x runs along it, its z is the ground's x."""
    l, w, m, s, c = f"l{k}", "w", f"m{k}", f"sin(theta{k})", f"cos(theta{k})"
    across = f"{m}*({l}**2 + {w}**2)/12"
    place = (0, f"{l}*{s}/2 + {start[0]}", f"{start[1]} - {l}*{c}/2")
    return da.Body(name, mass=m, inertia=(f"{m}*{w}**2/6", across, across), position=place,
                   rotation=((0, 0, 1), (s, c, 0), (f"-{c}", s, 0)), shapes=da.Box((l, w, w)))


def make(*, length=4.0, amplitude=pi / 4, frequency=2.0, gravity=9.81):
    """θ = amplitude · cos(frequency · t), drawn at t = 0."""
    m = da.Model("driven bar", dim=3, gravity=(0, 0, "-g"),
                 parameters={"l1": length, "w": 0.05, "rho": 7800.0, "m1": "rho*l1*w**2", "theta1": amplitude, "omega": frequency,
                             "g": gravity})
    body = m.add(bar("bar", 1, (0, 0)))
    m.add(da.Revolute("pivot", m.ground, body, on_i=(0, 0, 0), on_j=("-l1/2", 0, 0), axis=(1, 0, 0)))
    m.add(da.Drive("motor", "pivot", "theta1*(cos(omega*t) - 1)"))
    return m
