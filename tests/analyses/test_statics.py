"""hold and equilibrium: tabled and closed-form statics, stability, several equilibria, and answers when there is none."""

import json
from math import atan2, radians
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import brentq, minimize_scalar

import dalembert as da
from dalembert import catalog
from dalembert.catalog import four_bar

DATA = Path(__file__).parents[1] / "reference" / "data"


def test_slider_crank_table():
    """The torque that holds −1000 N on the piston, every 30°; 1e-9.  Source: data/slider_crank_statics.json."""
    for degrees, torque in json.loads((DATA / "slider_crank_statics.json").read_text(encoding="utf-8"))["torques"]:
        model = catalog.make("slider-crank", angle=radians(degrees), load=-1000.0, gravity=0.0, speed=0.0)
        model.parameters["M2"] = 0.0
        model.add(da.Torque("torque", "crank", "M2"))
        if degrees == 180:  # the dead point: any torque but zero turns the crank
            assert da.hold(model, "M2").value == pytest.approx(torque, abs=1e-9)
            continue
        held = da.hold(model, unknown="M2")
        assert held.value == pytest.approx(torque, abs=1e-9)
        np.testing.assert_allclose(held["B"].force[0], 1000.0, rtol=1e-10)
        assert max(np.abs(x).max() for x in held.ledger_residual.values()) < 1e-9
        assert da.hold(model, unknown="torque").value == pytest.approx(torque, abs=1e-9)


def test_spring_values():
    """The stiffness, and the rest length, that balance a lever under its weight: by moments."""
    def lever(**parameters):
        m = da.Model("lever", dim=2, gravity=(0, -9.81), parameters=parameters)
        m.add(da.Body.rod("bar", (0, 0), (2, 0), mass=3.0))
        m.add(da.Revolute("O", m.ground, "bar", at=(0, 0)))
        m.add(da.Spring("spring", m.ground, "bar", at_i=(1, 2), at_j=(1, 0), stiffness="k", length="l0"))
        return m

    assert da.hold(lever(k=1.0, l0=1.5), "k").value == pytest.approx(3 * 9.81 / 0.5, rel=1e-12)
    assert da.hold(lever(k=100.0, l0=1.0), "l0").value == pytest.approx(2 - 3 * 9.81 / 100, rel=1e-12)


def test_two_unknowns():
    """Both joint torques of the two-link arm at rest: by moments of the weights."""
    model = catalog.make("two-link-arm", angles=(0.4, 0.7))
    model.add(da.Motor("M1", "shoulder", 0.0))
    model.add(da.Motor("M2", "elbow", 0.0))
    held = da.hold(model, ["M1", "M2"])
    g, lower = 9.81, 2.0 * 9.81 * 0.4 * np.cos(1.1)
    assert held.values["M2"] == pytest.approx(lower, rel=1e-12)
    assert held.values["M1"] == pytest.approx(lower + 3 * g * 0.5 * np.cos(0.4) + 2 * g * np.cos(0.4), rel=1e-12)
    driven = catalog.make("two-link-arm-driven", angles=(0.4, 0.7), laws=("0", "0"))
    assert da.equilibrium(driven)["motor 2"].torque == pytest.approx(lower, rel=1e-12)


def test_hold_says_why_not():
    model = catalog.make("two-link-arm")
    model.add(da.Motor("M1", "shoulder", 0.0))
    with pytest.raises(da.AnalysisError, match=r"2 free motions \(shoulder, elbow\) and 1 unknown"):
        da.hold(model, "M1")
    crank = catalog.make("slider-crank", speed=0.0)
    crank.add(da.Force("side", "piston", (0.0, 0.0)))
    with pytest.raises(da.AnalysisError, match=r"side\.y does no work"):
        da.hold(crank, "side.y")
    with pytest.raises(da.AnalysisError, match=r"has the components side\.x, side\.y"):
        da.hold(crank, "side")
    with pytest.raises(da.AnalysisError, match="no free motion"):
        da.hold(catalog.make("four-bar-driven"), [])


