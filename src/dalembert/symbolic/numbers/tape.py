"""A tape: SymPy formulas and linear solves as one list of elementary operations, each different one once.

``Tape.formula`` walks an expression; equal subexpressions have one entry (SymPy hashes them), so formulas that share parts
stay small however large they would be when written out.  ``ldl`` writes a symmetric factorisation into the list, ``solve``
uses it; what is structurally zero costs nothing.  The list is compiled by _jit/straight.py.
"""

from __future__ import annotations

import sympy as sp

from dalembert.algebra.null_space import DROP
from dalembert.errors import AnalysisError

UNARY = {
    sp.sin: "sin",
    sp.cos: "cos",
    sp.tan: "tan",
    sp.asin: "asin",
    sp.acos: "acos",
    sp.atan: "atan",
    sp.sinh: "sinh",
    sp.cosh: "cosh",
    sp.tanh: "tanh",
    sp.asinh: "asinh",
    sp.acosh: "acosh",
    sp.atanh: "atanh",
    sp.exp: "exp",
    sp.log: "log",
    sp.Abs: "fabs",
    sp.floor: "floor",
    sp.ceiling: "ceil",
    sp.erf: "erf",
}
RELATION = {sp.StrictLessThan: "lt", sp.LessThan: "le", sp.StrictGreaterThan: "gt", sp.GreaterThan: "ge", sp.Equality: "eq"}


