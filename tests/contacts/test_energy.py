"""Contacts take energy and never give any: random scenes, and the places where it could come from."""

import os

import numpy as np
import pytest
from scenes import Stage

import dalembert as da

SEEDS = int(os.environ.get("DALEMBERT_ENERGY", "1"))


def thrown(seed, count, dim, restitution, friction=0.5):
    """Boxes, spheres and capsules of all sizes, thrown and spinning, above a floor."""
    r = np.random.default_rng(seed)
    m = da.Model("thrown", dim=dim, gravity=(0, -9.81) if dim == 2 else (0, 0, -9.81))
    m.add(da.Fixture("floor", shapes=[da.HalfSpace((0, 1) if dim == 2 else (0, 0, 1))]))
    columns = 1 if count < 10 else 4 if count < 20 else 9  # apart at the start: what overlaps is pushed out, whatever it costs
    for k in range(count):
        s = r.uniform(0.2, 0.5)
        kinds = [da.Box((s, s * r.uniform(0.5, 1.5), s * r.uniform(0.5, 1.5))[:dim]), da.Sphere(s / 2), da.Capsule(s / 4, s)]
        beside = 1.2 * np.array([k % columns % 3, k % columns // 3])[:dim - 1] + r.uniform(-0.1, 0.1, dim - 1)
        at = (*beside, 0.7 + 1.2 * (k // columns))
        common = {"density": 1000.0, "position": tuple(at), "velocity": tuple(0.5 * r.normal(size=dim))}
        if dim == 3:
            q = r.normal(size=4)
            common |= {"rotation": tuple(q / np.linalg.norm(q)), "omega": tuple(2 * r.normal(size=3))}
        else:
            common |= {"angle": r.uniform(0, 6), "omega": 2 * r.normal()}
        m.add(da.Body.from_shape(f"b{k}", kinds[r.integers(3 if dim == 3 else 2)], **common))
    m.add(da.Contact("c", "all", "all", friction=friction, restitution=restitution))
    return m


def rise(run):
    """The largest rise of the energy above what it was at any time before, over the energy at the start (height 0: the floor)."""
    total = run.energy.kinetic + run.energy.potential
    return float((total - np.minimum.accumulate(total)).max() / abs(total[0]))


@pytest.mark.parametrize("restitution", [0.0, 0.5])
@pytest.mark.parametrize(("count", "dim"), [(1, 2), (1, 3), (2, 3), (4, 2), (5, 3), (15, 3), (40, 3)])
def test_energy_never_rises(count, dim, restitution):
    for seed in range(SEEDS * (2 if count < 10 else 1)):
        run = da.simulate(thrown(seed, count, dim, restitution), 1.5, step=0.005)
        deep = run.stats["contact"]["penetration"] > 0.004 * 0.1  # of the thinnest: then it is pushed out whatever it costs
        assert rise(run) < (1e-4 if deep else 1e-9), seed
        assert run.energy.kinetic[-1] < 0.5 * run.energy.kinetic.max()


def test_a_soft_landing_gains_nothing():
    """Small bounces end in rest: nothing is lifted out of the slop, nothing flies where it should lie."""
    stage = Stage(2)
    m = stage.model()
    stage.body(m, "ball", stage.ball(0.1), (0, 0.3), moment=0.004)
    m.add(da.Contact("c", "floor", "ball", friction=0.0, restitution=0.6))
    run = da.simulate(m, 1.5, step=0.002)
    assert rise(run) < 1e-12
    assert abs(run["ball"].position[-1][1] - 0.1) < 2e-5
    assert np.abs(run["ball"].velocity[-1]).max() < 1e-12


def test_a_rolling_capsule_keeps_its_energy():
    """Moments that differ, turning fast: impulses act through the inertia of mid-step."""
    m = da.Model("roll", gravity=(0, 0, -9.81))
    m.add(da.Fixture("floor", shapes=[da.HalfSpace((0, 0, 1))]))
    m.add(da.Body.from_shape("c", da.Capsule(0.1, 0.6), density=1000.0, position=(0, 0, 0.1),
                             rotation=(np.cos(np.pi / 4), 0, np.sin(np.pi / 4), 0), velocity=(0, -1.0, 0), omega=(0, 0, 10.0)))
    m.add(da.Contact("touch", "floor", "c", friction=0.8))
    run = da.simulate(m, 1.0, step=0.005)
    total = run.energy.kinetic + run.energy.potential
    assert rise(run) < 1e-9
    assert total[-1] > 0.99 * total[20]


def test_an_overlap_at_the_start_is_pushed_out_and_said():
    m = da.Model("over", gravity=(0, 0, -9.81))
    m.add(da.Fixture("floor", shapes=[da.HalfSpace((0, 0, 1))]))
    m.add(da.Body.from_shape("box", da.Box((1, 1, 1)), density=1000.0, position=(0, 0, 0.4)))
    m.add(da.Contact("touch", "floor", "box", friction=0.5))
    run = da.simulate(m, 1.0, step=0.1)
    assert run["box"].position[-1][2] == pytest.approx(0.5, abs=0.005)
    assert np.abs(run["box"].velocity[-1]).max() < 1e-9
    assert any("overlap at the start" in n for n in run.certificate.stats["notes"])