@pytest.mark.parametrize("unknown", [None, [], ()])
def test_hold_without_an_unknown(unknown):
    with pytest.raises(da.AnalysisError, match=r"name the unknown: .*there are load\.x, load\.y, torque"):
        da.hold(catalog.make("slider-crank-loaded"), unknown=unknown)


def test_hanging_chain_of_fifty():
    """Angles, end forces against the discrete catenary tan θ_k = (k − (n+1)/2) w/H; 1e-10."""
    n, length, span, mass, g = 50, 1.0, 0.6, 1.0, 9.81
    rest = da.equilibrium(catalog.make("hanging-chain", n=n, length=length, span=span, mass=mass))
    steps = np.arange(1, n + 1) - (n + 1) / 2
    w = mass * g / n

    def gap(H):
        return (length / n / np.sqrt(1 + (steps * w / H) ** 2)).sum() - span

    H = brentq(gap, 1e-3, 100, xtol=1e-15, rtol=1e-15)
    angles = np.arctan(steps * w / H)
    np.testing.assert_allclose([rest[f"link {k + 1}"].angle for k in range(n)], angles, rtol=0, atol=1e-10)
    np.testing.assert_allclose(rest["hinge 1"].force, (-H, mass * g / 2), rtol=0, atol=1e-10)
    x = np.concatenate([[0], np.cumsum(length / n * np.cos(angles))])
    np.testing.assert_allclose([rest[f"link {k + 1}"].x for k in range(n)], (x[1:] + x[:-1]) / 2, rtol=0, atol=1e-10)
    assert rest.stable and rest.residual < 1e-11 and len(rest.eigenvalues) == n - 2


def energy(theta, k=120.0, l0=0.25, coil=1.5, drawn=0.8, g=9.81):
    """Potential energy of the four-bar with springs over its crank angle."""
    A, B, C, D = (np.array(p) for p in four_bar.points(theta))
    middle = (B + C) / 2
    stretch = np.linalg.norm(middle - (1.3, 0.9)) - l0
    height = 0.6 * (A + B)[1] / 2 + 1.8 * middle[1] + 1.4 * (C + D)[1] / 2
    return g * height + 0.5 * k * stretch**2 + 0.5 * coil * (theta - drawn) ** 2


def test_four_bar_with_springs_finds_all_minima():
    """The minima of the potential energy within one turn each way, and nothing else; 1e-7 rad (the minimiser's limit)."""
    grid = np.linspace(-7, 9, 801)
    V = np.array([energy(x) for x in grid])
    low = [k for k in range(1, 800) if V[k] < V[k - 1] and V[k] < V[k + 1]]
    minima = [minimize_scalar(energy, bounds=(grid[k - 1], grid[k + 1]), method="bounded", options={"xatol": 1e-10}).x
              for k in low]
    found = da.equilibria(catalog.make("four-bar-springs"), tries=25)
    angles = [e["A"].coordinate + 0.8 for e in found]
    near = sorted(a for a in angles if -7 < a < 9)
    np.testing.assert_allclose(near, minima, rtol=0, atol=1e-7)
    assert all(e.stable and e.residual < 1e-10 for e in found)
    assert [e.potential for e in found] == sorted(e.potential for e in found)
    for e in found:
        h = 1e-4
        a = e["A"].coordinate + 0.8
        slope = (8 * (energy(a + h) - energy(a - h)) - energy(a + 2 * h) + energy(a - 2 * h)) / (12 * h)
        assert abs(slope) < 1e-7 * 120


def test_stability():
    """An upright pendulum is an unstable equilibrium; the stable one is below.  Eigenvalues ∓g l m/J."""
    m = da.Model("pendulum", dim=2, gravity=(0, -9.81))
    m.add(da.Body.rod("rod", (0, 0), (0, 1), mass=2.0))
    m.add(da.Revolute("O", m.ground, "rod", at=(0, 0)))
    up = da.equilibrium(m, kind="any")
    assert up.stability == "unstable" and not up.stable
    np.testing.assert_allclose(up.eigenvalues, [-1.5 * 9.81], rtol=1e-10)
    down = da.equilibrium(m)
    assert down.stable and down["rod"].y == pytest.approx(-0.5, abs=1e-12)
    np.testing.assert_allclose(down.eigenvalues, [1.5 * 9.81], rtol=1e-10)
    np.testing.assert_allclose(down["O"].force, (0, 2 * 9.81), atol=1e-10)
    m.gravity = (0, 0)
    assert da.equilibrium(m).stability == "neutral"
    kinds = sorted(e.stability for e in da.equilibria(catalog.make("four-bar"), tries=25, kind="any"))
    assert kinds == ["stable", "unstable"]


