"""Models shared by the tests of analyses; helpers of this folder are importable."""

import sys
from pathlib import Path

import pytest

import dalembert as da

HERE = str(Path(__file__).parent)
if HERE not in sys.path:
    sys.path.insert(0, HERE)


@pytest.fixture
def stiff_arm():
    """Two rods on pins, their middles joined by a very stiff, well damped spring."""
    m = da.Model("stiff arm", dim=2, gravity=(0, -9.81))
    m.add(da.Body.rod("a", (0, 0), (1, 0), mass=1))
    m.add(da.Body.rod("b", (1, 0), (2, 0), mass=1))
    m.add(da.Revolute("A", m.ground, "a", at=(0, 0)))
    m.add(da.Revolute("B", "a", "b", at=(1, 0)))
    m.add(da.Spring("k", "a", "b", at_i=(0.5, 0), at_j=(1.5, 0.2), stiffness=1e7, damping=1e5, length=1.0))
    return m
