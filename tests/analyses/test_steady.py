"""Steady motions: found from the equations, whatever coordinates are chosen; laws that change in time are named."""

import os

import numpy as np
import pytest

import dalembert as da
from dalembert import catalog
from dalembert.analyses.linear import steadiness

COUNT = int(os.environ.get("DALEMBERT_ROTORS", 4))


def rotor(stiffness=(100.0, 225.0, 1e3), spin=12.0, torsion=50.0, push=0.0):
    """A disc on a bushing that turns with a driven shaft."""
    m = da.Model("rotor", dim=3, gravity=(0, 0, 0))
    m.add(da.Body("shaft", mass=1.0, inertia=(0.1, 0.1, 0.1)))
    m.add(da.Body("disc", mass=1.0, inertia=(0.05, 0.05, 0.1), omega=(0, 0, spin), velocity=(push, 2 * push, 0)))
    m.add(da.Revolute("bearing", m.ground, "shaft", at=(0, 0, 0), axis=(0, 0, 1)))
    m.add(da.Bushing("seat", "shaft", "disc", at=(0, 0, 0), stiffness=stiffness, torsion=(torsion,) * 3))
    m.add(da.Drive("motor", "bearing", f"{spin!r}*t"))
    return m


@pytest.mark.parametrize("coordinates", [(), ("disc.x", "disc.y"), ("shaft.turn_z",)])
def test_an_unround_bushing_that_turns(coordinates):
    """x'' − 2Ωy' + (k₁/m − Ω²) x = 0, y'' + 2Ωx' + (k₂/m − Ω²) y = 0; all velocities are parallel to z."""
    if coordinates == ("shaft.turn_z",):
        with pytest.raises(da.AnalysisError, match="does not move by itself"):
            da.linearize(rotor(), coordinates=coordinates)
        return
    lin = da.linearize(rotor(), coordinates=coordinates)
    w, a, b = 12.0, 100.0, 225.0
    half = (a + b + 2 * w * w) / 2
    exact = np.sqrt(complex(-(half - np.sqrt(half**2 - (a - w * w) * (b - w * w)))))
    assert lin.steady and not lin.stable and lin.doubts == []
    assert lin.eigenvalues[0] == pytest.approx(exact, rel=1e-9)
    np.testing.assert_allclose(lin.turning, (0, 0, w), rtol=1e-12)


@pytest.mark.parametrize("coordinates", [["pin"], ["rod.turn_x"], ["rod.x"]])
def test_a_pendulum_under_a_driven_shaft(coordinates):
    """Hanging along the axis of a shaft that turns faster than √(g/l_r): it leaves the axis, in any coordinate."""
    m = da.Model("governor", dim=3, gravity=(0, 0, -9.81))
    m.add(da.Body("shaft", mass=1.0, inertia=(0.1, 0.1, 0.1)))
    m.add(da.Body.rod("rod", (0, 0, 0), (0, 0, -1), mass=1.0, radius=0.01))
    m.add(da.Revolute("bearing", m.ground, "shaft", at=(0, 0, 0), axis=(0, 0, 1)))
    m.add(da.Revolute("pin", "shaft", "rod", at=(0, 0, 0), axis=(0.6, 0.8, 0)))
    m.add(da.Drive("motor", "bearing", "6*t"))
    lin = da.linearize(m, coordinates=coordinates)
    thin = 0.5 * 0.01**2
    J = 1 / 3 + 0.25 * 0.01**2
    growth = np.sqrt(((J - thin) * 36 - 9.81 / 2) / J)
    assert lin.steady and not lin.stable
    assert lin.eigenvalues[0] == pytest.approx(growth, rel=1e-3)
    known = da.linearize(m, coordinates=["pin"]).eigenvalues
    np.testing.assert_allclose(lin.eigenvalues, known, rtol=1e-9)


def test_laws_that_change_in_time_are_named():
    m = da.Model("parametric", dim=2, gravity=(0, 0))
    m.add(da.Body("wheel", mass=1.0, inertia=1.0))
    m.add(da.Revolute("O", m.ground, "wheel", at=(0, 0)))
    m.add(da.TorsionSpring("coil", "O", actuator="-(4 + 3*cos(4*t))*angle"))
    lin = da.linearize(m)
    assert not lin.steady and "coil" in lin.doubts[0] and "not steady" in repr(lin)
    m.remove("coil")
    m.add(da.TorsionSpring("coil", "O", actuator="-4*angle"))
    assert da.linearize(m).steady and da.linearize(m).doubts == []


