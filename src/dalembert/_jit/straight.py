"""Straight-line code → machine code, by llvmlite alone: no branches, no loops, compiled in well under a second for thousands
of lines.

    ops       a list; entry k computes value k:  ("const", 2.5)  ("t",)  ("x", i)  ("v", i)  ("add", a, b)  ("sin", a)
              ("select", c, a, b) …
    outputs   out[i] ← value outputs[i]

The function has the signature of a vector law, void f(double t, double *x, double *v, double *out), so kernels can call it
through ``call_vector``.  It is wrapped a second time as an entry ``int64 group(int64 *table)`` with the table (number, t,
y, ydot): that is what the integrators call, x and v being y itself.  All is read before anything is written, so that ydot may
be y.  In Python mode the same list runs as Python.  Without llvmlite (the extra ``compile``) it is read by a kernel (taped.py).
"""

from __future__ import annotations

import ctypes
import math
import struct as packing
from typing import TYPE_CHECKING

import numpy as np

from . import shipped
from .kernels import CALLS, MODE

if TYPE_CHECKING:
    from .taped import Taped

BINARY = {"add": "fadd", "sub": "fsub", "mul": "fmul", "div": "fdiv"}
COMPARE = {"lt": "olt", "le": "ole", "gt": "ogt", "ge": "oge", "eq": "oeq"}
FUNCTIONS = {
    "sin": 1,
    "cos": 1,
    "tan": 1,
    "asin": 1,
    "acos": 1,
    "atan": 1,
    "sinh": 1,
    "cosh": 1,
    "tanh": 1,
    "asinh": 1,
    "acosh": 1,
    "atanh": 1,
    "exp": 1,
    "log": 1,
    "sqrt": 1,
    "fabs": 1,
    "floor": 1,
    "ceil": 1,
    "erf": 1,
    "atan2": 2,
    "pow": 2,
    "fmod": 2,
}
INTRINSIC = {"sqrt", "fabs", "floor", "ceil"}


class Straight:
    """A compiled straight-line function, kept alive with its library; or one that is read from its tape."""

    taped: Taped | None = None

    def __init__(self, ops, outputs, sizes, title="a derived function"):
        self.title, self.sizes, self.failure, self.count = title, sizes, None, len(ops)
        if MODE == "python":
            self._python = _as_python(ops, outputs)
            self.address = id(self)
            CALLS[self.address] = self._python
            return
        if not shipped.compiler():
            from .taped import Taped

            self.taped = Taped(ops, outputs, sizes)
            return
        self._library, self.address, self.entry = _compile(ops, outputs)
        pointer = ctypes.POINTER(ctypes.c_double)
        self._native = ctypes.CFUNCTYPE(None, ctypes.c_double, pointer, pointer, pointer)(self.address)

    def __call__(self, t, x, v) -> np.ndarray:
        x, v, out = np.ascontiguousarray(x, float), np.ascontiguousarray(v, float), np.empty(self.sizes[2])
        if x.size != self.sizes[0] or v.size != self.sizes[1]:
            raise ValueError(f"{self.title}: takes {self.sizes[0]} and {self.sizes[1]} numbers, got {x.size} and {v.size}")
        if MODE == "python":
            with np.errstate(all="ignore"):
                self._python(t, x, v, out)
            return out
        if self.taped is not None:
            return self.taped(t, x, v)
        pointer = ctypes.POINTER(ctypes.c_double)
        self._native(t, *(a.ctypes.data_as(pointer) for a in (x, v, out)))
        return out

    def bind(self, t, y, ydot):
        """As a right-hand side for the integrators: ydot ← f(t, y)."""
        return BoundStraight(self, t, y, ydot) if self.taped is None else self.taped.bind(t, y, y, ydot)

    def __getattr__(self, name):
        if name == "address":  # there is none
            raise RuntimeError(f"{self.title}: machine code is asked for, and llvmlite, which makes it, is not installed: "
                               f"{shipped.COMPILE}")
        raise AttributeError(name)


class BoundStraight:
    """ydot ← f(t, y, y) on fixed arrays, in the form of a bound entry."""

    def __init__(self, function: Straight, t, y, ydot):
        self.values = (function, t, y, ydot)
        if MODE == "python":
            self._run = lambda: function._python(t[0], y, y, ydot) or 0
            self.handle = id(self)
            CALLS[self.handle] = self._run
            return
        self._table = np.array([0, t.ctypes.data, y.ctypes.data, ydot.ctypes.data], dtype=np.int64)
        self._pair = np.array([function.entry, self._table.ctypes.data], dtype=np.int64)
        self.handle = int(self._pair.ctypes.data)
        native = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)(function.entry)
        self._run = lambda: native(int(self._table.ctypes.data))

    def __call__(self) -> int:
        return self._run()


