"""Double wishbone without its strut: two arms hinged on the ground, an upright on two balls, a tie rod, a turning wheel.

It swings under gravity for 3 s: a closed loop in space with balls, and the wheel's gyroscopic moment. The tie rod is a body on
two balls (it may spin about its own axis). Judged by the energy; the path of the wheel's centre is compared with
double_wishbone.json: dalembert, rk8 at rtol 1e-13, which Pinocchio's motion at rtol 1e-7 meets to 7e-8 m.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from benchmarks.mechanism import GROUND, Body, Joint, Mechanism
from benchmarks.problems.problem import Problem

STORED = Path(__file__).with_name("double_wishbone.json")
X, Y = np.eye(3)[:2]
SPIN = 40.0  # rad/s of the wheel


def bar(name: str, mass: float, start, end) -> Body:
    """A round bar of 30 mm between two points, at rest."""
    start, end = np.asarray(start, dtype=float), np.asarray(end, dtype=float)
    along = (end - start) / np.linalg.norm(end - start)
    length2, radius2 = float((end - start) @ (end - start)), 0.015**2
    across = mass * (length2 / 12 + radius2 / 4)
    inertia = across * np.eye(3) + (mass * radius2 / 2 - across) * np.outer(along, along)
    return Body(name, mass, inertia, (start + end) / 2, np.eye(3), np.zeros(3), np.zeros(3))


def mechanism() -> Mechanism:
    upper, lower = (0, 0.35, 0.5), (0, 0.28, 0.2)
    high, low, steer, rack = (0, 0.65, 0.5), (0, 0.72, 0.2), (-0.12, 0.72, 0.31), (-0.12, 0.3, 0.28)
    hub = np.array([0, 0.8, 0.31])
    disc = 20.0 * 0.31**2 / 4
    bodies = [
        bar("upper arm", 6.0, upper, high),
        bar("lower arm", 8.0, lower, low),
        Body("upright", 14.0, np.diag([0.28, 0.28, 0.14]), np.array([0, 0.72, 0.31]), np.eye(3), np.zeros(3), np.zeros(3)),
        bar("tie rod", 1.0, rack, steer),
        Body("wheel", 20.0, np.diag([disc, 2 * disc, disc]), hub, np.eye(3), np.zeros(3), SPIN * Y),
    ]
    joints = [
        Joint("upper hinge", GROUND, "upper arm", np.array(upper), X),
        Joint("lower hinge", GROUND, "lower arm", np.array(lower), X),
        Joint("upper ball", "upper arm", "upright", np.array(high)),
        Joint("lower ball", "lower arm", "upright", np.array(low)),
        Joint("rack end", GROUND, "tie rod", np.array(rack)),
        Joint("steering arm", "tie rod", "upright", np.array(steer)),
        Joint("hub", "upright", "wheel", hub, Y),
    ]
    return Mechanism("double wishbone", 3, np.array([0, 0, -9.81]), bodies, joints)


def make() -> Problem:
    m = mechanism()
    times = np.arange(1, 13) / 4
    return Problem(
        "double-wishbone",
        "double wishbone swinging, 3 s",
        m,
        times,
        0.25,
        lambda s: s.r[:, m.index["wheel"]],
        lambda: np.array(json.loads(STORED.read_text(encoding="utf-8"))["wheel"]),
        "dalembert, rk8 at rtol 1e-13",
        kind="energy",
        levels=(1e-4, 1e-8),
        floor=1e-11,
    )
