"""Outputs with kinks beside them, and what a fit says of data that count and do not."""

import numpy as np
import pytest

import dalembert as da
from dalembert.analyses.sensitivities import _same_rows
from dalembert.errors import AnalysisError

NAMES = ["l", "g", "start"]
LARGEST = {"words": "max rod.force", "function": lambda run: np.linalg.norm(run["rod"].force, axis=1).max(),
           "pair": ("max", lambda run: np.linalg.norm(run["rod"].force, axis=1))}


def pendulum():
    m = da.Model("pendulum", dim=2, gravity=(0, "-g"), parameters={"l": 1.0, "g": 9.81, "start": 1.0})
    m.add(da.Body("bob", mass=1.0, inertia=1.0, position=("l*sin(start)", "-l*cos(start)")))
    m.add(da.DoubleRevolute("rod", m.ground, "bob", at_i=(0, 0), on_j=(0, 0)))
    return m


@pytest.mark.parametrize("method", ["forward", "adjoint"])
@pytest.mark.parametrize("how", list(LARGEST))
def test_the_largest_sample_may_become_another_one_nearby(how, method):
    """At the sample that is largest now: not at its neighbours, which steps of the differences reach."""
    m = pendulum()
    found = da.sensitivities(m, NAMES, da.simulate, 2.0, rtol=1e-9, outputs={"o": LARGEST[how]}, method=method).gradient("o")
    run = da.simulate(m, 2.0, rtol=1e-9)
    k = int(np.argmax(np.linalg.norm(run["rod"].force, axis=1)))

    def force(name, h):
        other = m.copy()
        other.parameters[name] *= 1 + h
        return float(np.linalg.norm(da.simulate(other, 2.0, rtol=1e-12)["rod"].force[k]))

    for name, slope in zip(NAMES, found, strict=True):
        d = [(force(name, h) - force(name, -h)) / (2 * h * m.parameters[name]) for h in (2e-4, 1e-4)]
        assert slope == pytest.approx((4 * d[1] - d[0]) / 3, rel=2e-6)


@pytest.mark.parametrize("method", ["forward", "adjoint"])
def test_a_kink_just_there_is_refused(method):
    """Differences are symmetric: the slope of |x| at 0 would be 0."""
    away = {"o": lambda run: abs(run["bob"].position[0][0] - np.sin(1.0))}
    with pytest.raises(AnalysisError, match="kink"):
        da.sensitivities(pendulum(), ["start"], da.simulate, 1.0, times=[0.0, 1.0], outputs=away, method=method)


def test_a_kink_at_a_sample_that_does_not_count():
    """|x| is not smooth at the first sample; its largest value is elsewhere."""
    m = pendulum()
    m.parameters["start"] = 0.0
    m.parameters["push"] = 2.0
    m.initial("bob.x", rate="push")
    outputs = {"o": ("max", lambda run: np.abs(run["bob"].position[:, 0]))}
    s = [da.sensitivities(m, ["push", "start"], da.simulate, 1.0, rtol=1e-9, outputs=outputs, method=w).gradient("o")
         for w in ("forward", "adjoint")]
    assert s[0] == pytest.approx(s[1], rel=1e-6) and abs(s[0][0]) > 0.1


def test_what_is_no_analysis_and_no_model():
    with pytest.raises(AnalysisError, match=r"da\.simulate"):
        da.sensitivities(pendulum(), ["l"], "simulate", 1.0)
    with pytest.raises(AnalysisError, match="give a Model"):
        da.sensitivities(lambda l: pendulum(), ["l"], da.simulate, 1.0)


def oscillator():
    m = da.Model("o", dim=2, gravity=(0, 0), parameters={"k": 50.0, "c": 1.0})
    m.add(da.Body("b", mass=1.0, inertia=1.0, position=(0.1, 0)))
    m.add(da.Prismatic("guide", m.ground, "b", at=(0, 0), axis=(1, 0)))
    m.add(da.Motor("s", "b.x", "-k*coordinate-c*rate"))
    return m


