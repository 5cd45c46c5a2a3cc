"""Slider-crank in space, running free for 3 s: crank on a hinge, rod on two balls, slider; one loop, and a rod that may spin.

Crank of 80 mm about an axis along x through (0, 0.1, 0.12), rod of 300 mm, slider along x: the proportions of E. J. Haug's
spatial slider-crank (Computer-Aided Kinematics and Dynamics, 1989). It starts with 6 rad/s, crank upwards, under gravity, fast
enough to swing the slider through. Judged by the energy; the path of the slider and of the crank's end is compared with
slider_crank.json: dalembert, rk8 at rtol 1e-13.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from benchmarks.mechanism import GROUND, Body, Joint, Mechanism
from benchmarks.problems.double_wishbone import bar
from benchmarks.problems.problem import Problem

STORED = Path(__file__).with_name("slider_crank.json")
X = np.eye(3)[0]
SPEED = 6.0  # rad/s
CENTRE, TIP, PIN = np.array([0, 0.1, 0.12]), np.array([0, 0.1, 0.2]), np.array([0.2, 0, 0])  # rod: √(0.2² + 0.1² + 0.2²) = 0.3


def mechanism() -> Mechanism:
    spin = SPEED * X
    tip_speed = np.cross(spin, TIP - CENTRE)
    along = PIN - TIP
    slider_speed = (along @ tip_speed) / (along @ X) * X  # (PIN − TIP)·(v_PIN − v_TIP) = 0
    rod = bar("rod", 0.5, TIP, PIN)
    rod_spin = np.cross(along, slider_speed - tip_speed) / (along @ along)  # none about its own axis
    middle = np.array([0, 0.1, 0.15])
    bodies = [
        Body("crank", 1.2, np.diag([1.2e-3, 1.0e-3, 4.0e-4]), middle, np.eye(3), np.cross(spin, middle - CENTRE), spin),
        Body("rod", rod.mass, rod.inertia, rod.position, np.eye(3), (tip_speed + slider_speed) / 2, rod_spin),
        Body("slider", 2.0, 1e-3 * np.eye(3), PIN, np.eye(3), slider_speed, np.zeros(3)),
    ]
    joints = [
        Joint("hinge", GROUND, "crank", CENTRE, X),
        Joint("tip", "crank", "rod", TIP),
        Joint("pin", "rod", "slider", PIN),
        Joint("guide", GROUND, "slider", PIN, X, slides=True),
    ]
    return Mechanism("slider-crank", 3, np.array([0, 0, -9.81]), bodies, joints)


def make() -> Problem:
    m = mechanism()

    def path(s):
        return np.concatenate([s.r[:, m.index["slider"]], s.point(m, "crank", TIP)], axis=1)

    return Problem(
        "slider-crank",
        "slider-crank in space, 3 s",
        m,
        np.arange(1, 13) / 4,
        0.25,
        path,
        lambda: np.array(json.loads(STORED.read_text(encoding="utf-8"))["path"]),
        "dalembert, rk8 at rtol 1e-13",
        kind="energy",
        levels=(1e-4, 1e-8),
        floor=1e-11,
    )
