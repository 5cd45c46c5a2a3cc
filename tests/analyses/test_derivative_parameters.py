"""What a parameter moves: steps of its neighbours, refusals, given states, the certificate; and what is read."""

import math

import numpy as np
import pytest

import dalembert as da


def rod(end, p):
    m = da.Model("rod", dim=2, gravity=(0, -9.81), parameters={"p": p})
    m.add(da.Body.rod("r", (0, 0), end, mass=1.0))
    m.add(da.Revolute("O", m.ground, "r", at=(0, 0)))
    return m


def rate(m, **options):
    return da.sensitivities(m, ["p"], da.simulate, 1.0, rtol=1e-10, outputs={"w": lambda r: r["O"].rate[-1]}, **options)["w"]["p"]


@pytest.mark.parametrize("p", [1e-9, 1e-11, 1e-13, 1e-15])
def test_a_small_parameter_beside_a_large_number(p):
    assert rate(rod(("1 + p", 0), p)) == pytest.approx(rate(rod(("p", 0), 1.0)), rel=1e-6)


@pytest.mark.parametrize("p", [0.5, 200.0, 1000.0])
def test_a_formula_that_changes_fast(p):
    """The rod's direction turns with p: its rate after 1 s is that of a pendulum begun elsewhere; differences of runs agree."""
    h = 1e-4
    ends = [da.simulate(rod(("cos(p)", "sin(p)"), p + e), 1.0, rtol=1e-11)["O"].rate[-1] for e in (h, -h, 2 * h, -2 * h)]
    wanted = (8 * (ends[0] - ends[1]) - (ends[2] - ends[3])) / (12 * h)
    assert rate(rod(("cos(p)", "sin(p)"), p)) == pytest.approx(wanted, rel=1e-6)


def test_kinks_beside_and_at_the_value():
    assert rate(rod(("max(p, 1)", 0), 1.01)) == pytest.approx(rate(rod(("p", 0), 1.01)), rel=1e-7)
    with pytest.raises(da.AnalysisError, match=r"nothing depends on the parameter 'p' around 0\.99: the formulas that name it"):
        rate(rod(("max(p, 1)", 0), 0.99))
    with pytest.raises(da.AnalysisError, match="do not change smoothly with 'p' around 1: a kink"):
        rate(rod(("max(p, 1)", 0), 1.0))


@pytest.mark.parametrize("formula", ["1 + floor(p)", "1 + step(p - 2)", "1 + sign(p)"])
@pytest.mark.parametrize("analysis", [(da.simulate, 0.1), (da.equilibrium,), (da.linearize,)], ids=lambda a: a[0].__name__)
def test_what_counts_or_chooses_has_no_derivative(formula, analysis):
    with pytest.raises(da.AnalysisError, match=r"nothing depends on the parameter 'p' around 2\.5: the formulas that name it"):
        da.sensitivities(rod((0, f"-({formula})"), 2.5), ["p"], *analysis)


def test_a_slope_of_zero_is_an_answer():
    m = rod(("1 + p**2", 0), 0.0)
    assert rate(m) == 0.0
    with pytest.raises(da.AnalysisError, match="do not change smoothly with 'p' around 0: a kink"):
        rate(rod(("1 + abs(p)", 0), 0.0))
    assert np.all(da.simulate(m, 0.1).derivative("p")["O"].rate == 0.0)
    assert np.all(da.sensitivities(rod((0, "-1 - p**2"), 0.0), ["p"], da.linearize).derivative("p").A == 0.0)


def test_the_end_of_a_range_is_near():
    assert math.isfinite(rate(rod(("2 + asin(p)", 0), 0.99)))


def parallel():
    m = da.Model("tri", dim=2, gravity=(0, -9.81), parameters={"l": 0.5, "l2": 0.5, "m": 3.0})
    m.add(da.Body.rod("bar", (0, "-l"), (2, "-l"), mass="m"))
    for n, x in enumerate((0.0, 1.0, 2.0)):
        length = "l2" if n == 2 else "l"
        m.add(da.Body.rod(f"c{n}", (x, 0), (x, f"-{length}"), mass=0.5))
        m.add(da.Revolute(f"O{n}", m.ground, f"c{n}", at=(x, 0)))
        m.add(da.Revolute(f"A{n}", f"c{n}", "bar", on_i=(f"{length}/2", 0), on_j=(x - 1, 0)))
    m.add(da.Drive("d", "O0", "0.3+t"))
    return m


