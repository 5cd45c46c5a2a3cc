"""Jets against symbolic derivatives, for every operation and random formulas; compiled against Python."""

import math
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from dalembert.algebra import jets
from dalembert.errors import ExpressionError
from dalembert.expressions import parse
from dalembert.expressions.functions import FUNCTIONS, OPERATIONS

NAMES = ("x", "y", "z")


def jet(text, x, xd, xdd):
    """Run a formula's program somewhere inside larger arrays, as the engine does."""
    program = parse(text).program(NAMES)
    code = np.concatenate([np.full(4, 99, np.int32), program.code, np.full(2, 99, np.int32)])
    constants = np.concatenate([[1e9, 1e9], program.constants])
    state = [np.concatenate([[7.0], np.asarray(a, float)]) for a in (x, xd, xdd)]
    stack = np.full(2 + 3 * program.depth + 2, 5.0)
    last = 4 + len(program.code)
    with np.errstate(all="ignore"):
        result = jets.run(code, constants, 4, last, 2, *state, 1, stack, 2)
        assert all(stack[k] == 5.0 for k in (0, 1, -1, -2)), "the stack is left only within its depth"
        f = jets.value(code, constants, 4, last, 2, state[0], 1, stack, 2)
    assert f == result[0] or (math.isnan(f) and math.isnan(result[0]))
    return result


def symbolic(text, x, xd, xdd):
    """f, ∇f·ẋ, ẋᵀHẋ + ∇f·ẍ by symbolic derivatives."""
    f = parse(text)
    at = dict(zip(NAMES, x, strict=True))
    gradient = [f.derivative(n) for n in NAMES]
    first = sum(g.evaluate(at) * v for g, v in zip(gradient, xd, strict=True))
    second = sum(g.evaluate(at) * a for g, a in zip(gradient, xdd, strict=True))
    for g, vi in zip(gradient, xd, strict=True):
        for n, vj in zip(NAMES, xd, strict=True):
            second += g.derivative(n).evaluate(at) * vi * vj
    return f.evaluate(at), first, second


X, XD, XDD = (0.63, -1.37, 2.21), (0.9, -1.7, 0.4), (-2.3, 0.8, 1.9)
UNARY = [f"{f}({{}})" for f in FUNCTIONS if FUNCTIONS[f].arity == 1]
ARGUMENTS = ["x", "x*z/2 - 0.1", "sin(y*x)/2 + 0.51", "cos(z)**2/2 + 0.2"]
FORMULAS = [pattern.format(a) for pattern in UNARY for a in ARGUMENTS] + [
    "x + y", "x - y*z", "x*y*z", "x/(y*z)", "-x*y", "x**2", "y**3", "y**-3", "y**1", "y**0", "y**16", "y**17",
    "x**2.5", "z**-0.5", "x**y", "z**(x*y)", "2**(x*y)", "x**z", "(x*z)**(y + x)", "atan2(x*y, z)",
    "atan2(y, 2)",
    "hypot(x, y*z)", "hypot(3, x)", "min(x, y*z)", "min(z, x)", "max(x, y*z)", "max(z, x*y)", "max(x, y, z)",
    "smoothstep(x, 0, 1, 2, 4)", "smoothstep(z, x, y, 3*x**2 + 2, z)", "smoothstep(x, 1, y, 2, z)",
    "smoothstep(z, 0, y, 1, x*y)", "smoothstep(x, 2, y, 0, z*x)", "tanh(x)*exp(-y*z)/sqrt(1 + z**2)",
    "pi*x + e**y - tau", "log(x)", "log10(z*x)", "3", "asin(x)*acos(x/z)", "floor(z)*x", "abs(y)*x",
    "sign(y)*z*x",
]  # fmt: skip


