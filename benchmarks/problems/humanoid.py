"""A figure of 21 bodies and 20 hinges thrown into the air: a free base with branches, 1 s of falling while it turns and flails.

Sizes and masses are round numbers of an adult (some 75 kg); joints of two axes have a small body between their hinges.  Error:
hands and feet, against Pinocchio's articulated-body recursion with DOP853 at rtol 1e-13 (humanoid.json, by make_humanoid.py).
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from benchmarks.mechanism import GROUND, Body, Joint, Mechanism
from benchmarks.problems.problem import Problem

STORED = Path(__file__).with_name("humanoid.json")
X, Y, Z = np.eye(3)
SPIN = np.array([0.6, 1.5, 0.4])  # rad/s of the whole figure about its pelvis
THROW = np.array([0.5, 0.2, 3.0])  # m/s of the pelvis
# body, parent, mass, joint's place, joint's axis, centre of mass, half sizes, rate of the joint in rad/s; x forward, y left, z up
PARTS = [
    ("waist", "pelvis", 2.0, (0, 0, 1.05), X, (0, 0, 1.08), (0.08, 0.10, 0.04), 0.8),
    ("chest", "waist", 26.0, (0, 0, 1.12), Y, (0, 0, 1.32), (0.11, 0.17, 0.22), -1.1),
    ("neck", "chest", 1.0, (0, 0, 1.55), Z, (0, 0, 1.58), (0.05, 0.05, 0.04), 1.4),
    ("head", "neck", 4.5, (0, 0, 1.62), Y, (0.02, 0, 1.72), (0.09, 0.08, 0.12), -0.9),
]
for side, s in (("left", 1.0), ("right", -1.0)):
    PARTS += [
        (f"{side} shoulder", "chest", 1.2, (0, 0.18 * s, 1.46), Y, (0, 0.20 * s, 1.46), (0.05, 0.05, 0.05), 2.1 * s),
        (f"{side} upper arm", f"{side} shoulder", 2.1, (0, 0.22 * s, 1.46), X, (0, 0.24 * s, 1.30), (0.04, 0.04, 0.15), -1.7),
        (f"{side} forearm", f"{side} upper arm", 1.3, (0, 0.25 * s, 1.14), Y, (0.02, 0.25 * s, 1.00), (0.03, 0.03, 0.13), -2.4),
        (f"{side} hand", f"{side} forearm", 0.5, (0.02, 0.25 * s, 0.87), X, (0.03, 0.25 * s, 0.79), (0.02, 0.04, 0.08), 1.9 * s),
        (f"{side} hip", "pelvis", 1.5, (0, 0.09 * s, 0.92), X, (0, 0.10 * s, 0.90), (0.05, 0.05, 0.05), 0.7 * s),
        (f"{side} thigh", f"{side} hip", 7.5, (0, 0.10 * s, 0.88), Y, (0, 0.10 * s, 0.68), (0.07, 0.07, 0.20), -1.3 * s),
        (f"{side} shank", f"{side} thigh", 3.2, (0, 0.10 * s, 0.46), Y, (0, 0.10 * s, 0.27), (0.05, 0.05, 0.19), 1.6),
        (f"{side} foot", f"{side} shank", 1.0, (0, 0.10 * s, 0.08), Y, (0.06, 0.10 * s, 0.04), (0.12, 0.05, 0.04), -0.8),
    ]


def block(mass: float, half) -> np.ndarray:
    """Inertia of a uniform block with these half edges."""
    a, b, c = (h * h for h in half)
    return mass / 3 * np.diag([b + c, a + c, a + b])


def mechanism() -> Mechanism:
    centre = np.array([0, 0, 0.97])
    bodies = [Body("pelvis", 10.0, block(10.0, (0.10, 0.15, 0.10)), centre, np.eye(3), THROW, SPIN)]
    omega, joints = {"pelvis": SPIN}, []
    velocity = {"pelvis": (centre, THROW)}  # of a point of the body
    for name, parent, mass, at, axis, where, half, rate in PARTS:
        at, where = np.asarray(at, dtype=float), np.asarray(where, dtype=float)
        point, speed = velocity[parent]
        there = speed + np.cross(omega[parent], at - point)
        omega[name], velocity[name] = omega[parent] + rate * axis, (at, there)
        moving = there + np.cross(omega[name], where - at)
        bodies.append(Body(name, mass, block(mass, half), where, np.eye(3), moving, omega[name]))
        joints.append(Joint(f"to {name}", parent, name, at, axis))
    assert GROUND not in velocity  # nothing holds it
    return Mechanism("humanoid", 3, np.array([0, 0, -9.81]), bodies, joints)


def track(m: Mechanism):
    ends = ("left hand", "right hand", "left foot", "right foot")
    return lambda s: np.hstack([s.r[:, m.index[name]] for name in ends])


def make() -> Problem:
    m = mechanism()
    times = np.arange(1, 11) / 10
    return Problem(
        "humanoid",
        "humanoid of 20 hinges falling free, 1 s",
        m,
        times,
        0.1,
        track(m),
        lambda: np.array(json.loads(STORED.read_text(encoding="utf-8"))["ends"]),
        "articulated bodies in Pinocchio, rtol 1e-13",
        levels=(1e-4, 1e-8),
        floor=1e-11,
    )
