"""Loads that integrators could step over: pulses, switching laws, narrow features; resumed runs; the longest step.

The whole campaign: DALEMBERT_LOADS=300 (pulses; 500 smooth runs then), or python benchmarks/loads.py.
"""

import os

import numpy as np
import pytest
from test_resume import same, stop_after

import dalembert as da
from benchmarks.loads import INTEGRATORS, pulses, smooth
from dalembert.analyses.simulation import checkpoint
from dalembert.integrators import solve as driver

COUNT = int(os.environ.get("DALEMBERT_LOADS", "0"))


def wheel(law, **more):
    m = da.Model("wheel", dim=2, gravity=(0, 0))
    m.add(da.Body("wheel", mass=1, inertia=1))
    m.add(da.Revolute("O", m.ground, "wheel", at=(0, 0)))
    m.add(da.Motor("M", "O", law))
    return m


def test_pulses_are_seen_or_doubted():
    silent, doubted, worst = pulses(COUNT or 20)
    assert silent == []
    assert len(doubted) <= 0.3 * (COUNT or 20)


def test_smooth_runs_are_not_doubted():
    count = 5 * COUNT // 3 or 8
    assert len(smooth(count)) <= 0.01 * count


def test_the_faults_that_were_found():
    m = da.Model("rod", dim=2, gravity=(0, -9.81))
    m.add(da.Body.rod("r", (0, 0), (1, 0), mass=1))
    m.add(da.Revolute("O", m.ground, "r", at=(0, 0)))
    hit, kick = m.copy(), m.copy()
    hit.add(da.Torque("hit", "r", lambda t: 1000.0 if 0.5 < t < 0.501 else 0.0))
    assert da.simulate(hit, 2.0, rtol=1e-10)["r"].angle[-1] == pytest.approx(-1.236812, abs=2e-6)
    kick.add(da.Motor("kick", "O", "1e3*(step(t-1.5)-step(t-1.5005))"))
    for rtol in (1e-6, 1e-9):
        assert da.simulate(kick, 3.0, rtol=rtol)["r"].angle[-1] == pytest.approx(-3.452034, abs=2e-6)


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_a_narrow_hump_on_a_body_at_rest(integrator):
    for law in ("1000*exp(-((t-0.7)/0.001)**2)", lambda t: 1000 * np.exp(-((t - 0.7) / 0.001) ** 2) if t > -1 else 0.0):
        omega = da.simulate(wheel(law), 2.0, integrator=integrator)["wheel"].omega[-1]
        assert omega == pytest.approx(np.sqrt(np.pi), rel=3e-4 if integrator == "alpha" else 1e-6)


def exact(f, breaks, end):
    """∫f and ∫∫f over [0, end] by Gauss quadrature between the breaks."""
    x, w = np.polynomial.legendre.leggauss(20)
    edges = np.unique(np.clip([0.0, *breaks, end], 0.0, end))
    h = np.diff(edges)
    t = edges[:-1, None] + h[:, None] * (x + 1) / 2
    values = f(t) * w * h[:, None] / 2
    return values.sum(), (values * (end - t)).sum()


SWITCHING = {"pwm": ("step(sin({w}*t))", lambda w, t: np.sin(w * t) >= 0, (0.0, np.pi)),
             "square": ("sign(sin({w}*t))", lambda w, t: np.sign(np.sin(w * t)), (0.0, np.pi)),
             "floor": ("floor({w}*t/tau) - {w}*t/tau", lambda w, t: np.floor(w * t / 2 / np.pi) - w * t / 2 / np.pi, (0.0,)),
             "abs": ("abs(sin({w}*t))", lambda w, t: np.abs(np.sin(w * t)), (0.0, np.pi)),
             "max": ("max(sin({w}*t), 0.3)", lambda w, t: np.maximum(np.sin(w * t), 0.3),
                     (np.arcsin(0.3), np.pi - np.arcsin(0.3)))}