@pytest.mark.parametrize("analysis", [da.kinematics, da.inverse_dynamics])
def test_a_parameter_that_breaks_a_redundant_loop(analysis):
    read = {"x": lambda r: r["bar"].position[-1],
            "torque": lambda r: r["d"].torque[-1] if analysis is da.inverse_dynamics else 0.0}
    with pytest.raises(da.AnalysisError, match="'l2' makes the closed loops contradict each other"):
        da.sensitivities(parallel(), ["l2"], analysis, times=[0.0, 0.1], outputs=read)
    if analysis is da.inverse_dynamics:
        assert da.sensitivities(parallel(), ["m"], analysis, times=[0.0, 0.1], outputs=read)["torque"]["m"] != 0.0


def pendulum():
    m = da.Model("pendulum", dim=2, gravity=(0, "-g"), parameters={"l": 1.0, "g": 9.81})
    m.add(da.Body.rod("r", (0, 0), ("l", 0), mass=1.0))
    m.add(da.Revolute("O", m.ground, "r", at=(0, 0)))
    return m


def test_a_state_that_is_given():
    """It stays where it is: gravity may change, a length that would open the joint may not."""
    m = pendulum()
    for state in (da.assemble(m), da.simulate(m, 0.3).state(-1)):
        start = state.t
        run = da.simulate(m, start + 0.5, start=start, state=state, rtol=1e-10)
        ends = []
        for e in (1e-4, -1e-4):
            other = m.copy()
            other.parameters["g"] = 9.81 + e
            ends.append(da.simulate(other, start + 0.5, start=start, state=state, rtol=1e-11)["O"].coordinate[-1])
        assert run.derivative("g")["O"].coordinate[-1] == pytest.approx((ends[0] - ends[1]) / 2e-4, rel=1e-6)
        with pytest.raises(da.AnalysisError, match="began with state="):
            run.derivative("l")
        with pytest.raises(da.AnalysisError, match="leaves 'O' open"):
            da.sensitivities(m, ["l"], da.linearize, state)


def hanging_loop(length=0.6):
    m = da.Model("hang", dim=2, gravity=(0, -9.81), parameters={"l": length, "d": 1.0, "k": 80.0, "y": 0.1})
    m.add(da.Body.rod("a", (0, 0), ("l*0.6", "-l*0.8"), mass=1.0))
    m.add(da.Body("b", mass=2.0, inertia=0.1, position=(0.6, -0.55)))
    m.add(da.Body("c", mass=0.5, inertia=0.05, position=(0.9, -0.3), angle=-1.0))
    m.add(da.Revolute("A", m.ground, "a", at=(0, 0)))
    m.add(da.Revolute("B", "a", "b", on_i=("l/2", 0), on_j=(-0.2, 0.0)))
    m.add(da.Revolute("C", "b", "c", on_i=(0.2, 0), on_j=("l/2", 0)))
    m.add(da.Revolute("D", m.ground, "c", on_i=("d", "y"), on_j=("-l/2", 0)))
    m.add(da.Spring("s", m.ground, "b", at_i=(0.2, -1.5), on_j=(0, 0.1), stiffness="k", length=0.7))
    return m


