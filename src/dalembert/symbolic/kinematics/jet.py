"""A scalar that moves: its value, its partial velocities, its rate, and its acceleration where no speed changes.

    c(q, t)      ċ = Σ c_k u_k + c_t          c̈ = Σ c_k u̇_k + h

``grad[k]`` = c_k = ∂ċ/∂u_k (partial velocity), ``rate`` = ċ, ``bias`` = h.  Sums, products and functions follow the rules
of calculus, so constraints, points, lengths and angles are all written once, as formulas of jets; virtual work is Σ F·grad.
"""

from __future__ import annotations

from collections.abc import Iterable

import sympy as sp

ZERO, ONE = sp.S.Zero, sp.S.One


class Jet:
    """value, {speed number: partial velocity}, rate, bias."""

    __slots__ = ("bias", "grad", "rate", "value")

    def __init__(self, value, grad=None, rate=ZERO, bias=ZERO):
        self.value, self.grad, self.rate, self.bias = sp.sympify(value), grad or {}, rate, bias

    @property
    def constant(self) -> bool:
        return not self.grad and self.rate == 0 and self.bias == 0

    def __add__(self, o):
        o = jet(o)
        return Jet(self.value + o.value, _sum(self.grad, o.grad), self.rate + o.rate, self.bias + o.bias)

    __radd__ = __add__

    def __neg__(self):
        return self * -1

    def __sub__(self, o):
        return self + jet(o) * -1

    def __rsub__(self, o):
        return jet(o) - self

    def __mul__(self, o):
        o = jet(o)
        if o.constant:
            k = o.value
            if k == 0:
                return Jet(ZERO)
            return Jet(self.value * k, {n: g * k for n, g in self.grad.items()}, self.rate * k, self.bias * k)
        if self.constant:
            return o * self
        grad = _sum({n: g * o.value for n, g in self.grad.items()}, {n: g * self.value for n, g in o.grad.items()})
        return Jet(
            self.value * o.value,
            grad,
            self.rate * o.value + self.value * o.rate,
            self.bias * o.value + 2 * self.rate * o.rate + self.value * o.bias,
        )

    __rmul__ = __mul__

    def through(self, value, first, second) -> Jet:
        """f(c) given f, f′ and f″ at c."""
        return Jet(
            value, {n: first * g for n, g in self.grad.items()}, first * self.rate, first * self.bias + second * self.rate**2
        )

    def cos(self) -> Jet:
        c, s = sp.cos(self.value), sp.sin(self.value)
        return self.through(c, -s, -c)

    def sin(self) -> Jet:
        c, s = sp.cos(self.value), sp.sin(self.value)
        return self.through(s, c, -s)

    def sqrt(self) -> Jet:
        root = sp.sqrt(self.value)
        return self.through(root, 1 / (2 * root), -1 / (4 * root * self.value))

    def __truediv__(self, o):
        o = jet(o)
        v = o.value
        return self * (Jet(1 / v) if o.constant else o.through(1 / v, -1 / v**2, 2 / v**3))


def jet(x) -> Jet:
    return x if isinstance(x, Jet) else Jet(x)


def _sum(a: dict, b: dict) -> dict:
    out = dict(a)
    for k, g in b.items():
        out[k] = out[k] + g if k in out else g
    return {k: g for k, g in out.items() if g != 0}


def compose(expr, arguments: dict[sp.Symbol, Jet]) -> Jet:
    """F(c_1 … c_n) as a jet: F_k and F_kl by differentiation."""
    used = {s: j for s, j in arguments.items() if expr.has(s)}
    at = {s: j.value for s, j in used.items()}
    grad: dict = {}
    rate = bias = ZERO
    for s, j in used.items():
        slope = expr.diff(s)
        first = slope.xreplace(at)
        grad = _sum(grad, {n: first * g for n, g in j.grad.items()})
        rate += first * j.rate
        bias += first * j.bias
        for r, i in used.items():
            second = slope.diff(r)
            if second != 0:
                bias += second.xreplace(at) * j.rate * i.rate
    return Jet(expr.xreplace(at), grad, rate, bias)


def dot(a: Iterable[Jet], b: Iterable[Jet]) -> Jet:
    total = Jet(ZERO)
    for x, y in zip(a, b, strict=True):
        total = total + x * y
    return total


def minus(a, b) -> list[Jet]:
    return [x - y for x, y in zip(a, b, strict=True)]