def _number(x: float) -> str:
    return "0x" + packing.pack(">d", float(x)).hex().upper()


def _body(ops):
    """LLVM instructions for the list."""
    lines: list[str] = []
    used: set[str] = set()
    name: list[str] = []
    for k, (op, *args) in enumerate(ops):
        value = f"%r{k}"
        if op == "const":
            value = _number(args[0])
        elif op == "t":
            value = "%t"
        elif op in ("x", "v"):
            lines += [f"  %p{k} = getelementptr double, ptr %{op}, i64 {args[0]}", f"  {value} = load double, ptr %p{k}"]
        elif op in BINARY:
            lines.append(f"  {value} = {BINARY[op]} contract double {name[args[0]]}, {name[args[1]]}")
        elif op in COMPARE:
            lines.append(f"  {value} = fcmp {COMPARE[op]} double {name[args[0]]}, {name[args[1]]}")
        elif op in ("and", "or"):
            lines.append(f"  {value} = {op} i1 {name[args[0]]}, {name[args[1]]}")
        elif op == "select":
            lines.append(f"  {value} = select i1 {name[args[0]]}, double {name[args[1]]}, double {name[args[2]]}")
        else:
            given = ", ".join(f"double {name[a]}" for a in args)
            used.add(op)
            lines.append(f"  {value} = call double @{_symbol(op)}({given})")
        name.append(value)
    return lines, name, used


def _symbol(op: str) -> str:
    return f"llvm.{op}.f64" if op in INTRINSIC else op


def _compile(ops, outputs):
    import llvmlite.binding as llvm

    from . import loader

    lines, name, used = _body(ops)
    declared = [f"declare double @{_symbol(f)}({', '.join(['double'] * FUNCTIONS[f])})" for f in sorted(used)]
    stores = []
    for i, k in enumerate(outputs):
        stores += [f"  %o{i} = getelementptr double, ptr %out, i64 {i}", f"  store double {name[k]}, ptr %o{i}"]
    wrapper = ["define i64 @group(ptr %table) {"]
    for k, (kind, what) in enumerate((("t", "%tp"), ("y", "%y"), ("d", "%d")), 1):
        wrapper += [
            f"  %a{kind} = getelementptr i64, ptr %table, i64 {k}",
            f"  %b{kind} = load i64, ptr %a{kind}",
            f"  {what} = inttoptr i64 %b{kind} to ptr",
        ]
    wrapper += [
        "  %t = load double, ptr %tp",
        "  call void @straight(double %t, ptr %y, ptr %y, ptr %d)",
        "  ret i64 0",
        "}",
    ]
    text = "\n".join(
        [
            f'target triple = "{llvm.get_process_triple()}"',
            *declared,
            "define void @straight(double %t, ptr %x, ptr %v, ptr %out) {",
            *lines,
            *stores,
            "  ret void",
            "}",
            *wrapper,
        ]
    )
    library = loader.load(loader.emit(text, 2 if len(ops) < 20_000 else 1), ["straight", "group"])
    return library, library["straight"], library["group"]


def _as_python(ops, outputs):
    """The same list, run entry by entry."""
    simple = {
        "add": lambda a, b: a + b,
        "sub": lambda a, b: a - b,
        "mul": lambda a, b: a * b,
        "div": lambda a, b: np.divide(a, b),
        "lt": lambda a, b: a < b,
        "le": lambda a, b: a <= b,
        "gt": lambda a, b: a > b,
        "ge": lambda a, b: a >= b,
        "eq": lambda a, b: a == b,
        "and": lambda a, b: a and b,
        "or": lambda a, b: a or b,
        "select": lambda c, a, b: a if c else b,
        "erf": math.erf,
        "pow": np.float_power,
        "atan2": math.atan2,
    }
    table = {
        **{
            n: getattr(
                np,
                {
                    "asin": "arcsin",
                    "acos": "arccos",
                    "atan": "arctan",
                    "asinh": "arcsinh",
                    "acosh": "arccosh",
                    "atanh": "arctanh",
                }.get(n, n),
            )
            for n in FUNCTIONS
            if n not in simple
        },
        **simple,
    }

    def run(t, x, v, out):
        values: list = []
        for op, *args in ops:
            if op == "const":
                values.append(args[0])
            elif op == "t":
                values.append(t)
            elif op in ("x", "v"):
                values.append(float((x if op == "x" else v)[args[0]]))
            else:
                values.append(table[op](*(values[a] for a in args)))
        for i, k in enumerate(outputs):
            out[i] = values[k]

    return run
