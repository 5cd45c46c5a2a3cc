"""Evaluating, printing, differentiating, substituting, tracing, compiling formulas."""

import copy
import math
import pickle

import numpy as np
import pytest

from dalembert.errors import ExpressionError, ModelError
from dalembert.expressions import CONSTANTS, FUNCTIONS, Expression, number, parse, trace
from dalembert.expressions.functions import OPERATIONS, sign, smoothstep, step
from dalembert.expressions.scanner import DEPTH_LIMIT, LENGTH_LIMIT

AT = {"x": 0.63, "y": -1.37, "z": 2.21, "t": 0.4, "piston.x": 0.25, "rod 1.x": 3.0, "φ": 0.7}
MATH = {name: getattr(math, name) for name in FUNCTIONS if hasattr(math, name)} | CONSTANTS
MATH |= {"abs": abs, "min": min, "max": max, "sign": sign, "step": step, "smoothstep": smoothstep}

FORMULAS = [
    "1", ".5", "1e-3", "1_000*x", "x", "-x", "+x", "--x", "-2", "-x**2", "(-x)**2", "2**-x", "2**3**0.5",
    "(2**3)**x",
    "x + y - z", "x - (y - z)", "x*y/z", "x/(y*z)", "x/y*z", "x - -y", "x*-y", "-(x + y)*z", "-(x*y)",
    "1/2*x", "pi*x",
    "sin(x)*cos(y)", "tan(x/2)", "asin(x)", "acos(x)", "atan(y)", "atan2(y, x)", "sinh(x)", "cosh(x)",
    "tanh(x)",
    "exp(-y)", "log(z)", "log10(z)", "sqrt(z)", "abs(y)", "sign(y)", "min(x, y, z)", "max(x, y)", "floor(z)",
    "step(x)", "step(-x)", "smoothstep(x, 0, 1, 1, 3)", "smoothstep(x, 1, y, 2, z)", "hypot(x, y)", "2*pi*t",
    "e**x", "tau*t", "(((x)))", " x +\n y\t", "floor(x) + floor(y)", "1e10*x", "123456789012345678*x",
    "0.1 + 1e300*x",
]  # fmt: skip


# ------------------------------------------------------------------------------------------ values and text


@pytest.mark.parametrize("text", FORMULAS)
def test_value_is_that_of_python(text):
    expected = eval(text.strip().replace("\n", " "), {"__builtins__": {}}, MATH | AT)
    assert parse(text).evaluate(AT) == pytest.approx(expected, rel=1e-15)


@pytest.mark.parametrize("text", [*FORMULAS, "`rod 1`.x", "`lambda`", "`e` + 1", "a.`b-c`.d", "`sin`*2",
    "`a..b`"])
def test_text_reads_back_as_the_same_expression(text):
    f = parse(text)
    assert parse(str(f)) == f and hash(parse(str(f))) == hash(f)
    assert f.text == text
    assert eval(repr(f), {"parse": parse}) == f
    for name in f.names:
        g = f.derivative(name)
        assert parse(str(g)) == g and g.text == str(g)


def test_names():
    assert parse("piston.x*2 + pi*φ - `rod 1`.x + sin(x)").names == {"piston.x", "φ", "rod 1.x", "x"}
    assert parse("a . b.c").names == {"a.b.c"}
    assert parse("`a`.`b c`.d").names == {"a.b c.d"}
    assert parse("e + tau").names == frozenset()
    assert parse("crank.angle + O.rate").evaluate({"crank.angle": 1, "O.rate": np.float32(2)}) == 3.0


def test_look_alike_letters_are_one_letter():
    micro, greek = "\N{MICRO SIGN}", "\N{GREEK SMALL LETTER MU}"
    assert parse(f"2*{micro}") == parse(f"2*{greek}")
    assert parse(f"2*{micro}").evaluate({micro: 3}) == parse(f"2*{greek}").evaluate({micro: 3}) == 6
    assert parse(micro).program([micro]).code.tolist() == [1, 0]


