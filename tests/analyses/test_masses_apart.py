"""Masses that differ much: whether a pose is singular is a matter of geometry (results/trust/shape.py).

More nets: DALEMBERT_NETS=60.
"""

import os
import time

import numpy as np
import pytest
from change_points import parallelogram

import dalembert as da
from dalembert.equations.workspace import workspace
from dalembert.results.trust.shape import PLAIN, Shape, singular_values, unit_rows

COUNT = int(os.environ.get("DALEMBERT_NETS", "6"))


def link(heavy, pins=1, closed=False):
    """Two heavy bodies joined by a light one: regular in every pose."""
    m = da.Model("light link", dim=2, gravity=(0, -9.81))
    for name, mass, at in (("H1", heavy, (0.5, 0.3)), ("L", 1.0, (1.5, 0.1)), ("H2", heavy, (2.5, -0.2))):
        m.add(da.Body(name, mass=mass, inertia=0.1 * mass, position=at))
    m.add(da.Revolute("O", m.ground, "H1", at=(0, 0)))
    m.add(da.Revolute("A", "H1", "L", at=(1, 0)))
    for k in range(pins):
        m.add(da.Revolute(f"B{k}", "L", "H2", at=(2 + 0.3 * k, 0.2 + 0.3 * k)))
    if closed:
        m.add(da.Revolute("C", m.ground, "H2", at=(3, 0)))
    return m


def net(seed, most=18):
    """A random net of pins (plane) or balls (space) with redundant ones, masses 1e-6 … 1e6."""
    rng = np.random.default_rng(seed)
    dim, n = 2 + seed % 2, int(rng.integers(2, most))
    m = da.Model("net", dim=dim, gravity=(0, -9.81, 0)[:dim])
    kind = da.Revolute if dim == 2 else da.Spherical
    reach = float(rng.uniform(1.0, 6.0))
    for k in range(n):
        mass = float(10.0 ** rng.uniform(-reach, reach))
        J = mass * float(rng.uniform(0.05, 0.2))
        m.add(da.Body(f"b{k}", mass=mass, inertia=J if dim == 2 else (J, J, 1.2 * J), position=tuple(rng.uniform(-1, 1, dim))))
    pairs = [(m.ground, "b0")] + [(f"b{int(rng.integers(k))}", f"b{k}") for k in range(1, n)]
    for k, (i, j) in enumerate(pairs):
        for extra in range(1 + int(rng.random() < 0.4) * int(rng.integers(1, 4))):
            m.add(kind(f"p{k}_{extra}", i, j, at=tuple(rng.uniform(-1, 1, dim))))
    return m


def same_as_accelerations(m, run):
    """Accelerations at all samples are numbers, those of ``accelerations`` at the same states."""
    for k in range(len(run.t)):
        there = da.accelerations(m, state=run.state(k)).observed.vdot[0]
        np.testing.assert_allclose(run.observed.vdot[k], there, rtol=0, atol=1e-6 * np.abs(there).max())


@pytest.mark.parametrize("ratio", [1e2, 1e4, 1e6, 1e8])
@pytest.mark.parametrize(("pins", "closed"), [(1, False), (2, False), (1, True)])
def test_a_light_link_between_heavy_ones_is_regular(ratio, pins, closed):
    m = link(ratio, pins, closed)
    run = da.simulate(m, 0.5, step=0.1, rtol=1e-7)
    same_as_accelerations(m, run)
    assert not any("singular" in x for x in run.certificate.doubts())
    for name in ("A", "B0"):
        assert np.isfinite(run[name].force).all()


@pytest.mark.parametrize("seed", range(COUNT))
def test_nets_are_regular_whatever_their_masses(seed):
    """Where the solver takes independent rows for dependent (a squared sine below 1e-10, by masses), the run says so."""
    m = net(seed)
    try:
        run = da.simulate(m, 0.02, step=0.01, rtol=1e-7)
    except da.SimulationError as error:
        run = error.run
    shape = Shape(run.system, run._t, run._q)
    if run.observed.report.dropped.max() > shape.pivot(0)[0]:
        assert run.certificate.doubts()
        return
    same_as_accelerations(m, run)
    assert not any("singular" in x for x in run.certificate.doubts())


def test_one_sample_at_rest_is_answered():
    m = link(1e6, 2)
    run = da.simulate(m, 0.1, times=[0.0])
    same_as_accelerations(m, run)