class Tape:
    """Operations in order; values are numbers of entries.  ``on``: a tape whose list is written on, with other known values."""

    def __init__(self, on: Tape | None = None):
        self.ops: list[tuple] = [] if on is None else on.ops
        self.memo: dict[tuple, int] = {} if on is None else on.memo
        self.known: dict[sp.Basic, int] = {}
        self.zero, self.one = self.const(0.0), self.const(1.0)

    def op(self, *item) -> int:
        if item not in self.memo:
            self.memo[item] = len(self.ops)
            self.ops.append(item)
        return self.memo[item]

    def const(self, x) -> int:
        return self.op("const", float(x))

    def _value(self, a):
        return self.ops[a][1] if self.ops[a][0] == "const" else None

    # ------------------------------------------------------------------------------------------------ arithmetic

    def add(self, a, b) -> int:
        if a == self.zero:
            return b
        if b == self.zero:
            return a
        return self.op("add", *sorted((a, b)))

    def sub(self, a, b) -> int:
        if b == self.zero:
            return a
        if a == b:
            return self.zero
        return self.op("sub", a, b)

    def mul(self, a, b) -> int:
        if self.zero in (a, b):
            return self.zero
        if a == self.one:
            return b
        if b == self.one:
            return a
        x, y = self._value(a), self._value(b)
        if x is not None and y is not None:
            return self.const(x * y)
        return self.op("mul", *sorted((a, b)))

    def div(self, a, b) -> int:
        if a == self.zero or b == self.one:
            return a
        return self.op("div", a, b)

    def total(self, items) -> int:
        out = self.zero
        for a in items:
            out = self.add(out, a)
        return out

    def power(self, a, n: int) -> int:
        out, base, n = self.one, a, int(n)
        while n:
            if n & 1:
                out = self.mul(out, base)
            n >>= 1
            if n:
                base = self.mul(base, base)
        return out

    # --------------------------------------------------------------------------------------------------- formulas

    def formula(self, expr) -> int:
        """Number of the entry that holds a formula's value; its symbols must be in ``known``."""
        stack = [expr]
        known = self.known
        while stack:
            e = stack[-1]
            if e in known:
                stack.pop()
                continue
            missing = [a for a in e.args if a not in known and not isinstance(a, sp.Tuple)]
            if isinstance(e, sp.Piecewise):
                missing = [x for pair in e.args for x in pair.args if x not in known and x not in (sp.true, sp.false)]
            if missing and not e.is_number:
                stack += missing
                continue
            known[e] = self._write(e)
            stack.pop()
        return known[expr]

    def _write(self, e) -> int:
        if e.is_number:
            return self.const(float(e))
        k = [self.known[a] for a in e.args if a in self.known]
        if e.is_Add:
            return self._sum(e)
        if e.is_Mul:
            return self._product(e)
        if e.is_Pow:
            return self._pow(e, k)
        if e.func in UNARY:
            return self.op(UNARY[e.func], *k)
        if e.func is sp.atan2:
            return self.op("atan2", *k)
        if e.func in RELATION:
            return self.op(RELATION[e.func], *k)
        if e.func in (sp.And, sp.Or):
            out = k[0]
            for b in k[1:]:
                out = self.op("and" if e.func is sp.And else "or", out, b)
            return out
        return self._choice(e, k)

    def _sum(self, e) -> int:
        plus, minus = [], []
        for a in e.args:
            if a.is_Mul and a.args[0].is_number and a.args[0].is_negative:
                minus.append(self.formula(-a) if -a in self.known else self._negated(a))
            else:
                plus.append(self.known[a])
        out = self.total(plus)
        for a in minus:
            out = self.sub(out, a)
        return out

    def _negated(self, a) -> int:
        return self.mul(
            self.const(-float(a.args[0])), self._product(sp.Mul(*a.args[1:], evaluate=False) if len(a.args) > 2 else a.args[1])
        )

    def _product(self, e) -> int:
        if not e.is_Mul:
            return self.formula(e)
        over, under = self.one, self.one
        for a in e.args:
            if a.is_Pow and a.exp.is_Integer and a.exp.is_negative:
                under = self.mul(under, self.power(self.formula(a.base), -a.exp))
            elif a.is_Pow and a.exp == -sp.S.Half:
                under = self.mul(under, self.op("sqrt", self.formula(a.base)))
            else:
                over = self.mul(over, self.formula(a))
        return self.div(over, under)

    def _pow(self, e, k) -> int:
        base, exponent = self.known[e.base], e.exp
        if exponent.is_Integer:
            n = int(exponent)
            p = self.power(base, abs(n)) if abs(n) <= 32 else self.op("pow", base, self.const(abs(n)))
            return p if n > 0 else self.div(self.one, p)
        if (2 * exponent).is_Integer:
            root = self.power(self.op("sqrt", base), abs(int(2 * exponent)))
            return root if exponent.is_positive else self.div(self.one, root)
        return self.op("pow", base, self.known[exponent])

    def _choice(self, e, k) -> int:
        if isinstance(e, sp.Piecewise):
            value = None
            for branch, condition in reversed(e.args):
                x = self.known[branch]
                value = x if value is None or condition == sp.true else self.op("select", self.known[condition], x, value)
            return value if value is not None else self.zero
        if e.func in (sp.Min, sp.Max):
            out = k[0]
            for b in k[1:]:
                out = self.op("select", self.op("lt" if e.func is sp.Min else "gt", out, b), out, b)
            return out
        if e.func is sp.Heaviside:
            at = self.const(float(e.args[1]) if len(e.args) > 1 and e.args[1].is_number else 0.5)
            here = self.known[e.args[0]]
            return self.op(
                "select",
                self.op("gt", here, self.zero),
                self.one,
                self.op("select", self.op("lt", here, self.zero), self.zero, at),
            )
        if e.func is sp.sign:
            return self.op(
                "select",
                self.op("gt", k[0], self.zero),
                self.one,
                self.op("select", self.op("lt", k[0], self.zero), self.const(-1.0), self.zero),
            )
        if e.func is sp.DiracDelta:
            return self.zero  # the derivative of a step, except at the step
        if e.func is sp.Mod:
            r = self.op("floor", self.div(k[0], k[1]))
            return self.sub(k[0], self.mul(r, k[1]))
        raise AnalysisError(f"the formula contains {e.func.__name__}, which cannot be compiled: {e}")

    # ---------------------------------------------------------------------------------------------- linear algebra

    def ldl(self, S, drop=False):
        """Factors of a symmetric matrix of entries: L below its unit diagonal, and 1/d (zero for dropped pivots)."""
        n = len(S)
        L = [[self.zero] * n for _ in range(n)]
        d: list[int] = []
        inverse: list[int] = []
        for j in range(n):
            pivot = S[j][j]
            for k in range(j):
                pivot = self.sub(pivot, self.mul(self.mul(L[j][k], L[j][k]), d[k]))
            d.append(pivot)
            x = self.div(self.one, pivot)
            if drop:
                small = self.op("lt", pivot, self.mul(self.const(DROP), S[j][j]))
                x = self.op("select", small, self.zero, x)
            inverse.append(x)
            for i in range(j + 1, n):
                y = S[i][j]
                for k in range(j):
                    y = self.sub(y, self.mul(self.mul(L[i][k], L[j][k]), d[k]))
                L[i][j] = self.mul(y, x)
        return L, inverse

    def solve(self, factors, b) -> list[int]:
        L, inverse = factors
        n = len(b)
        x = list(b)
        for i in range(n):
            for k in range(i):
                x[i] = self.sub(x[i], self.mul(L[i][k], x[k]))
        x = [self.mul(a, i) for a, i in zip(x, inverse, strict=True)]
        for i in range(n - 1, -1, -1):
            for k in range(i + 1, n):
                x[i] = self.sub(x[i], self.mul(L[k][i], x[k]))
        return x
