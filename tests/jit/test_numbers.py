"""One kernel, three number types: doubles, lanes, and a dual that the package does not know; compiled and in Python mode."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from number_group import ENTRIES, Chain

from dalembert._jit import LANES

ANGLE, LENGTH, ALONG = np.array([0.3, -0.8, 1.1]), np.array([1.0, 0.7, 0.4]), np.array([0.5, -1.0, 2.0])


def doubles(angle):
    c = Chain(np.array(angle, float), LENGTH, np.zeros(3))
    assert ENTRIES["doubles"].bind(c)() == 0
    return c.out


def slope(h=1e-5):
    return (doubles(ANGLE + h * ALONG) - doubles(ANGLE - h * ALONG)) / (2 * h)


def test_doubles_against_the_closed_form():
    total = np.cumsum(ANGLE)
    x, y = LENGTH @ np.cos(total), LENGTH @ np.sin(total)
    np.testing.assert_allclose(doubles(ANGLE), [x, y, (x * x + 2) / (1 + y * y)], rtol=1e-14)


def test_lanes_are_doubles_side_by_side():
    angles = ANGLE[:, None] + 0.1 * np.arange(LANES)
    c = Chain(angles.ravel(), LENGTH, np.zeros(3 * LANES))
    assert ENTRIES["lanes"].bind(c)() == 0
    found = c.out.reshape(3, LANES)
    for k in range(LANES):
        np.testing.assert_allclose(found[:, k], doubles(angles[:, k]), rtol=1e-14)


def test_a_new_number_type_needs_no_edited_kernel():
    c = Chain(np.column_stack([ANGLE, ALONG]).ravel(), LENGTH, np.zeros(6))
    assert ENTRIES["duals"].bind(c)() == 0
    value, tangent = c.out.reshape(3, 2).T
    np.testing.assert_allclose(value, doubles(ANGLE), rtol=1e-15)
    np.testing.assert_allclose(tangent, slope(), rtol=1e-8, atol=1e-9)


@pytest.mark.skipif(os.environ.get("DALEMBERT_JIT") == "0", reason="that is the mode of this process")
def test_the_same_in_python_mode():
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(Path(__file__))],
                          env=os.environ | {"DALEMBERT_JIT": "0"}, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-3000:]
