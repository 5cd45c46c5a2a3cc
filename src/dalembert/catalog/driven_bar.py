"""Driven bar in space: a bar on a hinge about x, led through θ = π/4 cos 2t from the vertical.

Source: University of Wisconsin–Madison, ME751 simEngine3D,
homework 6 (bar of length 4 m, section 0.05 m, 7800 kg/m³).
Shows kinematically driven inverse dynamics in space: the drive's torque is (J + 4 m) θ̈ + 2 m g sin θ.
"""

from math import cos, pi, sin

import dalembert as da


def bar(name, length, angle, start, width=0.05, density=7800.0):
    """A square bar in the y–z plane from ``start``, ``angle`` from −z; its own x runs along it,
    its z is the ground's x."""
    s, c = sin(angle), cos(angle)
    mass = density * length * width**2
    across = mass * (length**2 + width**2) / 12
    end = (start[0], start[1] + length * s, start[2] - length * c)
    body = da.Body(name, mass=mass, inertia=(mass * width**2 / 6, across, across),
                   position=tuple((a + b) / 2 for a, b in zip(start, end, strict=True)),
                   rotation=((0, 0, 1), (s, c, 0), (-c, s, 0)), shapes=da.Box((length, width, width)))
    return body, end


def make(*, length=4.0, amplitude=pi / 4, frequency=2.0, gravity=9.81):
    """θ = amplitude · cos(frequency · t), drawn at t = 0."""
    m = da.Model("driven bar", dim=3, gravity=(0, 0, -gravity))
    body = m.add(bar("bar", length, amplitude, (0.0, 0.0, 0.0))[0])
    m.add(da.Revolute("pivot", m.ground, body, at=(0, 0, 0), axis=(1, 0, 0)))
    m.add(da.Drive("motor", "pivot", f"{float(amplitude)!r}*(cos({float(frequency)!r}*t) - 1)"))
    return m
