"""Breaks of formulas: which arguments, their zeros by form against a search, and which formulas may be narrow."""

import numpy as np
import pytest

from dalembert import expressions
from dalembert.analyses.simulation.law_breaks import sign_changes
from dalembert.elements.sampling import Sampler


@pytest.mark.parametrize(("text", "arguments"), [
    ("2*sin(t) + t**2", []), ("step(t - 1)", ["t - 1"]), ("a*sign(sin(3*t)) + abs(x)", ["sin(3*t)", "x"]),
    ("min(t, 2)", ["t - 2"]), ("max(sin(t), abs(t - 1))", ["t - 1", "sin(t) - abs(t - 1)"]), ("step(2)*t", []),
    ("smoothstep(t, 1, 0, 2, 5)", ["t - 1", "t - 2"]), ("step(t)*step(t)", ["t"]),
])
def test_arguments(text, arguments):
    assert [str(g) for g in expressions.breaks(expressions.parse(text))] == arguments


FORMS = ["t - 0.7", "3 - 2*t", "sin(40*t + 1)", "2*cos(7*t) - 1", "tan(3*t) + 0.2", "exp(-t) - 0.3", "(t - 1)*(t - 0.3)",
         "(t - 0.5)**3 - 0.1", "abs(t - 1) - 0.4", "0.2 - sin(5*t)/3", "tanh(t - 1)", "sqrt(t) - 1", "log(t + 0.1)",
         "sin(pi*(10*t))", "sin(3*t)/(1 + t)", "-(sin(9*t) - 0.99)"]


@pytest.mark.parametrize("text", FORMS)
def test_zeros_by_form_are_those_of_a_search(text):
    g = expressions.parse(text)
    t = np.linspace(0.0, 2.0, 400_001)
    f = Sampler.of_formula(g)
    values = f(t)
    with np.errstate(all="ignore"):
        change = (np.sign(values[1:]) * np.sign(values[:-1]) < 0) & (np.abs(values[1:]) < 10) & (t[1:] < 2.0) & (t[:-1] > 0)
    searched = t[:-1][change]
    left, right, sure = sign_changes(f, g, 0.0, 2.0)
    assert sure and np.all(right - left <= 2 * np.spacing(2.0))
    inside = left[(left > 1e-6) & (left < 2.0 - 1e-5) & (np.abs(f(left)) < 10)]
    exact = searched[(searched > 1e-6) & (searched < 2.0 - 1e-5)]
    assert len(exact) - 1 <= len(inside) <= len(exact) + 3 + len(exact) // 10  # the search may fall on a zero itself
    assert all(np.abs(inside - x).min() < 1e-5 for x in exact)


def test_zeros_without_a_form():
    g = expressions.parse("sin(30*t**2) - 0.1*t")
    assert expressions.zeros(g, 0.0, 2.0) is None
    left, right, sure = sign_changes(Sampler.of_formula(g), g, 0.0, 2.0)
    t = np.linspace(0, 2, 2_000_001)
    values = np.sin(30 * t * t) - 0.1 * t
    assert sure and abs(len(left) - np.count_nonzero(np.diff(np.sign(values)))) <= 1


@pytest.mark.parametrize(("text", "may"), [
    ("2*pi*t", False), ("sin(3*t)*cos(t) + t**3/4", False), ("step(t-1)*sin(t)", False), ("exp(-((t-1)/0.001)**2)", True),
    ("tanh(1e4*(t-1))", True), ("1/(1+1e6*(t-1)**2)", True), ("sin(t)**200", True), ("sin(t**9)", True), ("exp(2)*t", False),
    ("exp(-3*t)*sin(t)", False), ("sqrt(1 - 0.01*sin(3*t)**2)", False)])
def test_narrow(text, may):
    assert expressions.narrow(expressions.parse(text)) is may
