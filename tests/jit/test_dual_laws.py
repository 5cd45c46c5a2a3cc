"""Laws of users with their derivatives: compiled on duals, or by differences of the law alone, and said so."""

import ctypes
import math
import os

import numpy as np
import pytest

import dalembert as da
from dalembert._jit import scalar_law, vector_law
from dalembert._jit.dual_laws import derivative_of
from dalembert._jit.dual_objects import Dual

pytestmark = pytest.mark.skipif(os.environ.get("DALEMBERT_JIT") == "0", reason="there are no addresses in Python mode")
POINTER = ctypes.POINTER(ctypes.c_double)


def asked(derivative, t, x, v):
    out = np.zeros(4)
    ctypes.CFUNCTYPE(None, ctypes.c_double, ctypes.c_double, ctypes.c_double, POINTER)(derivative.address)(
        t, x, v, out.ctypes.data_as(POINTER))
    return out


def branching(t, x, v):
    if x > 0.1:
        return 3.0 * math.sin(x * t) + abs(v) * v
    total = 0.0
    for k in range(3):
        total += x**k * np.exp(-v)
    return total + max(x, -5.0)


def test_a_law_with_branches_and_loops_is_compiled_with_its_derivatives():
    law = scalar_law(branching, 3, "the law")[1]
    d = derivative_of(law)
    assert law.compiled and not d.note
    t, x, v = 0.7, 0.4, -0.3
    np.testing.assert_allclose(asked(d, t, x, v), [branching(t, x, v), 3 * x * math.cos(x * t), 3 * t * math.cos(x * t),
                                                   2 * abs(v)], rtol=1e-14)
    t, x, v = 0.7, -0.4, 0.3
    e = math.exp(-v)
    wanted = [branching(t, x, v), 0.0, (1 + 2 * x) * e + 1, -(1 + x + x * x) * e]
    np.testing.assert_allclose(asked(d, t, x, v), wanted, rtol=1e-13)


def test_what_runs_in_python_is_differentiated_by_differences_and_says_so():
    seen = []

    def remembering(t, x):
        seen.append(t)
        return math.sin(3 * t) * x**2

    law = scalar_law(remembering, 2, "the law")[1]
    d = derivative_of(law)
    assert "differences" in d.note and "the law" in d.note
    wanted = [math.sin(1.5) * 1.69, 3 * math.cos(1.5) * 1.69, 2.6 * math.sin(1.5), 0.0]
    np.testing.assert_allclose(asked(d, 0.5, 1.3, 0.0), wanted, rtol=1e-9, atol=1e-12)


def test_a_force_law_gives_values_and_derivatives():
    def pull(t, x, v, out):
        out[0] = -2.0 * x[0] ** 2 - 0.1 * v[1] * t

    law = vector_law(pull, "the force", (3, 3, 3))[1]
    d, x, v = derivative_of(law), np.array([0.3, 0.4, 0.5]), np.array([0.1, 0.2, 0.3])
    out = np.zeros(3 + 3 * 8)
    ctypes.CFUNCTYPE(None, ctypes.c_double, POINTER, POINTER, POINTER)(d.address)(
        0.5, *(a.ctypes.data_as(POINTER) for a in (x, v, out)))
    J = out[3:].reshape(8, 3)
    np.testing.assert_allclose(J[:, 0], [-0.18 - 0.01, -0.02, -1.2, 0, 0, 0, -0.05, 0], rtol=1e-9, atol=1e-12)


def test_force_laws_are_compiled_and_so_are_their_derivatives():
    def pull(t, x, v, out):
        radius = math.hypot(x[0], x[1])
        for k in range(2):
            out[k] = -2.0 * x[k] / radius if radius > 0.1 else -20.0 * x[k]
        out[2] = -0.1 * v[2] * math.sin(t)

    law = vector_law(pull, "the force", (3, 3, 3))[1]
    d = derivative_of(law)
    assert law.compiled and not law.note and not d.note
    x, v = np.array([0.3, 0.4, 0.5]), np.array([0.1, 0.2, 0.3])
    np.testing.assert_allclose(law.native(law.address, (0.5, x, v)), [-1.2, -1.6, -0.03 * math.sin(0.5)], rtol=1e-15)

    def beyond(t, x, v, out):
        out[0] = x[int(3 * t)]

    law = vector_law(beyond, "the force", (3, 3, 3))[1]
    assert law.compiled and law.native(law.address, (0.9, x, v))[0] == 0.5
    assert math.isnan(law.native(law.address, (1.1, x, v))[0])  # an index beyond the end


def test_a_zero_that_moves_is_no_zero():
    moving, still = Dual(0.0, np.ones(8)), Dual(0.0)
    assert moving != 0.0 and still == 0.0 and not moving < 0.0 and not moving > 0.0


def test_a_parameter_as_exponent_of_what_is_zero():
    """∂(xᵖ)/∂p = 0 at x = 0: drag from rest."""
    m = da.Model("drag", dim=2, gravity=(0, 0), parameters={"p": 3.0})
    m.add(da.Body("b", mass=2.0, inertia=1.0))
    m.add(da.Prismatic("guide", m.ground, "b", at=(0, 0), axis=(1, 0)))
    m.add(da.Motor("push", "b.x", "3 - abs(rate)**p"))

    def speed(p):
        other = m.copy()
        other.parameters["p"] = p
        return da.simulate(other, 1.0, rtol=1e-11)["b"].velocity[-1][0]

    found = da.simulate(m, 1.0, rtol=1e-11).derivative("p")["b"].velocity[-1][0]
    h = 1e-3
    richardson = (8 * (speed(3 + h) - speed(3 - h)) - (speed(3 + 2 * h) - speed(3 - 2 * h))) / (12 * h)
    assert abs(found - richardson) < 1e-7 * abs(richardson)
