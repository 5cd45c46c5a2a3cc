"""Heavy on light where joints are: sweeps find no end there, and all points that hang together by joints are solved at once."""

import numpy as np
import pytest

import dalembert as da

G = 9.81


def bodies(dim, gravity=G):
    """A model with a floor at height 0, and what makes a vector of (along, up)."""
    m = da.Model("heavy on light", dim=dim, gravity=(0, -gravity) if dim == 2 else (0, 0, -gravity))
    m.ground.shapes = [da.HalfSpace((0, 1) if dim == 2 else (0, 0, 1))]
    return m, (lambda x, z: (x, z)) if dim == 2 else (lambda x, z: (x, 0.0, z))


def lever(dim, heavy, friction=0.3, push=0.0, mirrored=False):
    """A heavy lever on a pin whose round foot, straight below a point as high as the pin's, stands on a light block.

    The foot touches at the height of the pin, so friction has no moment about it: N · 1 = heavy g · 0.6.
    """
    m, at = bodies(dim)
    s = -1.0 if mirrored else 1.0
    size = (0.3, 0.1) if dim == 2 else (0.3, 0.3, 0.1)
    m.add(da.Body.from_shape("block", da.Box(size), mass=1.0, position=at(s, 0.05)))
    foot = da.Sphere(0.02, position=at(0.4 * s, 0.02))
    m.add(da.Body("lever", mass=heavy, inertia=heavy / 12 if dim == 2 else (heavy / 12,) * 3, position=at(0.6 * s, 0.1),
                  shapes=[foot]))
    pin = {"at": at(0.0, 0.1)} if dim == 2 else {"at": at(0.0, 0.1), "axis": (0, 1, 0)}
    m.add(da.Revolute("pin", m.ground, "lever", **pin))
    if push:
        m.add(da.Force("push", "block", at(s * push, 0.0)))
    m.add(da.Contact("floor", "ground", "block", friction=friction))
    m.add(da.Contact("foot", "block", "lever", friction=friction))
    return m


@pytest.mark.parametrize("dim", [2, 3])
@pytest.mark.parametrize("heavy", [30.0, 1e3, 1e4, 1e6])
@pytest.mark.parametrize("mirrored", [False, True])
def test_a_heavy_lever_stands_on_a_light_block(dim, heavy, mirrored):
    run = da.simulate(lever(dim, heavy, mirrored=mirrored), 0.5, step=0.1, contact="stepping")
    up = dim - 1
    load = 0.6 * heavy * G
    assert np.allclose(run["foot"].force[1:, up], load, rtol=1e-9)
    assert np.allclose(run["floor"].force[1:, up], load + G, rtol=1e-9)
    assert np.abs(run["block"].position - run["block"].position[0]).max() < 1e-9
    assert np.abs(run["pin"].force[1:, up] / (0.4 * heavy * G)).max() == pytest.approx(1.0, abs=1e-8)
    assert run.certificate.doubts() == []


@pytest.mark.parametrize("dim", [2, 3])
@pytest.mark.parametrize("heavy", [1e3, 1e5])
def test_a_light_block_is_drawn_from_under_a_heavy_lever(dim, heavy):
    """m a = F − μ N − μ (N + m g), as long as the foot is on the block."""
    load = 0.6 * heavy * G
    push = 0.3 * (2 * load + G) + 1.5
    run = da.simulate(lever(dim, heavy, push=push), 0.3, step=0.1, contact="stepping")
    x = run["block"].position[:, 0] - run["block"].position[0, 0]
    t = run.t
    assert np.allclose(x, 0.75 * t**2, rtol=0, atol=2e-9 * heavy / 1e3)
    assert np.allclose(run["block"].velocity[:, 0], 1.5 * t, atol=2e-9 * heavy / 1e3)
    held = da.simulate(lever(dim, heavy, push=push - 3.0), 0.3, step=0.1, contact="stepping")
    assert np.abs(held["block"].velocity).max() < 1e-9 * heavy / 1e3


