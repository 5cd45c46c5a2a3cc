"""Terms to SymPy: integers stay exact, so "m*l**2/12" has the factor 1/12; step is Heaviside, 1 at 0."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from typing import Any

from . import terms
from .terms import Term


def to_sympy(u: Term, symbols: Mapping[str, Any]) -> Any:
    """The term as a SymPy expression; every name must be among the symbols."""
    import sympy

    def smoothstep(x, x0, y0, x1, y1):
        s = sympy.Min(sympy.Max((x - x0) / (x1 - x0), 0), 1)
        return y0 + (y1 - y0) * s**3 * (10 - 15 * s + 6 * s**2)

    table = {
        "+": operator.add,
        "-": operator.sub,
        "*": operator.mul,
        "/": operator.truediv,
        "**": operator.pow,
        "neg": operator.neg,
        "abs": sympy.Abs,
        "min": sympy.Min,
        "max": sympy.Max,
        "log10": lambda x: sympy.log(x) / sympy.log(10),
        "step": lambda x: sympy.Heaviside(x, 1),
        "hypot": lambda x, y: sympy.sqrt(x**2 + y**2),
        "smoothstep": smoothstep,
    }
    constants = {"pi": sympy.pi, "e": sympy.E, "tau": 2 * sympy.pi}

    def leaf(kind: str, payload: Any) -> Any:
        if kind == "number":
            exact = payload.is_integer() and abs(payload) < 1e15
            return sympy.Integer(int(payload)) if exact else sympy.Float(payload)
        return symbols[payload] if kind == "name" else constants[payload]

    def operation(kind: str, *operands: Any) -> Any:
        return (table.get(kind) or getattr(sympy, kind))(*operands)

    return terms.walk(u, leaf, operation)
