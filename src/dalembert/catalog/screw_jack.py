"""A screw jack: a torque raises the load for a while and lets go; friction in the thread holds the load where tan β ≤ μ.

With the lead a per radian, tan β = a/r, tan φ = μ and K = m r tan(β + φ), the spindle of inertia J with its load m goes up by

    (J + a K) θ̈ = M − K g      until it is let go,      (J + a K) θ̈ = −K g      until it stops;      z = a θ
"""

import math

import dalembert as da


def make(*, torque=80.0, mass=500.0, pitch=0.02, radius=0.02, friction=0.2, time=0.7):
    """``torque`` on the spindle for ``time`` seconds raises ``mass``; ``pitch`` and mean ``radius`` of its thread."""
    m = da.Model("screw jack", dim=3, gravity=(0, 0, -9.81), parameters={"M": torque, "m": mass, "mu": friction, "pitch": pitch})
    m.add(da.Fixture("housing", shapes=[da.Cylinder(0.05, 0.16, position=(0, 0, 0.08)), da.Box((0.24, 0.2, 0.02))]))
    handle = {"position": (0.11, 0, 0.29), "rotation": ("y", (math.pi / 2,))}
    m.add(da.Body("spindle", mass="m", inertia=(2.0, 2.0, 1.0), material="brass", shapes=[
        da.Cylinder(0.02, 0.24, position=(0, 0, 0.2)), da.Cylinder(0.05, 0.02, position=(0, 0, 0.33)),
        da.Cylinder(0.008, 0.22, **handle), da.Box((0.2, 0.16, 0.12), position=(0, 0, 0.4), material="#d9565b")]))
    m.add(da.Screw("thread", m.ground, "spindle", pitch="pitch", at=(0, 0, 0.16), axis=(0, 0, 1), friction="mu", radius=radius,
                   length=0.08))
    m.add(da.Torque("hands", "spindle", (0, 0, f"M*step({time} - t)")))
    return m