def test_equality_is_structural():
    assert parse("x+1") == parse(" (x) + 1.0 ") != parse("1+x")
    assert parse("x") != "x"
    assert len({parse("x+1"), parse("x + 1"), parse("x + 2")}) == 2


def test_immutable_and_portable():
    f = parse("x*2")
    with pytest.raises(AttributeError, match="do not change"):
        f.text = "y"
    assert pickle.loads(pickle.dumps(f)) == copy.deepcopy(f) == f


def test_long_sums_are_not_deep():
    text = "+".join(["x"] * 1000)[: LENGTH_LIMIT - 1]
    f = parse(text)
    assert f.evaluate({"x": 1}) == 1000.0 and f.derivative("x").evaluate() == 1000.0
    assert f.program(["x"]).depth == 2 and parse(str(f)) == f


# ---------------------------------------------------------------------------------------- evaluation errors


@pytest.mark.parametrize(("text", "words"), [
    ("2*xx + t", ["'2*xx + t'", "unknown name 'xx'", "did you mean 'x'?", "known names are", "piston.x"]),
    ("piston.y", ["unknown name 'piston.y'", "did you mean 'piston.x'?"]),
    ("1/(x - x)", ["no finite value", "division by zero"]),
    ("3 + 1/(x - x)", ["division by zero in '1/(x - x)'"]),
    ("0**y", ["0 to a negative power"]),
    ("sqrt(y)", ["no finite value", "not defined", "-1.37"]),
    ("log(0)", ["not defined"]), ("y**0.5", ["not defined"]), ("asin(z)", ["not defined"]),
    ("exp(1000)", ["too large"]), ("1e300*1e300", ["too large"]), ("2**10**10", ["too large"]),
    ("smoothstep(x, 1, 0, 1, 2)", ["division by zero"]),
])  # fmt: skip
def test_no_value(text, words):
    with pytest.raises(ExpressionError) as error:
        parse(text).evaluate(AT)
    assert all(word in str(error.value) for word in words)


def test_no_names_known():
    with pytest.raises(ExpressionError, match="unknown name 'x'; no names are known here"):
        parse("x").evaluate()


@pytest.mark.parametrize("bad", [math.nan, math.inf, None, True, 1j, [1.0]])
def test_values_must_be_finite_numbers(bad):
    with pytest.raises(ModelError, match="the value of 'x'"):
        parse("2*x").evaluate({"x": bad})


def test_a_quantity_named_like_a_constant():
    with pytest.raises(ExpressionError, match=r"'e' is the constant 2.*, but a quantity has the same name"):
        parse("e + x").evaluate({"x": 1, "e": 0.02})
    with pytest.raises(ExpressionError, match="same name"):
        parse("e + x").program(["x", "e"])
    assert parse("`e` + x").evaluate({"x": 1, "e": 0.02}) == 1.02
    assert parse("x").evaluate({"x": 1, "e": 0.02}) == 1.0


# ---------------------------------------------------------------------------------------------- derivatives


@pytest.mark.parametrize("text", [*FORMULAS, "x**y", "z**(x*y)", "smoothstep(z, x, y, 3*x, z)",
    "hypot(x, y*x)",
                                  "atan2(y*x, x + z)", "min(x*y, z)", "max(x*y, z*x)", "1/x",
                                  "2**x"])  # fmt: skip
def test_derivative_against_differences(text):
    f = parse(text)
    for name in f.names & {"x", "y", "z"}:
        h = 1e-3
        values = [f.evaluate(AT | {name: AT[name] + k * h}) for k in (-2, -1, 1, 2)]
        difference = (values[0] - 8 * values[1] + 8 * values[2] - values[3]) / (12 * h)
        assert f.derivative(name).evaluate(AT) == pytest.approx(difference, rel=1e-8, abs=1e-8)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_every_function_has_a_derivative(function):
    arguments = ["x", "y + x", "z*x", "x + 7", "y"][: OPERATIONS[function].arity]
    assert parse(f"{function}({', '.join(arguments)})").derivative("x").derivative("x") is not None