@pytest.mark.parametrize("frequency", [3.7, 11.0, 50.0, 130.0, 333.0] if COUNT else [3.7, 130.0])
@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_switching_laws(integrator, frequency):
    """Within ten times rtol.  α starts anew at each break with auxiliary accelerations of order 1, as it does by hand: 3e-2."""
    w = 2 * np.pi * frequency
    for name, (text, f, phases) in SWITCHING.items():
        breaks = [(p + 2 * np.pi * k) / w for k in range(int(frequency) + 2) for p in phases]
        speed, angle = exact(lambda t, f=f: f(w, t) * 1.0, breaks, 1.0)
        run = da.simulate(wheel(text.format(w=repr(w))), 1.0, integrator=integrator)
        body, size = run["wheel"], max(abs(run["wheel"].omega).max(), 1e-3)
        limit = 3e-2 if integrator == "alpha" and name in ("abs", "max", "floor") else 1e-5
        assert abs(body.omega[-1] - speed) <= limit * size, name
        assert abs(body.angle[-1] - angle) <= limit * max(abs(body.angle).max(), size), name
        assert integrator in ("radau", "alpha") or not run.certificate.doubts(), name


def test_a_law_in_python_that_switches_is_cut_exactly():
    run = da.simulate(wheel(lambda t: 1.0 if np.sin(628.3185307179587 * t) >= 0 else 0.0), 1.0, integrator="rk5")
    assert run["wheel"].omega[-1] == pytest.approx(0.5, abs=1e-9)


@pytest.mark.parametrize("law", [da.Law(lambda t: 1e3 if 0.5 < t < 0.501 else 0.0, breaks=[0.5, 0.501]),
                                 da.Law(lambda t, x: 1e3 if 0.5 < t < 0.501 else 0.0, breaks=[0.5, 0.501]),
                                 da.Law(lambda t, x, v: 1e3 if 0.5 < t < 0.501 else 0.0, breaks=[0.5, 0.501])])
def test_named_breaks(law):
    assert da.simulate(wheel(law), 1.0)["wheel"].omega[-1] == pytest.approx(1.0, abs=1e-9)


def test_named_breaks_of_forces_and_user_forces():
    law = da.Law(lambda t: 1e3 if 0.5 < t < 0.501 else 0.0, breaks=[0.5, 0.501])

    def push(t, x, v, out):
        out[0] = 1e3 if 0.5 < t < 0.501 else 0.0

    for force in (da.Force("F", "b", (law, 0.0)), da.UserForce("F", "b", da.Law(push, breaks=[0.5, 0.501]))):
        m = da.Model("m", dim=2, gravity=(0, 0))
        m.add(da.Body("b", mass=1, inertia=1))
        m.add(force)
        assert da.simulate(m, 1.0)["b"].velocity[-1, 0] == pytest.approx(1.0, abs=1e-9)


def test_refused_laws():
    with pytest.raises(da.ModelError, match="reads= is a list of names"):
        da.Law(lambda t, x: x, reads="arm.angle")
    with pytest.raises(da.ModelError, match="list of times"):
        da.Law(lambda t: t, breaks=0.5)
    with pytest.raises(da.ModelError, match="f is a function"):
        da.Law(3.0)


@pytest.mark.parametrize("formulation", ["augmented", "embedded", "recursive"])
def test_every_form_ends_its_steps_at_breaks(formulation):
    run = da.simulate(wheel("1e3*(step(t-0.5)-step(t-0.501))"), 1.0, formulation=formulation, integrator="rk5")
    assert run["wheel"].omega[-1] == pytest.approx(1.0, abs=1e-9)


