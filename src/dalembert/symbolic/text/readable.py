"""Numbers where they read well: for the eye alone, what is computed with stays exact as it is.

Exact numbers of fifteen digits, taken out of a sum as a common factor, make 3e-32·(2.6e30 cos q + 3.4e30): true and useless.
"""

from __future__ import annotations

from functools import lru_cache

import sympy as sp

from dalembert.symbolic.simplify import chop


def plain_number(c) -> bool:
    """A number that reads well: up to five digits, as a decimal between a millionth and a million, or a simple fraction."""
    if not c.is_Rational:
        return True
    if c.q == 1:
        return abs(c.p) < 10**6
    q = c.q
    for f in (2, 3):
        while q % f == 0:
            q //= f
    if q == 1 and c.q <= 48 and abs(c.p) < 1000:
        return True
    return sp.Rational(f"{float(c):.5g}") == c and 1e-6 < abs(c) < 1e6


@lru_cache(maxsize=4096)
def readable(e):
    """The same formula with its numbers where they read well: no factor 3e-32 before a sum of numbers like 2.6e30, no terms
    that are only rounding.  For the eye alone: what is computed with stays as it is.

    A number before a sum whose own numbers are not plain goes into the sum, down to its terms; what cannot take it (a second
    sum, a power of a sum) is brought to the size of one, and the power of ten joins the number.
    """
    return e if e.is_Atom or all(plain_number(r) for r in e.atoms(sp.Rational)) else _spread(e, sp.S.One)


def _spread(e, c):
    """c times a formula."""
    if e.is_Add:
        return chop(sp.Add(*(_spread(t, c) for t in e.args)))
    k, rest = e.as_coeff_Mul()
    c *= k
    factors, first = [], None
    for f in sp.Mul.make_args(rest):
        if f.is_Add and first is None and not all(plain_number(r) for r in _numbers(f)):
            first = f
            continue
        k, f = _factor(f)
        c *= k
        factors.append(f)
    if first is not None:
        factors.append(_spread(first, c))
        c = sp.S.One
    return sp.Mul(c, *factors)


def _factor(f):
    """A factor as a power of ten and what is left."""
    if f.is_Add:
        k = round(_size(f)) if not all(plain_number(r) for r in _numbers(f)) else 0
        return sp.Rational(10) ** k, _spread(f, sp.Rational(10) ** -k)
    if f.is_Pow and f.base.is_Add and f.exp.is_Rational and f.exp.q <= 2:
        k = 2 * round(_size(f.base) / 2) if not all(plain_number(r) for r in _numbers(f.base)) else 0
        return sp.Rational(10) ** (k * f.exp), sp.Pow(_spread(f.base, sp.Rational(10) ** -k), f.exp)
    return sp.S.One, f if f.is_Atom else f.func(*(readable(a) for a in f.args))


def _numbers(e):
    """The numbers before the terms of a sum, those of sums in it too."""
    for t in sp.Add.make_args(e):
        c, rest = t.as_coeff_Mul()
        yield c
        for f in sp.Mul.make_args(rest):
            if f.is_Add:
                yield from _numbers(f)


def _size(e) -> float:
    """Size of the largest term's number, as a power of ten."""
    found = []
    for t in sp.Add.make_args(e):
        c, rest = t.as_coeff_Mul()
        if c.is_Rational and c != 0:
            found.append(float(sp.log(abs(c), 10)) + sum(_size(f) for f in sp.Mul.make_args(rest) if f.is_Add))
    return max(found, default=0.0)