@pytest.mark.parametrize(("text", "expected"), [
    ("3*x**2", "3*(2*x)"), ("x", "1"), ("y", "0"), ("5", "0"), ("0*x", "0"), ("x + 0", "1"),
    ("x*y + 2*y", "y"),
    ("sin(x)", "cos(x)"), ("cos(x)", "-sin(x)"), ("x/2", "1/2"), ("exp(2*x)", "exp(2*x)*2"),
    ("floor(x)", "0"),
    ("-(-x)", "1"), ("pi*x", "pi"),
])  # fmt: skip
def test_derivatives_are_short(text, expected):
    result = parse(text).derivative("x")
    same = result.evaluate(AT) == parse(expected).evaluate(AT)
    assert result == parse(expected) or (same and not result.names)


# --------------------------------------------------------------------------------------------- substitution


def test_substitute():
    f = parse("x**2 + y")
    assert f.substitute({"x": parse("y - 1"), "y": 3}) == parse("(y - 1)**2 + 3")
    assert f.substitute({"nothing": 1}) == f
    assert parse("-x").substitute({"x": 2}) == parse("-2")
    assert str(parse("y**x").substitute({"x": -2})) == "y**(-2)"
    with pytest.raises(ModelError, match="x: a finite number"):
        f.substitute({"x": math.nan})
    big = parse("x*x")
    with pytest.raises(ExpressionError, match="grows beyond"):
        for _ in range(40):
            big = big.substitute({"x": big})


# ---------------------------------------------------------------------------------------------------- SymPy


@pytest.mark.parametrize("text", [t for t in FORMULAS if "1e300" not in t])
def test_sympy_agrees(text):
    sympy = pytest.importorskip("sympy")
    f = parse(text)
    symbols = {name: sympy.Symbol(f"s{k}", real=True) for k, name in enumerate(sorted(f.names))}
    result = f.sympy(symbols).subs({s: AT[n] for n, s in symbols.items()})
    assert float(result) == pytest.approx(f.evaluate(AT), rel=1e-12)


def test_sympy_is_exact_and_checks_names():
    sympy = pytest.importorskip("sympy")
    m, l = sympy.symbols("m l")
    assert parse("m*l**2/12").sympy({"m": m, "l": l}) == m * l**2 * sympy.Rational(1, 12)
    assert parse("e**0.5*tau").sympy({}) == 2 * sympy.pi * sympy.E ** sympy.Float(0.5)
    with pytest.raises(ExpressionError, match="did you mean 'mass'"):
        parse("mas").sympy({"mass": m})


# -------------------------------------------------------------------------------------------------- numbers


@pytest.mark.parametrize(("value", "expected"), [(3, 3.0), (2.5, 2.5), (np.float32(0.5), 0.5),
    (np.int64(7), 7.0),
                                                 ("2*a", 4.0), (np.array(1.5), 1.5),
                                                 ("-1e3", -1000.0)])  # fmt: skip
def test_number(value, expected):
    result = number(value, {"a": 2.0}, "mass of body 'rod'")
    assert result == expected and type(result) is float


@pytest.mark.parametrize("value", [True, np.True_, None, math.nan, math.inf, np.float64("nan"), 1j, [1],
    "b", "1/0",
                                   "x +", 10**400, object(), np.array([1.0]), b"1"])  # fmt: skip
def test_number_refuses(value):
    with pytest.raises(ModelError) as error:
        number(value, {"a": 2.0}, "mass of body 'rod'")
    assert str(error.value).startswith("mass of body 'rod': ") and len(str(error.value)) < 400


# -------------------------------------------------------------------------------------------------- tracing

