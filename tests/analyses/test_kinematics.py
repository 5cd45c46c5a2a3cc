"""kinematics: closed forms over full turns, lock-up and toggle poses, bad input."""

from math import acos, pi

import numpy as np
import pytest
import sympy as sp

import dalembert as da
from dalembert import catalog
from dalembert.catalog import inverted_slider_crank, quick_return


def jets(expression, t, times):
    """Value, rate and acceleration of a closed form over times."""
    return [sp.lambdify(t, sp.diff(expression, t, k), "numpy")(times) for k in range(3)]


def compare(found, expected, tolerance):
    for have, want in zip(found, expected, strict=True):
        assert np.abs(have - want).max() <= tolerance * max(1.0, np.abs(want).max())


def test_quick_return_over_a_turn():
    """Lever and ram against closed forms: position, velocity, acceleration to 1e-12 of their size."""
    speed, theta0 = 5.0, 0.4
    run = da.kinematics(catalog.make("quick-return", angle=theta0, speed=speed), until=2 * pi / speed, step=pi / 500)
    t = sp.Symbol("t")
    theta = theta0 + speed * t
    r, d, L, l, h = 0.1, 0.25, 0.5, 0.2, 0.22
    phi = sp.atan2(r * sp.sin(theta) + d, r * sp.cos(theta))
    x = L * sp.cos(phi) - sp.sqrt(l**2 - (h - L * sp.sin(phi) + d) ** 2)
    lever, ram = run["lever"], run["ram"]
    compare((lever.angle, lever.omega, lever.angular_acceleration), jets(phi, t, run.t), 1e-12)
    compare((ram.position[:, 0], ram.velocity[:, 0], ram.acceleration[:, 0]), jets(x, t, run.t), 1e-12)
    assert quick_return.closed_form(theta0)[1] == pytest.approx(ram.position[0, 0], abs=1e-14)
    assert run.certificate.doubts() == [] and run.singular == []


def test_inverted_slider_crank_over_a_turn():
    """Cylinder angle and stroke against closed forms to 1e-12."""
    speed, theta0 = 8.0, 0.3
    run = da.kinematics(catalog.make("inverted-slider-crank", angle=theta0, speed=speed), until=2 * pi / speed, step=pi / 800)
    t = sp.Symbol("t")
    theta = theta0 + speed * t
    r, d = 0.12, 0.4
    x, y = d - r * sp.cos(theta), -r * sp.sin(theta)
    cylinder = run["cylinder"]
    compare((cylinder.angle, cylinder.omega, cylinder.angular_acceleration), jets(sp.atan2(y, x), t, run.t), 1e-12)
    stroke = sp.sqrt(x**2 + y**2)
    first = inverted_slider_crank.closed_form(theta0)[1]
    compare((-run["slide"].coordinate, -run["slide"].rate), jets(stroke - first, t, run.t)[:2], 1e-12)


def test_coarse_samples_stay_on_the_branch():
    """A turn in four samples: steps are cut inside, the branch is the same as with a thousand."""
    model = catalog.make("four-bar-driven")
    coarse = da.kinematics(model, times=np.linspace(0, 0.6, 4))
    fine = da.kinematics(model, times=np.linspace(0, 0.6, 1201))
    np.testing.assert_allclose(coarse["rocker"].angle, fine["rocker"].angle[::400], rtol=0, atol=1e-12)
    assert coarse.stats["steps"] > 3
    fast = catalog.make("four-bar-driven", speed=200.0)
    leaps = da.kinematics(fast, times=[0.0, 0.5, 1.0])  # sixteen turns between samples
    near = da.kinematics(fast, times=np.linspace(0, 1, 20001))
    np.testing.assert_allclose(leaps["rocker"].angle, near["rocker"].angle[::10000], rtol=0, atol=1e-10)
    np.testing.assert_allclose(leaps["A"].coordinate, [0, 100, 200], rtol=1e-12)


def test_agrees_with_assembly_at_any_time():
    """The six-bar followed through a turn and assembled anew at single times: same pose, velocity, acceleration."""
    model = catalog.make("six-bar")
    run = da.kinematics(model, until=1.0, step=0.01)
    for k in (3, 40, 77):
        state = da.accelerations(model, run.state(k))
        np.testing.assert_allclose(state.observed.vdot[0], run._vdot[k], rtol=0, atol=1e-8 * np.abs(run._vdot[k]).max())
        for body in run.system.bodies:
            d = (run[body].position[k + 1] - run[body].position[k - 1]) / 0.02
            np.testing.assert_allclose(run[body].velocity[k], d, rtol=0, atol=5e-3)


def test_locking_is_found_with_time_and_joint():
    """A crank that cannot turn fully: it locks when coupler and rocker are stretched; the time is exact to 1e-14."""
    model = catalog.make("four-bar-driven", lengths=(1.0, 0.8, 0.5, 0.6))
    with pytest.raises(da.SimulationError, match=r"locks at t = 0\.04987") as caught:
        da.kinematics(model, until=1.2, step=1e-2)
    assert "joint C" in str(caught.value) and "motor" in str(caught.value)
    run = caught.value.run
    assert run.status == "partial" and len(run.t) == 5
    assert run.singular[-1].t == pytest.approx((acos((1 + 0.64 - 1.21) / 1.6) - 0.8) / 10, abs=1e-14)
    assert run.singular[-1].joints[0] == "C"


