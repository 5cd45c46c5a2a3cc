"""Cylinders on half-spaces from event to event: closed forms, a disc that rolls by a joint, a block that rocks in the plane."""

import numpy as np
import pytest
from scenes import G

import dalembert as da
from dalembert import catalog
from dalembert.algebra.rotations import matrix_of_quaternion

LYING = (np.cos(np.pi / 4), np.sin(np.pi / 4), 0, 0)  # the cylinder's axis along y


def followed(m, times, **options):
    return da.simulate(m, times=times, contact="events", **{"rtol": 1e-11, "atol": 1e-13, **options})


def lying(slope, friction, **body):
    m = da.Model("lying", gravity=(G * np.sin(slope), 0, -G * np.cos(slope)))
    m.add(da.Fixture("floor", shapes=[da.HalfSpace((0, 0, 1))]))
    m.add(da.Body("log", mass=2.0, inertia=(0.03, 0.5 * 2.0 * 0.01, 0.03), position=(0, 0, 0.1),
                  shapes=[da.Cylinder(0.1, 0.4, rotation=LYING)], **body))
    m.add(da.Contact("c", "floor", "log", friction=friction))
    return m


@pytest.mark.parametrize(("friction", "share"), [(0.5, 2 / 3), (0.05, None)])
def test_a_log_rolls_or_slides_down_a_slope(friction, share):
    """a = 2/3 g sin α, held by m g sin α/3; with less friction than that it slides, a = g (sin α − μ cos α)."""
    slope = 0.3
    a = share * G * np.sin(slope) if share else G * (np.sin(slope) - friction * np.cos(slope))
    run = followed(lying(slope, friction), [0.5, 1.0])
    assert run["log"].position[-1] == pytest.approx((a / 2, 0, 0.1), abs=1e-9)
    assert run["log"].velocity[-1] == pytest.approx((a, 0, 0), abs=1e-9)
    assert run["c"].force[-1] == pytest.approx((2.0 * (a - G * np.sin(slope)), 0, 2.0 * G * np.cos(slope)), abs=1e-8)


def test_a_log_skids_and_rolls():
    """Sliding ends at v₀/(3 μ g) with 2/3 v₀."""
    mu, v0 = 0.2, 2.0
    roll = v0 / (3 * mu * G)
    run = followed(lying(0.0, mu, velocity=(v0, 0, 0)), [0.9 * roll, 1.0])
    assert run["log"].velocity[:, 0] == pytest.approx((v0 - 0.9 * v0 / 3, 2 / 3 * v0), rel=1e-9)
    assert run["log"].position[-1][0] == pytest.approx(v0 * roll - mu * G * roll**2 / 2 + (1 - roll) * 2 / 3 * v0, rel=1e-9)


def test_a_leaning_coin_rolls_as_the_joint_does():
    """RollingDisc holds it by rows of its own; here the rim sticks.  The coin's other rim is behind, in the air."""
    disc = catalog.make("rolling-disc")
    joint = da.simulate(disc, times=[0.4, 1.2], rtol=1e-11, atol=1e-13)
    start = da.simulate(disc, times=[0.0, 0.1])
    m = da.Model("coin", gravity=(0, 0, -G))
    m.add(da.Fixture("floor", shapes=[da.HalfSpace((0, 0, 1))]))
    turn = np.asarray(matrix_of_quaternion(start._q[0][3:7]))
    m.add(da.Body("coin", mass=1.0, inertia=(0.0625, 0.0625, 0.125), position=tuple(start["disc"].position[0]),
                  rotation=tuple(start._q[0][3:7]), velocity=tuple(start["disc"].velocity[0]), omega=tuple(start._v[0][3:6]),
                  shapes=[da.Cylinder(0.5, 0.05, position=(0, 0, 0.025))]))
    assert turn[2, 2] > 0.0  # so that the rim through the middle is the lower one
    m.add(da.Contact("c", "floor", "coin", friction=5.0))
    run = followed(m, [0.4, 1.2])
    assert run._q == pytest.approx(joint._q, abs=1e-8)
    assert run._v == pytest.approx(joint._v, abs=1e-7)


def test_a_leaning_cylinder_falls_like_a_block_and_is_refused_flat():
    """About its rim in one plane it is the block of the plane; flat on its end it is told by name, and "auto" steps."""
    width, height, start, mass = 0.1, 0.4, 0.15, 3.0
    at = (width * np.cos(start) - height * np.sin(start), width * np.sin(start) + height * np.cos(start))
    flat = da.Model("block", dim=2, gravity=(0, -G))
    flat.add(da.Fixture("floor", shapes=[da.HalfSpace((0, 1))]))
    flat.add(da.Body("body", mass=mass, inertia=0.2, position=at, angle=start, shapes=[da.Box((2 * width, 2 * height))]))
    solid = da.Model("cylinder", gravity=(0, 0, -G))
    solid.add(da.Fixture("floor", shapes=[da.HalfSpace((0, 0, 1))]))
    solid.add(da.Body("body", mass=mass, inertia=(0.2, 0.2, 0.05), position=(at[0], 0, at[1]), rotation=("y", -start),
                      shapes=[da.Cylinder(width, 2 * height)]))
    for m in (flat, solid):
        m.add(da.Contact("c", "floor", "body", friction=2.0))
    times = np.linspace(0.02, 0.2, 10)
    one, other = followed(flat, times), followed(solid, times)
    assert other["body"].position[:, [0, 2]] == pytest.approx(one["body"].position, abs=1e-9)
    assert other["c"].force[:, [0, 2]] == pytest.approx(one["c"].force, abs=1e-7)
    with pytest.raises(da.SimulationError, match=r"'c'.*flat on its end"):
        followed(solid, [1.0])
    run = da.simulate(solid, 1.0, step=0.5)
    assert "followed" not in run.stats["contact"] and any("flat on its end" in n for n in run.stats["notes"])


def test_a_cylinder_dropped_upright_is_refused_by_name():
    m = da.Model("drop", gravity=(0, 0, -G))
    m.add(da.Fixture("floor", shapes=[da.HalfSpace((0, 0, 1))]))
    m.add(da.Body("can", mass=1.0, inertia=(0.1, 0.1, 0.1), position=(0, 0, 0.5), shapes=[da.Cylinder(0.1, 0.2)]))
    m.add(da.Contact("c", "floor", "can", friction=0.5))
    with pytest.raises(da.SimulationError, match=r"'can'.*flat on its end at t = 0\.2855"):
        followed(m, [1.0])
