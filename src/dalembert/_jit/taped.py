"""Straight-line code without a compiler: its list is a tape, and a kernel of the library reads it.

A row of the tape is (operation, a, b, c): the numbers of the values it takes, or the place of an input or constant.

    value[k] ← operation_k(value[a], value[b], value[c])        out[i] ← value[outputs[i]]

The same list as in straight.py, the same operations in the same order; only products and sums are not contracted, so numbers may
differ in the last bits from compiled code.  A row takes 3 to 7 ns, compiled mostly below 1 (decision 0067).  Truth is 1.0 or 0.0.
"""

from __future__ import annotations

import math
import threading

import numpy as np

from .kernels import kernel, struct
from .objects import Bound, entry

NAMES = ("const", "t", "x", "v", "add", "sub", "mul", "div", "lt", "le", "gt", "ge", "eq", "and", "or", "select", "sin", "cos",
         "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "exp", "log", "sqrt", "fabs", "floor",
         "ceil", "erf", "atan2", "pow", "fmod")
(CONST, T, X, V, ADD, SUB, MUL, DIV, LT, LE, GT, GE, EQ, AND, OR, SELECT, SIN, COS, TAN, ASIN, ACOS, ATAN, SINH, COSH, TANH,
 ASINH, ACOSH, ATANH, EXP, LOG, SQRT, FABS, FLOOR, CEIL, ERF, ATAN2, POW, FMOD) = range(len(NAMES))

ROW = np.dtype([("op", "i4"), ("a", "i4"), ("b", "i4"), ("c", "i4")])
Reading = struct("Reading", {"rows": ROW, "constants": "f8", "outputs": "i8", "values": "f8", "t": "f8", "x": "f8", "v": "f8",
                             "out": "f8"})


@kernel
def _logic(op, a, b):
    if op == LT:
        yes = a < b
    elif op == LE:
        yes = a <= b
    elif op == GT:
        yes = a > b
    elif op == GE:
        yes = a >= b
    elif op == EQ:
        yes = a == b
    elif op == AND:
        yes = a != 0.0 and b != 0.0
    else:
        yes = a != 0.0 or b != 0.0
    return 1.0 if yes else 0.0


@kernel
def _round(op, a):
    if op == SQRT:
        return math.sqrt(a) if a >= 0.0 else math.nan
    if op == FABS:
        return abs(a)
    if not math.isfinite(a):
        return a
    return float(math.floor(a)) if op == FLOOR else float(math.ceil(a))


@kernel
def _function(op, a):
    if op == SIN:
        return math.sin(a)
    if op == COS:
        return math.cos(a)
    if op == TAN:
        return math.tan(a)
    if op == ASIN:
        return math.asin(a)
    if op == ACOS:
        return math.acos(a)
    if op == ATAN:
        return math.atan(a)
    if op == SINH:
        return math.sinh(a)
    if op == COSH:
        return math.cosh(a)
    if op == TANH:
        return math.tanh(a)
    if op == ASINH:
        return math.asinh(a)
    if op == ACOSH:
        return math.acosh(a)
    if op == ATANH:
        return math.atanh(a)
    if op == EXP:
        return math.exp(a)
    if op == LOG:
        return math.log(a)
    return math.erf(a)


@kernel
def read(s):
    """All rows in their order; nothing is written to ``out`` before all is read, so it may be x or v."""
    value = s.values
    for k in range(s.rows.size):
        op = s.rows[k].op
        a = s.rows[k].a
        if op == MUL:
            value[k] = value[a] * value[s.rows[k].b]
        elif op == ADD:
            value[k] = value[a] + value[s.rows[k].b]
        elif op == SUB:
            value[k] = value[a] - value[s.rows[k].b]
        elif op == CONST:
            value[k] = s.constants[a]
        elif op == X:
            value[k] = s.x[a]
        elif op == V:
            value[k] = s.v[a]
        elif op == T:
            value[k] = s.t[0]
        elif op == DIV:
            value[k] = value[a] / value[s.rows[k].b]
        elif op == SELECT:
            value[k] = value[s.rows[k].b] if value[a] != 0.0 else value[s.rows[k].c]
        elif op <= OR:
            value[k] = _logic(op, value[a], value[s.rows[k].b])
        elif op == ATAN2:
            value[k] = math.atan2(value[a], value[s.rows[k].b])
        elif op == POW:
            value[k] = value[a] ** value[s.rows[k].b]
        elif op == FMOD:
            value[k] = np.fmod(value[a], value[s.rows[k].b])
        elif SQRT <= op <= CEIL:
            value[k] = _round(op, value[a])
        else:
            value[k] = _function(op, value[a])
    for i in range(s.outputs.size):
        s.out[i] = value[s.outputs[i]]
    return 0


READ = entry("tape", "read", read, Reading, module=__name__)


class Taped:
    """A list of straight-line code and what it gives, ready to be read."""

    def __init__(self, ops, outputs, sizes):
        self.rows, constants = np.zeros(len(ops), ROW), []
        for k, (op, *args) in enumerate(ops):
            if op == "const":
                constants.append(float(args[0]))
                args = [len(constants) - 1]
            self.rows[k] = (NAMES.index(op), *args, *(0,) * (3 - len(args)))
        self.constants, self.outputs = np.array(constants, dtype=float), np.array(outputs, dtype=np.int64)
        self._t, self._arrays, self._lock = np.zeros(1), tuple(np.zeros(n) for n in sizes), threading.Lock()
        self._read = self.bind(self._t, *self._arrays)

    def bind(self, t, x, v, out) -> Bound:
        return READ.bind(Reading(self.rows, self.constants, self.outputs, np.zeros(len(self.rows)), t, x, v, out))

    def __call__(self, t, x, v) -> np.ndarray:
        with self._lock:  # one set of values
            self._t[0], self._arrays[0][:], self._arrays[1][:] = t, x, v
            self._read()
            return self._arrays[2].copy()