def test_a_toggle_that_is_touched_is_reported():
    """A parallelogram led through its flat pose keeps its branch, and the pose is named."""
    m = da.Model("parallelogram", dim=2)
    m.add(da.Body.rod("crank", (0, 0), (0, 1), mass=1))
    m.add(da.Body.rod("coupler", (0, 1), (2, 1), mass=1))
    m.add(da.Body.rod("rocker", (2, 0), (2, 1), mass=1))
    m.add(da.Revolute("A", m.ground, "crank", at=(0, 0)))
    m.add(da.Revolute("B", "crank", "coupler", at=(0, 1)))
    m.add(da.Revolute("C", "coupler", "rocker", at=(2, 1)))
    m.add(da.Revolute("D", m.ground, "rocker", at=(2, 0)))
    m.add(da.Drive("motor", "A", "-t"))
    for step in (0.01, pi / 100):  # beside the flat poses, and right on them
        run = da.kinematics(m, until=2 * pi, step=step)
        np.testing.assert_allclose(run["rocker"].angle - pi / 2, -run.t, rtol=0, atol=1e-9)
        np.testing.assert_allclose(run["coupler"].angle, 0.0, atol=1e-9)
        assert [pose.t for pose in run.singular] == pytest.approx([pi / 2, 3 * pi / 2], abs=1e-8)
        assert all(pose.kind == "toggle" for pose in run.singular)


def piston_driven(law, **kw):
    model = catalog.make("slider-crank", **kw)
    model.initials = {}
    model.add(da.Drive("push", "guide", law))
    return model


def test_a_piston_at_its_dead_centre():
    """Touched between samples or on one, it is reported; pushed further, the mechanism locks; from there it cannot start."""
    far = 0.5 - float(da.assemble(catalog.make("slider-crank"))["piston"].x)
    for step in (0.07, pi / 60):
        run = da.kinematics(piston_driven(f"{far!r}*sin(t)"), until=3.0, step=step)
        (pose,) = run.singular
        assert pose.kind == "toggle" and pose.joints[0] == "A" and pose.t == pytest.approx(pi / 2, abs=1e-6)
    with pytest.raises(da.SimulationError, match="locks") as caught:
        da.kinematics(piston_driven("0.1*t"), until=2.0, step=0.05)
    assert caught.value.run.singular[-1].t == pytest.approx(far / 0.1, abs=1e-12)
    with pytest.raises(da.AnalysisError, match=r"start is a singular pose, from which push cannot move it.*joint A"):
        da.kinematics(piston_driven("-0.1*t", angle=0.0), until=1.0)


def test_laws_that_cannot_be_followed():
    for law in ("1/(0.5 - t) - 2", "sqrt(0.5 - t)"):
        model = catalog.make("four-bar")
        model.initials = {}
        model.add(da.Drive("motor", "A", law))
        with pytest.raises(da.SimulationError, match=r"stopped at t = 0\.(5|4999)") as caught:
            da.kinematics(model, until=1.0, step=0.05)
        assert len(caught.value.run.t) >= 10
    model = catalog.make("four-bar")
    model.initials = {}
    model.add(da.Drive("motor", "A", "step(t - 0.5)"))
    with pytest.raises(da.AnalysisError, match=r"Drive 'motor': its law jumps at t = 0\.5, from 0 to 1"):
        da.kinematics(model, until=1.0, step=0.05)


def test_too_few_drives():
    with pytest.raises(da.AnalysisError, match=r"leave 1 degree.*O, A, B, guide"):
        da.kinematics(catalog.make("slider-crank"), until=1.0)
    with pytest.raises(da.AnalysisError, match=r"leave 2 degree.*2 of: shoulder, elbow"):
        da.kinematics(catalog.make("two-link-arm"), until=1.0)


def test_too_many_drives():
    model = catalog.make("slider-crank-driven")
    model.add(da.Drive("second", "guide", "0.1*t"))
    with pytest.raises(da.AnalysisError, match=r"overdriven: 2 drives \(motor, second\) act on 1 degree.*1 too many"):
        da.kinematics(model, until=1.0)


def test_links_too_short():
    model = catalog.make("four-bar-driven")
    model.remove("C")
    model.add(da.Revolute("C", "coupler", "rocker", on_i=(-0.4, 0), on_j=(-0.1, 0)))
    with pytest.raises(da.AssemblyError, match="contradict"):
        da.kinematics(model, until=1.0)


def test_bad_times():
    with pytest.raises(da.AnalysisError, match="kinematics 'four-bar': until"):
        da.kinematics(catalog.make("four-bar-driven"), until=-1.0)


def test_rolling_is_integrated():
    """A driven wheel on a line: the position is the integral of the rolling condition."""
    m = da.Model("wheel", dim=2)
    m.add(da.Body("wheel", mass=1, inertia=0.1, position=(0, 0.5)))
    m.add(da.RollingDisc("road", m.ground, "wheel", radius=0.5))
    m.add(da.Drive("motor", "wheel.angle", "sin(t)"))
    run = da.kinematics(m, until=3.0, step=0.1)
    np.testing.assert_allclose(run["wheel"].x, -0.5 * np.sin(run.t), rtol=0, atol=1e-8)
