"""Chain of n rods of 1 m and 1 kg in the plane, released level from rest, 1 s.

Judged by the energy (as the peers were first measured); the path of the tip is compared with a reference too: the O(n)
recursion of
engines/numpy_chain.py (an independent formulation, angles only) near the limit of double precision, stored in chain_tips.json and
recomputed for 10 links by a test (all: ``python -m benchmarks.problems.make_chain_tips``).
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from benchmarks.mechanism import GROUND, Joint, Mechanism, rod
from benchmarks.problems.problem import Problem

STORED = Path(__file__).with_name("chain_tips.json")
TIMES = np.array([0.5, 1.0])
LEVELS = {10: (1.2e-5, 1.7e-9), 100: (1e-5, 5.6e-7), 1000: (1e-4, 2.8e-6)}


def mechanism(n: int) -> Mechanism:
    bodies = [rod(f"link {k}", (k, 0), (k + 1, 0), 1.0) for k in range(n)]
    joints = [Joint(f"hinge {k}", GROUND if k == 0 else f"link {k - 1}", f"link {k}", np.array([k, 0.0])) for k in range(n)]
    return Mechanism(f"chain {n}", 2, np.array([0, -9.81]), bodies, joints)


def make(n: int) -> Problem:
    m = mechanism(n)

    def reference():
        return np.array(json.loads(STORED.read_text(encoding="utf-8"))["tips"][str(n)])

    return Problem(
        f"chain-{n}",
        f"chain of {n} links, 1 s",
        m,
        TIMES,
        0.5,
        lambda s: s.point(m, f"link {n - 1}", (float(n), 0.0)),
        reference,
        "independent O(n) computation",
        kind="energy",
        levels=LEVELS.get(n, (1e-5,)),
        target=4.0,
        floor=5e-12 * n,  # rounding of the energy
        effort=5.0 if n >= 1000 else 1.0,
        stride=1.0 if n >= 1000 else 0.5,
    )