def test_kapitza():
    m = da.Model("Kapitza", dim=2, gravity=(0, -9.81))
    m.add(da.Body("base", mass=1.0, inertia=1.0))
    m.add(da.Body.rod("rod", (0, 0), (0, 1), mass=1.0))
    m.add(da.Prismatic("slide", m.ground, "base", at=(0, 0), axis=(0, 1)))
    m.add(da.Revolute("O", "base", "rod", at=(0, 0)))
    m.add(da.Drive("shake", "slide", "0.05*cos(200*t)"))
    for t in (0.0, 0.01):
        lin = da.linearize(m, t=t)
        assert not lin.steady and "shake" in lin.doubts[0]


@pytest.mark.parametrize(("name", "options"), [
    ("whipple", {"speed": 5.0, "lean_rate": 0.0}), ("rolling-disc", {"theta": np.pi / 2, "rates": (0.0, 0.0, 6.0)}),
    ("lagrange-top", {"theta": 0.5, "spin": 60.0 - 1.286797645331 * np.cos(0.5), "precession": 1.286797645331})])
def test_known_steady_motions(name, options):
    assert da.linearize(catalog.make(name, **options)).steady


@pytest.mark.parametrize("name", ["four-bar", "pendulum", "double-pendulum", "dzhanibekov", "slider-crank"])
def test_motions_that_are_not_steady(name):
    m = catalog.make(name)
    run = da.simulate(m, 0.37)
    lin = da.linearize(m, at=run.state())
    assert not lin.steady and "not steady" in " ".join(lin.doubts)


def test_passing_the_lowest_point_is_not_steady():
    m = da.Model("pendulum", dim=2, gravity=(0, -9.81))
    m.add(da.Body.rod("rod", (0, 0), (0, -1), mass=1.0))
    m.add(da.Revolute("O", m.ground, "rod", at=(0, 0)))
    m.initial("O", rate=3.0)
    assert not da.linearize(m).steady


@pytest.mark.parametrize("seed", range(COUNT))
def test_verdict_on_a_rotor_is_what_the_motion_does(seed):
    """Random rotors: started a little beside the steady motion, they grow exactly when an eigenvalue says so."""
    rng = np.random.default_rng([27, seed])
    spin = float(rng.uniform(3, 20))
    stiffness = (float(rng.uniform(50, 400)), float(rng.uniform(50, 400)), 1e3)
    lin = da.linearize(rotor(stiffness, spin))
    growth = lin.eigenvalues.real.max()
    if 0 < growth < 0.5:
        return  # too slow to be seen
    m = rotor(stiffness, spin, push=1e-5)
    run = da.simulate(m, 6.0, rtol=1e-9, atol=1e-15)
    out = np.hypot(run["disc"].position[:, 0], run["disc"].position[:, 1])
    assert lin.steady
    assert bool(out[-50:].max() > 8 * out[:50].max()) is not lin.stable, (growth, out[-50:].max() / out[:50].max())


def test_branches_that_cross_are_told():
    """A parallelogram lying flat can go on as one or as its mirror image."""
    flat, folded = (da.Model(n, dim=2, gravity=(0, 0)) for n in ("flat", "folded"))
    for m, (A, B) in ((flat, ((1.0, 0.0), (3.0, 0.0))), (folded, ((0.6, 0.8), (2.6, 0.8)))):
        m.add(da.Body.rod("crank", (0, 0), A, mass=1.0))
        m.add(da.Body.rod("coupler", A, B, mass=1.0))
        m.add(da.Body.rod("rocker", (2, 0), B, mass=1.0))
        m.add(da.Revolute("O", m.ground, "crank", at=(0, 0)))
        m.add(da.Revolute("A", "crank", "coupler", at=A))
        m.add(da.Revolute("B", "coupler", "rocker", at=B))
        m.add(da.Revolute("C", m.ground, "rocker", at=(2, 0)))
    assert "branches" in da.linearize(flat).doubts[0]
    assert da.linearize(folded).doubts == []
    assert not any("branches" in d for d in da.linearize(catalog.make("bricard")).doubts)


