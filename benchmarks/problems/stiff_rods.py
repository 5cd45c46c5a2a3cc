"""Two rods hung from the ground, the tip of the second held by a stiff spring and damper: a stiff problem, 2 s.

The spring (1e7 N/m, 1e5 N s/m) is nearly a third link: its fast motion dies within microseconds (rates of about 3e5 and 1e2 per
second), and an explicit method has to follow it: implicit ones are tried too. Judged by the
path of the tip, against stiff_rods.json: two angles, integrated by SciPy's Radau at rtol 1e-11 (make_stiff_rods.py).
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from benchmarks.mechanism import GROUND, Joint, Mechanism, Spring, rod
from benchmarks.problems.problem import Problem

STORED = Path(__file__).with_name("stiff_rods.json")
G, MASS, LENGTH = 9.81, 1.0, 1.0
STIFFNESS, DAMPING, REST = 1e7, 1e5, 0.8
TIMES = np.arange(1, 9) / 4
START = (0.3, -0.9)  # rad


def direction(angle: float) -> np.ndarray:
    return np.array([np.cos(angle), np.sin(angle)])


KNEE = LENGTH * direction(START[0])
TIP = KNEE + LENGTH * direction(START[1])
POST = TIP + REST * direction(0.4)  # of the ground: the spring has its rest length at the start


def mechanism() -> Mechanism:
    bodies = [rod("upper", (0, 0), KNEE, MASS), rod("lower", KNEE, TIP, MASS)]
    joints = [Joint("hip", GROUND, "upper", np.zeros(2)), Joint("knee", "upper", "lower", KNEE)]
    spring = Spring("strut", GROUND, "lower", POST, TIP, STIFFNESS, REST, DAMPING)
    return Mechanism("stiff rods", 2, np.array([0, -G]), bodies, joints, springs=[spring])


def make() -> Problem:
    m = mechanism()
    return Problem(
        "stiff-rods",
        "two rods and a stiff strut, 2 s",
        m,
        TIMES,
        0.25,
        lambda s: s.point(m, "lower", TIP),
        lambda: np.array(json.loads(STORED.read_text(encoding="utf-8"))["tip"]),
        "two angles, SciPy's Radau at rtol 1e-11",
        levels=(1e-4, 1e-7),
        conservative=False,
        floor=1e-9,
        stiff=True,
    )
