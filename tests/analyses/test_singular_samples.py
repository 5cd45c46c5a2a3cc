"""Samples on and beside singular poses: the limit along the motion, or not a number with a doubt.

More linkages: DALEMBERT_SINGULAR=50.
"""

import os

import numpy as np
import pytest
from change_points import KINDS, parallelogram, random_linkage

import dalembert as da
from dalembert import catalog
from dalembert.errors import DalembertError, SimulationError
from dalembert.results.trust.certificate import CONSTRAINT_LIMIT

COUNT = int(os.environ.get("DALEMBERT_SINGULAR", "1"))
BESIDE = (0.0, 1e-9, -1e-8, 1e-7, -1e-5, 1e-4, -1e-3)  # rad from the pose
ASKS = {"kinematics": (da.kinematics, {}), "inverse": (da.inverse_dynamics, {}),
        "simultaneous": (da.inverse_dynamics, {"method": "simultaneous"}), "simulate": (da.simulate, {})}


def torque(t, angle, w, r=0.5, masses=(1.0, 2.0, 1.0)):
    """Of the drive of a parallelogram that turns evenly: the weights it lifts."""
    return (masses[0] / 2 + masses[1] + masses[2] / 2) * 9.81 * r * np.cos(angle + w * t)


@pytest.mark.parametrize("ask", ["kinematics", "inverse", "simultaneous"])
@pytest.mark.parametrize("w", [0.3, 2 * np.pi, -40.0])
@pytest.mark.parametrize("angle", [0.3, -0.8, 2.0])
def test_parallelogram_against_the_closed_form(ask, w, angle):
    m = parallelogram(angle, law=f"{w!r}*t")
    turns = (np.pi - angle) / w if w > 0 else -angle / w if angle > 0 else (-np.pi - angle) / w
    times = sorted({0.3 * turns, *(turns + x / abs(w) for x in BESIDE), 1.2 * turns})
    function, options = ASKS[ask]
    run = function(m, times=times, **options)
    assert np.abs(run["rocker"].omega - w).max() < 1e-8 * abs(w)
    assert np.abs(run["coupler"].omega).max() < 1e-8 * abs(w)
    for body in ("crank", "coupler", "rocker"):
        assert np.abs(run[body].angular_acceleration).max() < 1e-6 * w * w
    size = np.abs(torque(run.t, angle, w)).max()
    assert np.abs(run["motor"].torque - torque(run.t, angle, w)).max() < 1e-6 * size
    assert np.isnan(run["A"].force[:, 0]).any() and not np.isnan(run["A"].force[:, 1]).any()
    if ask != "kinematics":
        doubt = run.certificate.doubts()[-1]
        assert f"t = {turns:.6g}"[:9] in doubt and "A" in doubt
        assert run.unique("A") == {"force x": False, "force y": True, "torque": False}


@pytest.mark.parametrize(("angle", "w"), [(-0.3, 2 * np.pi), (0.4, 3.0)])
def test_parallelogram_simulated(angle, w):
    m = parallelogram(angle, law=f"{w!r}*t")
    turns = (np.pi - angle) / w
    times = sorted({0.3 * turns, *(turns + x / abs(w) for x in BESIDE), 1.2 * turns})
    run = da.simulate(m, 1.2 * turns, times=times)
    assert np.abs(run["rocker"].omega - w).max() < 1e-6 * w
    assert np.abs(run["motor"].torque - torque(run.t, angle, w)).max() < 1e-6 * np.abs(torque(run.t, angle, w)).max()
    assert any("singular pose" in x and "A" in x for x in run.certificate.doubts())


def extrapolated(x, y, at):
    """Polynomial through values at regular samples, and how well it meets them."""
    vander = np.polynomial.chebyshev.chebvander
    c = np.linalg.lstsq(vander(x, 15), y, rcond=None)[0]
    return float(vander(np.array([at]), 15)[0] @ c), np.abs(vander(x, 15) @ c - y).max()


@pytest.mark.parametrize("seed", range(COUNT))
@pytest.mark.parametrize("kind", KINDS)
def test_change_points_are_passed_as_regular_samples_beside_them_say(kind, seed):
    """Against polynomials through samples that are all regular; a number that differs must come with a doubt."""
    m, w = random_linkage(kind, seed)
    try:
        seen = da.kinematics(m, 4.5 / abs(w), step=0.041 / abs(w))
    except DalembertError as error:
        seen = getattr(error, "run", None)
    poses = [p.t for p in seen.singular if p.kind == "toggle"] if seen is not None else []
    if not poses:
        pytest.skip("it does not pass a singular pose")
    x = np.concatenate([-np.linspace(1, 0.25, 9), np.linspace(0.25, 1, 9)])
    h = 0.25 / abs(w)
    regular = da.inverse_dynamics(m, times=list(poses[0] + h * x))
    for offset in BESIDE[::3]:
        t = poses[0] + offset / abs(w)
        for ask, (function, options) in ASKS.items():
            try:
                run = function(m, t + 0.4 / abs(w), times=[t, t + 0.4 / abs(w)], **options)
            except SimulationError:
                assert ask == "simulate"  # it says that it cannot go on
                continue
            for read, scale in ((lambda r: r["coupler"].omega, abs(w)), (lambda r: r["rocker"].angular_acceleration, w * w),
                                (lambda r: r["motor"].torque, 0.0)):
                y = read(regular)
                value, missed = extrapolated(x, y, (t - poses[0]) / h)
                scale = max(scale, np.abs(y).max())
                assert missed < 1e-6 * scale
                right = abs(read(run)[0] - value) < (1e-6 if ask != "simulate" else 1e-4) * scale
                assert right or run.certificate.doubts(), (ask, offset, read(run)[0], value)
                assert right or ask == "simulate"


