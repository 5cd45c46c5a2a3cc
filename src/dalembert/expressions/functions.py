"""What formulas may use: the table of functions, operations and constants, each with its value in floats.

Every operation is one row: how many operands it takes, the opcode that the kernels know it by
(algebra/jets.py) and its value by Python's ``math``, which raises where the result is not finite instead of
passing nan on.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

from ..algebra import jets


class Operation(NamedTuple):
    """One row: operands taken, opcode of the kernels, value in floats."""

    arity: int
    opcode: int
    value: Callable[..., float]


def sign(x: float) -> float:
    """−1, 0 or 1."""
    return float((x > 0.0) - (x < 0.0))


def step(x: float) -> float:
    """0 for x < 0, otherwise 1."""
    return 0.0 if x < 0.0 else 1.0


def smoothstep(x: float, x0: float, y0: float, x1: float, y1: float) -> float:
    """Quintic C² blend from y0 at x0 to y1 at x1, constant outside."""
    s = (x - x0) / (x1 - x0)
    if s <= 0.0:
        return y0
    if s >= 1.0:
        return y1
    return y0 + (y1 - y0) * (s * s * s * (10.0 - s * (15.0 - 6.0 * s)))


OPERATORS: dict[str, Operation] = {
    "+": Operation(2, jets.ADD, lambda a, b: a + b),
    "-": Operation(2, jets.SUBTRACT, lambda a, b: a - b),
    "*": Operation(2, jets.MULTIPLY, lambda a, b: a * b),
    "/": Operation(2, jets.DIVIDE, lambda a, b: a / b),
    "**": Operation(2, jets.POWER, math.pow),
    "neg": Operation(1, jets.NEGATE, lambda a: -a),
}

FUNCTIONS: dict[str, Operation] = {
    "sin": Operation(1, jets.SIN, math.sin),
    "cos": Operation(1, jets.COS, math.cos),
    "tan": Operation(1, jets.TAN, math.tan),
    "asin": Operation(1, jets.ASIN, math.asin),
    "acos": Operation(1, jets.ACOS, math.acos),
    "atan": Operation(1, jets.ATAN, math.atan),
    "atan2": Operation(2, jets.ATAN2, math.atan2),
    "sinh": Operation(1, jets.SINH, math.sinh),
    "cosh": Operation(1, jets.COSH, math.cosh),
    "tanh": Operation(1, jets.TANH, math.tanh),
    "exp": Operation(1, jets.EXP, math.exp),
    "log": Operation(1, jets.LOG, math.log),
    "log10": Operation(1, jets.LOG10, math.log10),
    "sqrt": Operation(1, jets.SQRT, math.sqrt),
    "abs": Operation(1, jets.ABS, math.fabs),
    "sign": Operation(1, jets.SIGN, sign),
    "min": Operation(2, jets.MINIMUM, min),
    "max": Operation(2, jets.MAXIMUM, max),
    "floor": Operation(1, jets.FLOOR, lambda x: float(math.floor(x))),
    "step": Operation(1, jets.STEP, step),
    "smoothstep": Operation(5, jets.SMOOTHSTEP, smoothstep),
    "hypot": Operation(2, jets.HYPOT, math.hypot),
}

OPERATIONS: dict[str, Operation] = OPERATORS | FUNCTIONS

CONSTANTS: dict[str, float] = {"pi": math.pi, "e": math.e, "tau": math.tau}
"""Names with a fixed meaning.  A variable of the same name is spelt with backquotes: `e`."""
