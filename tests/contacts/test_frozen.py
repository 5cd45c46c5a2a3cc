"""Freezing is an economy: what is frozen still carries, wakes when something strikes, and nothing that moves is frozen."""

import numpy as np
import pytest

import dalembert as da


def yard(friction=0.3):
    m = da.Model("yard", gravity=(0, 0, -9.81))
    m.add(da.Fixture("floor", shapes=[da.HalfSpace((0, 0, 1))]))
    m.add(da.Body.from_shape("a", da.Box((0.5, 0.5, 0.5)), density=1000.0, position=(0, 0, 0.25)))
    m.add(da.Contact("floor and a", "floor", "a", friction=friction))
    return m


def both(m, until):
    """The same with islands frozen after 0.05 s, and without."""
    return [da.simulate(m, until, step=0.05, contact={"freeze": f}) for f in (0.05, 0.0)]


def test_frozen_points_carry_all_the_time():
    frozen, awake = both(yard(), 0.5)
    weight = 125.0 * 9.81
    assert frozen["floor and a"].impulse[-1] == pytest.approx([0, 0, weight * 0.5], rel=1e-9, abs=1e-9 * weight)
    assert frozen["floor and a"].impulse == pytest.approx(awake["floor and a"].impulse, rel=1e-9, abs=1e-9 * weight)
    assert frozen["floor and a"].force[-1][2] == pytest.approx(weight, rel=1e-9)


def test_a_blow_wakes_what_is_frozen():
    """A block slides into one that has been frozen for long: it goes on with its share of the momentum."""
    m = yard(0.1)
    m.add(da.Body.from_shape("b", da.Box((0.5, 0.5, 0.5)), density=1000.0, position=(-1.5, 0, 0.25), velocity=(3.0, 0, 0)))
    m.add(da.Contact("floor and b", "floor", "b", friction=0.1))
    m.add(da.Contact("blow", "b", "a", friction=0.0))
    frozen, awake = both(m, 0.8)
    assert np.abs(frozen["a"].position[5] - frozen["a"].position[0]).max() < 1e-6
    assert awake["a"].position[-1][0] > 0.3
    assert frozen["a"].position[-1] == pytest.approx(awake["a"].position[-1], abs=5e-3)


@pytest.mark.parametrize("order", [1, -1])
def test_what_slides_on_what_rests_keeps_it_awake(order):
    """A block at rest under one that slides: an island of which one body rests; the other stops after v²/2μg."""
    m = da.Model("stack", gravity=(0, 0, -9.81))
    m.add(da.Fixture("floor", shapes=[da.HalfSpace((0, 0, 1))]))
    a = da.Body.from_shape("a", da.Box((0.5, 0.5, 0.5)), density=1000.0, position=(0, 0, 0.25))
    b = da.Body.from_shape("b", da.Box((0.2, 0.2, 0.2)), density=1000.0, position=(-0.1, 0, 0.6), velocity=(0.7, 0, 0))
    for body in (a, b)[::order]:
        m.add(body)
    m.add(da.Contact("below", "floor", "a", friction=0.3))
    m.add(da.Contact("on top", "a", "b", friction=0.2))
    frozen, awake = both(m, 0.5)
    assert frozen["b"].position[-1][0] + 0.1 == pytest.approx(0.7**2 / (2 * 0.2 * 9.81), rel=1e-2)
    assert frozen["b"].position == pytest.approx(awake["b"].position, abs=1e-5)