@pytest.mark.parametrize("text", FORMULAS)
def test_against_symbolic_derivatives(text):
    np.testing.assert_allclose(jet(text, X, XD, XDD), symbolic(text, X, XD, XDD), rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("text", FORMULAS)
def test_against_differences_along_a_motion(text):
    """f(x(t)) with x(t) = x + ẋ t + ẍ t²/2, by central differences of sixth order."""
    h = 2e-3
    points = [np.add(X, np.multiply(XD, k * h)) + np.multiply(XDD, (k * h) ** 2 / 2) for k in range(-3, 4)]
    f = [jet(text, p, XD, XDD)[0] for p in points]
    first = np.dot([-1, 9, -45, 0, 45, -9, 1], f) / (60 * h)
    second = np.dot([2, -27, 270, -490, 270, -27, 2], f) / (180 * h * h)
    _, f1, f2 = jet(text, X, XD, XDD)
    scale = 1.0 + max(abs(v) for v in f) + abs(f1) + abs(f2)
    assert abs(f1 - first) < 1e-7 * scale and abs(f2 - second) < 1e-5 * scale


def test_every_opcode_is_tested():
    used = set()
    for text in FORMULAS:
        used |= {int(op) for op in parse(text).program(NAMES).code[::2]}
    assert used == set(range(jets.SMOOTHSTEP + 1))
    rows = {row.opcode for row in OPERATIONS.values()}
    assert rows | {jets.CONSTANT, jets.VARIABLE, jets.INTEGER_POWER} == used


@pytest.mark.parametrize("text", ["sqrt(-x)", "log(-x)", "log(0*x)", "asin(2*z)", "acos(-2*z)", "(-x)**0.5",
                                  "log10(-z)", "min(x, log(-z))", "max(log(-z), x)", "sin(log(-z))",
                                  "sign(log(-z))", "step(log(-z))", "floor(log(-z))", "abs(log(-z))",
                                  "smoothstep(log(-z), 0, 0, 1, 1)",
                                  "smoothstep(x, x, 0, x, 1)"])  # fmt: skip
def test_outside_the_domain_is_nan(text):
    assert math.isnan(jet(text, X, XD, XDD)[0])


@pytest.mark.parametrize(("text", "expected"), [
    ("sqrt(0)*x", (0.0, 0.0, 0.0)), ("hypot(0, 0) + x", (*X[:1], *XD[:1], *XDD[:1])), ("asin(1) - pi/2",
    (0, 0, 0)),
    ("(x - x)**2", (0, 0, 0)), ("atan2(0, 0)", (0, 0, 0)),
])  # fmt: skip
def test_constants_at_singular_points_have_no_slope(text, expected):
    assert jet(text, X, XD, XDD) == pytest.approx(expected, abs=1e-15)


def test_integer_powers_at_zero():
    zero = (0.0, 0.0, 0.0)
    assert jet("x**2", zero, XD, XDD) == (0.0, 0.0, 2 * XD[0] ** 2)
    assert jet("x**1.0", zero, XD, XDD) == (0.0, XD[0], XDD[0])
    assert jet("x**3", zero, XD, XDD) == (0.0, 0.0, 0.0)
    assert math.isinf(jet("1/x", zero, XD, XDD)[0])


def test_two_programs_share_arrays():
    a, b = parse("x*y + 2").program(NAMES), parse("sin(z) + 5").program(NAMES)
    code, constants = np.concatenate([a.code, b.code]), np.concatenate([a.constants, b.constants])
    stack = np.zeros(3 * max(a.depth, b.depth))
    n, m, x = len(a.code), len(a.constants), np.array(X)
    zero = np.zeros(3)
    assert jets.run(code, constants, 0, n, 0, x, zero, zero, 0, stack, 0)[0] == X[0] * X[1] + 2
    assert jets.run(code, constants, n, len(code), m, x, zero, zero, 0, stack, 0)[0] == math.sin(X[2]) + 5


# ------------------------------------------------------------------------------------------ random formulas

LEAVES = st.one_of(st.sampled_from(NAMES), st.floats(0.2, 3.0).map(lambda v: f"{v:.3f}"), st.just("pi"))


def combine(inner):
    binary = st.tuples(st.sampled_from("+-*/"), inner, inner).map(lambda t: f"({t[1]}) {t[0]} ({t[2]})")
    unary = st.tuples(st.sampled_from([f for f in FUNCTIONS if FUNCTIONS[f].arity == 1]), inner)
    double = st.tuples(st.sampled_from(["atan2", "hypot", "min", "max"]), inner, inner)
    powers = st.tuples(inner, st.sampled_from(["2", "3", "-1", "0.5", "-2", "y"]))
    return st.one_of(
        binary, binary,
        unary.map(lambda t: f"{t[0]}({t[1]})"),
        double.map(lambda t: f"{t[0]}({t[1]}, {t[2]})"),
        powers.map(lambda t: f"({t[0]})**{t[1]}"),
        st.tuples(inner, inner).map(lambda t: f"smoothstep({t[0]}, -1, 0.5, 1.5, {t[1]})"),
    )  # fmt: skip


RANDOM = st.recursive(LEAVES, combine, max_leaves=6)
NUMBERS = st.tuples(*[st.floats(0.3, 2.0)] * 3)


@settings(max_examples=300, derandomize=True, deadline=None, database=None)
@given(RANDOM, NUMBERS, NUMBERS, NUMBERS)
def test_random_formulas(text, x, xd, xdd):
    try:
        expected = symbolic(text, x, xd, xdd)
    except ExpressionError:
        assume(False)
    assume(all(abs(v) < 1e4 for v in expected) and well_conditioned(text, x))
    np.testing.assert_allclose(jet(text, x, xd, xdd), expected, rtol=1e-10, atol=1e-10)


def well_conditioned(text, x):
    """Neither a jump nor a cancellation within rounding: the first derivatives change little over 1e-7."""
    f = parse(text)
    near = [{n: v * (1 + s) for n, v in zip(NAMES, x, strict=True)} for s in (-1e-7, 0.0, 1e-7)]
    try:
        for name in NAMES:
            for g in (f, f.derivative(name), f.derivative(name).derivative(name)):
                values = [g.evaluate(at) for at in near]
                if max(values) - min(values) > 1e-4 * (1 + abs(values[1])) or abs(values[1]) > 1e4:
                    return False
    except ExpressionError:
        return False
    return True


# ------------------------------------------------------------------------------------------------- compiled


@pytest.fixture
def compiled(tmp_path, monkeypatch):
    """The kernels behind an entry point, compiled into a fresh cache."""
    pytest.importorskip("numba")
    from dalembert import _jit

    if _jit.MODE != "object":
        pytest.skip("needs compiled mode")
    monkeypatch.setenv("DALEMBERT_CACHE", str(tmp_path))
    here = str(Path(__file__).parent)
    monkeypatch.setenv("PYTHONPATH", here)
    monkeypatch.syspath_prepend(here)
    sys.modules.pop("jets_entry", None)
    import jets_entry

    return jets_entry


def test_compiled_kernels_agree_with_python(compiled):
    cases = [*FORMULAS, "sqrt(-x)", "log(-x)", "1/(x - x)", "asin(2*z)", "(-x)**0.5", "exp(1000*z)",
    "sign(0*x)"]
    programs = [parse(text).program(NAMES) for text in cases]
    code = np.concatenate([p.code for p in programs])
    constants = np.concatenate([p.constants for p in programs])
    table = np.cumsum([[0, 0], *([len(p.code), len(p.constants)] for p in programs)], axis=0)
    work = compiled.Work(
        code=code, constants=constants, table=table.astype(np.int64).ravel(), x=np.array(X), xd=np.array(XD),
        xdd=np.array(XDD), stack=np.zeros(3 * max(p.depth for p in programs)), out=np.zeros(4 * len(cases)),
    )  # fmt: skip
    assert compiled.ENTRY.bind(work)() == 0
    out = work.out.reshape(-1, 4)
    with np.errstate(all="ignore"):
        expected = np.array([(*jet(text, X, XD, XDD), 0.0) for text in cases])
    expected[:, 3] = expected[:, 0]
    np.testing.assert_allclose(out, expected, rtol=1e-12, atol=1e-12)
