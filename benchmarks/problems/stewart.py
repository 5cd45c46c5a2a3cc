"""Stewart platform hung on six cranks (6-RSS), swinging free for 2 s: 13 bodies, five loops in space, six rods that may spin.

The kind whose legs are moved by rotary motors: crank on a hinge, rod on two balls, platform. Here nobody drives: counterweights
on the cranks carry the platform, which is let go out of balance. Sizes are round numbers of a motion base for one person. Judged
by the energy; the path of one corner of the platform is compared with stewart.json: dalembert, rk8 at rtol 1e-13, which
Pinocchio's motion at rtol 1e-6 meets to 4e-11 m.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from benchmarks.mechanism import GROUND, Body, Joint, Mechanism
from benchmarks.problems.double_wishbone import bar
from benchmarks.problems.problem import Problem

STORED = Path(__file__).with_name("stewart.json")
Z = np.eye(3)[2]
BASE, CRANK, TOP, DEPTH = 0.8, 0.25, 0.55, 1.0  # m: radius of the ceiling, length of a crank, radius of the platform, its depth
START = (0.35, -0.10, 0.25, 0.05, -0.20, 0.30)  # rad: the cranks above the horizontal, as drawn


def level(degrees: float) -> np.ndarray:
    """The direction of an angle about z."""
    a = np.radians(degrees)
    return np.array([np.cos(a), np.sin(a), 0.0])


def crank(name: str, hinge: np.ndarray, along: np.ndarray, up: np.ndarray) -> Body:
    """20 kg whose centre is behind the hinge and below it: it carries its share of the platform, and stands in balance."""
    across = np.cross(along, up)
    R = np.column_stack([along, up, across])
    inertia = R @ np.diag([0.15, 0.45, 0.50]) @ R.T
    return Body(name, 20.0, inertia, hinge - 0.12 * along - 0.15 * up, np.eye(3), np.zeros(3), np.zeros(3))


def mechanism() -> Mechanism:
    bodies = [Body("platform", 60.0, np.diag([5.0, 5.0, 9.0]), np.array([0.0, 0.0, -DEPTH - 0.1]), np.eye(3), np.zeros(3),
                   np.zeros(3))]
    joints = []
    for k, angle in enumerate(START):
        side = 1.0 if k % 2 else -1.0
        out = level(120 * (k // 2) + 12 * side)  # pairs of cranks that point away from each other
        flat = side * np.cross(Z, out)
        along, up = np.cos(angle) * flat + np.sin(angle) * Z, np.cos(angle) * Z - np.sin(angle) * flat
        hinge = BASE * out
        tip, corner = hinge + CRANK * along, TOP * level(120 * (k // 2) + 50 * side) - DEPTH * Z
        bodies += [crank(f"crank {k}", hinge, along, up), bar(f"rod {k}", 2.0, tip, corner)]
        joints += [Joint(f"hinge {k}", GROUND, f"crank {k}", hinge, out), Joint(f"tip {k}", f"crank {k}", f"rod {k}", tip),
                   Joint(f"corner {k}", f"rod {k}", "platform", corner)]
    return Mechanism("stewart", 3, np.array([0, 0, -9.81]), bodies, joints)


def make() -> Problem:
    m = mechanism()
    times = np.arange(1, 9) / 4
    mark = TOP * level(50) + 0.1 * Z  # on the platform, from its centre

    def corner(s):
        k = m.index["platform"]
        return s.r[:, k] + s.R[:, k] @ mark

    return Problem(
        "stewart",
        "Stewart platform on cranks, 2 s",
        m,
        times,
        0.25,
        corner,
        lambda: np.array(json.loads(STORED.read_text(encoding="utf-8"))["corner"]),
        "dalembert, rk8 at rtol 1e-13",
        kind="energy",
        levels=(1e-4, 1e-8),
        floor=1e-10,
    )
