"""Every function that a law may call, compiled on duals: its slope is that of fifty digits, by all its names."""

import ctypes
import math
import os

import mpmath
import numpy as np
import pytest

import dalembert as da
from dalembert._jit import scalar_law
from dalembert._jit.dual_laws import derivative_of

pytestmark = pytest.mark.skipif(os.environ.get("DALEMBERT_JIT") == "0", reason="there are no addresses in Python mode")
POINTER = ctypes.POINTER(ctypes.c_double)
ONE = {  # its names, where it is asked, and itself in fifty digits
    "sin": ("math.sin np.sin", -2.0, 3.0), "cos": ("math.cos np.cos", -2.0, 3.0), "tan": ("math.tan np.tan", -1.2, 1.3),
    "exp": ("math.exp np.exp", -3.0, 3.0), "sinh": ("math.sinh np.sinh", -2.0, 2.0), "cosh": ("math.cosh np.cosh", -2.0, 2.0),
    "tanh": ("math.tanh np.tanh", -2.0, 2.0), "sqrt": ("math.sqrt np.sqrt", 0.1, 9.0), "log": ("math.log np.log", 0.1, 9.0),
    "log10": ("math.log10 np.log10", 0.1, 50.0), "log1p": ("math.log1p np.log1p", -0.9, 9.0),
    "expm1": ("math.expm1 np.expm1", -2.0, 2.0), "asin": ("math.asin np.arcsin", -0.95, 0.95),
    "acos": ("math.acos np.arccos", -0.95, 0.95), "atan": ("math.atan np.arctan", -4.0, 4.0),
    "fabs": ("math.fabs abs np.abs", -4.0, 4.0)}
TWO = {
    "atan2": ("math.atan2(x, v); np.arctan2(x, v)", mpmath.atan2), "hypot": ("math.hypot(x, v); np.hypot(x, v)", mpmath.hypot),
    "copysign": ("math.copysign(x, v); np.copysign(x, v)", lambda x, v: abs(x) * mpmath.sign(v)),
    "max": ("max(x, v); np.maximum(x, v)", max), "min": ("min(x, v); np.minimum(x, v)", min),
    "power": ("(x*x)**v; math.pow(x*x, v)", lambda x, v: (x * x)**v), "cubed": ("x**3", lambda x, v: x**3),
    "inverse": ("v*x**-2", lambda x, v: v / x**2), "root": ("v*(x*x)**1.5", lambda x, v: v * abs(x)**3),
    "based": ("2.5**(x*v)", lambda x, v: mpmath.mpf(2.5)**(x * v)), "quotient": ("(x - v)/(2 + x*v*v*x)", lambda x, v:
                                                                               (x - v) / (2 + x * v * v * x))}


def calls():
    """What is called, the function in fifty digits, and the range of x (of two numbers: the same, both signs)."""
    for name, (words, low, high) in ONE.items():
        for word in words.split():
            yield f"{word}(x)*(1 + v*v)", lambda x, v, name=name: getattr(mpmath, name)(x) * (1 + v * v), low, high
    for words, f in TWO.values():
        for word in words.split("; "):
            yield word, f, -3.0, 3.0


def law_of(texts):
    """One law for all of them (each would be compiled for itself): the k-th where t is near k."""
    lines = ["def law(t, x, v):", *(f"    if t < {k + 0.5}:\n        return {text} + 0.0*t" for k, text in enumerate(texts)),
             "    return x"]
    space = {"math": math, "np": np}
    exec("\n".join(lines), space)
    return space["law"]


def test_slopes_of_all_functions():
    known = list(calls())
    law = scalar_law(law_of([text for text, *_ in known]), 3, "the law")[1]
    derivative = derivative_of(law)
    assert law.compiled and not derivative.note
    ask = ctypes.CFUNCTYPE(None, ctypes.c_double, ctypes.c_double, ctypes.c_double, POINTER)(derivative.address)
    random, out = np.random.default_rng(7), np.zeros(4)
    with mpmath.workdps(50):
        for k, (text, f, low, high) in enumerate(known):
            for _ in range(6):
                x, v = float(random.uniform(low, high)), float(random.choice([-1.0, 1.0]) * random.uniform(0.2, 2.0))
                ask(float(k), x, v, out.ctypes.data_as(POINTER))
                X, V = mpmath.mpf(x), mpmath.mpf(v)
                wanted = [f(X, V), 0, mpmath.diff(lambda z, f=f, V=V: f(z, V), X), mpmath.diff(lambda z, f=f, X=X: f(X, z), V)]
                assert out == pytest.approx([float(w) for w in wanted], rel=2e-13, abs=1e-13), (text, x, v)


def test_a_run_through_a_compiled_law():
    """ẍ = −a log₁₀(2 + x²) from rest: ẋ²/2 + a ∫log₁₀(2 + x²) stays, whatever x was at the start."""
    def pull(t, x, v):
        if x > 1e3:  # keeps it from being read as a formula
            return 0.0
        return -3.0 * math.log10(2.0 + x * x)

    m = da.Model("pulled", dim=2, parameters={"start": 0.7, "fast": 0.4})
    m.add(da.Body("b", mass=1.0, inertia=1.0))
    m.add(da.Revolute("O", m.ground, "b", at=(0, 0)))
    m.add(da.Motor("pull", "O", da.Law(pull)))
    m.initial("O", coordinate="start", rate="fast")
    run = da.simulate(m, 0.8, rtol=1e-11)
    x, v = run["O"].coordinate[-1], run["O"].rate[-1]
    for name, of_start in (("start", 3.0 * math.log10(2.0 + 0.49)), ("fast", 0.4)):
        d = run.derivative(name)
        balance = v * d["O"].rate[-1] + 3.0 * math.log10(2.0 + x * x) * d["O"].coordinate[-1]
        assert balance == pytest.approx(of_start, rel=1e-8)