def test_follower_force():
    """A force that turns with its body has no potential: the balance with a torsion spring is found all the same."""
    m = da.Model("follower", dim=2)
    m.add(da.Body.rod("rod", (0, 0), (1, 0), mass=1.0))
    m.add(da.Revolute("O", m.ground, "rod", at=(0, 0)))
    m.add(da.TorsionSpring("coil", "O", stiffness=10.0))
    m.add(da.Force("push", "rod", (0, 4.0), on=(0.5, 0), frame="body"))
    rest = da.equilibrium(m)
    assert rest["O"].coordinate == pytest.approx(0.4, abs=1e-11) and rest.stable
    np.testing.assert_allclose(rest["O"].force, (4 * np.sin(0.4), -4 * np.cos(0.4)), atol=1e-10)


def test_forces_that_cancel_on_one_body():
    """A block on bushings: nothing but forces holds it, and they add up to nothing; deflections by hand."""
    m = da.Model("mount", dim=3, gravity=(0, 0, -9.81))
    m.add(da.Body("engine", mass=10, inertia=(1, 1.2, 1.4)))
    for k, at in enumerate([(0.3, 0.2, 0), (-0.3, 0.2, 0), (0, -0.4, 0)]):
        m.add(da.Bushing(f"b{k}", "ground", "engine", at=at, stiffness=(2e4, 2e4, 3e4), damping=20.0))
    rest = da.equilibrium(m)
    assert rest.stable and rest["engine"].z == pytest.approx(-98.1 / 9e4, rel=1e-6)

    def law(t, x, v, out):
        out[0] = -5 * x[0]
        out[1] = 2 - 7 * x[1] ** 3
        out[2] = -x[2]

    u = da.Model("user", dim=2)
    u.add(da.Body("p", mass=1, inertia=1, position=(1, 1), angle=0.3))
    u.add(da.UserForce("law", "p", law))
    rest = da.equilibrium(u)
    np.testing.assert_allclose(rest["p"].position, (0, (2 / 7) ** (1 / 3)), atol=1e-12)
    np.testing.assert_allclose(rest.eigenvalues, [1, 5, 21 * (2 / 7) ** (2 / 3)], rtol=1e-9)


def test_resting_on_an_end_stop():
    """A rod 0.4 mrad inside a stiff stop: depth by moments, frequency from stop and weight; 1e-8."""
    m = da.Model("rod", dim=2, gravity=(0, -9.81))
    m.add(da.Body.rod("rod", (0, 0), (1, 0), mass=1.0))
    m.add(da.Revolute("O", m.ground, "rod", at=(0, 0)))
    m.add(da.Limit("stop", "O", lower=-0.5, stiffness=1e4))
    rest = da.equilibrium(m)
    angle = brentq(lambda a: 1e4 * (-0.5 - a) - 9.81 / 2 * np.cos(a), -0.51, -0.5, xtol=1e-15)
    assert rest["O"].coordinate == pytest.approx(angle, abs=1e-12)
    square = 3 * (1e4 - 9.81 / 2 * np.sin(angle))
    np.testing.assert_allclose(rest.eigenvalues, [square], rtol=1e-8)
    assert abs(da.linearize(m, at=rest).eigenvalues[0].imag) == pytest.approx(np.sqrt(square), rel=1e-8)