def press(heavy):
    """A closed loop: a slider-crank whose slider, heavy, stands on a light ball on the floor; the load goes down through it."""
    m, at = bodies(2)
    m.add(da.Body.from_shape("ball", da.Sphere(0.05), mass=1.0, position=(0, 0.05)))
    m.add(da.Body.from_shape("slider", da.Box((0.4, 0.1)), mass=heavy, position=(0, 0.15)))
    m.add(da.Body.rod("rod", (0, 0.2), (0.3, 0.5), mass=2.0))
    m.add(da.Body.rod("crank", (0.3, 0.5), (0.6, 0.3), mass=3.0))
    m.add(da.Prismatic("guide", m.ground, "slider", axis=(0, 1)))
    m.add(da.Revolute("A", "slider", "rod", at=(0, 0.2)))
    m.add(da.Revolute("B", "rod", "crank", at=(0.3, 0.5)))
    m.add(da.Revolute("C", m.ground, "crank", at=(0.6, 0.3)))
    m.add(da.Contact("floor", "ground", "ball", friction=0.4))
    m.add(da.Contact("top", "ball", "slider", friction=0.4))
    return m


@pytest.mark.parametrize("heavy", [1e2, 1e4, 1e6])
def test_a_closed_loop_stands_on_a_light_ball(heavy):
    """What holds the slider is the resultant of all weights along its way: virtual work of the loop."""
    m = press(heavy)
    run = da.simulate(m, 0.3, step=0.1, contact="stepping")
    # crank turned by δφ: B moves by (0.2, −0.3)·(−1) δφ …; by closure rod and slider follow; weights on centres of mass
    r, s = np.array([-0.3, 0.2]), np.array([0.3, 0.3])  # C → B, A → B
    turned = lambda v: np.array([-v[1], v[0]])  # noqa: E731
    # v_B = turned(r) = (0, ż) + ω turned(s)
    omega, rate = np.linalg.solve(np.array([[turned(s)[0], 0.0], [turned(s)[1], 1.0]]), turned(r))
    work = 3.0 * 0.5 * turned(r)[1] + 2.0 * (rate + 0.5 * omega * turned(s)[1]) + heavy * rate
    load = G * work / rate
    assert np.allclose(run["top"].force[1:, 1], load, rtol=1e-8)
    assert np.allclose(run["floor"].force[1:, 1], load + G, rtol=1e-8)
    assert np.abs(run["slider"].position - run["slider"].position[0]).max() < 1e-8


@pytest.mark.parametrize("beside", [False, True])
def test_towers_stand_in_models_that_have_joints(beside):
    """Islands of free bodies are solved at once there too, with a lever beside them or a pendulum that touches nothing."""
    m = lever(2, 1e4) if beside else bodies(2)[0]
    if not beside:
        m.add(da.Body("bob", mass=1.0, inertia=0.1, position=(2, 1)))
        m.add(da.Revolute("pin", m.ground, "bob", at=(2.5, 1)))
    for k in range(8):
        m.add(da.Body.from_shape(f"b{k}", da.Box((0.1, 0.1)), mass=1.0 if k < 7 else 1e4, position=(-1.0, 0.05 + 0.1 * k)))
    m.add(da.Contact("tower", ["ground", *[f"b{k}" for k in range(8)]], [f"b{k}" for k in range(8)], friction=0.5))
    run = da.simulate(m, 0.5, step=0.1, contact="stepping")
    assert run["tower"].between("b6", "b7").force[1:, 1] == pytest.approx(1e4 * G, rel=1e-6)
    assert run["tower"].between("ground", "b0").force[1:, 1] == pytest.approx((1e4 + 7) * G, rel=1e-6)
    assert max(np.abs(run[f"b{k}"].position - run[f"b{k}"].position[0]).max() for k in range(8)) < 1e-7
    assert not [d for d in run.certificate.doubts() if "law of contact" in d or "in each other" in d]


@pytest.mark.parametrize("dim", [2, 3])
def test_a_resumed_run_has_the_same_bits(dim):
    m = lever(dim, 1e5, push=2e5)
    whole = da.simulate(m, 0.4, step=0.1, contact="stepping")
    rest = da.resume(da.simulate(m, 0.2, step=0.1, contact="stepping"), until=0.4)
    for name in ("block", "lever"):
        assert np.array_equal(rest[name].position[-1], whole[name].position[-1])
        assert np.array_equal(rest[name].velocity[-1], whole[name].velocity[-1])
    assert np.array_equal(rest["foot"].force[-1], whole["foot"].force[-1])
