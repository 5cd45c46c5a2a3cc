"""Table: a law given by points.

    kind      between the points                                        continuous   for
    pchip     monotone cubics (Fritsch, Carlson): no overshoot          f, f'        loads and signals (their default)
    cubic     natural cubic spline                                      f, f', f''   drives (their default)
    linear    straight lines                                            f            loads, signals
    step      the value of the point to the left                        nothing      loads, signals

A table is one curve whether a load takes it directly, through a signal or as the rate of a state; prescribed motions, which need
continuous accelerations, cannot take it through a signal (model/reading.py).

Every kind is a cubic in each interval, so one kernel (elements/laws.spline) evaluates them all.  Outside the points the law goes
on straight with its last slope; a step keeps its last value.

Over a name that belongs to another part ("pin.angle", a signal) a table is a formula, with the derivatives and breaks formulas
have: the sum of what each interval adds, as far as x has gone into it,

    f = y₀ + Σ_k u_k (b_k + u_k (c_k + u_k d_k)) + s₀ min(x − x₀, 0) + s_n max(x − x_n, 0)
    u_k = max(x − x_k, 0) − max(x − x_k+1, 0)

so that nothing large is subtracted; its cost grows with the number of points.

Slopes of pchip: 0 where the secants on both sides differ in sign, otherwise their weighted harmonic mean; three-point formulas
at the ends, kept monotone.  Source: F. N. Fritsch, J. Butland, SIAM J. Sci. Stat. Comput. 5 (1984) 300-304.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Any

import numpy as np

from dalembert import expressions
from dalembert.errors import ModelError, hint
from dalembert.expressions import terms

KINDS = ("pchip", "cubic", "linear", "step")
OVERSHOOT = 0.05  # of the range of y: more is told


class Table:
    """A law through points (x, y).

    Left out, the kind is "pchip" for loads, signals and states (no overshoot) and "cubic" for drives (continuous accelerations).
    Outside the points the law goes on straight.

    Parameters
    ----------
    x : list of numbers [s, m, rad …]
        Increasing, at least two.
    y : list of numbers [N, m, rad …]
        As many values.
    of : text [–], default 't'
        What x is: "t", a name the element's law may use, as "length" of a spring, or what laws of forces and signals read of
        other parts, as "pin.angle".
    kind : text [–], optional
        "pchip", "cubic", "linear" or "step".
    """

    def __init__(self, x: Sequence[Any] | np.ndarray, y: Sequence[Any] | np.ndarray, of: str = "t", *,
                 kind: str | None = None) -> None:
        self.x, self.y, self.of, self.kind = _floats(x, "x"), _floats(y, "y"), of, kind
        if not isinstance(of, str) or not of.strip():
            raise ModelError(f"Table: of= is what x is, \"t\" or a name such as \"pin.angle\", got {of!r:.60}")
        if kind is not None and kind not in KINDS:
            raise ModelError(f"Table: kind is {', '.join(KINDS)}, not {kind!r}{hint(str(kind), KINDS)}")
        if len(self.x) != len(self.y) or len(self.x) < 2:
            raise ModelError("Table: needs two lists of the same length, at least two points")
        if not np.all(np.isfinite(self.x)) or not np.all(np.isfinite(self.y)):
            raise ModelError("Table: all values must be finite")
        if not all(a < b for a, b in zip(self.x, self.x[1:], strict=False)):
            raise ModelError("Table: the x values must increase")

    def kind_for(self, element) -> str:
        """The kind it has as a law of this element."""
        return self.kind or ("pchip" if getattr(element, "kind", "") in ("force", "signal") else "cubic")

    def pieces(self, kind: str) -> tuple[list[float], list[list[float]]]:
        """Knots, and four coefficients per interval (powers of x − knot)."""
        x, y = np.array(self.x), np.array(self.y)
        h, secant = np.diff(x), np.diff(y) / np.diff(x)
        if kind == "step":
            return [*self.x, self.x[-1] + 1.0 + abs(self.x[-1])], [[v, 0.0, 0.0, 0.0] for v in self.y]
        if kind == "linear":
            return self.x, [[a, b, 0.0, 0.0] for a, b in zip(self.y, secant.tolist(), strict=False)]
        if kind == "cubic":
            m = np.zeros(len(x))
            if len(x) > 2:
                m[1:-1] = _tridiagonal(2 * (h[:-1] + h[1:]), h[1:-1], 6 * np.diff(secant))
            return self.x, [[y[k], secant[k] - h[k] * (2 * m[k] + m[k + 1]) / 6, m[k] / 2, (m[k + 1] - m[k]) / (6 * h[k])]
                            for k in range(len(h))]
        d = _slopes(h, secant)
        return self.x, [[y[k], d[k], (3 * secant[k] - 2 * d[k] - d[k + 1]) / h[k], (d[k] + d[k + 1] - 2 * secant[k]) / h[k] ** 2]
                        for k in range(len(h))]

    def formula(self, kind: str) -> expressions.Expression:
        """The same law as a formula of the name it is over."""
        x = expressions.parse(expressions.name_text(self.of))._term
        ahead = [terms.sub(x, terms.number(knot)) for knot in self.x]
        past, zero, one = [terms.fold("max", u, terms.number(0.0)) for u in ahead], terms.number(0.0), terms.number
        parts = [one(self.y[0])]
        if kind == "step":
            parts += [terms.mul(one(b - a), terms.fold("step", u)) for u, a, b in
                      zip(ahead[1:], self.y, self.y[1:], strict=False)]
            return _sum(parts)
        knots, rows = self.pieces(kind)
        for k, (_, *powers) in enumerate(rows):
            u, inner = terms.sub(past[k], past[k + 1]), zero
            for c in reversed(powers):
                inner = terms.mul(u, terms.add(one(float(c)), inner))
            parts.append(inner)
        (_, b, c, d), h = rows[-1], knots[-1] - knots[-2]
        parts += [terms.mul(one(float(rows[0][1])), terms.fold("min", ahead[0], zero)),
                  terms.mul(one(float(b + h * (2 * c + 3 * h * d))), past[-1])]
        return _sum(parts)

    def overshoot(self, kind: str) -> tuple[float, float]:
        """How far the law leaves the range of y, as a part of that range, and where."""
        low, high = min(self.y), max(self.y)
        knots, rows = self.pieces(kind)
        x, width = np.array(knots[:-1]), np.diff(knots)
        a, b, c, d = np.array(rows).T
        with np.errstate(all="ignore"):
            root = np.sqrt(c * c - 3 * b * d)
            places = np.concatenate([(-c + root) / (3 * d), (-c - root) / (3 * d), -b / (2 * c)])  # where the slope is zero
        a, b, c, d, x, width = (np.tile(z, 3) for z in (a, b, c, d, x, width))
        inside = (places > 0) & (places < width)
        u = np.where(inside, places, 0.0)
        f = a + u * (b + u * (c + u * d))
        out = np.where(inside, np.maximum(f - high, low - f), 0.0)
        k = int(np.argmax(out))
        return (max(float(out[k]), 0.0) / (high - low) if high > low else 0.0), float(x[k] + u[k])

    def __repr__(self):
        return f"Table({self.x!r}, {self.y!r}, of={self.of!r}{'' if self.kind is None else f', kind={self.kind!r}'})"

    def __eq__(self, other):
        return isinstance(other, Table) and vars(self) == vars(other)

    __hash__ = None  # type: ignore[assignment]


def _sum(parts: list[terms.Term]) -> expressions.Expression:
    return expressions.Expression(reduce(terms.add, parts))


def _floats(values, name: str) -> list[float]:
    try:
        return [float(v) for v in values]
    except (TypeError, ValueError) as error:
        raise ModelError(f"Table: {name} must be a list of numbers, not {values!r}") from error


def _slopes(h, secant):
    """Slopes at the points that keep the data's monotony."""
    n = len(h) + 1
    d = np.zeros(n)
    if n == 2:
        return np.array([secant[0], secant[0]])
    a, b = secant[:-1], secant[1:]
    same = a * b > 0
    w1, w2 = 2 * h[1:] + h[:-1], h[1:] + 2 * h[:-1]
    with np.errstate(all="ignore"):
        d[1:-1] = np.where(same, (w1 + w2) / (w1 / a + w2 / b), 0.0)
    d[0] = _end(h[0], h[1], secant[0], secant[1])
    d[-1] = _end(h[-1], h[-2], secant[-1], secant[-2])
    return d


def _end(h0, h1, s0, s1) -> float:
    slope = ((2 * h0 + h1) * s0 - h0 * s1) / (h0 + h1)
    if slope * s0 <= 0:
        return 0.0
    return 3 * s0 if s0 * s1 <= 0 and abs(slope) > 3 * abs(s0) else slope


def _tridiagonal(main, side, right):
    """Solve a symmetric, diagonally dominant tridiagonal system by elimination: time and room grow with its size only."""
    d, b = list(main), list(right)
    for k in range(len(side)):
        f = side[k] / d[k]
        d[k + 1] -= f * side[k]
        b[k + 1] -= f * b[k]
    b[-1] /= d[-1]
    for k in range(len(side) - 1, -1, -1):
        b[k] = (b[k] - side[k] * b[k + 1]) / d[k]
    return b