def test_in_space():
    """A bar on a ball joint and a spring: the plane of the spring, moments about the ball."""
    m = da.Model("bar", dim=3, gravity=(0, 0, -9.81))
    m.add(da.Body.rod("bar", (0, 0, 0), (1, 0.3, 0.2), mass=2.0))
    m.add(da.Spherical("ball", m.ground, "bar", at=(0, 0, 0)))
    m.add(da.Spring("spring", m.ground, "bar", at_i=(1, 0, 1), at_j=(1, 0.3, 0.2), stiffness=60.0, length=0.3))
    rest = da.equilibrium(m)
    end = rest["bar"].point((np.sqrt(1.13) / 2, 0, 0))
    pull = rest["spring"].force * (np.array([1, 0, 1]) - end) / rest["spring"].length
    moment = np.cross(end, pull) + np.cross(rest["bar"].position, (0, 0, -2 * 9.81))
    np.testing.assert_allclose(moment, 0, atol=1e-9)
    np.testing.assert_allclose(rest["ball"].force + pull, (0, 0, 2 * 9.81), atol=1e-9)
    assert rest.stability == "neutral"  # it turns about its own axis
    assert abs(end[1]) < 1e-9 and atan2(end[2], end[0]) < 0.8


def test_a_state_of_other_lengths_is_closed_first():
    m = da.Model("hang", dim=2, gravity=(0, -9.81), parameters={"l": 0.6, "d": 1.0})
    m.add(da.Body.rod("a", (0, 0), ("l*0.6", "-l*0.8"), mass=1.0))
    m.add([da.Body("b", mass=2.0, inertia=0.1, position=(0.6, -0.55)),
           da.Body("c", mass=0.5, inertia=0.05, position=(0.9, -0.3), angle=-1.0)])
    m.add([da.Revolute("A", m.ground, "a", at=(0, 0)), da.Revolute("B", "a", "b", on_i=("l/2", 0), on_j=(-0.2, 0.0)),
           da.Revolute("C", "b", "c", on_i=(0.2, 0), on_j=("l/2", 0)),
           da.Revolute("D", m.ground, "c", on_i=("d", 0.1), on_j=("-l/2", 0))])
    m.add(da.Spring("s", m.ground, "b", at_i=(0.2, -1.5), on_j=(0, 0.1), stiffness=80.0, length=0.7))
    at, other = da.equilibrium(m), m.copy()
    other.parameters["l"] = 0.606
    found = da.equilibrium(other, at)
    np.testing.assert_allclose(found.point("a", (0.303, 0)), found.point("b", (-0.2, 0)), atol=1e-12)
    np.testing.assert_allclose(found.q, da.equilibrium(other).q, atol=1e-11)
    other.parameters["d"] = 5.0
    with pytest.raises(da.AnalysisError, match=r"the state given does not close '[BCD]', and no pose near it does"):
        da.equilibrium(other, at)


def test_no_equilibrium():
    block = da.Model("block", dim=2, gravity=(0, -9.81))
    block.add(da.Body("block", mass=1, inertia=1))
    with pytest.raises(da.AnalysisError, match=r"none was found.*'block' is still pushed along \(0, -1\).*-9.81 along block.y"):
        da.equilibrium(block)
    wheel = da.Model("wheel", dim=2)
    wheel.add(da.Body("wheel", mass=1, inertia=1))
    wheel.add(da.Revolute("O", wheel.ground, "wheel", at=(0, 0)))
    wheel.add(da.Torque("torque", "wheel", 2.0))
    with pytest.raises(da.AnalysisError, match=r"round and round.*2 along O"):
        da.equilibrium(wheel)
    with pytest.raises(da.AnalysisError, match="kind is"):
        da.equilibrium(wheel, kind="best")


@pytest.mark.parametrize("name", catalog.CATALOG)
def test_every_mechanism_has_an_answer(name):
    """An equilibrium that balances, or a message that says why there is none."""
    try:
        rest = da.equilibrium(catalog.make(name))
    except da.AnalysisError as error:
        assert name in ("gear-pair", "belt-drive", "planetary-gear", "rolling-disc"), str(error)
        assert "none was found" in str(error) and "is still pushed" in str(error)
        return
    assert rest.residual < 1e-10 and rest.stability in ("stable", "neutral", "fixed")
    scale = max(np.abs(rest.observed.Q).max(), np.abs(rest.observed.reaction).max(initial=0.0), 1e-300)
    assert max(np.abs(x).max() for x in rest.ledger_residual.values()) < 1e-8 * scale