SCALE = 3.0


def swallows(t):
    try:
        return float(t)
    except Exception:
        return 0.0


CALLS = []


def remembers(t):
    CALLS.append(t)
    return len(CALLS) * t


@pytest.mark.parametrize(("function", "expected"), [
    (lambda x, y: 3 * x**2 - y / 2, "3*x**2 - y/2"), (lambda x, y: np.sin(x) * np.float64(2), "sin(x)*2"),
    (lambda x, y: np.float64(2) * x + np.arctan2(y, x), "2*x + atan2(y, x)"), (lambda x, y: 4, "4"),
    (lambda x, y: -abs(x) + 2**y, "-abs(x) + 2**y"), (lambda x, y: +x - -y, "x - -y"),
    (lambda x, y: np.square(x) + np.deg2rad(y), f"x**2 + y*{math.pi / 180!r}"),
    (lambda x, y: 1 - SCALE * x, "1 - 3*x"),
    (lambda x, y: sum(k * x for k in range(1, 3)), "0 + 1*x + 2*x"),
    (lambda x, y: np.maximum(x, 1), "max(x, 1)"),
    (lambda x, y: math.floor(x) + pow(x, 2), "floor(x) + x**2"), (lambda x, y: np.reciprocal(x), "1/x"),
])  # fmt: skip
def test_trace(function, expected):
    assert trace(function, ["x", "y"]) == parse(expected)


@pytest.mark.parametrize("function", [
    lambda t: float(t), lambda t: 1.0 if t > 0 else 2.0, lambda t: max(t, 0), lambda t: [t],
    lambda t: None,
    lambda t: t.real, lambda t: 1 / 0, lambda: 1, lambda t: np.array([t, t]), lambda t: t and 1,
    lambda t: t // 2,
    lambda t: math.nan, lambda t: True, lambda t: 1j * t, lambda t: int(t), lambda t: "x", lambda t: f"{t}",
    lambda t: 1.0 if isinstance(t, float) else t,
    lambda t: 1 if hasattr(t, "shape") else t, swallows, remembers,
    lambda t: np.cbrt(t), lambda t: np.add.reduce([t, t]), lambda t: round(t), lambda t: {t: 1}[t], 3, None,
    lambda t: np.where(t > 0, 1, 2), lambda t: np.add(t, 1, where=False), lambda t: t == t,
    lambda t: pow(t, 2, 3),
])  # fmt: skip
def test_not_a_formula(function):
    assert trace(function, ["t"]) is None


def doubling(t):
    for _ in range(60):
        t = t * t
    return t


def test_trace_has_limits():
    assert trace(doubling, ["t"]) is None
    assert trace(lambda t: t, ["a`b"]) is None and trace(lambda a, b: a, ["t", "t"]) is None
    assert trace(lambda t: t, ["rod 1.x"]) == parse("`rod 1`.x")


# ------------------------------------------------------------------------------------------------- programs


def test_program():
    program = parse("2*pi*x + y**2").program(["y", "x"])
    assert program.code.dtype == np.int32 and program.constants.dtype == np.float64
    assert program.depth == 3 and 2 * math.pi in program.constants
    assert isinstance(parse("x"), Expression)
    with pytest.raises(ExpressionError, match="unknown name 'speed'; did you mean 'speeds'"):
        parse("2*speed").program(["speeds"])


def test_depth_limit_bounds_the_stack():
    text = "x+(" * DEPTH_LIMIT + "x" + ")" * DEPTH_LIMIT
    with pytest.raises(ExpressionError, match="deep"):
        parse(text)
    assert parse(text[3:-1]).program(["x"]).depth <= DEPTH_LIMIT + 1


def test_functions_of_math_are_recorded():
    assert trace(lambda t: math.sin(2 * t) + math.pow(t, 3) + 0.5, ["t"]) == parse("sin(2*t) + t**3 + 0.5")