def test_without_a_limit_it_is_not_a_number_and_says_so():
    """The drive's acceleration jumps just in the flat pose: both sides have their own."""
    angle, w = -0.3, 2 * np.pi
    turns = (np.pi - angle) / w
    m = parallelogram(angle, law=f"{w!r}*t + 20*max(t - {turns!r}, 0)**2")
    for ask in (da.kinematics, da.inverse_dynamics):
        run = ask(m, times=[0.1, turns, turns + 0.1])
        assert np.isnan(run["rocker"].angular_acceleration[1]) and np.isnan(run["motor"].torque[1])
        assert np.isfinite(run["rocker"].angular_acceleration[[0, 2]]).all()
        assert any(f"t = {turns:.6g}"[:9] in x and "A" in x for x in run.certificate.doubts())


def test_given_motions_and_unknown_forces_have_no_reactions_there():
    angle, w = -0.3, 2 * np.pi
    turns = (np.pi - angle) / w
    m = parallelogram(angle, law=f"{w!r}*t")
    motion = da.kinematics(m, times=[0.1, turns, turns + 0.1])
    inv = da.inverse_dynamics(m, motion=motion)
    assert np.isnan(inv["motor"].torque[1]) and np.isfinite(inv["motor"].torque[[0, 2]]).all()
    assert any("singular pose" in x for x in inv.certificate.doubts())


@pytest.mark.parametrize("joint", ["A", "O"])
def test_starts_that_no_motion_begins_with_are_refused(joint):
    for rate in np.random.default_rng(3).uniform(-20, 20, 20):
        m = parallelogram(0.0)
        m.initial(joint, rate=float(rate))
        for integrator in ("rk8", "radau"):
            with pytest.raises(SimulationError, match=r"no motion begins at t = 0 with the initial rates of .*O, A, B, C depend"):
                da.simulate(m, 0.1, integrator=integrator)
    with pytest.raises(SimulationError, match="no motion begins"):
        da.simulate(parallelogram(0.0, law="2*pi*t"), 1.0)


@pytest.mark.parametrize("rates", [{"O": 3.0, "C": 3.0}, {"O": 3.0, "A": -3.0}, {}])
def test_starts_on_a_branch_are_taken(rates):
    m = parallelogram(0.0)
    for joint, rate in rates.items():
        m.initial(joint, rate=rate)
    run = da.simulate(m, 0.4)
    assert run.status == "complete"
    if rates:
        assert run["coupler"].omega == pytest.approx(np.zeros(201), abs=1e-5)


def test_a_loaded_run_that_starts_in_a_singular_pose_says_what_it_said(tmp_path):
    m = parallelogram(0.0)
    m.initial("O", rate=3.0)
    m.initial("C", rate=3.0)
    run = da.simulate(m, 0.4, step=0.1)
    run.save(tmp_path / "r.h5")
    found = da.load(tmp_path / "r.h5")
    for name in ("O", "A", "B", "C"):
        assert np.allclose(found[name].force, run[name].force, rtol=1e-6, atol=1e-6, equal_nan=True)
    assert found.certificate.doubts() == run.certificate.doubts()


def test_no_start_of_the_catalogue_is_refused():
    for name in catalog.CATALOG:
        run = da.simulate(catalog.make(name), 1e-3, times=[1e-3])
        assert run.certificate.relative[2] < CONSTRAINT_LIMIT


def test_what_accelerations_miss_counts():
    run = da.simulate(catalog.make("four-bar"), 0.1)
    assert not run.certificate.doubts()
    found = run.certificate
    found.displacement = (*found.displacement[:2], 1e-3 * found.scales.acceleration)
    assert any("|Φ̈|" in x for x in found.doubts())


def test_check_calls_nothing_unique_in_a_singular_pose():
    told = da.check(parallelogram(0.0, law="2*pi*t"))
    assert told.singular and not any(ok for name in "OABC" for ok in told.unique(name).values())
    assert not any(told.unique("motor").values())
    assert da.check(parallelogram(0.1, law="2*pi*t")).unique("motor")["torque"]


@pytest.mark.parametrize(("angle", "rate"), [(0.6, 0.0), (2.0, -1.0)])
def test_a_free_parallelogram_falls_through_its_flat_pose(angle, rate):
    """One degree of freedom in closed form; with equal arms the reactions have limits too, and nothing is doubted."""
    m = parallelogram(angle)
    for joint in "OC":
        m.initial(joint, rate=rate)
    inertia, weight = 0.25 * (1 / 3 + 2 + 1 / 3), 3 * 9.81 * 0.5
    flat = da.simulate(m, 0.9, events="sin(crank.angle)", rtol=1e-10, atol=1e-13).events[0][1]
    beside = da.simulate(m, flat + 0.02, times=[flat - 0.02, flat - 0.01, flat + 0.01, flat + 0.02])["A"].force
    for offset in (0.0, 1e-6, -1e-4):
        run = da.simulate(m, flat + 0.1, times=[0.5 * flat, flat + offset, flat + 0.1])
        for body in ("crank", "rocker"):
            assert run[body].angular_acceleration == pytest.approx(-weight * np.cos(run["crank"].angle) / inertia, abs=1e-6)
        middle = (4 * (beside[1] + beside[2]) - beside[0] - beside[3]) / 6  # of the flat pose, to fourth order
        assert run["A"].force[1] == pytest.approx(middle, abs=0.1)
        assert not run.certificate.doubts()
