"""Every refusal with its message and place; fuzz on arbitrary text."""

import contextlib
import time
import warnings

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dalembert.errors import ExpressionError
from dalembert.expressions import CONSTANTS, parse
from dalembert.expressions.scanner import LENGTH_LIMIT

REFUSALS = [
    ("", "empty"), ("   ", "empty"),
    ("x" * (LENGTH_LIMIT + 1), "the limit is 2,000"),
    ("sn(x)", "unknown function 'sn'; did you mean 'sin'? functions are sin, cos"),
    ("foo(x)", "unknown function 'foo'; "), ("eval(x)", "unknown function 'eval'"),
    ("sin", "'sin' is a function; write sin(...)"), ("2*sin + 1", "'sin' is a function"),
    ("sin(x, y)", "sin takes 1 argument, not 2"), ("atan2(x)", "atan2 takes 2 arguments, not 1"),
    ("min(x)", "min takes 2 or more arguments, not 1"), ("smoothstep(x)", "takes 5 arguments"),
    ("__import__('os').system('ls')", "two underscores such as '__import__'"),
    ("x.__class__", "two underscores such as '__class__'"), ("x._ _", "operator is missing"),
    ("os.system(x)", "methods and quoted names cannot be called"), ("`sin`(x)", "cannot be called"),
    ("sin(x)(y)", "operator is missing"), ("sin(x).real", "a point belongs"), ("(x).y", "a point belongs"),
    ("lambda x: x", "functions cannot be defined"), ("x if y else z", "if/else is not allowed"),
    ("x and y", "logical operators"), ("not x", "logical operators"), ("x | y", "logical operators"),
    ("x[0]", "lists, indexing and comprehensions"), ("[x for x in y]", "lists, indexing and comprehensions"),
    ("(x for x in y)", "lists, indexing and comprehensions"), ("{x}", "use parentheses"),
    ("'text'", "text in quotes"), ('"text"', "text in quotes"), ("f'{x}'", "text in quotes"),
    ("x == y", "comparisons, assignments"), ("x < y", "comparisons"), ("x = 1", "assignments"),
    ("sin(x=1)", "keyword arguments"), ("(x := 1)", "':' is not allowed"), ("x; y", "';' is not allowed"),
    ("x is y", "comparisons"), ("import os", "nothing can be imported"),
    ("class", "'class' is a reserved word"),
    ("True", "not a number; write 1"), ("None", "None is not a number"), ("await x", "reserved word"),
    ("x^2", "write ** for a power"), ("x // y", "write floor(x/y)"), ("x % y", "remainder"),
    ("x @ y", "matrix"),
    ("~x", "logical"), ("x # note", "comments"), ("x \\ y", "backslashes"), ("x?", "'?' has no meaning"),
    ("x\0", "has no meaning"), ("\ud800", "has no meaning"), ("x²", "superscripts"), ("2²", "superscripts"),
    ("x − y", "typographic minus"), ("2·x", "write *"), ("2×3", "write *"), ("30°", "radians"),
    ("√2", "sqrt"),
    ("2x", "a product is written with *"), ("2 x", "operator is missing"), ("x y", "operator is missing"),
    ("2(x)", "operator is missing"), ("(x)(y)", "operator is missing"), ("`a`b", "operator is missing"),
    ("2j", "complex numbers are not allowed"), ("0x10", "runs into"), ("1.2.3", "runs into"),
    ("01", "begin with 0"),
    ("1,5", "decimal mark is a point"), ("(1, 2)", "decimal mark is a point"), ("1e999", "too large"),
    ("9" * 400, "too large"), ("x +", "ends where a value is expected"),
    ("x.", "ends where a value is expected"),
    ("*x", "value is missing before '*'"), ("x * / y", "value is missing before '/'"),
    ("sin(*x)", "missing before"),
    ("sin(**x)", "value is missing"), ("sin()", "value is missing before ')'"), ("()", "value is missing"),
    ("sin(x,)", "value is missing before ')'"), ("x..y", "a point belongs"), ("x.(y)", "name is expected"),
    ("x.1", "name is expected"), ("x. 1", "name is expected"), ("...", "a point belongs"),
    ("x.-y", "missing before"),
    ("(x", "never closed"), ("x)", "never opened"), ("`x", "backquote is never closed"),
    ("``", "visible character"),
    ("` `", "visible character"), ("`a\nb`", "visible character"),
    ("(" * 51 + "x" + ")" * 51, "nested more than 50 deep"), ("-" * 60 + "x", "nested more than 50 deep"),
    ("-" * 1999 + "x", "nested more than 50 deep"), ("x" + "**x" * 600, "nested more than 50 deep"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "words"), REFUSALS, ids=range(len(REFUSALS)))
def test_refusals(text, words):
    with pytest.raises(ExpressionError) as error:
        parse(text)
    message = str(error.value)
    assert words in message
    assert repr(text)[1:20].rstrip("'\"") in message, "quotes the text"


@pytest.mark.parametrize(("text", "column"), [("x + sn(y)", 4), ("  x ^ y", 4), ("φ*`a b` + [1]", 10),
    ("1 + 2x", 5),
                                              ("`rod 1`.x + φ + sn(1)", 16), ("1 + (2*x", 4)])  # fmt: skip
def test_the_place_is_marked(text, column):
    with pytest.raises(ExpressionError) as error:
        parse(text)
    line, mark = str(error.value).split("\n")[1:]
    assert line == "    " + text and mark == "    " + " " * column + "^"


def test_long_texts_are_quoted_in_part():
    with pytest.raises(ExpressionError) as error:
        parse("x + " * 300 + "sn(x)" + " + x" * 100)
    assert all(len(line) < 300 for line in str(error.value).split("\n"))
    assert str(error.value).split("\n")[1][str(error.value).split("\n")[2].index("^") :].startswith("sn(x)")


@pytest.mark.parametrize("thing", [None, 3, b"x", ["x"]])
def test_only_strings_are_parsed(thing):
    with pytest.raises(ExpressionError, match="an expression is a string"):
        parse(thing)


TOKENS = ["x", "sin", "(", ")", "+", "-", "*", "**", "/", "`", ".", ",", "1", "2.5", " ", "lambda", ":",
    "[", "]", "'",
          "__", "e", "9e9", "\n", "φ", "²", "if", "pi", "min", "\\", "_", "j", "0"]  # fmt: skip


@settings(max_examples=1500, derandomize=True, deadline=1000, database=None)
@given(st.one_of(st.text(max_size=80), st.lists(st.sampled_from(TOKENS), max_size=60).map("".join)))
def test_arbitrary_text_is_a_formula_or_an_error(text):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            f = parse(text)
        except ExpressionError:
            return
    assert parse(str(f)) == f
    with contextlib.suppress(ExpressionError):
        f.evaluate(dict.fromkeys(f.names - CONSTANTS.keys(), 0.5))


@pytest.mark.parametrize("text", ["2**10**10", "9**9**9**9**9", "(" * 1000, "-" * 2000, "x" + "**x" * 660,
    "`" * 2000,
                                  "sin(" * 400, "x." * 999 + "x", "1" * 2000, "." * 2000,
                                  "min(" + "x," * 900])  # fmt: skip
def test_hostile_texts_are_quick(text):
    start = time.perf_counter()
    with contextlib.suppress(ExpressionError):
        parse(text).evaluate({})
    assert time.perf_counter() - start < 1.0