def test_intervals_count_the_data_that_have_a_weight():
    """s²(JᵀJ)⁻¹ by hand, s² over m − n; samples of no weight are as good as left out."""
    from scipy.stats import t as student

    t = np.linspace(0, 2, 21)
    data = da.simulate(oscillator(), 2.0, times=t)["b"].position[:, 0] + 2e-3 * np.random.default_rng(4).normal(size=21)
    ranges = {"k": (30.0, 80.0), "c": (0.1, 3.0)}
    weights = np.where(np.arange(21) < 8, 1.0, 0.0)
    whole = da.fit(oscillator(), ranges, da.simulate, 2.0, times=t, output="b.position.x", data=data, weights=weights)
    cut = da.fit(oscillator(), ranges, da.simulate, 2.0, times=t[:8], output="b.position.x", data=data[:8])
    for n in ranges:
        assert whole.values[n] == pytest.approx(cut.values[n], rel=1e-4)
        assert whole.deviations[n] == pytest.approx(cut.deviations[n], rel=1e-3)
    run = da.sensitivities(cut.model, ["k", "c"], da.simulate, 2.0, times=t[:8], outputs={"x": "b.position.x"})
    J, left = run.gradient("x"), run.values["x"] - data[:8]
    by_hand = left @ left / (8 - 2) * np.linalg.inv(J.T @ J)
    assert cut.covariance == pytest.approx(by_hand, rel=1e-4)
    reach = cut.intervals["k"][1] - cut.values["k"]
    assert reach == pytest.approx(student.ppf(0.975, 6) * np.sqrt(by_hand[0, 0]), rel=1e-4)


@pytest.mark.parametrize("method", ["forward", "adjoint"])
def test_a_break_whose_time_is_counted_in_femtoseconds(method):
    """Whether a break moves is a matter of the parameter's own size: v = 3 (1 − t₁)/2."""
    m = da.Model("late", dim=2, gravity=(0, 0), parameters={"n": 4e14})
    m.add(da.Body("b", mass=2.0, inertia=1.0))
    m.add(da.Prismatic("guide", m.ground, "b", at=(0, 0), axis=(1, 0)))
    m.add(da.Motor("push", "b.x", "3*step(t - n*1e-15)"))
    s = da.sensitivities(m, ["n"], da.simulate, 1.0, outputs={"v": "last b.velocity.x"}, method=method)
    assert 1e15 * s["v"]["n"] == pytest.approx(-1.5, rel=1e-9)


def test_where_no_variant_holds_the_constraints_the_nearest_is_given():
    best = da.optimize(oscillator(), {"c": (0.5, 5.0)}, da.simulate, 1.0, times=np.linspace(0, 1, 21), goal="rms b.position.x",
                       constraints={"max b.position.x": (0.2, 0.3), "last b.position.x": (0.5, None)}, trials=20)
    missed = [t["missed"] for t in best.trials if "missed" in t]
    assert not best.success and any("misses them least" in n for n in best.notes)
    chosen = next(t for t in best.trials if t.get("c") == best.values["c"])
    assert chosen["missed"] == min(missed) < max(missed)


def test_the_certificate_sees_an_error_of_a_thousandth():
    from dalembert.analyses.derived.comparison import compared

    m, options = pendulum(), {"outputs": {"x": "last bob.position.x"}}
    s = da.sensitivities(m, NAMES, da.simulate, 1.0, **options)
    assert "apart" in compared(m, NAMES, da.simulate, (1.0,), {}, s)
    for name in NAMES:
        right, s.derivatives["x"][name] = s.derivatives["x"][name], 1.001 * s.derivatives["x"][name]
        with pytest.raises(AnalysisError, match="apart"):
            compared(m, NAMES, da.simulate, (1.0,), {}, s)
        s.derivatives["x"][name] = right


def test_rows_that_come_to_depend_are_a_refusal_with_the_time():
    """A motion through a singular pose: the count of left-out rows changes between samples."""
    m, t = da.Model("flat", dim=2), np.array([0.0, 0.5, 1.0])
    _same_rows(m, t, {"dropped": np.array([[1], [1], [1]])}, "derivative")
    with pytest.raises(da.AnalysisError, match=r"derivative of 'flat': at t = 0.5 2 constraint equation\(s\).*singular pose"):
        _same_rows(m, t, {"dropped": np.array([[1], [2], [1]])}, "derivative")
