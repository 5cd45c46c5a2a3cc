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


# -- frozen bodies while something happens elsewhere ----------------------------------------------------------------------


@pytest.mark.parametrize("restitution", [0.0, 0.5])
@pytest.mark.parametrize("dim", [2, 3])
def test_a_blow_elsewhere_leaves_what_is_frozen_alone(restitution, dim):
    """m g on the floor, and m g t since the start: it was 0 from the first blow of another body on."""
    up = (0,) * (dim - 1) + (1,)
    m = da.Model("frozen", dim=dim, gravity=tuple(-10.0 * x for x in up))
    m.ground.shapes = [da.HalfSpace(up)]
    at = lambda x, z: (x,) + (0,) * (dim - 2) + (z,)  # noqa: E731
    m.add(da.Body.from_shape("box", da.Box((0.2,) * dim), mass=1.0, position=at(0, 0.1)))
    m.add(da.Body.from_shape("ball", da.Sphere(0.1), mass=1.0, position=at(3, 1.1)))
    m.add(da.Contact("box on floor", "ground", "box", friction=0.3))
    m.add(da.Contact("ball on floor", "ground", "ball", friction=0.3, restitution=restitution))
    run = da.simulate(m, 2.0, step=0.2, contact={"freeze": 0.1})
    found = run["box on floor"]
    assert found.force[1:] @ up == pytest.approx(10.0, rel=1e-9)
    assert found.impulse @ up == pytest.approx(10.0 * run.t, abs=1e-9)
    assert np.abs(run["box"].acceleration[1:]).max() < 1e-9


@pytest.mark.parametrize("first", ["slow", "box"])
@pytest.mark.parametrize("speed", [0.002, 0.005, 0.012])
def test_what_comes_slowly_to_a_frozen_body_is_held_in_any_order(first, speed):
    """Too slow to wake it; solving at once took the frozen body for one that moves, without mass."""
    m = da.Model("creeps", dim=2, gravity=(0, -10.0))
    m.ground.shapes = [da.HalfSpace((0, 1))]
    bodies = {"slow": ((-0.2 - 0.6 * speed, 0.1), (speed, 0)), "box": ((0, 0.1), (0, 0))}
    for name in (first, *({"slow", "box"} - {first})):
        x, v = bodies[name]
        m.add(da.Body.from_shape(name, da.Box((0.2, 0.2)), mass=1.0, position=x, velocity=v))
    m.add(da.Contact("c", "all", "all", friction=0.0))
    run = da.simulate(m, 3.0, step=0.5, contact={"freeze": 0.1})
    assert run["slow"].position[-1, 0] < -0.2 + 1e-5
    assert np.abs(run["box"].position[-1] - (0, 0.1)).max() < 0.02
    assert run["c"].on("box").force[-1, 1] == pytest.approx(10.0, rel=1e-9)


@pytest.mark.parametrize("first", ["rod", "cube"])
def test_what_turns_fast_wakes_what_is_frozen(first):
    """On ice momentum along the floor stays; a rod's end comes at 2 m/s, its middle at 5 mm/s."""
    m = da.Model("rod wakes", gravity=(0, 0, -9.81))
    m.ground.shapes = [da.HalfSpace((0, 0, 1))]
    for name in (first, *({"rod", "cube"} - {first})):
        if name == "cube":
            m.add(da.Body.from_shape("cube", da.Box((0.2, 0.2, 0.2)), mass=1.0, position=(0, 0.8, 0.1)))
        else:
            m.add(da.Body.from_shape("rod", da.Box((2.0, 0.1, 0.1)), mass=1.0, position=(0, 0, 0.05), velocity=(0.005, 0, 0),
                                     omega=(0, 0, 2.0)))
    m.add(da.Contact("c", "all", "all", friction=0.0))
    run = da.simulate(m, 1.0, step=0.05, contact={"freeze": 0.2})
    momentum = run["rod"].velocity[:, :2] + run["cube"].velocity[:, :2]
    assert momentum == pytest.approx(np.tile((0.005, 0.0), (len(run.t), 1)), abs=1e-9)
    assert np.linalg.norm(run["cube"].velocity[-1]) > 0.1


@pytest.mark.parametrize("speed", [0.3, 3.0])
@pytest.mark.parametrize("gap", [0.0, 1e-7, 1e-6, 1e-5])
def test_a_blow_that_is_handed_on_to_what_is_frozen_is_right_or_doubted(gap, speed):
    """Boxes a micrometre apart freeze each by itself, and the second is a wall to the first: momentum was gone without a word."""
    found = {}
    for freeze in (0.0, 0.5):
        m = da.Model("row", gravity=(0, 0, -9.81))
        m.ground.shapes = [da.HalfSpace((0, 0, 1))]
        for i in range(3):
            m.add(da.Body.from_shape(f"b{i}", da.Box((0.2,) * 3), density=500, position=(i * (0.2 + gap), 0, 0.1)))
        m.add(da.Body.from_shape("ball", da.Sphere(0.1), density=2000, position=(-0.2 - speed, 0, 0.1), velocity=(speed, 0, 0),
                                 omega=(0, 10 * speed, 0)))
        m.add(da.Contact("c", "all", "all", friction=0.05))
        run = da.simulate(m, 1.1, step=0.05, contact={"freeze": freeze})
        masses = dict(zip(run.system.bodies, run.system.tables.bodies["mass"], strict=False))
        found[freeze] = sum(masses[n] * run[n].velocity[-1, 0] for n in ("b0", "b1", "b2", "ball"))
    told = any("took" in d and "as a wall" in d and "'b1'" in d for d in run.certificate.doubts())
    assert told or found[0.5] == pytest.approx(found[0.0], rel=0.02)