@pytest.mark.parametrize("spin", [30.0, 3e3, 1e5])
@pytest.mark.parametrize("angle, rate", [(0.0, 3.0), (1.0, 0.3), (1.0, 0.0)])
def test_a_fast_wheel_does_not_hide_a_swinging_pendulum(spin, angle, rate):
    m = da.Model("beside a wheel", dim=2, gravity=(0, -9.81))
    m.add(da.Body.rod("rod", (0, 0), (np.sin(angle), -np.cos(angle)), mass=1.0))
    m.add(da.Body("wheel", mass=1.0, inertia=1.0, position=(3, 0)))
    m.add(da.Revolute("O", m.ground, "rod", at=(0, 0)))
    m.add(da.Revolute("W", m.ground, "wheel", at=(3, 0)))
    m.initial("O", rate=rate)
    m.initial("W", rate=spin)
    assert not da.linearize(m).steady
    hanging = da.Model("beside a wheel", dim=2, gravity=(0, -9.81))
    for body in (da.Body.rod("rod", (0, 0), (0, -1), mass=1.0), da.Body("wheel", mass=1.0, inertia=1.0, position=(3, 0))):
        hanging.add(body)
    hanging.add(da.Revolute("O", hanging.ground, "rod", at=(0, 0)))
    hanging.add(da.Revolute("W", hanging.ground, "wheel", at=(3, 0)))
    hanging.initial("W", rate=spin)
    assert da.linearize(hanging).steady


@pytest.mark.parametrize("k", [1e4, 1e8, 1e10])
def test_a_stiff_spring_does_not_hide_a_swinging_pendulum(k):
    m = da.Model("beside a spring", dim=2, gravity=(0, -9.81))
    m.add(da.Body.rod("rod", (0, 0), (np.sin(1), -np.cos(1)), mass=1.0))
    m.add(da.Body("block", mass=1.0, inertia=1.0, position=(3, 0)))
    m.add(da.Revolute("O", m.ground, "rod", at=(0, 0)))
    m.add(da.Prismatic("W", m.ground, "block", at=(3, 0), axis=(1, 0)))
    m.add(da.Bushing("spring", m.ground, "block", at=(3, 0), stiffness=(k, k)))
    m.initial("O", rate=3.0)
    assert not da.linearize(m).steady


@pytest.mark.parametrize("spin", [1e-3, 0.01, 0.1, 1.0])
def test_a_slow_carousel_with_something_that_falls_fast_is_steady(spin):
    """An upright rod on a slow turntable: it would fall long before the table has turned."""
    m = da.Model("carousel", dim=3, gravity=(0, 0, -9.81))
    m.add(da.Body("shaft", mass=1.0, inertia=(0.1, 0.1, 0.1)))
    m.add(da.Body.rod("rod", (0, 0, 0), (0, 0, 1), mass=1.0, radius=0.01))
    m.add(da.Revolute("bearing", m.ground, "shaft", at=(0, 0, 0), axis=(0, 0, 1)))
    m.add(da.Revolute("pin", "shaft", "rod", at=(0, 0, 0), axis=(0.6, 0.8, 0)))
    m.add(da.Drive("motor", "bearing", f"{spin!r}*t"))
    lin = da.linearize(m)
    assert lin.steady and not lin.stable
    assert lin.eigenvalues[0] == pytest.approx(np.sqrt(1.5 * 9.81 + spin**2), rel=1e-3)


@pytest.mark.parametrize("gravity", [0.0, -9.81])
@pytest.mark.parametrize("law", ["-(1 + 3*sin(t))*rate", "-sin(t)*coordinate"])
def test_time_is_seen_where_nothing_moves_or_pulls(law, gravity):
    """Damping that changes is nothing at rest; a stiffness that starts from zero leaves no rate of its own."""
    m = da.Model("changing", dim=2, gravity=(0, gravity))
    m.add(da.Body.rod("rod", (0, 0), (0, -1), mass=1.0))
    m.add(da.Revolute("O", m.ground, "rod", at=(0, 0)))
    m.add(da.Motor("law", "O", law))
    lin = da.linearize(m)
    assert not lin.steady and "law" in lin.doubts[0]


def test_the_motion_is_followed_only_where_steadiness_is_asked_for(monkeypatch):
    """A, eigenvalues and turning need no run (one Ω alone can do); steady, doubts and repr are told after one."""
    followed = []
    monkeypatch.setattr(steadiness, "_followed", lambda p, spans: followed.append(spans))
    lin = da.linearize(catalog.make("whipple", lean_rate=0.0))
    assert len(lin.eigenvalues) == len(lin.A) and not lin.turning.any() and not followed
    assert not lin.steady and "not steady" in " ".join(lin.doubts) and len(followed) == 1


@pytest.mark.parametrize("name, steady", [("whipple", True), ("pendulum", False)])
def test_a_model_that_is_changed_afterwards_is_not_asked(name, steady):
    m = catalog.make(name, **({"lean_rate": 0.0} if name == "whipple" else {}))
    lin = da.linearize(m)
    for n, value in list(m.parameters.items()):
        if not isinstance(value, str):
            m.parameters[n] = 3.0 * value
    m.add(da.Body("late", mass=1.0, inertia=(1.0,) * 3 if m.dim == 3 else 1.0))
    assert lin.steady is steady
