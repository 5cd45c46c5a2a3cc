"""A sheet of 16 × 16 plates on balls, nailed at one corner, falling free for half a second: 256 bodies, 225 loops in space.

Each plate is joined to its right and its upper neighbour by a ball half-way (the sheet of `benchmarks/solve.py`), but the sheet
is wavy: a flat one is in a singular pose. It starts with a slow spin about the nail. Judged by the energy; the path of the far
corner is compared with sheet.json: dalembert, rk8 at rtol 1e-13.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from benchmarks.mechanism import GROUND, Body, Joint, Mechanism
from benchmarks.problems.problem import Problem

STORED = Path(__file__).with_name("sheet.json")
N = 16
SPIN = np.array([0.0, 0.0, 0.5])  # rad/s of the whole sheet


def place(a: int, b: int) -> np.ndarray:
    return np.array([a, b, 0.4 * np.sin(0.7 * a) * np.cos(0.9 * b) + 0.2 * np.sin(0.5 * b)])


def mechanism() -> Mechanism:
    bodies, joints = [], []
    for a in range(N):
        for b in range(N):
            at, name = place(a, b), f"plate {a} {b}"
            bodies.append(Body(name, 1.0, np.diag([0.1, 0.1, 0.15]), at, np.eye(3), np.cross(SPIN, at), SPIN))
            if a + 1 < N:
                joints.append(Joint(f"right {a} {b}", name, f"plate {a + 1} {b}", (at + place(a + 1, b)) / 2))
            if b + 1 < N:
                joints.append(Joint(f"up {a} {b}", name, f"plate {a} {b + 1}", (at + place(a, b + 1)) / 2))
    joints.append(Joint("nail", GROUND, "plate 0 0", np.zeros(3)))
    return Mechanism("sheet", 3, np.array([0, 0, -9.81]), bodies, joints)


def make() -> Problem:
    m = mechanism()
    return Problem(
        "sheet",
        f"sheet of {N} × {N} plates on balls, 0.5 s",
        m,
        np.arange(1, 6) / 10,
        0.1,
        lambda s: s.r[:, -1],
        lambda: np.array(json.loads(STORED.read_text(encoding="utf-8"))["corner"]),
        "dalembert, rk8 at rtol 1e-13",
        kind="energy",
        levels=(1e-3, 1e-5),
        floor=1e-9,
        effort=2.0,
        stride=1.0,
    )