@pytest.mark.parametrize("heavy", [1e4, 1e6, 1e7])
@pytest.mark.parametrize("law", ["0.1*t", "0.1*(1 - cos(t))"])
def test_a_light_link_is_driven_from_rest_and_from_motion(heavy, law):
    """The drive carries the heavy ones: by their weights alone the same effort, but for the light link's part."""
    m = link(heavy, 1, True)
    m.add(da.Drive("motor", "O", law))
    run = da.inverse_dynamics(m, 1.0, step=0.1)
    given = da.inverse_dynamics(m, motion=da.kinematics(m, 1.0, step=0.1))
    assert not run.certificate.doubts() and not given.certificate.doubts() and not run.singular
    other = link(10 * heavy, 1, True)
    other.add(da.Drive("motor", "O", law))
    more = da.inverse_dynamics(other, 1.0, step=0.1)
    np.testing.assert_allclose(more["motor"].torque / (10 * heavy), run["motor"].torque / heavy, rtol=10 / heavy)
    np.testing.assert_allclose(given["motor"].torque, run["motor"].torque, rtol=1e-6)


@pytest.mark.parametrize("factor", [1e-6, 1e-3, 1e3, 1e6])
def test_masses_of_a_body_do_not_change_the_shape(factor):
    """Sines of the shape are the same to rounding; those of the metric of the masses are not."""
    found = []
    for heavy in (1.0, factor):
        m = link(heavy, 2, True)
        state = da.assemble(m)
        shape = Shape(state.system, np.zeros(1), state.q[None, :])
        found.append((shape.at(0), shape.pivot(0)))
    np.testing.assert_allclose(found[0][0], found[1][0], atol=1e-9)
    assert found[0][1] == pytest.approx(found[1][1], rel=1e-9) and found[0][1][1] > PLAIN
    w = da.assemble(link(factor, 2, True))
    assert abs(singular_values(unit_rows(workspace(w.system))) - found[0][0]).max() > 1e-3


@pytest.mark.parametrize("light", [1e-6, 1e-3, 1.0, 1e3, 1e6])
@pytest.mark.parametrize("which", ["crank", "coupler", "rocker"])
def test_singular_poses_are_found_whatever_the_masses(which, light):
    """A parallelogram that turns evenly lies flat at t*: just there forces along it have no limit, and motions have theirs."""
    masses = {"crank": 1.0, "coupler": 2.0, "rocker": 1.0} | {which: light}
    m = parallelogram(0.3, masses=tuple(masses.values()), law="2*pi*t")
    flat = (np.pi - 0.3) / (2 * np.pi)
    weight = (0.5 * masses["crank"] + masses["coupler"] + 0.5 * masses["rocker"]) * 9.81 * 0.5
    for ask in (da.kinematics, da.inverse_dynamics):
        run = ask(m, times=[0.1, flat, flat + 1e-9, flat + 0.1])
        assert np.abs(run["rocker"].omega - 2 * np.pi).max() < 1e-6
        assert np.abs(run["coupler"].angular_acceleration).max() < 1e-4
        assert np.abs(run["motor"].torque - weight * np.cos(0.3 + 2 * np.pi * run.t)).max() < 1e-5 * weight
    assert any("singular pose" in x for x in run.certificate.doubts())


@pytest.mark.parametrize("masses", [(1, 2, 1), (1, 1e-5, 1), (1e5, 1, 1e5)])
@pytest.mark.parametrize("rate", [0.0, 1e-9, 3.0])
def test_a_start_in_a_singular_pose_has_no_limit_at_rest_and_one_in_motion(masses, rate):
    m = parallelogram(0.0, masses=masses)
    for joint in "OC":
        m.initial(joint, rate=rate)
    run = da.simulate(m, 0.4, times=[0.0, 0.2, 0.4])
    assert np.isnan(run.observed.vdot).any(axis=1).tolist() == [rate < 1.0, False, False]
    told = [x for x in run.certificate.doubts() if "singular pose" in x]
    assert all("t = 0:" in x for x in told) and (told or rate > 1.0)


def test_reading_costs_no_more_than_running():
    """What a certificate asks of a pose grows with the pose's equations, not with how far a motion could be followed."""
    m = net(11, most=45)
    clock = time.perf_counter()
    run = da.simulate(m, 0.02, step=0.02, rtol=1e-7)
    ran = time.perf_counter() - clock
    clock = time.perf_counter()
    run.certificate.doubts()
    assert time.perf_counter() - clock < 20 * ran + 1.0