def test_an_equilibrium_closes_its_joints_when_lengths_change():
    m = hanging_loop()
    at = da.equilibrium(m)
    other = da.equilibrium(hanging_loop(0.606), at)
    assert np.abs(other.point("a", (0.303, 0)) - other.point("b", (-0.2, 0))).max() < 1e-9
    found = da.sensitivities(m, ["l", "k"], da.linearize, at, verify=True, outputs={"A": lambda lin: lin.A})
    h = 1e-4
    ends = [da.linearize(hanging_loop(0.6 + e), da.equilibrium(hanging_loop(0.6 + e), at)).eigenvalues for e in (h, -h)]
    wanted = (ends[0] - ends[1]) / (2 * h)
    np.testing.assert_allclose(found.derivative("l").eigenvalues, wanted, rtol=1e-5, atol=1e-6)
    assert "apart" in found.certificate
    with pytest.raises(da.AnalysisError, match=r"leaves '[BCD]' open"):
        da.accelerations(hanging_loop(0.606), da.assemble(m))


def scale(k1=50.0, k2=80.0):
    m = da.Model("scale", dim=2, gravity=(0, 0), parameters={"k1": k1, "k2": k2})
    for n, k in (("a", "k1"), ("b", "k2")):
        m.add(da.Body(n, mass=1.0, inertia=1.0))
        m.add(da.Prismatic("g" + n, m.ground, n, at=(0, 0), axis=(1, 0)))
        m.add(da.Motor("s" + n, f"{n}.x", f"-{k}*coordinate"))
    return m


def test_outputs_that_are_complex_and_outputs_that_cross():
    s = da.sensitivities(scale(), ["k1"], da.linearize, outputs={"mu": lambda lin: 1j * max(abs(lin.eigenvalues.imag))})
    assert s["mu"]["k1"] == 0j and isinstance(s["mu"]["k1"], complex)
    with pytest.raises(da.AnalysisError, match="does not change smoothly with 'k1': eigenvalues that cross"):
        da.sensitivities(scale(50.0, 50.3), ["k1"], da.linearize, outputs={"w": lambda lin: np.sort(abs(lin.eigenvalues.imag))})
    with pytest.raises(da.AnalysisError, match=r"the output .w. is no number"):
        da.sensitivities(scale(), ["k1"], da.linearize, outputs={"w": lambda lin: "text"})


def test_the_certificate_sees_every_parameter(monkeypatch):
    """A derivative that is wrong by a quarter in a parameter which counts for little beside another."""
    m = pendulum()
    m.parameters["small"] = 1e-3
    m.add(da.Motor("push", "O", "small"))
    read = {"w": lambda r: r["O"].rate[-1]}
    s = da.sensitivities(m, ["l", "small"], da.simulate, 1.0, rtol=1e-10, outputs=read, verify=True)
    assert "apart" in s.certificate
    from dalembert.analyses.derived.comparison import compared

    s.derivatives["w"]["small"] *= 1.25
    with pytest.raises(da.AnalysisError, match="of it apart"):
        compared(m, s.names, da.simulate, (1.0,), {"rtol": 1e-10}, s)
    fixed = da.sensitivities(m, ["l"], da.simulate, 1.0, outputs={"length": lambda r: 1.0 + 0 * r["O"].rate[-1]}, verify=True)
    assert "could not be compared" in fixed.certificate


def test_dissipated_energy_and_laws_by_differences():
    m = pendulum()
    m.parameters["c"] = 0.2
    m.add(da.TorsionSpring("damper", "O", damping="c"))
    run = da.simulate(m, 1.0, rtol=1e-10)
    ends = []
    for e in (1e-4, -1e-4):
        other = m.copy()
        other.parameters["c"] = 0.2 + e
        ends.append(da.simulate(other, 1.0, rtol=1e-11).energy)
    for channel in ("kinetic", "potential", "total", "dissipated"):
        wanted = (getattr(ends[0], channel)[-1] - getattr(ends[1], channel)[-1]) / 2e-4
        assert getattr(run.derivative("c").energy, channel)[-1] == pytest.approx(wanted, rel=1e-5)
        assert wanted != 0.0
    table = np.linspace(-4, 1, 60)
    m = pendulum()
    m.add(da.Motor("push", "O", lambda t, x, v: float(np.interp(x, table, np.sin(table)))))
    s = da.sensitivities(m, ["l"], da.simulate, 0.2, outputs={"w": lambda r: r["O"].rate[-1]})
    assert "push" in s.note and "difference" in s.note