def test_derived_equations_end_their_steps_at_breaks():
    pytest.importorskip("sympy")
    eqs = da.derive(wheel("1e3*(step(t-0.5)-step(t-0.501))"), method="lagrange", coordinates=["O"])
    run = da.simulate(eqs, 1.0)
    assert run.u[-1, 0] == pytest.approx(1.0, abs=1e-9)


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_no_step_is_longer_than_asked(integrator):
    free = da.simulate(wheel("0.1*sin(t)"), 2.0, integrator=integrator)
    short = da.simulate(wheel("0.1*sin(t)"), 2.0, integrator=integrator, max_step=0.01)
    assert short.stats["steps"] >= 200 > free.stats["steps"] or integrator == "alpha"
    assert short.stats["steps"] >= 200
    with pytest.raises(da.SimulationError, match="max_step must be a positive number"):
        da.simulate(wheel("1"), 1.0, max_step=-1)


@pytest.mark.parametrize("integrator", ["rk8", "rk5", "radau", "alpha"])
def test_resumed_across_breaks(integrator, monkeypatch, tmp_path):
    monkeypatch.setattr(driver, "CHUNK_SECONDS", 1e-5)
    monkeypatch.setattr(checkpoint, "EVERY_SECONDS", 0.0)
    m = wheel("step(sin(50*t)) + 100*exp(-((t-0.7)/0.004)**2) - 3*sign(coordinate-0.3)")
    options = {"integrator": integrator, "max_step": 0.05, "events": ["sin(40*t)", "O - 0.31"]}
    whole = da.simulate(m, 1.5, **options)
    for when in (0.06, 0.7, 1.1):
        with pytest.raises(da.SimulationInterrupted) as caught:
            da.simulate(m, 1.5, **options, checkpoint=tmp_path / "run.npz", progress=stop_after(when))
        same(whole, da.resume(caught.value.run))
        same(whole, da.resume(m, tmp_path / "run.npz"))


def test_what_was_looked_at_is_told():
    run = da.simulate(wheel(lambda t: 1.0 if t < 1 else 1.0 + (t - 1) ** 3), 2.0)
    assert "looked at every" in str(run.certificate) and not run.certificate.doubts()
    short = da.simulate(wheel(lambda t: 1e5 if 0.5 < t < 0.50004 else 0.0), 2.0)
    assert "da.Law(f, breaks" in short.certificate.doubts()[0]
    named = da.simulate(wheel(da.Law(lambda t: 1e3 if 0.5 < t < 0.501 else 0.0, breaks=[0.5, 0.501])), 2.0)
    assert "looked at every" not in str(named.certificate) and not named.certificate.doubts()


def test_laws_without_breaks_are_not_asked_once_more():
    """The cost of looking is paid by those laws only that may hide something."""
    from dalembert.analyses.simulation.law_breaks import stations

    for law in ("2*sin(3*t) + t**2", "-0.1*rate - 3*coordinate", 2.0, da.Table([0, 1, 2], [0, 1, 0], kind="cubic")):
        assert not len(stations(wheel(law).compile(), 0.0, 2.0).rows)


@pytest.mark.parametrize("law", [lambda t: 1.0 if t > 0 else 0.0, lambda t: 1.0 if t < 2 else 0.0])
def test_a_jump_at_the_first_or_last_instant_is_no_short_feature(law):
    run = da.simulate(wheel(law), 2.0)
    assert run["wheel"].omega[-1] == pytest.approx(2.0, rel=1e-12)
    assert run.certificate.doubts() == []


@pytest.mark.parametrize("integrator", ["auto", "rk5", "radau", "alpha"])
def test_sticking_inside_a_function_is_named(integrator):
    """Nobody sees the switch in a Python function of the state: the run that stands still at it ends, and says whose it is."""
    m = da.Model("block", dim=2, gravity=(0, 0))
    m.add(da.Body("b", mass=1.0, inertia=1.0))
    m.add(da.Prismatic("S", m.ground, "b", axis=(1, 0)))
    m.add(da.Motor("friction", "S", lambda t, c, r: -0.5 if r > 0 else 0.5))
    m.initial("S", rate=1.0)
    with pytest.raises(da.SimulationError, match=r"stopped at t = 2.*Motor 'friction'.*tanh"):
        da.simulate(m, 3.0, integrator=integrator)
