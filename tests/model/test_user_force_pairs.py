"""UserForce between two bodies: equal to the built-in elements, momentum kept, ledger closed, and along a body's axes."""

import math

import numpy as np
import pytest

import dalembert as da
from dalembert.errors import ModelError


def pull(t, x, v, out):
    """A spring–damper of 40 N/m, 3 N s/m, 0.5 m between the two points of the plane; f acts on the first body."""
    dx, dy = x[3] - x[0], x[4] - x[1]
    length = math.sqrt(dx * dx + dy * dy + 1e-30)
    rate = (dx * (v[3] - v[0]) + dy * (v[4] - v[1])) / length
    tension = 40.0 * (length - 0.5) + 3.0 * rate
    out[0] = tension * dx / length
    out[1] = tension * dy / length


def pull3(t, x, v, out):
    d = (x[7] - x[0], x[8] - x[1], x[9] - x[2])
    length = math.sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + 1e-30)
    rate = (d[0] * (v[6] - v[0]) + d[1] * (v[7] - v[1]) + d[2] * (v[8] - v[2])) / length
    tension = 40.0 * (length - 0.5) + 3.0 * rate
    out[0] = tension * d[0] / length
    out[1] = tension * d[1] / length
    out[2] = tension * d[2] / length


def bodies(dim):
    m = da.Model("two", dim=dim)
    inertia = 0.02 if dim == 2 else (0.02, 0.03, 0.04)
    place = [(0, 0), (1, 0.2)] if dim == 2 else [(0, 0, 0), (1, 0.2, -0.1)]
    m.add(da.Body("a", mass=1.0, inertia=inertia, position=place[0]))
    m.add(da.Body("b", mass=2.0, inertia=inertia, position=place[1]))
    return m, ((0.1, 0.3), (0.9, 0.4)) if dim == 2 else ((0.1, 0.3, 0.05), (0.9, 0.4, 0.2))


@pytest.mark.parametrize("dim", [2, 3])
def test_as_the_spring(dim):
    own, ends = bodies(dim)
    own.add(da.UserForce("f", "a", pull if dim == 2 else pull3, at=ends[0], other="b", at_other=ends[1]))
    spring, _ = bodies(dim)
    spring.add(da.Spring("f", "a", "b", at_i=ends[0], at_j=ends[1], stiffness=40.0, damping=3.0, length=0.5))
    runs = [da.simulate(m, 0.6, rtol=1e-9, atol=1e-11, step=0.1) for m in (own, spring)]
    assert np.abs(runs[0].q - runs[1].q).max() < 1e-8
    radau = da.simulate(own, 0.6, rtol=1e-9, atol=1e-11, step=0.1, integrator="radau")
    assert np.abs(radau.q - runs[1].q).max() < 1e-7
    total = sum(runs[0][name].momentum for name in "ab")
    assert np.abs(total).max() < 1e-12
    assert np.abs(runs[0].energy.residual).max() < 1e-8 and runs[0].energy.kinetic.max() > 0.1


def test_turning_moments_are_opposite_about_every_point():
    def push(t, x, v, out):
        out[0], out[1], out[2] = 1.5, -0.7, 0.4

    m, ends = bodies(2)
    m.add(da.UserForce("f", "a", push, at=ends[0], other="b"))
    Q = da.accelerations(m)["f"].generalized
    r = [np.array([0.0, 0.0]), np.array([1.0, 0.2])]
    moment = sum(Q[3 * k + 2] + r[k][0] * Q[3 * k + 1] - r[k][1] * Q[3 * k] for k in range(2))
    assert abs(moment) < 1e-14 and np.allclose(Q[:2], -Q[3:5]) and np.allclose(Q[:3], (1.5, -0.7, 0.4 - 0.1 * 0.7 - 0.3 * 1.5))


@pytest.mark.parametrize("dim", [2, 3])
def test_along_the_bodys_axes(dim):
    def thrust(t, x, v, out):
        out[0] = 2.0
        out[1] = 0.5

    own, _ = bodies(dim)
    own.add(da.UserForce("f", "a", thrust, frame="body"))
    given, _ = bodies(dim)
    given.add(da.Force("f", "a", (2.0, 0.5) if dim == 2 else (2.0, 0.5, 0.0), frame="body"))
    for m in (own, given):
        m.add(da.Torque("turn", "a", "0.1" if dim == 2 else ("0.1", "0.05", "0")))
    runs = [da.simulate(m, 1.0, rtol=1e-9, step=0.2) for m in (own, given)]
    assert np.abs(runs[0].q - runs[1].q).max() < 1e-9


def test_refusals():
    m, _ = bodies(2)
    m.add(da.UserForce("f", "a", pull, other="ground"))
    with pytest.raises(ModelError, match="other= is a second body that moves"):
        m.compile()
    m.remove("f")
    m.add(da.UserForce("f", "a", pull, at_other=(0, 0)))
    with pytest.raises(ModelError, match="name it with other="):
        m.compile()
